// Elements of memory that other threads of the host use at the same time: one that lies at a multiple of
// its size is read and written whole, as the data port does it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace xesim::eu {

template <typename Element>
[[nodiscard]] inline bool is_aligned(const std::byte* host) {
  return reinterpret_cast<std::uintptr_t>(host) % sizeof(Element) == 0;
}

template <typename Element>
[[nodiscard]] inline Element load_element(const std::byte* host) {
  if (is_aligned<Element>(host)) [[likely]] {
    // An atomic_ref of const elements comes with C++26.
    auto& element = *reinterpret_cast<Element*>(const_cast<std::byte*>(host));
    return std::atomic_ref<Element>(element).load(std::memory_order_relaxed);
  }
  Element element;
  std::memcpy(&element, host, sizeof element);
  return element;
}

template <typename Element>
inline void store_element(std::byte* host, Element element) {
  if (is_aligned<Element>(host)) [[likely]] {
    std::atomic_ref<Element>(*reinterpret_cast<Element*>(host))
        .store(element, std::memory_order_relaxed);
    return;
  }
  std::memcpy(host, &element, sizeof element);
}

template <typename Element>
inline void load_elements(std::byte* registers, const std::byte* host, std::size_t size) {
  for (std::size_t done = 0; done < size; done += sizeof(Element)) {
    const auto element = load_element<Element>(host + done);
    std::memcpy(registers + done, &element, sizeof element);
  }
}

template <typename Element>
inline void store_elements(std::byte* host, const std::byte* registers, std::size_t size) {
  for (std::size_t done = 0; done < size; done += sizeof(Element)) {
    Element element;
    std::memcpy(&element, registers + done, sizeof element);
    store_element(host + done, element);
  }
}

// Bytes that follow each other, in the largest elements that they consist of.
inline void load_block(void* registers, const std::byte* host, std::size_t size) {
  auto* const target = static_cast<std::byte*>(registers);
  switch ((reinterpret_cast<std::uintptr_t>(host) | size) % 8) {
    case 0: load_elements<std::uint64_t>(target, host, size); break;
    case 4: load_elements<std::uint32_t>(target, host, size); break;
    case 2:
    case 6: load_elements<std::uint16_t>(target, host, size); break;
    default: load_elements<std::uint8_t>(target, host, size); break;
  }
}

inline void store_block(std::byte* host, const void* registers, std::size_t size) {
  const auto* const source = static_cast<const std::byte*>(registers);
  switch ((reinterpret_cast<std::uintptr_t>(host) | size) % 8) {
    case 0: store_elements<std::uint64_t>(host, source, size); break;
    case 4: store_elements<std::uint32_t>(host, source, size); break;
    case 2:
    case 6: store_elements<std::uint16_t>(host, source, size); break;
    default: store_elements<std::uint8_t>(host, source, size); break;
  }
}

}  // namespace xesim::eu
