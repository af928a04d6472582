// A global that outlives the process: never destroyed, because clients call in, and worker threads
// run, while exit handlers already do.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace xesim::driver {

template <class T>
class NeverDestroyed {
 public:
  template <class... Arguments>
  explicit NeverDestroyed(Arguments&&... arguments)
      : object_(std::construct_at(reinterpret_cast<T*>(storage_),
                                  std::forward<Arguments>(arguments)...)) {
    static_assert(std::is_trivially_destructible_v<NeverDestroyed>);  // nothing to do at exit
  }
  NeverDestroyed(const NeverDestroyed&) = delete;
  NeverDestroyed& operator=(const NeverDestroyed&) = delete;

  T& get() { return *object_; }

 private:
  alignas(T) std::byte storage_[sizeof(T)];
  T* object_;
};

}  // namespace xesim::driver
