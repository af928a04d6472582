#include "driver/ipc_handle.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device/device_process.hpp"

namespace xesim::driver {

namespace {

std::uint64_t identity_of(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

// A descriptor of the pages that this process may close, or -1.
int open_descriptor(const IpcHandle& handle) {
  if (identity_of(handle.descriptor) == handle.identity) {
    return fcntl(handle.descriptor, F_DUPFD_CLOEXEC, 0);
  }
  const auto process = static_cast<int>(syscall(SYS_pidfd_open, handle.process, 0));
  if (process < 0) {
    return -1;
  }
  const auto copy = static_cast<int>(syscall(SYS_pidfd_getfd, process, handle.descriptor, 0));
  close(process);
  if (copy >= 0 && identity_of(copy) != handle.identity) {
    close(copy);
    return -1;
  }
  return copy;
}

}  // namespace

IpcHandle IpcHandle::of(const device::SharedPages& pages, IpcKind kind, std::uint32_t detail,
                        std::uint64_t offset) {
  return {.descriptor = pages.descriptor(),
          .process = static_cast<std::uint32_t>(device::DeviceProcess::program()),
          .kind = kind,
          .detail = detail,
          .size = pages.size(),
          .offset = offset,
          .identity = pages.identity()};
}

std::shared_ptr<const device::SharedPages> IpcHandle::open() const {
  const int own = open_descriptor(*this);
  return own < 0 ? nullptr : device::SharedPages::adopt(own, size);
}

}  // namespace xesim::driver
