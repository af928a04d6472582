#include "debug/endpoint.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "debug/process.hpp"
#include "device/device_process.hpp"

namespace xesim::debug {

namespace {

constexpr std::string_view kSocketSuffix = ".sock";
constexpr int kBacklog = 8;

// The listeners of this process, whose sockets go when it exits. A driver lives until then and is
// not destroyed.
class OpenListeners {
 public:
  static OpenListeners& instance() {
    static auto* listeners = new OpenListeners;  // outlives every destructor
    return *listeners;
  }
  void add(std::function<void()> remove_socket, const Listener* listener) {
    const std::lock_guard lock(mutex_);
    if (!registered_) {
      std::atexit([] { instance().remove_sockets(); });
      registered_ = true;
    }
    removals_[listener] = std::move(remove_socket);
  }
  void remove(const Listener* listener) {
    const std::lock_guard lock(mutex_);
    removals_.erase(listener);
  }

 private:
  void remove_sockets() {
    const std::lock_guard lock(mutex_);
    for (const auto& [listener, remove_socket] : removals_) remove_socket();
  }

  std::mutex mutex_;
  bool registered_ = false;
  std::map<const Listener*, std::function<void()>> removals_;
};

std::uint32_t own_pid() {
  return static_cast<std::uint32_t>(device::DeviceProcess::program());
}

std::string socket_name(std::uint32_t pid, std::uint32_t device) {
  std::string name = std::to_string(pid);
  if (device != 0) name += '.' + std::to_string(device);
  return name + std::string(kSocketSuffix);
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

// The pid in "<pid>.sock" and "<pid>.<device>.sock".
std::optional<std::uint32_t> pid_of_socket(std::string_view name) {
  if (!name.ends_with(kSocketSuffix)) return std::nullopt;
  name.remove_suffix(kSocketSuffix.size());
  const auto number = [](std::string_view text, std::uint32_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  };
  std::uint32_t pid = 0;
  std::uint32_t device = 0;
  const std::size_t dot = name.find('.');
  if (dot != std::string_view::npos && !number(name.substr(dot + 1), device)) return std::nullopt;
  if (!number(name.substr(0, dot), pid)) return std::nullopt;
  return pid;
}

void remove_stale_sockets(int directory) {
  // Without /proc, as in some root directories of their own, a dead process looks like one that lives.
  if (!process_status(own_pid()).exists) return;
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
  const std::string path = "/proc/thread-self/fd/" + std::to_string(directory) + "/" + name;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return address;
}

std::optional<ucred> peer_credentials(int socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return std::nullopt;
  return credentials;
}

// Whether the listener is `program` itself, or the process of its device (device_process.hpp).
bool is_device_of(std::uint32_t listener, std::uint32_t program) {
  return listener == program || process_status(listener).parent == program;
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

Connection connect_in(const std::string& path, std::uint32_t pid, std::uint32_t device,
                      uid_t user) {
  const FileDescriptor directory = open_private_directory(path, user);
  if (!directory) return {ZE_RESULT_NOT_READY, FileDescriptor()};
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const sockaddr_un address = socket_address(directory.get(), socket_name(pid, device));
  if (!socket || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address),
                           sizeof address) != 0) {
    return {result_of_connect_error(errno), FileDescriptor()};
  }
  const auto peer = peer_credentials(socket.get());
  if (!peer || peer->uid != user || !is_device_of(static_cast<std::uint32_t>(peer->pid), pid)) {
    return {ZE_RESULT_NOT_READY, FileDescriptor()};
  }
  return {ZE_RESULT_SUCCESS, std::move(socket)};
}

// Binds `socket` to the name in the directory; its file gets the mode of `socket`.
bool bind_in(const FileDescriptor& directory, const std::string& path, const std::string& name,
             const FileDescriptor& socket) {
  sockaddr_un address = socket_address(directory.get(), name);
  const auto bind = [&] {
    return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  };
  if (bind()) return true;
  const std::string plain = path + "/" + name;
  if (errno != ENOENT || plain.size() >= sizeof address.sun_path) return false;
  std::strncpy(address.sun_path, plain.c_str(), sizeof address.sun_path - 1);  // without /proc
  return bind();
}

}  // namespace

std::unique_ptr<Listener> Listener::open(std::uint32_t device) {
  std::string path;
  FileDescriptor directory;
  if (const auto runtime = own_runtime_directory()) {
    path = under_runtime_directory(*runtime);
    directory = make_private_directory(path);
  }
  if (!directory) {
    path = under_tmp(::geteuid());
    directory = make_private_directory(path);
  }
  if (!directory) return nullptr;

  remove_stale_sockets(directory.get());
  const std::string name = socket_name(own_pid(), device);
  ::unlinkat(directory.get(), name.c_str(), 0);  // of an earlier process with this pid
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket || ::fchmod(socket.get(), 0600) != 0) return nullptr;  // bind uses this mode
  if (!bind_in(directory, path, name, socket) || ::listen(socket.get(), kBacklog) != 0) {
    return nullptr;
  }
  return std::unique_ptr<Listener>(new Listener(path + "/" + name, std::move(socket)));
}

Listener::Listener(std::string path, FileDescriptor socket)
    : path_(std::move(path)), socket_(std::move(socket)), owner_(device::DeviceProcess::program()) {
  OpenListeners::instance().add([this] { remove_socket(); }, this);
}

Listener::~Listener() {
  OpenListeners::instance().remove(this);
  remove_socket();
}

void Listener::remove_socket() const {
  if (owner_ == device::DeviceProcess::program()) ::unlink(path_.c_str());
}

FileDescriptor Listener::accept() {
  FileDescriptor socket(
      ::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket) return socket;
  const auto peer = peer_credentials(socket.get());
  if (!peer || (peer->uid != ::geteuid() && peer->uid != 0)) return FileDescriptor();
  return socket;
}

Connection connect_to(std::uint32_t pid, std::uint32_t device) {
  if (pid == 0 || pid > INT_MAX) return {ZE_RESULT_ERROR_UNKNOWN, FileDescriptor()};
  const ProcessStatus process = process_status(pid);
  if (!process.exists || process.dead) return {ZE_RESULT_ERROR_UNKNOWN, FileDescriptor()};
  const uid_t self = ::geteuid();
  if (process.user != self && self != 0) {
    return {ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS, FileDescriptor()};
  }
  // The process may have listened before it gave up being us. A directory belongs to its user.
  std::vector<uid_t> users{process.user};
  if (process.user != self) users.push_back(self);
  // The two processes may have been started with different environments, and in different roots.
  const std::string root = "/proc/" + std::to_string(pid) + "/root";
  Connection connection;
  for (const uid_t user : users) {
    std::vector<std::string> directories;
    for (const auto& runtime : {runtime_directory_of(pid), own_runtime_directory()}) {
      if (runtime) directories.push_back(under_runtime_directory(*runtime));
    }
    directories.push_back(under_tmp(user));
    for (const std::string& directory : directories) {
      for (const std::string& path : {directory, root + directory}) {
        connection = connect_in(path, pid, device, user);
        if (connection.result != ZE_RESULT_NOT_READY) return connection;
      }
    }
  }
  return connection;
}

std::uint32_t peer_pid(int socket) {
  const auto peer = peer_credentials(socket);
  return peer && peer->pid > 0 ? static_cast<std::uint32_t>(peer->pid) : 0;
}

}  // namespace xesim::debug
