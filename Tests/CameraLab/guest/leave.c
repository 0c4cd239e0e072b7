// leave STATUS: ends QEMU through its device isa-debug-exit, with twice the status and 1.
#include <stdlib.h>
#include <sys/io.h>

int main(int count, char **words) {
  if (count != 2 || iopl(3)) return 1;
  outb((unsigned char)atoi(words[1]), 0xf4);
  return 1;
}
