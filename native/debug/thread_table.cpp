#include "debug/thread_table.hpp"

#include <algorithm>

namespace xesim::debug {

void ThreadTable::stop(std::uint32_t ordinal, bool reported) {
  Thread& thread = stopped_[ordinal];
  thread = Thread{};
  thread.reported = reported;
  thread.version = next_version_++;
}

void ThreadTable::report(std::uint32_t ordinal) {
  const auto found = stopped_.find(ordinal);
  if (found != stopped_.end()) found->second.reported = true;
}

void ThreadTable::resume(std::uint32_t ordinal) { stopped_.erase(ordinal); }

bool ThreadTable::is_reported(std::uint32_t ordinal) const {
  const auto found = stopped_.find(ordinal);
  return found != stopped_.end() && found->second.reported;
}

std::vector<std::uint32_t> ThreadTable::stopped() const {
  std::vector<std::uint32_t> ordinals;
  for (const auto& [ordinal, thread] : stopped_) ordinals.push_back(ordinal);
  std::ranges::sort(ordinals);
  return ordinals;
}

std::vector<std::uint32_t> ThreadTable::reported(const device::ThreadId& selection) const {
  std::vector<std::uint32_t> ordinals;
  if (selection.is_single()) {
    if (!device::contains(topology_, selection)) return ordinals;
    const std::uint32_t ordinal = device::ordinal(topology_, selection);
    if (is_reported(ordinal)) ordinals.push_back(ordinal);
    return ordinals;
  }
  for (const auto& [ordinal, thread] : stopped_) {
    if (thread.reported && selection.matches(device::thread_id(topology_, ordinal))) {
      ordinals.push_back(ordinal);
    }
  }
  std::ranges::sort(ordinals);
  return ordinals;
}

bool ThreadTable::all_reported(const device::ThreadId& selection) const {
  const auto selected = [](std::uint32_t field, std::uint32_t size) -> std::uint64_t {
    if (field == device::ThreadId::kAny) return size;
    return field < size ? 1 : 0;
  };
  const std::uint64_t count = selected(selection.slice, topology_.slices) *
                              selected(selection.subslice, topology_.subslices_per_slice) *
                              selected(selection.eu, topology_.eus_per_subslice) *
                              selected(selection.thread, topology_.threads_per_eu);
  return count != 0 && stopped_.size() >= count && reported(selection).size() == count;
}

std::span<const std::byte> ThreadTable::registers(std::uint32_t ordinal, RegisterType type) const {
  const auto found = stopped_.find(ordinal);
  if (found == stopped_.end()) return {};
  return found->second.registers[static_cast<std::size_t>(type)];
}

std::uint64_t ThreadTable::version(std::uint32_t ordinal) const {
  const auto found = stopped_.find(ordinal);
  return found == stopped_.end() ? 0 : found->second.version;
}

void ThreadTable::remember(std::uint32_t ordinal, std::uint64_t version, RegisterType type,
                           std::span<const std::byte> registers) {
  const auto found = stopped_.find(ordinal);
  if (found == stopped_.end() || found->second.version != version) return;
  found->second.registers[static_cast<std::size_t>(type)].assign(registers.begin(),
                                                                 registers.end());
}

void ThreadTable::forget(std::uint32_t ordinal, RegisterType type) {
  const auto found = stopped_.find(ordinal);
  if (found == stopped_.end()) return;
  const auto drop = [&](RegisterType dropped) {
    found->second.registers[static_cast<std::size_t>(dropped)].clear();
  };
  found->second.version = next_version_++;
  drop(type);
  // The channel enables follow the dispatch mask and where channels wait, which a moved ip moves;
  // the scratch and binding table bases follow r0.
  if (type == RegisterType::State || type == RegisterType::Control ||
      type == RegisterType::FlowControl) {
    drop(RegisterType::ChannelEnable);
    drop(RegisterType::FlowControl);
  }
  if (type == RegisterType::Grf) drop(RegisterType::StateBaseAddress);
}

}  // namespace xesim::debug
