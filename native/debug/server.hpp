// Program debug, the debuggee's side: what the driver reports to a debugger that may be attached.
//
// The server listens on a private socket (one per process) from the first zeInit on, if
// ZET_ENABLE_PROGRAM_DEBUGGING asks for it. With no server, or nobody attached, every call
// returns at once.
#pragma once

#include <cstdint>
#include <memory>

#include "debug/module_description.hpp"
#include "device/device.hpp"

namespace xesim::debug {

class Server {
 public:
  // Starts listening for `device`, number `index` of the process; null when the socket cannot be
  // made (the program goes on).
  static std::unique_ptr<Server> start(device::Device& device, std::uint32_t index = 0);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // A queue of these tiles. The first one is the debugger's PROCESS_ENTRY, the last one its PROCESS_EXIT.
  void queue_created(device::Tiles tiles = device::kAllTiles);
  void queue_destroyed(device::Tiles tiles = device::kAllTiles);
  // Returns when no debugger is attached, or when the one attached has acknowledged (or left).
  void module_loaded(const ModuleDescription& module);
  void module_unloaded(std::uint64_t id);
  // A command, of which no thread is stopped, met memory that is not there: the debugger's
  // PAGE_FAULT. Faults of hardware threads are their own stops, with cr0.1 bit 16.
  void page_fault(std::uint64_t address);

 private:
  explicit Server(device::Device& device);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xesim::debug
