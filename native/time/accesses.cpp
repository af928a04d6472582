#include "time/accesses.hpp"

#include <cstring>

#include "device/dispatcher_slot.hpp"

namespace xesim::time {

namespace {

constexpr std::uint32_t kWriteKinds =
    kind::kMemoryWrite | kind::kLocalWrite | kind::kRegisterWrite;

const std::byte* host(Space space, std::uint64_t address, const device::HardwareThread& thread,
                      device::MemoryView& memory) {
  switch (space) {
    case Space::Registers: return reinterpret_cast<const std::byte*>(&thread.state) + address;
    case Space::Local: return address < thread.slm_size ? thread.slm + address : nullptr;
    case Space::Global: {
      const eu::MemoryWindow window = memory.window(address);
      return window.size == 0 ? nullptr : window.host + (address - window.base);
    }
    case Space::Instruction: break;
  }
  return nullptr;
}

}  // namespace

std::uint32_t kinds_of(const eu::MemoryAccess& access) {
  const bool local = access.space == eu::MemorySpace::Slm;
  std::uint32_t kinds = 0;
  if (access.kind != eu::AccessKind::Read) {
    kinds |= local ? kind::kLocalWrite : kind::kMemoryWrite;
  }
  if (access.kind != eu::AccessKind::Write) {
    kinds |= local ? kind::kLocalRead : kind::kMemoryRead;
  }
  return kinds;
}

Place place_of(const eu::MemoryAccess& access, const device::HardwareThread& thread) {
  switch (access.space) {
    case eu::MemorySpace::Slm: return {Space::Local, access.address & device::kSlmOffsetMask};
    case eu::MemorySpace::Scratch:
      return {Space::Global, access.address + reinterpret_cast<std::uintptr_t>(thread.scratch)};
    case eu::MemorySpace::Global: break;
  }
  return {Space::Global, access.address};
}

Value value_of(const AccessPart& part, const device::HardwareThread& thread,
               device::MemoryView& memory) {
  Value value{};
  if (const std::byte* const bytes = host(part.space, part.address, thread, memory)) {
    std::memcpy(value.data(), bytes, part.size);
  }
  return value;
}

std::uint32_t kinds_after(const AccessPart& part, const Value& now, bool must_differ) {
  const bool same = std::memcmp(now.data(), part.old_value.data(), part.size) == 0;
  return must_differ && same ? part.kinds & ~kWriteKinds : part.kinds;
}

}  // namespace xesim::time
