#include "launch/hold.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "launch/connection.hpp"

namespace zedbg::launch {
namespace {

// As the debugger reads it: zedbg/engine/process/hold_server.py.
struct Message {
  char magic[4] = {'Z', 'H', 'L', 'D'};
  std::uint32_t version = 1;
  std::uint32_t pid = 0;
};
static_assert(sizeof(Message) == 12);

}  // namespace

void hold_once() {
  // The process that was held last: a child made by fork inherits it, but is another process.
  static std::atomic<pid_t> held{0};
  const pid_t self = getpid();
  if (held.exchange(self) == self) {
    return;
  }
  const int saved_errno = errno;
  const Connection connection;
  Message message;
  message.pid = static_cast<std::uint32_t>(self);
  if (connection.send(&message, sizeof(message))) {
    connection.wait();
  }
  errno = saved_errno;
}

}  // namespace zedbg::launch
