#include "device/shared_pages.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace xesim::device {

SharedPages::SharedPages(int descriptor) : descriptor_(descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    identity_ = status.st_ino;
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

SharedPages::~SharedPages() { close(descriptor_); }

}  // namespace xesim::device
