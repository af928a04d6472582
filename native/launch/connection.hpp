// A connection to the debugger that started this process: the socket that $ZEDBG_HOLD_SOCKET names.
#pragma once

#include <cstddef>

namespace zedbg::launch {

// Closed at the end. What the messages look like: zedbg/engine/process/hold_server.py,
// constants_message.py.
class Connection {
 public:
  Connection();  // without a debugger there is none: sending fails
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Whether all `size` bytes at `data` were sent.
  [[nodiscard]] bool send(const void* data, std::size_t size) const;

  // Returns when a byte came, or the other end is gone.
  void wait() const;

 private:
  int descriptor_ = -1;
};

}  // namespace zedbg::launch
