// A debuggee inside the test's own process: a scripted device and a server that listens for it.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "debug/server.hpp"
#include "debug/session.hpp"
#include "support/check.hpp"
#include "support/scripted_device.hpp"

namespace xesim::debug::tests {

inline const device::Topology& topology() { return *device::find_topology("dg2"); }
inline std::uint32_t own_pid() { return static_cast<std::uint32_t>(::getpid()); }

inline constexpr ze_device_thread_t kAllThreads{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

inline ze_device_thread_t thread_at(std::uint32_t ordinal) {
  const auto id = device::thread_id(topology(), ordinal);
  return {id.slice, id.subslice, id.eu, id.thread};
}

// Sockets go to a directory of the test's own.
class PrivateRuntimeDirectory {
 public:
  PrivateRuntimeDirectory() {
    std::string pattern = "/tmp/xesim-debug-test-XXXXXX";
    path_ = ::mkdtemp(pattern.data());
    ::setenv("XDG_RUNTIME_DIR", path_.c_str(), 1);
  }
  ~PrivateRuntimeDirectory() {
    ::rmdir((path_ + "/xesim-debug").c_str());
    ::rmdir(path_.c_str());
  }
  [[nodiscard]] std::string sockets() const { return path_ + "/xesim-debug"; }

 private:
  std::string path_;
};

struct Debuggee {
  PrivateRuntimeDirectory directory;
  device::Device device{topology()};
  std::unique_ptr<Server> server = Server::start(device);

  Debuggee() { CHECK(server != nullptr); }

  std::unique_ptr<Session> attach() {
    std::unique_ptr<Session> session;
    CHECK(Session::attach(topology(), own_pid(), session) == ZE_RESULT_SUCCESS);
    return session;
  }
};

inline zet_debug_event_t next_event(Session& session, std::uint64_t timeout = 5000) {
  zet_debug_event_t event;
  CHECK(session.read_event(timeout, &event) == ZE_RESULT_SUCCESS);
  return event;
}

inline bool is_quiet(Session& session) {
  zet_debug_event_t event;
  return session.read_event(20, &event) == ZE_RESULT_NOT_READY &&
         event.type == ZET_DEBUG_EVENT_TYPE_INVALID;
}

inline bool same_thread(const ze_device_thread_t& left, const ze_device_thread_t& right) {
  return left.slice == right.slice && left.subslice == right.subslice && left.eu == right.eu &&
         left.thread == right.thread;
}

inline zet_debug_memory_space_desc_t space(std::uint64_t address, std::uint32_t type = 0) {
  zet_debug_memory_space_desc_t where{};
  where.stype = ZET_STRUCTURE_TYPE_DEBUG_MEMORY_SPACE_DESC;
  where.type = static_cast<zet_debug_memory_space_type_t>(type);
  where.address = address;
  return where;
}

// Stops the thread for a breakpoint and reads its event.
inline void stop_and_report(Debuggee& debuggee, Session& session, std::uint32_t ordinal) {
  scripted::place(debuggee.device, ordinal);
  scripted::stop(debuggee.device, ordinal, eu::cr0::kBreakpoint);
  const auto event = next_event(session);
  CHECK(event.type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED);
  CHECK(same_thread(event.info.thread.thread, thread_at(ordinal)));
}

}  // namespace xesim::debug::tests
