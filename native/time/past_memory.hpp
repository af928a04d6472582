// Global memory as it was: a copy beside the present one, at the same addresses for threads that run in
// the past. It has what the launch used; the rest is shown as it is now, while the launch is not over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "device/memory.hpp"
#include "device/memory_view.hpp"
#include "time/keyframe.hpp"
#include "time/memory_blocks.hpp"
#include "time/recording.hpp"

namespace xesim::time {

class PastMemory final : public device::MemoryView {
 public:
  // Both must outlive it.
  PastMemory(const device::Memory& present, const Recording& recording)
      : present_(present), recording_(recording) {}

  // Shows memory as of a keyframe of the recording. Allocations are copied when they are first asked for.
  void show(std::shared_ptr<const Keyframe> keyframe);
  // Allocations came and went.
  void change(const AllocationChange& change);

  // Has what the launch used alone.
  eu::MemoryWindow window(std::uint64_t address) override;
  // Where the byte at `address` is, to be read there; null: nowhere, or the launch did not use it.
  [[nodiscard]] std::byte* host(std::uint64_t address);
  // False: not allocated then, or nobody knows what was there.
  bool read(std::uint64_t address, void* data, std::uint64_t size);
  // To what the launch used.
  bool write(std::uint64_t address, const void* data, std::uint64_t size);

  // Sets the memory of `keyframe` to what is shown; blocks that were not written are shared.
  void capture(Keyframe& keyframe, const ByteCount& total) const;
  // Whether what is shown, and was used by `keyframe`, is something else there.
  [[nodiscard]] bool differs(const Keyframe& keyframe) const;
  // Whether the same is allocated.
  [[nodiscard]] bool has_allocations_of(const Keyframe& keyframe) const;

 private:
  // Pages of the host's for one allocation.
  class Copy {
   public:
    explicit Copy(std::uint64_t size);
    ~Copy();
    Copy(Copy&& other) noexcept;
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;
    Copy& operator=(Copy&&) = delete;
    std::byte* bytes = nullptr;
    std::uint64_t size = 0;
  };
  struct Region {
    device::Allocation allocation;
    std::optional<Copy> copy;              // none before someone asks
    Blocks copied;                         // what it was filled with last
    bool written = false;                  // perhaps, since then
    bool filled = false;                   // it has what is shown, and what was written since
    Stretches stretches;                   // that it has
  };

  // The region that holds `address`, or null.
  Region* find(std::uint64_t address);
  // Fills the region with what the launch used of it.
  void fill(Region& region);
  void fill_block(Region& region, std::uint64_t begin, const Block& block);
  // What is shown of the block of a region at `begin`, before it is written; null: nothing is known.
  [[nodiscard]] const Block* shown(const Region& region, std::uint64_t begin) const;
  // A stretch of the copy that has `address`, which the launch used; null: it did not.
  std::optional<Stretches::Stretch> stretch_at(Region& region, std::uint64_t address);
  bool read_present(const Region& region, std::uint64_t address, void* data, std::uint64_t size);

  const device::Memory& present_;
  const Recording& recording_;
  std::shared_ptr<const Keyframe> keyframe_;
  std::map<std::uint64_t, Region> regions_;  // by address
};

}  // namespace xesim::time
