#include "driver/handle_table.hpp"

#include <sys/mman.h>

#include <new>

#include "driver/never_destroyed.hpp"

namespace xesim::driver {

HandleTable& HandleTable::instance() {
  static NeverDestroyed<HandleTable> table;
  return table.get();
}

HandleTable::HandleTable() {
  void* place = mmap(nullptr, kSlots * sizeof(Slot), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) {
    throw std::bad_alloc();
  }
  slots_ = static_cast<Slot*>(place);  // zeroes: none is live
}

HandleTable::Slot* HandleTable::take(Kind kind, void* object) {
  const std::scoped_lock lock(mutex_);
  Slot* slot = nullptr;
  if (given_back_ > kKept || (taken_ == kSlots && given_back_ > 0)) {
    slot = first_;
    first_ = static_cast<Slot*>(slot->object.load());
    --given_back_;
  } else if (taken_ < kSlots) {
    slot = &slots_[taken_++];
  } else {
    throw std::bad_alloc();
  }
  slot->object.store(object, std::memory_order_relaxed);
  slot->kind.store(kind, std::memory_order_release);
  return slot;
}

bool HandleTable::give_back(Slot* slot) {
  const std::scoped_lock lock(mutex_);
  if (slot->kind.exchange(nullptr) == nullptr) {
    return false;
  }
  slot->object.store(nullptr);
  if (given_back_ == 0) {
    first_ = slot;
  } else {
    last_->object.store(slot);
  }
  last_ = slot;
  ++given_back_;
  return true;
}

}  // namespace xesim::driver
