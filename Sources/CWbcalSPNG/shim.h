#include <spng.h>
#include <stdlib.h>
