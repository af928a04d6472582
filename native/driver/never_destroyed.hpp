// A global that outlives the process: never destroyed, because clients call in, and worker threads
// run, while exit handlers already do.
#pragma once

#include <memory>
#include <utility>

namespace xesim::driver {

template <class T>
class NeverDestroyed {
 public:
  template <class... Arguments>
  explicit NeverDestroyed(Arguments&&... arguments) {
    std::construct_at(&value_.object, std::forward<Arguments>(arguments)...);
  }
  ~NeverDestroyed() = default;
  NeverDestroyed(const NeverDestroyed&) = delete;
  NeverDestroyed& operator=(const NeverDestroyed&) = delete;

  T& get() { return value_.object; }

 private:
  union Storage {
    Storage() {}
    ~Storage() {}
    T object;
  };
  Storage value_;
};

}  // namespace xesim::driver
