// The handles that are live. A handle is the address of a slot of the table, which says what kind of
// handle it is and of which object; so any value that a program passes can be checked without touching
// what it points to.
//
// A slot that was given back is used again only after many others were, so a handle that is used after
// its object was destroyed is found out for long.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace xesim::driver {

class HandleTable {
 public:
  // The address of something of the kind's own; no two kinds share one.
  using Kind = const void*;

  struct alignas(16) Slot {
    std::atomic<Kind> kind;       // null: not live
    std::atomic<void*> object;    // when it is not live, the slot that is to be used again after this one
  };

  static HandleTable& instance();

  // Throws std::bad_alloc when there is no room.
  HandleTable();

  // Throws std::bad_alloc when every slot is taken.
  Slot* take(Kind kind, void* object);
  // False when the slot is not live (any more): of several that give it back, one does.
  bool give_back(Slot* slot);

  // Without a lock.
  [[nodiscard]] bool is_live(const void* handle, Kind kind) const {
    const std::uintptr_t offset =
        reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(slots_);
    return offset < kSlots * sizeof(Slot) && offset % sizeof(Slot) == 0 &&
           static_cast<const Slot*>(handle)->kind.load(std::memory_order_acquire) == kind;
  }

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << 24;  // pages that are used take memory
  static constexpr std::size_t kKept = 65536;                  // given back, and not yet used again

  Slot* slots_;
  std::mutex mutex_;
  std::size_t taken_ = 0;  // that were ever
  Slot* first_ = nullptr;  // given back, the oldest
  Slot* last_ = nullptr;
  std::size_t given_back_ = 0;
};

}  // namespace xesim::driver
