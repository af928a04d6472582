// RENDER_SURFACE_STATE of buffers and scratch, and the heap that bindless messages index. Binding
// tables lie in it, too.
//
// Layout (Xe-HPG, 16 dwords): surface type in dword 0 [31:29] and format in [26:18]; the number of
// entries minus one is split in width (dword 2 [6:0]), height (dword 2 [29:16]) and depth
// (dword 3 [31:21]); pitch minus one in dword 3 [17:0]; base address in dwords 8 and 9.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "device/memory.hpp"
#include "eu/thread/environment.hpp"

namespace xesim::device {

using SurfaceState = std::array<std::uint32_t, 16>;
inline constexpr std::uint32_t kSurfaceStateBytes = sizeof(SurfaceState);

// A raw buffer of `size` bytes at `base`. Sizes above 4 GiB are cut to 4 GiB, as hardware has it.
[[nodiscard]] SurfaceState buffer_surface_state(std::uint64_t base, std::uint64_t size);
// Scratch space: `threads` times `bytes_per_thread` at `base`.
[[nodiscard]] SurfaceState scratch_surface_state(std::uint64_t base,
                                                 std::uint32_t bytes_per_thread,
                                                 std::uint32_t threads);
// What messages need of a state; `valid` is false for the null surface and other types.
// For scratch, `base` and `size` describe one thread's share: size in bytes per thread.
[[nodiscard]] eu::BufferSurface decode_surface_state(const SurfaceState& state);

// Slots for surface states from Memory::surface_state_base() on. Slot 0 is never handed out: it
// is the null surface. Safe to use from several threads.
class SurfaceHeap {
 public:
  explicit SurfaceHeap(Memory& memory);
  // To read what `heap` has in `copy`, a copy of its memory as it was.
  SurfaceHeap(const SurfaceHeap& heap, std::byte* copy);

  // Bytes at the start of the heap that were ever used; zeroes follow.
  [[nodiscard]] std::uint64_t used_bytes() const;

  // Stores `state` and returns its byte offset from the surface state base (a multiple of 64);
  // nothing when the heap is full.
  std::optional<std::uint32_t> add(const SurfaceState& state);
  void remove(std::uint32_t offset);
  // The same for a binding table: byte offsets of states, four bytes each.
  std::optional<std::uint32_t> add_table(std::span<const std::uint32_t> states);
  void remove_table(std::uint32_t offset, std::size_t entries);
  // Entry `index` of the table at `offset`.
  [[nodiscard]] std::uint32_t table_entry(std::uint32_t offset, std::uint32_t index) const;
  // Whether a state can be at `offset`.
  [[nodiscard]] bool contains(std::uint32_t offset) const {
    return offset % kSurfaceStateBytes == 0 && offset / kSurfaceStateBytes < slots_;
  }
  // The state at `offset`; the null surface for what is outside the heap or not aligned.
  [[nodiscard]] SurfaceState read(std::uint32_t offset) const;

 private:
  // The first of `count` neighbouring slots, with the lock held.
  std::optional<std::uint32_t> take(std::uint32_t count);
  void give_back(std::uint32_t slot);

  mutable std::mutex mutex_;
  std::byte* memory_ = nullptr;
  std::uint32_t slots_ = 0;
  std::uint32_t next_ = 1;                // first slot never used
  std::vector<std::uint32_t> free_;       // used before, slot numbers
};

}  // namespace xesim::device
