#include "debug/process.hpp"

#include <sys/syscall.h>

#include <fstream>
#include <sstream>

namespace xesim::debug {

ProcessStatus process_status(std::uint32_t pid) {
  ProcessStatus status;
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "State:") {
      std::string state;
      words >> state;
      status.exists = true;
      status.dead = state == "Z" || state == "X";
    } else if (key == "PPid:") {
      words >> status.parent;
    } else if (key == "Uid:") {
      words >> status.user;
      break;
    }
  }
  return status;
}

std::optional<std::string> runtime_directory_of(std::uint32_t pid) {
  constexpr std::string_view kVariable = "XDG_RUNTIME_DIR=";
  std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
  for (std::string entry; std::getline(file, entry, '\0');) {
    if (entry.starts_with(kVariable)) return entry.substr(kVariable.size());
  }
  return std::nullopt;
}

FileDescriptor watch_process(std::uint32_t pid) {
#ifdef SYS_pidfd_open
  return FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0)));
#else
  static_cast<void>(pid);
  return FileDescriptor();
#endif
}

}  // namespace xesim::debug
