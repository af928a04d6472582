#include "device/printf_format.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <vector>

namespace xesim::device {
namespace {

// Wider output would be a mistake of the kernel, or an attack on our memory.
constexpr int kMostCharacters = 4096;

int digits(std::string_view format, std::size_t& at) {
  int value = 0;
  for (; at < format.size() && std::isdigit(static_cast<unsigned char>(format[at])) != 0; ++at) {
    value = std::min(value * 10 + (format[at] - '0'), kMostCharacters);
  }
  return value;
}

// The format for the host's printf, with `length` instead of the kernel's length modifier.
std::string host_format(const Conversion& conversion, const char* length, char letter) {
  std::string format = "%" + conversion.flags;
  if (conversion.width > 0) format += std::to_string(conversion.width);
  if (conversion.precision >= 0) format += "." + std::to_string(conversion.precision);
  return format + length + letter;
}

template <typename Value>
std::string print(const std::string& format, Value value) {
  const int size = std::snprintf(nullptr, 0, format.c_str(), value);
  if (size <= 0) return {};
  std::vector<char> text(static_cast<std::size_t>(size) + 1);
  std::snprintf(text.data(), text.size(), format.c_str(), value);
  return {text.data(), static_cast<std::size_t>(size)};
}

std::int64_t sign_extended(std::uint64_t value, unsigned bytes) {
  const unsigned shift = 64 - 8 * bytes;
  return static_cast<std::int64_t>(value << shift) >> shift;
}

bool is_float_letter(char letter) {
  return std::string_view("aAeEfFgG").find(letter) != std::string_view::npos;
}

}  // namespace

std::optional<Conversion> parse_conversion(std::string_view format) {
  Conversion out;
  std::size_t at = 1;
  while (at < format.size() && std::string_view("-+ #0").find(format[at]) != std::string_view::npos) {
    if (out.flags.find(format[at]) == std::string::npos) out.flags += format[at];
    ++at;
  }
  out.width = digits(format, at);
  if (at < format.size() && format[at] == '.') {
    ++at;
    out.precision = digits(format, at);
  }
  if (at < format.size() && format[at] == 'v') {
    ++at;
    (void)digits(format, at);  // the record says how many elements there are
  }
  while (at < format.size() && (format[at] == 'h' || format[at] == 'l') && out.length.size() < 2) {
    out.length += format[at++];
  }
  if (at == format.size() ||
      std::string_view("diouxXaAeEfFgGcsp").find(format[at]) == std::string_view::npos) {
    return std::nullopt;
  }
  out.letter = format[at];
  out.characters = at + 1;
  return out;
}

std::string convert_integer(const Conversion& conversion, std::uint64_t value, unsigned bytes) {
  if (conversion.length == "hh") bytes = 1;
  if (conversion.length == "h") bytes = std::min(bytes, 2u);
  switch (conversion.letter) {
    case 'c':
      return print(host_format(conversion, "", 'c'), static_cast<int>(value & 0xFF));
    case 'p':
      return print(host_format(conversion, "", 'p'),
                   reinterpret_cast<const void*>(static_cast<std::uintptr_t>(value)));
    case 'o': case 'u': case 'x': case 'X': {
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * bytes);
      return print(host_format(conversion, "ll", conversion.letter),
                   static_cast<unsigned long long>(value & mask));
    }
    default:
      if (is_float_letter(conversion.letter)) {
        return convert_float(conversion, static_cast<double>(sign_extended(value, bytes)));
      }
      return print(host_format(conversion, "ll", 'd'),
                   static_cast<long long>(sign_extended(value, bytes)));
  }
}

std::string convert_float(const Conversion& conversion, double value) {
  const char letter = is_float_letter(conversion.letter) ? conversion.letter : 'f';
  return print(host_format(conversion, "", letter), value);
}

std::string convert_string(const Conversion& conversion, const std::string& value) {
  return print(host_format(conversion, "", 's'), value.c_str());
}

}  // namespace xesim::device
