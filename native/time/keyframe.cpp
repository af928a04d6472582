#include "time/keyframe.hpp"

#include <utility>

namespace xesim::time {

namespace {

// The contents of a keyframe by what they belong to: a hardware thread, or the n-th group's memory.
class ContentsOf {
 public:
  explicit ContentsOf(const Keyframe* keyframe) {
    if (keyframe == nullptr) {
      return;
    }
    auto next = keyframe->contents.begin();
    for (const device::ResidentThreadState& thread : keyframe->dispatcher.threads) {
      if (thread.entered) {
        threads_[thread.ordinal] = &*next++;
      }
    }
    for (const device::WorkGroupState& group : keyframe->dispatcher.groups) {
      groups_[group.id] = &*next++;
    }
  }
  [[nodiscard]] const device::FrozenBytes* of(const device::ResidentThreadState& thread) const {
    const auto found = threads_.find(thread.ordinal);
    return found == threads_.end() ? nullptr : found->second;
  }
  [[nodiscard]] const device::FrozenBytes* of(const device::WorkGroupState& group) const {
    const auto found = groups_.find(group.id);
    return found == groups_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::uint32_t, const device::FrozenBytes*> threads_;
  std::map<std::array<std::uint32_t, 3>, const device::FrozenBytes*> groups_;
};

}  // namespace

void freeze_contents(Keyframe& keyframe, const std::vector<std::span<std::byte>>& contents,
                     const Keyframe* earlier, const ByteCount& total) {
  const ContentsOf before(earlier);
  auto next = contents.begin();
  const auto freeze = [&](const auto& owner) {
    keyframe.contents.push_back(device::FrozenBytes::freeze(*next++, before.of(owner), total));
  };
  for (const device::ResidentThreadState& thread : keyframe.dispatcher.threads) {
    if (thread.entered) {
      freeze(thread);
    }
  }
  for (const device::WorkGroupState& group : keyframe.dispatcher.groups) {
    freeze(group);
  }
}

Keyframe take_keyframe(device::Executor& executor, std::size_t entry, const Keyframe* earlier,
                       const ByteCount& total) {
  Keyframe keyframe;
  keyframe.time = executor.time();
  keyframe.entry = entry;
  keyframe.dispatcher = executor.dispatcher.state();
  freeze_contents(keyframe, executor.dispatcher.contents(), earlier, total);
  for (const auto& [offset, code] : executor.code.announced()) {
    keyframe.code.emplace(offset, code.size);
  }
  return keyframe;
}

}  // namespace xesim::time
