#include "debug/endpoint.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "debug/process.hpp"

namespace xesim::debug {

namespace {

constexpr std::string_view kSocketSuffix = ".sock";
constexpr int kBacklog = 8;

// The process has one at most.
std::atomic<const Listener*> listening{nullptr};

std::string socket_name(std::uint32_t pid) {
  return std::to_string(pid) + std::string(kSocketSuffix);
}

// Below a directory that is private already.
std::string under_runtime_directory(const std::string& runtime_directory) {
  return runtime_directory + "/xesim-debug";
}

std::string under_tmp(uid_t user) { return "/tmp/xesim-debug-" + std::to_string(user); }

std::optional<std::string> own_runtime_directory() {
  const char* value = std::getenv("XDG_RUNTIME_DIR");
  if (value == nullptr || *value != '/') return std::nullopt;
  return value;
}

// Opens `path` if it is a directory (no symbolic link) that only `user` can enter.
FileDescriptor open_private_directory(const std::string& path, uid_t user) {
  FileDescriptor directory(
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  const bool is_private = directory && ::fstat(directory.get(), &status) == 0 &&
                          status.st_uid == user && (status.st_mode & 0077) == 0;
  return is_private ? std::move(directory) : FileDescriptor();
}

FileDescriptor make_private_directory(const std::string& path) {
  ::mkdir(path.c_str(), 0700);  // may exist already: what counts is what is there now
  return open_private_directory(path, ::geteuid());
}

// The pid in "<pid>.sock".
std::optional<std::uint32_t> pid_of_socket(std::string_view name) {
  if (!name.ends_with(kSocketSuffix)) return std::nullopt;
  name.remove_suffix(kSocketSuffix.size());
  std::uint32_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return pid;
}

void remove_stale_sockets(int directory) {
  const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(copy), &::closedir);
  if (!entries) {
    ::close(copy);
    return;
  }
  while (const dirent* entry = ::readdir(entries.get())) {
    const auto pid = pid_of_socket(entry->d_name);
    if (pid && !process_status(*pid).exists) ::unlinkat(directory, entry->d_name, 0);
  }
}

// Through the directory's descriptor: immune to renames, and short enough for any directory.
sockaddr_un socket_address(int directory, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = "/proc/self/fd/" + std::to_string(directory) + "/" + name;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return address;
}

std::optional<ucred> peer_credentials(int socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return std::nullopt;
  return credentials;
}

ze_result_t result_of_connect_error(int error) {
  switch (error) {
    case ENOENT:
    case ECONNREFUSED:
    case EAGAIN:
      return ZE_RESULT_NOT_READY;
    case EACCES:
    case EPERM:
      return ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS;
    case ENOMEM:
      return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    default:
      return ZE_RESULT_ERROR_UNKNOWN;
  }
}

Connection connect_in(const std::string& path, std::uint32_t pid, uid_t user) {
  const FileDescriptor directory = open_private_directory(path, user);
  if (!directory) return {ZE_RESULT_NOT_READY, FileDescriptor()};
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const sockaddr_un address = socket_address(directory.get(), socket_name(pid));
  if (!socket || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address),
                           sizeof address) != 0) {
    return {result_of_connect_error(errno), FileDescriptor()};
  }
  const auto peer = peer_credentials(socket.get());
  if (!peer || peer->uid != user || static_cast<std::uint32_t>(peer->pid) != pid) {
    return {ZE_RESULT_NOT_READY, FileDescriptor()};
  }
  return {ZE_RESULT_SUCCESS, std::move(socket)};
}

}  // namespace

std::unique_ptr<Listener> Listener::open() {
  FileDescriptor directory;
  if (const auto runtime = own_runtime_directory()) {
    directory = make_private_directory(under_runtime_directory(*runtime));
  }
  if (!directory) directory = make_private_directory(under_tmp(::geteuid()));
  if (!directory) return nullptr;

  remove_stale_sockets(directory.get());
  const std::string name = socket_name(static_cast<std::uint32_t>(::getpid()));
  ::unlinkat(directory.get(), name.c_str(), 0);  // of an earlier process with this pid
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket || ::fchmod(socket.get(), 0600) != 0) return nullptr;  // bind uses this mode
  const sockaddr_un address = socket_address(directory.get(), name);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket.get(), kBacklog) != 0) {
    return nullptr;
  }
  std::unique_ptr<Listener> listener(
      new Listener(std::move(directory), name, std::move(socket)));
  listening.store(listener.get());
  remove_at_exit();
  return listener;
}

Listener::Listener(FileDescriptor directory, std::string name, FileDescriptor socket)
    : directory_(std::move(directory)),
      name_(std::move(name)),
      socket_(std::move(socket)),
      owner_(::getpid()) {}

Listener::~Listener() {
  listening.store(nullptr);
  remove_socket();
}

void Listener::remove_socket() const {
  if (owner_ == ::getpid()) ::unlinkat(directory_.get(), name_.c_str(), 0);
}

// A driver lives until its process ends and is not destroyed then: the socket goes all the same.
void Listener::remove_at_exit() {
  static const int registered = std::atexit([] {
    if (const Listener* listener = listening.load()) listener->remove_socket();
  });
  static_cast<void>(registered);
}

FileDescriptor Listener::accept() {
  FileDescriptor socket(
      ::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket) return socket;
  const auto peer = peer_credentials(socket.get());
  if (!peer || (peer->uid != ::geteuid() && peer->uid != 0)) return FileDescriptor();
  return socket;
}

Connection connect_to(std::uint32_t pid) {
  if (pid == 0 || pid > INT_MAX) return {ZE_RESULT_ERROR_UNKNOWN, FileDescriptor()};
  const ProcessStatus process = process_status(pid);
  if (!process.exists || process.dead) return {ZE_RESULT_ERROR_UNKNOWN, FileDescriptor()};
  if (process.user != ::geteuid() && ::geteuid() != 0) {
    return {ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS, FileDescriptor()};
  }
  // The two processes may have been started with different environments.
  std::vector<std::string> directories;
  for (const auto& runtime : {runtime_directory_of(pid), own_runtime_directory()}) {
    if (runtime) directories.push_back(under_runtime_directory(*runtime));
  }
  directories.push_back(under_tmp(process.user));
  Connection connection;
  for (const std::string& directory : directories) {
    connection = connect_in(directory, pid, process.user);
    if (connection.result != ZE_RESULT_NOT_READY) break;
  }
  return connection;
}

std::uint32_t peer_pid(int socket) {
  const auto peer = peer_credentials(socket);
  return peer && peer->pid > 0 ? static_cast<std::uint32_t>(peer->pid) : 0;
}

}  // namespace xesim::debug
