// Where a debuggee listens: <private directory>/<pid>.sock.
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
  // Makes the directory where needed, removes sockets of processes that are dead, and listens.
  // Null when any of that is impossible, or the directory is not private.
  static std::unique_ptr<Listener> open();
  // Removes the socket, in the process that made it. So does the end of the process.
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] int descriptor() const { return socket_.get(); }
  // A connection of the same user or of root; invalid when there is none (any more).
  [[nodiscard]] FileDescriptor accept();

 private:
  Listener(FileDescriptor directory, std::string name, FileDescriptor socket);
  void remove_socket() const;
  static void remove_at_exit();

  FileDescriptor directory_;
  std::string name_;
  FileDescriptor socket_;
  int owner_;              // pid
};

struct Connection {
  ze_result_t result = ZE_RESULT_ERROR_UNKNOWN;
  FileDescriptor socket;   // valid with ZE_RESULT_SUCCESS
};

// Connects to the debuggee `pid`. NOT_READY: it does not listen (yet); INSUFFICIENT_PERMISSIONS:
// it is someone else's; UNKNOWN: there is no such process.
[[nodiscard]] Connection connect_to(std::uint32_t pid);

// Pid of the process at the other end of a connected socket; 0 when unknown.
[[nodiscard]] std::uint32_t peer_pid(int socket);

}  // namespace xesim::debug
