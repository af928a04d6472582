// Reading forward in a debug section.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "zebin/elf.hpp"

namespace xesim::zebin {

// Reads forward in a range; once something lay outside, everything reads as zero and ok() is false.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, std::uint64_t at, std::uint64_t end)
      : bytes_(bytes), at_(at), end_(std::min<std::uint64_t>(end, bytes.size())) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool done() const { return !ok_ || at_ >= end_; }
  [[nodiscard]] std::uint64_t at() const { return at_; }

  template <typename T>
  T take() {
    if (!room(sizeof(T))) {
      return T{};
    }
    const T value = load<T>(bytes_, at_);
    at_ += sizeof(T);
    return value;
  }

  // A number of `size` bytes, at most 8.
  std::uint64_t take_bytes(std::uint64_t size) {
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < size && ok_; ++i) {
      value |= std::uint64_t{take<std::uint8_t>()} << (8 * i);
    }
    return value;
  }

  void skip(std::uint64_t size) {
    if (room(size)) {
      at_ += size;
    }
  }

  // Unsigned LEB128 (DWARF 5, section 7.6).
  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; ok_; shift += 7) {
      const auto byte = take<std::uint8_t>();
      if (shift < 64) {
        value |= std::uint64_t{byte & 0x7Fu} << shift;
      }
      if ((byte & 0x80) == 0) {
        break;
      }
    }
    return value;
  }

  std::string_view string() {
    if (!ok_ || at_ >= end_) {
      ok_ = false;
      return {};
    }
    const std::string_view rest(reinterpret_cast<const char*>(bytes_.data()) + at_, end_ - at_);
    const auto length = rest.find('\0');
    if (length == std::string_view::npos) {
      ok_ = false;
      return {};
    }
    at_ += length + 1;
    return rest.substr(0, length);
  }

  // The length field of a unit, 4 bytes, or an escape and 8 (DWARF 5, section 7.4). `end` is where
  // the unit ends. False when it does not fit into the section, of `section_size` bytes.
  bool unit_length(std::uint64_t section_size, bool& is_64_bit, std::uint64_t& end) {
    std::uint64_t length = take<std::uint32_t>();
    is_64_bit = length == 0xFFFFFFFF;
    if (is_64_bit) {
      length = take<std::uint64_t>();
    }
    if (!ok_ || length == 0 || length > section_size - at_) {
      return false;
    }
    end = at_ + length;
    return true;
  }

 private:
  bool room(std::uint64_t size) {
    ok_ = ok_ && at_ <= end_ && size <= end_ - at_;
    return ok_;
  }
  std::span<const std::byte> bytes_;
  std::uint64_t at_;
  std::uint64_t end_;
  bool ok_ = true;
};

}  // namespace xesim::zebin
