#include "debug/channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace xesim::debug {

namespace {

constexpr std::size_t kReceiveBytes = 128 * 1024;

}  // namespace

Channel::Channel(FileDescriptor socket)
    : socket_(std::move(socket)), buffer_(kReceiveBytes) {
  const int flags = ::fcntl(socket_.get(), F_GETFL);
  ::fcntl(socket_.get(), F_SETFL, flags | O_NONBLOCK);
}

Channel::Status Channel::receive() {
  // One call a time: a peer that never stops sending cannot keep the caller here.
  const ssize_t got = ::recv(socket_.get(), buffer_.data(), buffer_.size(), 0);
  if (got > 0) {
    received_.insert(received_.end(), buffer_.begin(), buffer_.begin() + got);
    return split_frames();
  }
  const bool again = got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK);
  return again ? Status::Open : Status::Closed;
}

Channel::Status Channel::split_frames() {
  std::size_t consumed = 0;
  Status status = Status::Open;
  while (received_.size() - consumed >= wire::kHeaderBytes) {
    const std::span<const std::byte> rest = std::span(received_).subspan(consumed);
    wire::Reader reader(rest.first(wire::kHeaderBytes));
    wire::Header header;
    wire::Header::fields(header, reader);
    if (header.payload_bytes > wire::kMaximumPayload || header.reserved != 0) {
      status = Status::Malformed;
      break;
    }
    if (rest.size() < wire::kHeaderBytes + header.payload_bytes) break;
    const auto payload = rest.subspan(wire::kHeaderBytes, header.payload_bytes);
    frames_.push_back(Frame{static_cast<wire::Kind>(header.kind), header.sequence,
                            std::vector<std::byte>(payload.begin(), payload.end())});
    consumed += wire::kHeaderBytes + header.payload_bytes;
  }
  received_.erase(received_.begin(), received_.begin() + static_cast<std::ptrdiff_t>(consumed));
  return status;
}

std::optional<Frame> Channel::next_frame() {
  if (frames_.empty()) return std::nullopt;
  Frame frame = std::move(frames_.front());
  frames_.pop_front();
  return frame;
}

bool Channel::take(wire::Kind kind) {
  const auto found = std::ranges::find(frames_, kind, &Frame::kind);
  if (found == frames_.end()) return false;
  frames_.erase(found);
  return true;
}

bool Channel::send(std::span<const std::byte> bytes, int cancel) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
      continue;
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return false;
    std::array<pollfd, 2> waits{pollfd{socket_.get(), POLLOUT, 0}, pollfd{cancel, POLLIN, 0}};
    if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return false;
    if (waits[1].revents != 0) return false;
  }
  return true;
}

void Channel::shut_down() { ::shutdown(socket_.get(), SHUT_RDWR); }

}  // namespace xesim::debug
