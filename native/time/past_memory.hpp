// Global memory as it was: a copy beside the present one, at the same addresses for threads that run in
// the past.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "device/memory_image.hpp"
#include "device/memory_view.hpp"

namespace xesim::time {

class PastMemory final : public device::MemoryView {
 public:
  // Shows `image`, which must stay until the next call. Allocations are copied when they are first
  // asked for.
  void show(const device::MemoryImage& image);

  eu::MemoryWindow window(std::uint64_t address) override;
  // Where the byte at `address` is, to be read there; null: nowhere.
  [[nodiscard]] std::byte* host(std::uint64_t address);
  // Bytes from `address` to the end of its allocation; 0: nowhere.
  [[nodiscard]] std::uint64_t room(std::uint64_t address) const;
  bool read(std::uint64_t address, void* data, std::uint64_t size);
  bool write(std::uint64_t address, const void* data, std::uint64_t size);

  // What memory is now; pages that were not written are those of what is shown.
  [[nodiscard]] device::MemoryImage capture(
      const std::shared_ptr<std::atomic<std::uint64_t>>& total) const;
  // Whether memory differs from `image`, where both have it.
  [[nodiscard]] bool differs(const device::MemoryImage& image) const;

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
    const device::AllocationState* shown = nullptr;
    std::optional<Copy> copy;              // none before someone asks
    device::FrozenBytes copied;            // what it was filled with last
    bool written = false;                  // perhaps, since then
    bool filled = false;                   // it has what is shown, and what was written since
  };

  Region* find(std::uint64_t address);
  void fill(Region& region);

  std::map<std::uint64_t, Region> regions_;  // by address
};

}  // namespace xesim::time
