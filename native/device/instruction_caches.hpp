// Decoded instructions for each host thread that executes: executing prepares what was decoded, so that
// two threads of the host cannot share a cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>

#include "eu/decode/code_cache.hpp"

namespace xesim::device {

class InstructionCaches {
 public:
  explicit InstructionCaches(eu::Platform platform) : platform_(platform) { provide(1); }

  // Makes caches for `cores` host threads. No thread may be executing.
  void provide(unsigned cores) {
    while (caches_.size() < cores) {
      eu::CodeCache& cache = caches_.emplace_back(platform_);
      for (const auto& [offset, code] : announced_) cache.add(offset, code.host, code.size);
    }
  }

  [[nodiscard]] eu::CodeCache& of_core(unsigned core) { return caches_[core]; }

  struct Code {
    const std::byte* host = nullptr;
    std::uint32_t size = 0;            // bytes
  };
  // What was announced, by offset from the instruction base.
  [[nodiscard]] const std::map<std::uint32_t, Code>& announced() const { return announced_; }

  // How often code came, went or was written: while it is the same, code is.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

  // As of eu::CodeCache, for all of them. No thread may be executing.
  void add(std::uint32_t offset, const std::byte* host, std::uint32_t size) {
    ++changes_;
    announced_[offset] = {host, size};
    for (eu::CodeCache& cache : caches_) cache.add(offset, host, size);
  }
  void remove(std::uint32_t offset) {
    ++changes_;
    announced_.erase(offset);
    for (eu::CodeCache& cache : caches_) cache.remove(offset);
  }
  void invalidate(std::uint32_t offset, std::uint32_t size) {
    ++changes_;
    for (eu::CodeCache& cache : caches_) cache.invalidate(offset, size);
  }

 private:
  eu::Platform platform_;
  std::map<std::uint32_t, Code> announced_;  // by offset
  std::deque<eu::CodeCache> caches_;
  std::uint64_t changes_ = 0;
};

}  // namespace xesim::device
