// What one attached debugger sees of a device: all of it, or one tile. Sessions of the tiles of a device
// share a connection; each has its own events, and counts slices from the first of its tile.
#pragma once

#include <cstdint>

#include "debug/event_queue.hpp"
#include "device/topology.hpp"

namespace xesim::debug {

class SessionView {
 public:
  // Of all of `topology`.
  explicit SessionView(const device::Topology& topology) : slices_(topology.slices) {}
  // Of its tile number `tile`.
  SessionView(const device::Topology& topology, std::uint32_t tile)
      : tiles_(device::Tiles{1} << tile),
        slices_(topology.tile().slices),
        first_slice_(tile * slices_) {}

  [[nodiscard]] bool is_tile() const { return tiles_ != device::kAllTiles; }
  [[nodiscard]] device::Tiles tiles() const { return tiles_; }
  // Whether something of these tiles is in the view.
  [[nodiscard]] bool holds(device::Tiles tiles) const { return (tiles_ & tiles) != 0; }
  // Whether a thread, as the device counts, is in the view.
  [[nodiscard]] bool holds(const device::ThreadId& single) const {
    return single.slice >= first_slice_ && single.slice < first_slice_ + slices_;
  }
  // The device's threads of a selection of the view's, which may have wildcards. A tile has one slice
  // on every device that has tiles, so its wildcard is that slice.
  [[nodiscard]] device::ThreadId of_device(device::ThreadId threads) const {
    if (!is_tile()) {
      return threads;
    }
    if (threads.slice == device::ThreadId::kAny) {
      threads.slice = first_slice_;
    } else {
      threads.slice = threads.slice < slices_ ? threads.slice + first_slice_ : kNoSlice;
    }
    return threads;
  }
  // The reverse, of one thread.
  [[nodiscard]] device::ThreadId of_view(device::ThreadId single) const {
    single.slice -= first_slice_;
    return single;
  }

  EventQueue events;

 private:
  static constexpr std::uint32_t kNoSlice = device::ThreadId::kAny - 1;

  device::Tiles tiles_ = device::kAllTiles;
  std::uint32_t slices_;
  std::uint32_t first_slice_ = 0;
};

}  // namespace xesim::debug
