// Decoded instructions for each host core that executes: executing prepares what was decoded, so that
// two threads of the host cannot share a cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "eu/decode/code_cache.hpp"

namespace xesim::device {

class InstructionCaches {
 public:
  static constexpr unsigned kCores = 2;

  explicit InstructionCaches(eu::Platform platform)
      : caches_{eu::CodeCache(platform), eu::CodeCache(platform)} {}

  [[nodiscard]] eu::CodeCache& of_core(unsigned core) { return caches_[core]; }

  // As of eu::CodeCache, for all of them. Nobody may be executing.
  void add(std::uint32_t offset, const std::byte* host, std::uint32_t size) {
    for (eu::CodeCache& cache : caches_) cache.add(offset, host, size);
  }
  void remove(std::uint32_t offset) {
    for (eu::CodeCache& cache : caches_) cache.remove(offset);
  }
  void invalidate(std::uint32_t offset, std::uint32_t size) {
    for (eu::CodeCache& cache : caches_) cache.invalidate(offset, size);
  }

 private:
  std::array<eu::CodeCache, kCores> caches_;
};

}  // namespace xesim::device
