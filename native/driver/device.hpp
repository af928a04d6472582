// The one device of the driver: the simulated GPU, the streamer that feeds it, and the server that
// lets a debugger attach.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "debug/server.hpp"
#include "device/device.hpp"
#include "driver/command_streamer.hpp"

namespace xesim::driver {

// A queue group as zeDeviceGetCommandQueueGroupProperties lists it.
struct QueueGroup {
  ze_command_queue_group_property_flags_t flags;
  std::size_t maximum_fill_pattern;  // bytes
  std::uint32_t queues;
};

class Device {
 public:
  explicit Device(const device::Topology& topology);

  [[nodiscard]] ze_device_handle_t handle() { return reinterpret_cast<ze_device_handle_t>(this); }
  [[nodiscard]] const device::Topology& topology() const { return gpu_.topology(); }
  [[nodiscard]] device::Device& gpu() { return gpu_; }
  [[nodiscard]] device::Memory& memory() { return gpu_.memory(); }
  [[nodiscard]] CommandStreamer& streamer() { return streamer_; }

  // Null unless ZET_ENABLE_PROGRAM_DEBUGGING asked for it.
  [[nodiscard]] debug::Server* debug_server() { return debug_server_.get(); }

  // Largest single USM allocation, bytes, without relaxed limits.
  [[nodiscard]] std::uint64_t maximum_allocation() const;

  // Device time: ticks of the timestamp counter.
  [[nodiscard]] static std::uint64_t timestamp();

  // Null when there is no such group.
  [[nodiscard]] static const QueueGroup* queue_group(std::uint32_t ordinal);

 private:
  device::Device gpu_;
  CommandStreamer streamer_;
  std::unique_ptr<debug::Server> debug_server_;
};

}  // namespace xesim::driver
