// Handles: what the application holds for an object. The tables of functions check them (see
// checked_call.hpp); lists of handles, and handles that come as untyped values, are checked where they
// are used.
//
// An object has one owner on the application's side, from publish() to withdraw(), and any number
// inside the driver: commands keep what they use alive until they have run.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "driver/handle_table.hpp"

namespace xesim::driver {

// What tells handles of this type from those of others.
template <class Handle>
inline char handle_kind{};

// Whether it is the handle of an object that was not destroyed.
template <class Handle>
[[nodiscard]] bool is_live(Handle handle) {
  return HandleTable::instance().is_live(handle, &handle_kind<Handle>);
}

// The object of a live handle; null of a null one.
template <class T, class Handle>
T* object_of(Handle handle) {
  if (handle == nullptr) {
    return nullptr;
  }
  return static_cast<T*>(reinterpret_cast<HandleTable::Slot*>(handle)->object.load(
      std::memory_order_relaxed));
}

// A handle for `object` that is live for ever.
template <class Handle, class T>
Handle permanent_handle(T* object) {
  return reinterpret_cast<Handle>(HandleTable::instance().take(&handle_kind<Handle>, object));
}

template <class T>
class Object : public std::enable_shared_from_this<T> {
 protected:
  // The application's handle, which may be dead.
  template <class Handle>
  [[nodiscard]] Handle handle_as() const {
    return reinterpret_cast<Handle>(slot_);
  }

 private:
  template <class Handle, class U>
  friend Handle publish(std::shared_ptr<U> object);
  template <class U>
  friend std::shared_ptr<U> withdraw(U* object);

  HandleTable::Slot* slot_ = nullptr;
  std::shared_ptr<T> held_by_application_;
};

// The handle that the application gets for `object`.
template <class Handle, class T>
Handle publish(std::shared_ptr<T> object) {
  T* address = object.get();
  address->slot_ = HandleTable::instance().take(&handle_kind<Handle>, address);
  const Handle handle = reinterpret_cast<Handle>(address->slot_);
  address->held_by_application_ = std::move(object);
  return handle;
}

// Takes the application's reference back: its handle is dead now. Null when it was already.
template <class T>
std::shared_ptr<T> withdraw(T* object) {
  if (!HandleTable::instance().give_back(object->slot_)) {
    return nullptr;
  }
  return std::exchange(object->held_by_application_, nullptr);
}

// Runs an entry point's body; no exception leaves through the C interface.
template <class Body>
ze_result_t guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  } catch (const std::exception&) {
    return ZE_RESULT_ERROR_UNKNOWN;
  }
}

// The count protocol of the API's lists. With *count 0 only the total is reported. Else at most
// *count items are written by `write(item, index)`, and *count is corrected downwards.
template <class Item, class Write>
ze_result_t enumerate(std::uint32_t* count, Item* items, std::uint32_t total, Write write) {
  if (count == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (*count == 0) {
    *count = total;
    return ZE_RESULT_SUCCESS;
  }
  if (*count > total) {
    *count = total;
  }
  if (items != nullptr) {
    for (std::uint32_t index = 0; index < *count; ++index) {
      write(items[index], index);
    }
  }
  return ZE_RESULT_SUCCESS;
}

// The head that every structure with a type and a successor shares.
struct ExtensionHead {
  ze_structure_type_t stype;
  ExtensionHead* pNext;
};

// Visits the structures from `first` on (a pNext value); `visit(head)`.
template <class Visit>
void for_each_extension(const void* first, Visit visit) {
  auto* head = static_cast<ExtensionHead*>(const_cast<void*>(first));
  for (; head != nullptr; head = head->pNext) {
    visit(*head);
  }
}

}  // namespace xesim::driver
