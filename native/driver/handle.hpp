// Handles: what the application holds is a pointer to the object.
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

namespace xesim::driver {

template <class T>
class Object : public std::enable_shared_from_this<T> {
 private:
  template <class Handle, class U>
  friend Handle publish(std::shared_ptr<U> object);
  template <class U>
  friend std::shared_ptr<U> withdraw(U* object);

  std::shared_ptr<T> held_by_application_;
};

// The handle that the application gets for `object`.
template <class Handle, class T>
Handle publish(std::shared_ptr<T> object) {
  T* address = object.get();
  address->held_by_application_ = std::move(object);
  return reinterpret_cast<Handle>(address);
}

// Takes the application's reference back (its handle is dead now).
template <class T>
std::shared_ptr<T> withdraw(T* object) {
  return std::exchange(object->held_by_application_, nullptr);
}

// The object of a handle that publish() gave out.
template <class T, class Handle>
T* object_of(Handle handle) {
  return reinterpret_cast<T*>(handle);
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
