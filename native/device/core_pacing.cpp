#include "device/core_pacing.hpp"

#include <algorithm>

namespace xesim::device {

namespace {

// Instructions; one takes some 20 to 40 nanoseconds.
constexpr std::uint64_t kFirstAlone = 8 * 1024;     // small launches never come to a batch
constexpr std::uint64_t kLeastBatch = 8 * 1024;     // some times what it costs to wake a thread
constexpr std::uint64_t kFirstBatch = 32 * 1024;
constexpr std::uint64_t kMostBatch = 1024 * 1024;   // what a debugger that attaches waits for
constexpr std::uint64_t kFirstPatience = 64 * 1024;
constexpr std::uint64_t kMostPatience = std::uint64_t{1} << 30;
constexpr std::size_t kMostKernels = 4096;          // that are remembered

}  // namespace

void CorePacing::begin_launch(std::uint64_t code_address) {
  if (patience_of_.size() == kMostKernels) {
    patience_of_.clear();
  }
  patience_ = &patience_of_.try_emplace(code_address, kFirstPatience).first->second;
  turns_ = 0;
  instructions_ = 0;
  batch_ = kFirstBatch;
  // A kernel that gave reason to doubt it is looked at again, but later.
  alone_ = *patience_ == kFirstPatience ? kFirstAlone : *patience_;
}

std::uint64_t CorePacing::turn_instructions() const {
  return std::max<std::uint64_t>(1, instructions_ / std::max<std::uint64_t>(1, turns_));
}

std::optional<std::uint64_t> CorePacing::batch_turns() const {
  if (alone_ != 0) {
    return std::nullopt;
  }
  return std::clamp<std::uint64_t>(batch_ / turn_instructions(), 1, kMostTurns);
}

bool CorePacing::pays(std::uint64_t turns) const {
  return turns * turn_instructions() >= kLeastBatch;
}

void CorePacing::completed(std::uint64_t turns, std::uint64_t instructions) {
  turns_ += turns;
  instructions_ += instructions;
  batch_ = std::min(batch_ * 2, kMostBatch);
  *patience_ = std::max(*patience_ / 2, kFirstPatience);
}

void CorePacing::abandoned() {
  batch_ = kFirstBatch;
  alone_ = *patience_;
  *patience_ = std::min(*patience_ * 4, kMostPatience);
}

}  // namespace xesim::device
