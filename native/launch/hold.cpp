#include "launch/hold.hpp"

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace zedbg::launch {
namespace {

constexpr const char* kSocketVariable = "ZEDBG_HOLD_SOCKET";

// As the debugger reads it: zedbg/engine/hold_server.py.
struct Message {
  char magic[4] = {'Z', 'H', 'L', 'D'};
  std::uint32_t version = 1;
  std::uint32_t pid = 0;
};
static_assert(sizeof(Message) == 12);

class Connection {
 public:
  explicit Connection(const char* path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (std::strlen(path) >= sizeof(address.sun_path)) {
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
  ~Connection() {
    if (descriptor_ >= 0) {
      close(descriptor_);
    }
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] bool send(const Message& message) const {
    return descriptor_ >= 0 &&
           ::send(descriptor_, &message, sizeof(message), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(sizeof(message));
  }

  // Returns when a byte came, or the other end is gone.
  void wait() const {
    char answer = 0;
    while (recv(descriptor_, &answer, 1, 0) < 0 && errno == EINTR) {
    }
  }

 private:
  int descriptor_ = -1;
};

}  // namespace

void hold_once() {
  // The process that was held last: a child made by fork inherits it, but is another process.
  static std::atomic<pid_t> held{0};
  const pid_t self = getpid();
  if (held.exchange(self) == self) {
    return;
  }
  const char* path = std::getenv(kSocketVariable);
  if (path == nullptr) {
    return;
  }
  const int saved_errno = errno;
  const Connection connection(path);
  Message message;
  message.pid = static_cast<std::uint32_t>(self);
  if (connection.send(message)) {
    connection.wait();
  }
  errno = saved_errno;
}

}  // namespace zedbg::launch
