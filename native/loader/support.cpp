// Functions that newer C and C++ libraries have, and that Debian's newest Level Zero loader and its
// layers ask for. Each does what its documentation says; none has a version, so the dynamic linker
// takes it for whatever version is asked.
#include <cstdlib>
#include <exception>
#include <ios>

extern "C" {

// glibc 2.38: strtol and strtoul that read 0b as well; the loader gives no base that it is good for.
long __isoc23_strtol(const char* text, char** end, int base) { return std::strtol(text, end, base); }
unsigned long __isoc23_strtoul(const char* text, char** end, int base) {
  return std::strtoul(text, end, base);
}

// GCC 14: what a noexcept function calls when an exception would leave it.
[[noreturn]] void __cxa_call_terminate(void* /*exception*/) noexcept { std::terminate(); }

// GCC 13: makes std::cout and the other streams, from any object that includes <iostream>.
void initialise_streams() __asm__("_ZSt21ios_base_library_initv");
void initialise_streams() { static const std::ios_base::Init streams; }

}  // extern "C"
