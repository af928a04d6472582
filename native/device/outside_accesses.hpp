// Accesses of a launch beyond surfaces and shared local memory. Hardware says nothing of them: reads
// give zero, writes are dropped. What is wrong in a program, or in a payload, shows here.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "eu/thread/environment.hpp"

namespace xesim::device {

class OutsideAccesses {
 public:
  // Of a thread of work-group `group` at `code_offset` bytes into the kernel. From any host thread.
  void add(const eu::OutsideAccess& access, const std::array<std::uint32_t, 3>& group,
           std::uint64_t code_offset);

  // One line about all since the last call; nothing when there were none.
  [[nodiscard]] std::optional<std::string> take();

 private:
  std::mutex mutex_;
  std::uint64_t count_ = 0;
  std::string first_;
};

}  // namespace xesim::device
