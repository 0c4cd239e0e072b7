#include "faults.h"

struct faults faults;

bool are_aimed_at(int entity, int selector, int request) {
  return (!faults.entity || faults.entity == entity) &&
         (!faults.selector || faults.selector == selector) &&
         (!faults.request || faults.request == request);
}

bool happens(int *count) {
  if (!*count) return false;
  if (*count > 0) --*count;
  return true;
}
