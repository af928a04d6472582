// What kernels print: the records that they leave in the launch's printf buffer, as text.
//
// Buffer (public facts in the sources of Intel's driver and graphics compiler): a dword that counts
// the bytes in use, itself included; then for each call the 64-bit address of its format string, and
// for each argument a dword with its type and its value. Strings are in the module's memory.
#pragma once

#include <cstdint>
#include <string>

#include "device/memory.hpp"

namespace xesim::device {

// As large as Intel's driver makes it; kernels know this size and write nothing beyond it.
inline constexpr std::uint64_t kPrintfBufferBytes = 4 * 1024 * 1024;

// Makes the buffer at `address` empty.
void begin_printf_buffer(std::uint64_t address);

struct PrintfOutput {
  std::string text;
  std::string problem;  // one line: records that were lost or make no sense; empty if none
};

// Reads the records in bytes `first` to `used` of a buffer of `size` bytes at `address`. What `used`
// says beyond `size` is what did not fit.
[[nodiscard]] PrintfOutput read_print_records(const Memory& memory, std::uint64_t address,
                                              std::uint32_t first, std::uint32_t used,
                                              std::uint64_t size);

// Reads the printf buffer at `address`, whose contents are a kernel's and not trusted.
[[nodiscard]] PrintfOutput read_printf_buffer(const Memory& memory, std::uint64_t address);

}  // namespace xesim::device
