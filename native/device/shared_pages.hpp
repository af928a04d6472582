// Memory that can be mapped at several addresses, and by other processes.
#pragma once

#include <cstdint>
#include <memory>

namespace xesim::device {

// Pages of physical memory, as on Intel's discrete parts.
inline constexpr std::uint64_t kPhysicalPageBytes = 64 * 1024;

class SharedPages {
 public:
  // `size` zeroed bytes, a multiple of a page; null when the system has no room or no descriptor.
  static std::shared_ptr<const SharedPages> create(std::uint64_t size);
  // Takes `descriptor`, that another process made; null when it has fewer bytes.
  static std::shared_ptr<const SharedPages> adopt(int descriptor, std::uint64_t size);
  ~SharedPages();
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }  // bytes
  // The same number in every process that has these pages.
  [[nodiscard]] std::uint64_t identity() const { return identity_; }

 private:
  explicit SharedPages(int descriptor);

  int descriptor_;
  std::uint64_t size_ = 0;
  std::uint64_t identity_ = 0;
};

}  // namespace xesim::device
