// Program debug, the debugger's side: one attached session, under the zetDebug entry points
// (driver/debug.cpp). Talks to the Server of the target process over its private socket.
#pragma once

#include <level_zero/zet_api.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "debug/session_view.hpp"
#include "debug/wire.hpp"
#include "device/topology.hpp"

namespace xesim::debug {

class Session {
 public:
  // As zetDebugAttach; on failure returns the API's result and leaves `session` empty.
  // `device`: its number among those of the process, `topology`: that of all of it.
  static ze_result_t attach(const device::Topology& topology, std::uint32_t pid,
                            std::unique_ptr<Session>& session, std::uint32_t device = 0);
  // Likewise, of one tile. `sibling`: a session of another tile of the same device and process, with
  // which this one shares its connection; null when there is none.
  static ze_result_t attach_tile(const device::Topology& topology, std::uint32_t pid,
                                 std::unique_ptr<Session>& session, std::uint32_t device,
                                 std::uint32_t tile, const Session* sibling);
  ~Session();

  // As zetDebugDetach, once: every call that is under way in another thread returns, and every
  // later one fails. Not while another session of the device is attached or detached.
  void detach();

  ze_result_t read_event(std::uint64_t timeout_milliseconds, zet_debug_event_t* event);
  ze_result_t acknowledge(const zet_debug_event_t* event);
  ze_result_t interrupt(ze_device_thread_t thread);
  ze_result_t resume(ze_device_thread_t thread);
  ze_result_t read_memory(ze_device_thread_t thread, const zet_debug_memory_space_desc_t* where,
                          std::size_t size, void* buffer);
  ze_result_t write_memory(ze_device_thread_t thread, const zet_debug_memory_space_desc_t* where,
                           std::size_t size, const void* buffer);
  ze_result_t read_registers(ze_device_thread_t thread, std::uint32_t type, std::uint32_t start,
                             std::uint32_t count, void* values);
  ze_result_t write_registers(ze_device_thread_t thread, std::uint32_t type, std::uint32_t start,
                              std::uint32_t count, const void* values);
  ze_result_t thread_register_set_properties(ze_device_thread_t thread, std::uint32_t* count,
                                             zet_debug_regset_properties_t* properties);
  // As xesimDebugGetExceptionReason (driver/xesim_debug_extension.h).
  ze_result_t exception_reason(ze_device_thread_t thread, std::size_t* size, char* text);

  // Time travel: as the functions of the same header.
  ze_result_t set_recording(bool enabled, std::uint64_t budget);
  ze_result_t recording(std::uint32_t launch, wire::RecordingState& state);
  ze_result_t go_to(std::uint32_t launch, std::uint64_t time);
  ze_result_t stopped_threads(std::uint32_t* count, ze_device_thread_t* threads);
  // `query`: threads as the view counts them; so are those of the result.
  ze_result_t find(wire::Find query, wire::FindResult& result);
  ze_result_t cancel();

  // Watches: likewise.
  ze_result_t set_watch(wire::SetWatch watch, std::uint64_t* number);
  ze_result_t clear_watch(std::uint64_t number);
  ze_result_t watch_hits(ze_device_thread_t thread, wire::WatchHits& hits);

 private:
  Session();
  static ze_result_t connect(const device::Topology& topology, std::uint32_t pid,
                             std::unique_ptr<Session>& session, std::uint32_t device,
                             std::shared_ptr<SessionView> view);
  struct Impl;
  std::shared_ptr<Impl> impl_;          // the connection
  std::shared_ptr<SessionView> view_;
  std::atomic<bool> is_detached_{false};
};

// As zetDebugGetRegisterSetProperties, without a session.
ze_result_t register_set_properties(const device::Topology& topology, std::uint32_t* count,
                                    zet_debug_regset_properties_t* properties);

}  // namespace xesim::debug
