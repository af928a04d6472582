#include "time/used_memory.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <span>

namespace xesim::time {

void UsedMemory::begin(device::Executor& executor, std::shared_ptr<Recording> recording) {
  executor_ = &executor;
  recording_ = std::move(recording);
  used_.clear();
  open_.clear();
  refusal_.clear();
  const device::Memory& memory = executor.memory();
  generation_ = memory.generation();
  allocations_ = std::make_shared<const Allocations>(memory.allocations());
  use(memory.surface_state_base(), executor.surfaces().used_bytes());
  use(executor.samplers().base(), 1);
  for (const auto& [offset, code] : executor.code.announced()) {
    use(memory.instruction_base() + offset, code.size);
  }
  executor.view.witness = this;
}

void UsedMemory::end() {
  if (executor_ != nullptr) {
    executor_->view.witness = nullptr;
    executor_ = nullptr;
  }
  recording_.reset();
}

eu::MemoryWindow UsedMemory::window(std::uint64_t address) {
  if (executor_->memory().generation() != generation_) {
    note_changes();
  }
  auto after = open_.upper_bound(address);
  if (after != open_.begin()) {
    const auto& [allocation, stretches] = std::prev(after)->second;
    if (const auto found = stretches.find(address)) {
      return {found->begin, found->end - found->begin,
              reinterpret_cast<std::byte*>(found->begin),
              allocation.writable && allocation.kind != device::AllocationKind::Code};
    }
  }
  return use_block(address) ? window(address) : use_program_memory(address);
}

eu::MemoryWindow UsedMemory::use_program_memory(std::uint64_t address) {
  const eu::MemoryWindow window = device::program_window(executor_->memory(), address);
  if (window.size != 0 && refusal_.empty()) {
    char text[128];
    std::snprintf(text, sizeof text,
                  "it uses memory that is no allocation but the program's own, at 0x%" PRIx64,
                  address);
    refusal_ = text;
  }
  return window;
}

void UsedMemory::use(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  while (address < end) {
    std::uint64_t next = end;
    static_cast<void>(use_block(address));
    static_cast<void>(executor_->memory().read_at(address, [&](const device::Allocation& found) {
      const BlockPlace place(found, address);
      next = place.begin + place.size;
    }));
    address = next;
  }
}

bool UsedMemory::use_block(std::uint64_t address) {
  return executor_->memory().read_at(address, [&](const device::Allocation& allocation) {
    const BlockPlace place(allocation, address);
    Open& open = open_[allocation.address];
    open.allocation = allocation;
    check_mappings(allocation);
    open.stretches.add(place.begin, place.begin + place.size);
    if (used_.try_emplace(place.begin, allocation.id).second) {
      recording_->first_used.try_emplace({allocation.id, place.begin},
                                         look_at(allocation, place));
    }
  });
}

void UsedMemory::check_mappings(const device::Allocation& used) {
  if (used.pages == 0 || !refusal_.empty()) {
    return;
  }
  const auto other = std::ranges::find_if(
      *allocations_, [&](const auto& each) { return share_pages(used, each); });
  if (other != allocations_->end()) {
    char text[128];
    std::snprintf(text, sizeof text,
                  "it uses memory that is mapped at two addresses, 0x%" PRIx64 " and 0x%" PRIx64,
                  std::min(used.address, other->address), std::max(used.address, other->address));
    refusal_ = text;
  }
}

const Block& UsedMemory::look_at(const device::Allocation& allocation, BlockPlace place) {
  Latest& latest = latest_[place.begin];
  const std::uint64_t changes = executor_->code.changes();
  const bool is_known = allocation.kind == device::AllocationKind::Code &&
                        latest.block != nullptr && latest.block->size() == place.size &&
                        latest.code_changes == changes;
  if (!is_known) {
    latest.block = freeze({reinterpret_cast<const std::byte*>(place.begin), place.size},
                          latest.block, total_);
    latest.code_changes = changes;
  }
  return latest.block;
}

bool UsedMemory::forget_dropped() {
  return std::erase_if(latest_, [](const auto& each) {
           return each.second.block.use_count() == 1;
         }) != 0;
}

const std::shared_ptr<const Allocations>& UsedMemory::allocations() {
  if (executor_->memory().generation() != generation_) {
    note_changes();
  }
  return allocations_;
}

void UsedMemory::note_changes() {
  generation_ = executor_->memory().generation();
  auto now = std::make_shared<const Allocations>(executor_->memory().allocations());
  AllocationChange change = difference(*allocations_, *now);
  if (change.came.empty() && change.went.empty()) {
    return;
  }
  allocations_ = std::move(now);
  for (const auto& [address, open] : open_) {
    check_mappings(open.allocation);
  }
  for (const device::Allocation& gone : change.went) {
    open_.erase(gone.address);
    if (std::ranges::none_of(change.came,
                             [&](const auto& each) { return is_same(each, gone); })) {
      used_.erase(used_.lower_bound(gone.address),
                  used_.lower_bound(gone.address + gone.mapped));
    }
  }
  recording_->log.add_change(0, std::move(change));
}

Blocks UsedMemory::capture() {
  for (const auto& [offset, code] : executor_->code.announced()) {
    use(executor_->memory().instruction_base() + offset, code.size);
  }
  Blocks blocks;
  executor_->memory().read_all([&](const device::Allocation& allocation) {
    const auto end = used_.lower_bound(allocation.address + allocation.mapped);
    for (auto used = used_.lower_bound(allocation.address); used != end; ++used) {
      if (used->second == allocation.id) {
        blocks.emplace_hint(blocks.end(), used->first,
                            look_at(allocation, {allocation, used->first}));
      }
    }
  });
  return blocks;
}

}  // namespace xesim::time
