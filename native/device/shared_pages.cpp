#include "device/shared_pages.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/address_range.hpp"

namespace xesim::device {

SharedPages::SharedPages(int descriptor) : descriptor_(descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) {
    return;
  }
  identity_ = status.st_ino;
  // Buffers of other drivers (dma-buf) say how long they are only where their end is asked for.
  const off_t size = status.st_size > 0 ? status.st_size : lseek(descriptor, 0, SEEK_END);
  if (size > 0) {
    size_ = round_up(static_cast<std::uint64_t>(size), kPageBytes).value_or(0);
  }
}

std::shared_ptr<const SharedPages> SharedPages::create(std::uint64_t size) {
  const int descriptor = memfd_create("xesim-memory", MFD_CLOEXEC);
  if (descriptor < 0) {
    return nullptr;
  }
  if (ftruncate(descriptor, static_cast<off_t>(size)) != 0) {
    close(descriptor);
    return nullptr;
  }
  return std::shared_ptr<const SharedPages>(new SharedPages(descriptor));
}

std::shared_ptr<const SharedPages> SharedPages::adopt(int descriptor, std::uint64_t size) {
  const std::shared_ptr<const SharedPages> pages(new SharedPages(descriptor));
  return pages->size() >= size ? pages : nullptr;
}

// The program may have closed its descriptor, and opened something else.
SharedPages::~SharedPages() {
  struct stat status {};
  if (fstat(descriptor_, &status) == 0 && status.st_ino == identity_) {
    close(descriptor_);
  }
}

}  // namespace xesim::device
