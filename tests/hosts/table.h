/* Functions that are newer than the oldest headers, by their places in the driver's own tables, as newer
 * loaders get them; the driver must be the only one. The program defines _GNU_SOURCE. */
#pragma once
#include "host.h"

#include <dlfcn.h>

enum { VERSION_1_17 = 0x10011, SLOTS = 64 };

typedef void (*function_t)(void);

static inline function_t slot(const char* getter, unsigned position) {
  void* driver = dlopen(getenv("ZE_ENABLE_ALT_DRIVERS"), RTLD_NOW | RTLD_NOLOAD);
  function_t table[SLOTS] = {NULL};
  ze_result_t (*get)(unsigned, void*) = (ze_result_t(*)(unsigned, void*))dlsym(driver, getter);
  EXPECT(get != NULL);
  CHECK(get(VERSION_1_17, table));
  EXPECT(table[position] != NULL);
  return table[position];
}
