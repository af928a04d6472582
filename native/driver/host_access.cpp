#include "driver/host_access.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <vector>

namespace xesim::driver {

namespace {

Loss fault(const char* what, std::uint64_t address, std::uint64_t size, const char* why) {
  char text[160];
  std::snprintf(text, sizeof(text), "%s: 0x%llx, %llu bytes, %s", what,
                static_cast<unsigned long long>(address), static_cast<unsigned long long>(size),
                why);
  return text;
}

// Whether every page of the range is mapped: mincore fails with ENOMEM where one is not.
bool is_mapped(std::uint64_t address, std::uint64_t size) {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  constexpr std::uint64_t kPagesAtOnce = 4096;
  std::vector<unsigned char> residence(kPagesAtOnce);
  const std::uint64_t end = address + size;
  for (std::uint64_t at = address & ~(page - 1); at < end; at += page * kPagesAtOnce) {
    const std::uint64_t length = std::min(end - at, page * kPagesAtOnce);
    if (mincore(reinterpret_cast<void*>(at), length, residence.data()) != 0 && errno == ENOMEM) {
      return false;
    }
  }
  return true;
}

}  // namespace

Loss check_host_access(Device& device, const char* what, const void* pointer, std::uint64_t size) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (size == 0) {
    return std::nullopt;
  }
  if (address + size < address) {
    return fault(what, address, size, "runs over the end of the address space");
  }
  if (const auto allocation = device.memory().find(address)) {
    if (address + size > allocation->address + allocation->size) {
      return fault(what, address, size, "runs over the end of its allocation");
    }
    return std::nullopt;
  }
  if (!is_mapped(address, size)) {
    return fault(what, address, size, "is not mapped");
  }
  return std::nullopt;
}

}  // namespace xesim::driver
