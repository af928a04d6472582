// What the debugger's side needs to know of the process that it attaches to.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "debug/file_descriptor.hpp"

namespace xesim::debug {

struct ProcessStatus {
  std::uint32_t parent = 0;
  uid_t user = 0;          // real user
  bool exists = false;
  bool dead = false;       // a zombie: it only waits for its parent
};

// From /proc/<pid>/status.
[[nodiscard]] ProcessStatus process_status(std::uint32_t pid);

// XDG_RUNTIME_DIR in the environment that the process was started with.
[[nodiscard]] std::optional<std::string> runtime_directory_of(std::uint32_t pid);

// A descriptor that becomes readable when the process ends; invalid when the kernel has none.
[[nodiscard]] FileDescriptor watch_process(std::uint32_t pid);

}  // namespace xesim::debug
