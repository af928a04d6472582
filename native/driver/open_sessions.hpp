// The sessions of program debug that a debugger has open.
#pragma once

#include <level_zero/zet_api.h>

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "debug/session.hpp"
#include "driver/device.hpp"
#include "driver/handle.hpp"
#include "driver/never_destroyed.hpp"

namespace xesim::driver {

// The sessions that the debugger holds: at most one of each device or, instead, one of each tile of it,
// as with Intel's driver. A
// handle that is not among them (any more) is refused, and a session that is detached while
// another thread is inside one of its calls lives until that call has returned.
class OpenSessions {
 public:
  using Handle = zet_debug_session_handle_t;

  static OpenSessions& instance() {
    static NeverDestroyed<OpenSessions> open;
    return open.get();
  }

  // As zetDebugAttach; of attaches and detaches, one is made at a time.
  ze_result_t attach(const Device& device, std::uint32_t pid, Handle* handle) {
    const std::lock_guard attaching(attach_mutex_);
    if (const auto found = find(device)) {
      if (found->second.pid != pid) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
      *handle = found->first;  // attached already: the same session again, with one detach
      return ZE_RESULT_SUCCESS;
    }
    std::unique_ptr<debug::Session> session;
    const ze_result_t result = attach(device, pid, session);
    if (result != ZE_RESULT_SUCCESS) {
      if (result == ZE_RESULT_ERROR_NOT_AVAILABLE) *handle = nullptr;
      return result;
    }
    *handle = reinterpret_cast<Handle>(session.get());
    const std::lock_guard lock(mutex_);
    sessions_[*handle] = {&device, pid, std::move(session)};
    return ZE_RESULT_SUCCESS;
  }

  ze_result_t detach(Handle handle) {
    const std::lock_guard attaching(attach_mutex_);
    const std::shared_ptr<debug::Session> session = take(handle);
    if (session == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    session->detach();
    return ZE_RESULT_SUCCESS;
  }

  // The session of `handle`; nothing when there is none.
  std::shared_ptr<debug::Session> session(Handle handle) {
    const std::lock_guard lock(mutex_);
    const auto found = sessions_.find(handle);
    return found == sessions_.end() ? nullptr : found->second.session;
  }

 private:
  struct Entry {
    const Device* device = nullptr;
    std::uint32_t pid = 0;
    std::shared_ptr<debug::Session> session;
  };

  ze_result_t attach(const Device& device, std::uint32_t pid,
                     std::unique_ptr<debug::Session>& session) {
    const Device* root = device.root();
    if (root == nullptr) {
      for (const auto& tile : device.tiles()) {
        if (find(*tile)) return ZE_RESULT_ERROR_NOT_AVAILABLE;
      }
      return debug::Session::attach(device.topology(), pid, session, device.index());
    }
    if (find(*root)) return ZE_RESULT_ERROR_NOT_AVAILABLE;
    std::shared_ptr<debug::Session> sibling;
    for (const auto& tile : root->tiles()) {
      if (const auto found = find(*tile)) {
        if (found->second.pid != pid) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
        sibling = found->second.session;
      }
    }
    return debug::Session::attach_tile(root->topology(), pid, session, device.index(),
                                       device.tile(), sibling.get());
  }

  std::optional<std::pair<Handle, Entry>> find(const Device& device) {
    const std::lock_guard lock(mutex_);
    for (const auto& entry : sessions_) {
      if (entry.second.device == &device) return entry;
    }
    return std::nullopt;
  }

  std::shared_ptr<debug::Session> take(Handle handle) {
    const std::lock_guard lock(mutex_);
    auto entry = sessions_.extract(handle);
    return entry.empty() ? nullptr : std::move(entry.mapped().session);
  }

  std::mutex attach_mutex_;  // before mutex_
  std::mutex mutex_;
  std::unordered_map<Handle, Entry> sessions_;
};

// Calls `body(session)` for the session of `handle`.
template <class Body>
ze_result_t with_session(zet_debug_session_handle_t handle, Body body) noexcept {
  return guarded([&] {
    const std::shared_ptr<debug::Session> session = OpenSessions::instance().session(handle);
    return session == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE : body(*session);
  });
}

}  // namespace xesim::driver
