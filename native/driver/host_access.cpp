#include "driver/host_access.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
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

// The first address of the range that is in no page of the process: mincore fails with ENOMEM for a
// stretch that has one. Nothing when all is mapped.
std::optional<std::uint64_t> first_unmapped(std::uint64_t address, std::uint64_t size) {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  constexpr std::uint64_t kPagesAtOnce = 4096;
  std::vector<unsigned char> residence(kPagesAtOnce);
  const auto mapped = [&](std::uint64_t at, std::uint64_t length) {
    return mincore(reinterpret_cast<void*>(at), length, residence.data()) == 0 || errno != ENOMEM;
  };
  const std::uint64_t end = address + size;
  for (std::uint64_t at = address & ~(page - 1); at < end; at += page * kPagesAtOnce) {
    const std::uint64_t stretch = std::min(at + page * kPagesAtOnce, end);
    if (mapped(at, stretch - at)) {
      continue;
    }
    while (mapped(at, page)) {
      at += page;
    }
    return std::max(at, address);
  }
  return std::nullopt;
}

// Of pages that were mapped beside others the addresses go on.
bool is_mapping(const device::Allocation& allocation) {
  return allocation.kind == device::AllocationKind::Mapped ||
         allocation.kind == device::AllocationKind::MappedHost;
}

}  // namespace

Loss check_host_access(Device& device, const char* what, const void* pointer, std::uint64_t size,
                       HostAccess access) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const auto refuse = [&](std::uint64_t culprit, const char* why) {
    if (device.debug_server() != nullptr) {
      device.debug_server()->page_fault(culprit);
    }
    return fault(what, address, size, why);
  };
  if (size == 0) {
    return std::nullopt;
  }
  if (address + size < address) {
    return refuse(address, "runs over the end of the address space");
  }
  if (auto allocation = device.memory().find(address)) {
    const std::uint64_t wanted_end = address + size;
    while (true) {
      if (access == HostAccess::Write && !allocation->writable) {
        return refuse(std::max(address, allocation->address), "is read-only");
      }
      const std::uint64_t end = allocation->address + allocation->size;
      if (wanted_end <= end) {
        return std::nullopt;
      }
      const auto next = is_mapping(*allocation) ? device.memory().find(end) : std::nullopt;
      if (!next || !is_mapping(*next)) {
        return refuse(std::max(address, end), "runs over the end of its allocation");
      }
      allocation = next;
    }
  }
  if (const auto culprit = first_unmapped(address, size)) {
    return refuse(*culprit, "is not mapped");
  }
  return std::nullopt;
}

}  // namespace xesim::driver
