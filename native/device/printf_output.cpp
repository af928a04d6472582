#include "device/printf_output.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "device/printf_format.hpp"

namespace xesim::device {
namespace {

// The dword in front of an argument.
enum class Type : std::uint32_t {
  Invalid, Byte, Short, Int, Float, String, Long, Pointer, Double,
  VectorByte, VectorShort, VectorInt, VectorLong, VectorFloat, VectorDouble,
};

constexpr std::uint32_t kCountBytes = 4;
constexpr std::uint32_t kMostElements = 16;  // of a vector
constexpr std::size_t kMostStringBytes = 16 * 1024;

unsigned element_bytes(Type type) {
  switch (type) {
    case Type::Byte: case Type::VectorByte: return 1;
    case Type::Short: case Type::VectorShort: return 2;
    case Type::Int: case Type::VectorInt: case Type::Float: case Type::VectorFloat: return 4;
    default: return 8;
  }
}

bool is_float(Type type) {
  return type == Type::Float || type == Type::VectorFloat || type == Type::Double ||
         type == Type::VectorDouble;
}

// The string at `address`, if it ends inside its allocation.
std::optional<std::string> string_at(const Memory& memory, std::uint64_t address) {
  const auto allocation = memory.find(address);
  if (!allocation) return std::nullopt;
  const std::uint64_t room = allocation->address + allocation->mapped - address;
  const auto* const text = reinterpret_cast<const char*>(address);
  const std::size_t size = strnlen(text, std::min<std::uint64_t>(room, kMostStringBytes));
  return std::string(text, size);
}

class Reader {
 public:
  // Of the bytes from `first` to `end` of `data`.
  Reader(const Memory& memory, const std::byte* data, std::uint64_t first, std::uint64_t end)
      : memory_(memory), data_(data), size_(end), at_(first) {}

  PrintfOutput read() {
    PrintfOutput out;
    while (problem_.empty() && at_ + sizeof(std::uint64_t) <= size_) {
      const std::uint64_t format_address = take(sizeof(std::uint64_t));
      if (format_address == 0) continue;
      const auto format = string_at(memory_, format_address);
      if (!format) {
        problem_ = "a record without a format string";
        break;
      }
      record(*format);
      out.text += text_;
      text_.clear();
    }
    out.problem = problem_;
    return out;
  }

 private:
  std::uint64_t take(unsigned bytes) {
    std::uint64_t value = 0;
    if (at_ + bytes > size_) {
      problem_ = "a record that is cut off";
      at_ = size_;
      return 0;
    }
    std::memcpy(&value, data_ + at_, bytes);
    at_ += bytes;
    return value;
  }

  void record(std::string_view format) {
    while (!format.empty() && problem_.empty()) {
      if (format[0] != '%') {
        text_ += format[0];
        format.remove_prefix(1);
      } else if (format.size() > 1 && format[1] == '%') {
        text_ += '%';
        format.remove_prefix(2);
      } else if (const auto conversion = parse_conversion(format)) {
        argument(*conversion);
        format.remove_prefix(conversion->characters);
      } else {  // as it stands
        text_ += '%';
        format.remove_prefix(1);
      }
    }
  }

  void argument(const Conversion& conversion) {
    const auto type = static_cast<Type>(take(4));
    switch (type) {
      case Type::String:
      case Type::Pointer: {
        const std::uint64_t address = take(8);
        if (conversion.letter != 's') {
          text_ += convert_integer(conversion, address, 8);
        } else {
          const auto string = string_at(memory_, address);
          text_ += convert_string(conversion, string.value_or(address == 0 ? "(null)" : "(invalid)"));
        }
        break;
      }
      case Type::Byte: case Type::Short: case Type::Int: case Type::Long:
      case Type::Float: case Type::Double:
        element(conversion, type);
        break;
      case Type::VectorByte: case Type::VectorShort: case Type::VectorInt: case Type::VectorLong:
      case Type::VectorFloat: case Type::VectorDouble:
        vector(conversion, type);
        break;
      case Type::Invalid:
      default:
        problem_ = "an argument of type " + std::to_string(static_cast<std::uint32_t>(type));
        break;
    }
  }

  void element(const Conversion& conversion, Type type) {
    const unsigned bytes = element_bytes(type);
    const std::uint64_t bits = take(bytes);
    if (!is_float(type)) {
      text_ += convert_integer(conversion, bits, bytes);
    } else if (bytes == 8) {
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      text_ += convert_float(conversion, value);
    } else {
      float value = 0;
      std::memcpy(&value, &bits, sizeof value);
      text_ += convert_float(conversion, static_cast<double>(value));
    }
  }

  // Elements lie close together, in room for dwords.
  void vector(const Conversion& conversion, Type type) {
    const auto count = static_cast<std::uint32_t>(take(4));
    if (count > kMostElements) {
      problem_ = "a vector of " + std::to_string(count) + " elements";
      return;
    }
    const unsigned bytes = element_bytes(type);
    for (std::uint32_t i = 0; i < count && problem_.empty(); ++i) {
      if (i != 0) text_ += ',';
      element(conversion, type);
    }
    at_ += bytes < 4 ? std::uint64_t{4 - bytes} * count : 0;
  }

  const Memory& memory_;
  const std::byte* data_;
  std::uint64_t size_;
  std::uint64_t at_;
  std::string text_;
  std::string problem_;
};

}  // namespace

void begin_printf_buffer(std::uint64_t address) {
  std::memcpy(reinterpret_cast<void*>(address), &kCountBytes, sizeof kCountBytes);
}

PrintfOutput read_print_records(const Memory& memory, std::uint64_t address, std::uint32_t first,
                                std::uint32_t used, std::uint64_t size) {
  const auto* const data = reinterpret_cast<const std::byte*>(address);
  PrintfOutput out = Reader(memory, data, first, std::min<std::uint64_t>(used, size)).read();
  if (used > size) {
    out.problem = std::to_string(used) + " bytes of printf output, of " + std::to_string(size) +
                  " that fit: the rest is lost";
  } else if (!out.problem.empty()) {
    out.problem = "printf output ends at " + out.problem;
  }
  return out;
}

PrintfOutput read_printf_buffer(const Memory& memory, std::uint64_t address) {
  std::uint32_t used = 0;
  std::memcpy(&used, reinterpret_cast<const void*>(address), sizeof used);
  return read_print_records(memory, address, kCountBytes, used, kPrintfBufferBytes);
}

}  // namespace xesim::device
