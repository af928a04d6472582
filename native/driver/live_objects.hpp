// The objects of a kind that the application holds: for handles that come as untyped values, where
// anything else may come as well.
#pragma once

#include <mutex>
#include <unordered_set>

#include "driver/never_destroyed.hpp"

namespace xesim::driver {

template <class T>
class LiveObjects {
 public:
  static void add(const T* object) {
    const std::scoped_lock lock(state().mutex);
    state().objects.insert(object);
  }
  static void remove(const T* object) {
    const std::scoped_lock lock(state().mutex);
    state().objects.erase(object);
  }
  [[nodiscard]] static bool contains(const void* object) {
    const std::scoped_lock lock(state().mutex);
    return state().objects.contains(static_cast<const T*>(object));
  }

 private:
  struct State {
    std::mutex mutex;
    std::unordered_set<const T*> objects;
  };
  static State& state() {
    static NeverDestroyed<State> state;
    return state.get();
  }
};

}  // namespace xesim::driver
