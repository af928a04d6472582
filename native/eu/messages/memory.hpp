// The memory that one data message reaches: from its addresses to host memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "eu/isa/data_message.hpp"
#include "eu/thread/environment.hpp"
#include "eu/thread/thread_state.hpp"
#include "eu/thread/window_cache.hpp"

namespace xesim::eu {

// Offsets of a message's lanes relative to its surface (or space), by payload slot.
using LaneOffsets = std::array<std::uint64_t, kMaxLanes>;
using LaneHosts = std::array<std::byte*, kMaxLanes>;

class TargetMemory {
 public:
  // Looks the surface of `message` up. unsupported() says whether there is none.
  TargetMemory(const DataMessage& message, ThreadEnvironment& environment, WindowCache& windows);

  // Why nothing can be accessed through this surface; a string literal, or null.
  [[nodiscard]] const char* unsupported() const { return unsupported_; }
  [[nodiscard]] MemorySpace space() const { return space_; }
  [[nodiscard]] std::uint64_t address(std::uint64_t offset) const { return base_ + offset; }

  // Fills `hosts` with where [offset, offset + size) of every slot of `slots` lies. False if any
  // of them does not lie in one window, wholly inside the surface; `hosts` is then unspecified.
  bool resolve(const LaneOffsets& offsets, std::uint32_t slots, std::uint32_t size, bool write,
               LaneHosts& hosts);

  // Null under the same conditions.
  std::byte* resolve(std::uint64_t offset, std::uint32_t size, bool write);

  // Whether the element [offset, offset + size) is beyond the surface or the shared local memory:
  // hardware reads zero there and drops writes.
  bool out_of_bounds(std::uint64_t offset, std::uint32_t size);

  // The same, and tells the environment of such an access.
  bool drops(std::uint64_t offset, std::uint32_t size, bool write);

  // Whether an element is out of bounds (which the environment then gets) or wholly backed by memory. If not, `fault` gets the first
  // address that is not.
  bool accessible(std::uint64_t offset, std::uint32_t size, bool write, PageFault& fault);

  // Copies one element, out of bounds or across windows too. Only after accessible().
  void read(std::uint64_t offset, void* data, std::uint32_t size);
  void write(std::uint64_t offset, const void* data, std::uint32_t size);

 private:
  const MemoryWindow* find(std::uint64_t address);
  void use_surface(const BufferSurface& surface);

  ThreadEnvironment& environment_;
  WindowCache& windows_;
  const char* unsupported_ = nullptr;
  MemorySpace space_ = MemorySpace::Global;
  std::uint64_t base_ = 0;
  std::uint64_t limit_ = ~std::uint64_t{0};  // bytes from `base_`
};

}  // namespace xesim::eu
