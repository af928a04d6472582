// SAMPLER_STATE, and the heap that samplers of launches live in.
//
// Layout (Gen9 to Xe2, 4 dwords; programmer's reference manuals, volume "Command Reference:
// Structures"): magnification and minification filter in dword 0 [19:17] and [16:14] (0 nearest,
// 1 linear); the border colour's offset in the heap in dword 2 [23:6]; non-normalized coordinates in
// dword 3 [10]; address modes of u, v and r in dword 3 [8:6], [5:3] and [2:0].
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "device/memory.hpp"
#include "eu/images/image_surface.hpp"

namespace xesim::device {

using SamplerState = std::array<std::uint32_t, 4>;
inline constexpr std::uint32_t kSamplerStateBytes = sizeof(SamplerState);

// As OpenCL and Level Zero name them. None promises coordinates inside the image.
enum class SamplerAddress : std::uint8_t { None, Clamp, ClampToEdge, Repeat, MirroredRepeat };

struct SamplerDescription {
  SamplerAddress address = SamplerAddress::None;
  bool linear = false;
  bool normalized = false;

  // Kernels move coordinates below zero away from the image's edge if this is so.
  [[nodiscard]] bool needs_snapping() const {
    return address == SamplerAddress::Clamp && !linear;
  }
};

[[nodiscard]] SamplerState sampler_state(const SamplerDescription& sampler);

// Tables of sampler states. The heap begins with the border colour that all samplers share,
// transparent black. Safe to use from several threads.
class SamplerHeap {
 public:
  explicit SamplerHeap(Memory& memory);
  // To read what `heap` has in `copy`, a copy of its memory as it was.
  SamplerHeap(const SamplerHeap& heap, std::byte* copy);

  // Stores `states` one after the other and returns the first one's byte offset from base(), a
  // multiple of 32; nothing when the heap is full.
  std::optional<std::uint32_t> add(std::span<const SamplerState> states);
  // Takes back what add() made for `count` states.
  void remove(std::uint32_t offset, std::size_t count);

  // The sampler at `offset`; one that is `unsupported` for what is outside the heap or not aligned,
  // or when the state says what no sampler of OpenCL is.
  [[nodiscard]] eu::Sampler read(std::uint32_t offset) const;

  [[nodiscard]] std::uint64_t base() const { return base_; }

 private:
  [[nodiscard]] bool is_free(std::size_t first, std::size_t units) const;

  mutable std::mutex mutex_;
  std::uint64_t base_ = 0;
  std::byte* memory_ = nullptr;
  std::vector<bool> used_;  // by 32 bytes
};

}  // namespace xesim::device
