#include "driver/host_access.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace xesim::driver {

namespace {

Loss fault(const char* what, std::uint64_t address, std::uint64_t size, const char* why) {
  char text[160];
  std::snprintf(text, sizeof(text), "%s: 0x%llx, %llu bytes, %s", what,
                static_cast<unsigned long long>(address), static_cast<unsigned long long>(size),
                why);
  return text;
}

// Of pages that were mapped beside others the addresses go on.
bool is_mapping(const device::Allocation& allocation) {
  return allocation.kind == device::AllocationKind::Mapped ||
         allocation.kind == device::AllocationKind::MappedHost;
}

}  // namespace

Loss check_host_access(Device& device, const char* what, const void* pointer, std::uint64_t size,
                       device::MemoryUse access) {
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
      if (access == device::MemoryUse::Write && !allocation->writable) {
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
  if (device.memory().owns(address)) {
    return refuse(address, "is not mapped");  // there is no allocation
  }
  if (const auto culprit = device::first_unusable(address, size, access)) {
    const bool is_readable = !device::first_unusable(*culprit, 1, device::MemoryUse::Read);
    return refuse(*culprit, is_readable ? "is read-only" : "is not mapped");
  }
  return std::nullopt;
}

}  // namespace xesim::driver
