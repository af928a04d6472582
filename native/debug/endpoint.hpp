// Where a debuggee listens: <private directory>/<pid>.sock for its first device, and
// <pid>.<index>.sock for each further one.
//
// The directory belongs to the user alone (0700) and so does the socket (0600): that is the first
// lock. The second are the credentials of the peer, which both sides check.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <memory>
#include <string>

#include "debug/file_descriptor.hpp"

namespace xesim::debug {

class Listener {
 public:
  // Makes the directory where needed, removes sockets of processes that are dead, and listens for
  // debuggers of the process's device number `device`. Null when any of that is impossible, or the
  // directory is not private.
  static std::unique_ptr<Listener> open(std::uint32_t device);
  // Removes the socket, in the process that made it. So does the end of the process.
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] int descriptor() const { return socket_.get(); }
  // A connection of the same user or of root; invalid when there is none (any more).
  [[nodiscard]] FileDescriptor accept();

 private:
  Listener(std::string path, FileDescriptor socket);
  void remove_socket() const;

  // Not through the directory's descriptor: the thread that exits may not have it.
  std::string path_;
  FileDescriptor socket_;
  int owner_;              // pid
};

struct Connection {
  ze_result_t result = ZE_RESULT_ERROR_UNKNOWN;
  FileDescriptor socket;   // valid with ZE_RESULT_SUCCESS
};

// Connects to the debuggee `pid`, for its device number `device`. Also into another root directory
// (chroot), and to a process that has changed its user since. NOT_READY: it does not listen (yet);
// INSUFFICIENT_PERMISSIONS: it is someone else's; UNKNOWN: there is no such process.
[[nodiscard]] Connection connect_to(std::uint32_t pid, std::uint32_t device = 0);

// Pid of the process at the other end of a connected socket; 0 when unknown.
[[nodiscard]] std::uint32_t peer_pid(int socket);

}  // namespace xesim::debug
