// A device of the driver: the simulated GPU, the streamer of its commands, and the server that lets a
// debugger attach; and the tiles of a device that has several, as its sub-devices.
#pragma once

#include <level_zero/ze_api.h>
#include <level_zero/zes_api.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "debug/server.hpp"
#include "device/device.hpp"
#include "driver/command_streamer.hpp"
#include "driver/handle.hpp"
#include "driver/recording.hpp"

namespace xesim::driver {

// A queue group as zeDeviceGetCommandQueueGroupProperties lists it.
struct QueueGroup {
  ze_command_queue_group_property_flags_t flags;
  std::size_t maximum_fill_pattern;  // bytes
  std::uint32_t queues;
};

class Device {
 public:
  // A root device, number `index` of the process, with its tiles.
  Device(const device::Topology& topology, std::shared_ptr<device::AddressSpace> space,
         std::uint32_t index);
  // Tile number `tile` of `root`: a sub-device. It runs on the slices of the tile only, beside what runs
  // on other tiles; memory and modules are those of the root.
  Device(Device& root, std::uint32_t tile);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] ze_device_handle_t handle() const { return handle_; }
  // Of its place in the fabric.
  [[nodiscard]] ze_fabric_vertex_handle_t vertex() const { return vertex_; }
  // Its memory, for system management.
  [[nodiscard]] zes_mem_handle_t memory_module() const { return memory_module_; }
  // Of this device; with a sub-device, of the tile.
  [[nodiscard]] const device::Topology& topology() const { return topology_; }
  [[nodiscard]] device::Device& gpu() { return engine_->gpu; }
  [[nodiscard]] device::Memory& memory() { return engine_->gpu.memory(); }
  [[nodiscard]] CommandStreamer& streamer() { return streamer_; }
  // Waits until nothing is submitted to it, nor to its tiles.
  ze_result_t drain();

  // Null for a root device.
  [[nodiscard]] Device* root() const { return root_; }
  // The sub-devices; empty for a device of one tile, and for a tile.
  [[nodiscard]] const std::vector<std::unique_ptr<Device>>& tiles() const { return tiles_; }
  // Of a root device: its number in the process. Of a sub-device: that of its root.
  [[nodiscard]] std::uint32_t index() const { return index_; }
  // Of a sub-device: its number in the root.
  [[nodiscard]] std::uint32_t tile() const { return tile_; }
  // Of a sub-device its own, of a root device all.
  [[nodiscard]] device::Tiles tile_mask() const {
    return root_ == nullptr ? device::kAllTiles : device::Tiles{1} << tile_;
  }
  // Keeps `launch` to the slices of this device.
  void confine(device::KernelLaunch& launch) const;

  // Null unless ZET_ENABLE_PROGRAM_DEBUGGING asked for it.
  [[nodiscard]] debug::Server* debug_server() { return engine_->debug_server.get(); }

  // Null unless XESIM_PROFILE or XESIM_TRACE asked for it. Only under a Pause.
  [[nodiscard]] Recording* recording() { return engine_->recording.get(); }

  // Largest single USM allocation, bytes, without relaxed limits.
  [[nodiscard]] std::uint64_t maximum_allocation() const;

  // Null when there is no such group.
  [[nodiscard]] static const QueueGroup* queue_group(std::uint32_t ordinal);

 private:
  // Debuggers of the host may stop the program's threads before its first submission.
  void start_for_debugging();

  // What a root device shares with its tiles.
  struct Engine {
    Engine(const device::Topology& topology, std::shared_ptr<device::AddressSpace> space,
           std::uint32_t index);

    std::unique_ptr<Recording> recording;
    device::Device gpu;
    std::unique_ptr<debug::Server> debug_server;
  };

  ze_device_handle_t handle_ = permanent_handle<ze_device_handle_t>(this);
  ze_fabric_vertex_handle_t vertex_ = permanent_handle<ze_fabric_vertex_handle_t>(this);
  zes_mem_handle_t memory_module_ = permanent_handle<zes_mem_handle_t>(this);
  device::Topology topology_;
  std::uint32_t index_;
  std::shared_ptr<Engine> engine_;
  CommandStreamer streamer_;
  Device* root_ = nullptr;
  std::uint32_t tile_ = 0;
  std::vector<std::unique_ptr<Device>> tiles_;
};

}  // namespace xesim::driver
