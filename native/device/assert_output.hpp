// Assertions that failed in a kernel: the lines that the compiler's library leaves for the driver.
//
// Buffer (public facts in the sources of Intel's driver, "assert handler", and in code that its
// compiler makes): dwords with the buffer's size, a flag that is not zero once an assertion failed,
// and how many bytes are in use, these three included; then records as of printf.
#pragma once

#include <cstdint>
#include <optional>

#include "device/printf_output.hpp"

namespace xesim::device {

// As large as Intel's driver makes it; the library reads the size and writes nothing beyond.
inline constexpr std::uint32_t kAssertBufferBytes = 64 * 1024;

// Makes the buffer at `address` one without a failed assertion.
void begin_assert_buffer(std::uint64_t address);

// What the buffer at `address`, whose contents are a kernel's and not trusted, says of failed
// assertions; nothing if none failed.
[[nodiscard]] std::optional<PrintfOutput> read_assert_buffer(const Memory& memory,
                                                             std::uint64_t address);

}  // namespace xesim::device
