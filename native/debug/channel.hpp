// Frames over a connected stream socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "debug/file_descriptor.hpp"
#include "debug/wire.hpp"

namespace xesim::debug {

struct Frame {
  wire::Kind kind{};
  std::uint32_t sequence = 0;
  std::vector<std::byte> payload;
};

class Channel {
 public:
  enum class Status { Open, Closed, Malformed };

  // Takes a socket and makes it non-blocking.
  explicit Channel(FileDescriptor socket);

  // Reads what has arrived, without blocking. Closed: the peer is gone; Malformed: a header breaks
  // the format. Frames that were complete before that are still there to take.
  Status receive();
  std::optional<Frame> next_frame();
  // Takes the first frame of this kind out of turn; false when none has arrived.
  bool take(wire::Kind kind);

  // Blocks until everything is sent. False: the peer is gone, or `cancel` became readable.
  bool send(std::span<const std::byte> bytes, int cancel = -1);

  [[nodiscard]] int descriptor() const { return socket_.get(); }
  // Ends both directions: a peer, and threads that wait for the socket, see the end at once.
  void shut_down();

 private:
  Status split_frames();

  FileDescriptor socket_;
  std::vector<std::byte> buffer_;     // of one receive()
  std::vector<std::byte> received_;   // not yet a whole frame
  std::deque<Frame> frames_;
};

}  // namespace xesim::debug
