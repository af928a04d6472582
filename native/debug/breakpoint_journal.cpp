#include "debug/breakpoint_journal.hpp"

namespace xesim::debug {

namespace {

// Both forms of the debug control bit, as they lie in the byte that holds them.
constexpr std::byte kNativeBit{0x40};     // bit 30: in byte 3
constexpr std::byte kCompactedBit{0x80};  // bit 7: in byte 0

std::byte byte_at(std::uint64_t address) { return *reinterpret_cast<const std::byte*>(address); }

bool is_code(const device::Allocation& allocation) {
  return allocation.kind == device::AllocationKind::Code;
}

}  // namespace

void BreakpointJournal::note(device::Device& device, std::uint64_t address,
                             std::span<const std::byte> data) {
  const auto allocation = device.memory().find(address);
  if (!allocation || !is_code(*allocation) ||
      data.size() > allocation->address + allocation->mapped - address) {
    return;
  }
  for (std::size_t index = 0; index < data.size(); ++index) {
    const std::byte before = byte_at(address + index);
    if (before == data[index]) continue;
    const auto [entry, is_new] =
        bytes_.try_emplace(address + index, Byte{allocation->id, before});
    if (!is_new && entry->second.allocation != allocation->id) {
      entry->second = {allocation->id, before};
    }
  }
}

void BreakpointJournal::undo(device::Device& device) {
  for (const auto& [address, byte] : bytes_) {
    const auto allocation = device.memory().find(address);
    if (!allocation || allocation->id != byte.allocation) continue;
    const std::byte changed = byte_at(address) ^ byte.original;
    const bool is_breakpoint = (changed == kNativeBit || changed == kCompactedBit) &&
                               (byte.original & changed) == std::byte{0};
    if (is_breakpoint) device.write_memory(address, &byte.original, 1);
  }
  forget();
}

}  // namespace xesim::debug
