// Turns message structs into bytes and back: little endian, no padding, every length checked.
//
// A message names its fields once, in a static template `fields(self, archive)`; Writer and Reader
// are the two archives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "device/topology.hpp"

namespace xesim::debug::wire {

class Writer {
 public:
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (put(fields), ...);
  }
  [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }

 private:
  template <class Integer>
    requires std::is_unsigned_v<Integer>
  void put(Integer value) {
    for (std::size_t shift = 0; shift < sizeof value * 8; shift += 8) {
      bytes_.push_back(static_cast<std::byte>(value >> shift));
    }
  }
  void put(const device::ThreadId& id) { (*this)(id.slice, id.subslice, id.eu, id.thread); }
  template <class Struct>
    requires std::is_class_v<Struct>
  void put(const Struct& part) {
    Struct::fields(part, *this);
  }
  void put(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    for (const char character : text) bytes_.push_back(static_cast<std::byte>(character));
  }
  void put(const std::vector<std::byte>& block) {
    put(static_cast<std::uint32_t>(block.size()));
    bytes_.insert(bytes_.end(), block.begin(), block.end());
  }
  template <class Element>
  void put(const std::vector<Element>& elements) {
    put(static_cast<std::uint32_t>(elements.size()));
    for (const Element& element : elements) put(element);
  }

  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class... Fields>
  void operator()(Fields&... fields) {
    (get(fields), ...);
  }
  // Whether every field was there and nothing is left over.
  [[nodiscard]] bool complete() const { return good_ && rest_.empty(); }

 private:
  template <class Integer>
    requires std::is_unsigned_v<Integer>
  void get(Integer& value) {
    value = 0;
    if (!need(sizeof value)) return;
    std::uint64_t bits = 0;
    for (std::size_t index = 0; index < sizeof value; ++index) {
      bits |= std::to_integer<std::uint64_t>(rest_[index]) << (index * 8);
    }
    value = static_cast<Integer>(bits);
    rest_ = rest_.subspan(sizeof value);
  }
  void get(device::ThreadId& id) { (*this)(id.slice, id.subslice, id.eu, id.thread); }
  template <class Struct>
    requires std::is_class_v<Struct>
  void get(Struct& part) {
    Struct::fields(part, *this);
  }
  void get(std::string& text) {
    const std::size_t size = length(1);
    text.assign(reinterpret_cast<const char*>(rest_.data()), size);
    rest_ = rest_.subspan(size);
  }
  void get(std::vector<std::byte>& block) {
    const std::size_t size = length(1);
    block.assign(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(size));
    rest_ = rest_.subspan(size);
  }
  template <class Element>
  void get(std::vector<Element>& elements) {
    if constexpr (std::is_class_v<Element>) {
      // A struct takes a byte at least; memory only as it turns out to be there.
      for (std::size_t left = length(1); left != 0 && good_; --left) get(elements.emplace_back());
    } else {
      elements.resize(length(sizeof(Element)));
      for (Element& element : elements) get(element);
    }
  }

  // The count that starts a sequence; 0 when the message cannot hold so many elements.
  std::size_t length(std::size_t element_bytes) {
    std::uint32_t count = 0;
    get(count);
    return need(count * element_bytes) ? count : 0;
  }
  bool need(std::size_t size) {
    good_ = good_ && size <= rest_.size();
    return good_;
  }

  std::span<const std::byte> rest_;
  bool good_ = true;
};

}  // namespace xesim::debug::wire
