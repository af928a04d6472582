// The least that a test program needs: named cases, and a check that says where it failed.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

namespace xesim::debug::tests {

struct Case {
  const char* name;
  void (*run)();
};

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                             \
    }                                                                           \
  } while (false)

// No argument: every case. --list: their names. Else: the cases that are named.
inline int run_cases(const std::vector<Case>& cases, int count, char** arguments) {
  if (count == 2 && std::strcmp(arguments[1], "--list") == 0) {
    for (const Case& test : cases) std::puts(test.name);
    return 0;
  }
  for (const Case& test : cases) {
    bool wanted = count == 1;
    for (int index = 1; index < count; ++index) {
      wanted = wanted || std::strcmp(arguments[index], test.name) == 0;
    }
    if (!wanted) continue;
    std::fprintf(stderr, "%s\n", test.name);
    test.run();
  }
  return 0;
}

}  // namespace xesim::debug::tests
