#include "launch/connection.hpp"

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace zedbg::launch {
namespace {

constexpr const char* kSocketVariable = "ZEDBG_HOLD_SOCKET";

}  // namespace

Connection::Connection() {
  const char* path = std::getenv(kSocketVariable);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path == nullptr || std::strlen(path) >= sizeof(address.sun_path)) {
    return;
  }
  std::strcpy(address.sun_path, path);
  descriptor_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor_ < 0) {
    return;
  }
  if (connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    close(descriptor_);
    descriptor_ = -1;
  }
}

Connection::~Connection() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

bool Connection::send(const void* data, std::size_t size) const {
  const char* at = static_cast<const char*>(data);
  while (descriptor_ >= 0 && size > 0) {
    const ssize_t sent = ::send(descriptor_, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return descriptor_ >= 0;
}

void Connection::wait() const {
  char answer = 0;
  while (recv(descriptor_, &answer, 1, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace zedbg::launch
