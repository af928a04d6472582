#include "eu/messages/memory.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "eu/messages/memory_element.hpp"
#include "eu/thread/slots.hpp"

namespace xesim::eu {
namespace {

bool contains(const MemoryWindow& window, std::uint64_t address, std::uint64_t size, bool write) {
  return size <= window.size && address - window.base <= window.size - size &&
         (window.writable || !write);
}

}  // namespace

TargetMemory::TargetMemory(const DataMessage& message, ThreadEnvironment& environment,
                           WindowCache& windows)
    : environment_(environment), windows_(windows) {
  switch (message.model) {
    case AddressModel::Flat:
      break;
    case AddressModel::Stateless:
      base_ = environment.general_state_base();
      break;
    case AddressModel::Slm:
      space_ = MemorySpace::Slm;
      break;
    case AddressModel::HeapSurface:
      use_surface(environment.bindless_surface(message.surface));
      break;
    case AddressModel::BindingTable:
      use_surface(environment.binding_table_surface(message.surface));
      break;
    case AddressModel::Scratch:
      space_ = MemorySpace::Scratch;
      break;
  }
}

void TargetMemory::use_surface(const BufferSurface& surface) {
  if (!surface.valid) {
    unsupported_ = "no surface state there";
    return;
  }
  limit_ = surface.size;
  if (surface.scratch) {
    space_ = MemorySpace::Scratch;
  } else {
    base_ = surface.base;
  }
}

const MemoryWindow* TargetMemory::find(std::uint64_t address) {
  std::span<MemoryWindow> cached;
  switch (space_) {
    case MemorySpace::Global:
      cached = windows_.global;
      break;
    case MemorySpace::Slm:
      cached = {&windows_.slm, 1};
      break;
    case MemorySpace::Scratch:
      cached = {&windows_.scratch, 1};
      break;
  }
  for (const MemoryWindow& window : cached) {
    if (contains(window, address, 1, false)) {
      return &window;
    }
  }
  const MemoryWindow window = environment_.window(space_, address);
  if (!contains(window, address, 1, false)) {
    return nullptr;
  }
  MemoryWindow& slot = cached[windows_.next++ % cached.size()];
  slot = window;
  return &slot;
}

std::byte* TargetMemory::resolve(std::uint64_t offset, std::uint32_t size, bool write) {
  if (size > limit_ || offset > limit_ - size) {
    return nullptr;
  }
  const std::uint64_t address = base_ + offset;
  const MemoryWindow* window = find(address);
  if (window == nullptr || !contains(*window, address, size, write)) {
    return nullptr;
  }
  return window->host + (address - window->base);
}

bool TargetMemory::resolve(const LaneOffsets& offsets, std::uint32_t slots, std::uint32_t size,
                           bool write, LaneHosts& hosts) {
  const std::uint64_t first = offsets[static_cast<unsigned>(std::countr_zero(slots))];
  if (resolve(first, size, write) == nullptr) {
    return false;
  }
  // Most messages stay in one window. Seen from the surface it starts at `start`, modulo 2^64.
  const MemoryWindow window = *find(base_ + first);
  const std::uint64_t start = window.base - base_;
  const std::uint64_t room = window.size - size;
  const std::uint64_t last = limit_ - size;
  bool together = true;
  for_each_slot(slots, [&](unsigned slot) {
    const std::uint64_t within = offsets[slot] - start;
    const bool inside = within <= room && offsets[slot] <= last;
    hosts[slot] = window.host + (inside ? within : 0);
    together &= inside;
  });
  for (std::uint32_t rest = together ? 0 : slots; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<unsigned>(std::countr_zero(rest));
    hosts[slot] = resolve(offsets[slot], size, write);
    if (hosts[slot] == nullptr) {
      return false;
    }
  }
  return true;
}

bool TargetMemory::out_of_bounds(std::uint64_t offset, std::uint32_t size) {
  if (size > limit_ || offset > limit_ - size) {
    return true;
  }
  if (space_ != MemorySpace::Slm) {
    return false;
  }
  const MemoryWindow* window = find(offset);
  return window == nullptr || !contains(*window, offset, size, false);
}

bool TargetMemory::drops(std::uint64_t offset, std::uint32_t size, bool write) {
  if (!out_of_bounds(offset, size)) {
    return false;
  }
  const bool slm = space_ == MemorySpace::Slm;
  const std::uint64_t limit = slm ? std::min(limit_, environment_.window(space_, 0).size) : limit_;
  environment_.accessed_outside(
      {.space = space_, .offset = offset, .size = size, .limit = limit, .write = write});
  return true;
}

bool TargetMemory::accessible(std::uint64_t offset, std::uint32_t size, bool write,
                              PageFault& fault) {
  if (drops(offset, size, write)) {
    return true;
  }
  std::uint64_t address = base_ + offset;
  const std::uint64_t end = address + size;
  while (address != end) {
    const MemoryWindow* window = find(address);
    if (window == nullptr || (write && !window->writable)) {
      fault = {.present = true,
               .address = address,
               .access = write ? FaultAccess::Write : FaultAccess::Read,
               .reason = window == nullptr ? FaultReason::NotMapped : FaultReason::ReadOnly,
               .space = space_,
               .lane = 0};
      return false;
    }
    const std::uint64_t backed = window->size - (address - window->base);
    address += std::min(backed, end - address);
  }
  return true;
}

void TargetMemory::read(std::uint64_t offset, void* data, std::uint32_t size) {
  if (out_of_bounds(offset, size)) {
    std::memset(data, 0, size);
    return;
  }
  if (const std::byte* const host = resolve(offset, size, false)) {
    load_block(data, host, size);
    return;
  }
  for (std::uint32_t done = 0; done < size; ++done) {
    const std::uint64_t address = base_ + offset + done;
    const MemoryWindow& window = *find(address);
    static_cast<std::byte*>(data)[done] = window.host[address - window.base];
  }
}

void TargetMemory::write(std::uint64_t offset, const void* data, std::uint32_t size) {
  if (out_of_bounds(offset, size)) {
    return;
  }
  if (std::byte* const host = resolve(offset, size, true)) {
    store_block(host, data, size);
    return;
  }
  for (std::uint32_t done = 0; done < size; ++done) {
    const std::uint64_t address = base_ + offset + done;
    const MemoryWindow& window = *find(address);
    window.host[address - window.base] = static_cast<const std::byte*>(data)[done];
  }
}

}  // namespace xesim::eu
