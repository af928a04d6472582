// One conversion of an OpenCL format string, and its application to a value.
//
// OpenCL C, "printf": flags, width, precision, vector (vN), length (hh, h, hl, l) and conversion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xesim::device {

struct Conversion {
  std::string flags;       // as written: any of "-+ #0"
  int width = 0;           // characters; 0: none
  int precision = -1;      // -1: none
  std::string length;      // hh, h, hl, l, ll or empty
  char letter = 'd';
  std::size_t characters = 0;  // of the format string, with the percent sign
};

// The conversion that `format` begins with, at its percent sign; nothing when it is malformed.
[[nodiscard]] std::optional<Conversion> parse_conversion(std::string_view format);

// The text of an integer of `bytes` bytes, a floating-point number, or a string. A conversion that
// is for another kind of value gives the nearest sensible text.
[[nodiscard]] std::string convert_integer(const Conversion& conversion, std::uint64_t value,
                                          unsigned bytes);
[[nodiscard]] std::string convert_float(const Conversion& conversion, double value);
[[nodiscard]] std::string convert_string(const Conversion& conversion, const std::string& value);

}  // namespace xesim::device
