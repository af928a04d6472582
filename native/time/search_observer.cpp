#include "time/search_observer.hpp"

#include <algorithm>
#include <cstring>

namespace xesim::time {

namespace {

constexpr std::uint32_t kGlobalKinds = kind::kMemoryWrite | kind::kMemoryRead;
constexpr std::uint32_t kLocalKinds = kind::kLocalWrite | kind::kLocalRead;
constexpr std::uint32_t kWriteKinds =
    kind::kMemoryWrite | kind::kLocalWrite | kind::kRegisterWrite;

}  // namespace

SearchObserver::SearchObserver(const Query& query, std::uint64_t instruction_base,
                               device::MemoryView& memory, WrittenLines& written)
    : query_(query),
      instruction_base_(instruction_base),
      memory_(memory),
      written_(written),
      memory_kinds_(query.kinds & (kGlobalKinds | kLocalKinds)) {
  for (const Range& range : query.ranges) {
    ranges_[static_cast<std::size_t>(range.space)].push_back(range);
  }
}

bool SearchObserver::sees_all_writes() const {
  return memory_kinds_ != 0 && query_.threads.is_all();
}

eu::Subscriptions SearchObserver::subscriptions() const {
  return {.threads = (query_.kinds & kind::kEnd) != 0,
          .instructions = true,
          .memory = memory_kinds_ != 0,
          .barriers = false};
}

bool SearchObserver::begin_run(device::HardwareThread& thread, std::uint64_t time) {
  thread_ = &thread;
  next_time_ = time;
  return query_.threads.matches(thread.id);
}

void SearchObserver::end_run(std::uint64_t time) {
  if (pending_ && pending_->time < time) {
    complete();
  }
  pending_.reset();  // it did not execute: it waits, or faulted
}

bool SearchObserver::goes_on() {
  if (ends_when_full) {
    return hits.size() < most_hits;
  }
  constexpr std::size_t kSlack = 4096;  // there may be millions
  if (hits.size() > most_hits + kSlack) {
    hits.erase(hits.begin(), hits.end() - static_cast<std::ptrdiff_t>(most_hits));
  }
  return true;
}

bool SearchObserver::executes_in_range(std::uint64_t address) const {
  const auto& ranges = ranges_[static_cast<std::size_t>(Space::Instruction)];
  return ranges.empty() || std::ranges::any_of(ranges, [&](const Range& range) {
           return address >= range.begin && address < range.end;
         });
}

void SearchObserver::instruction(const eu::ThreadState& state, const eu::Instruction&,
                                 std::uint32_t lanes) {
  const std::uint64_t time = next_time_++;
  if (pending_) {
    complete();
  }
  pending_ = {.time = time, .instruction = instruction_base_ + state.ip, .lanes = lanes, .kinds = 0};
  parts_.clear();
  if (query_.lanes != 0 && (lanes & query_.lanes) == 0) {
    pending_->lanes = 0;
    return;
  }
  if ((query_.kinds & kind::kExecute) != 0 && executes_in_range(pending_->instruction)) {
    pending_->kinds |= kind::kExecute;
  }
  if ((query_.kinds & kind::kBegin) != 0 && state.instructions_executed == 0) {
    pending_->kinds |= kind::kBegin;
  }
  if ((query_.kinds & kind::kRegisterWrite) != 0) {
    begin_registers();
  }
}

void SearchObserver::thread_end(const eu::ThreadState&) {
  if (pending_ && (query_.kinds & kind::kEnd) != 0) {
    pending_->kinds |= kind::kEnd;
  }
}

void SearchObserver::begin_registers() {
  for (const Range& range : ranges_[static_cast<std::size_t>(Space::Registers)]) {
    for (std::uint64_t at = range.begin; at < range.end; at += Hit::kValueBytes) {
      note(kind::kRegisterWrite, Space::Registers, at,
           std::min<std::uint64_t>(Hit::kValueBytes, range.end - at), 0);
    }
  }
}

void SearchObserver::memory(const eu::ThreadState&, const eu::MemoryAccess& access) {
  if (!pending_) {
    return;
  }
  const bool local = access.space == eu::MemorySpace::Slm;
  std::uint64_t address = access.address;
  if (access.space == eu::MemorySpace::Scratch) {
    address += reinterpret_cast<std::uintptr_t>(thread_->scratch);
  }
  if (!local && access.kind != eu::AccessKind::Read) {
    written_.note(pending_->time, address, access.size);
  }
  if (query_.lanes != 0 && (query_.lanes >> access.lane & 1) == 0) {
    return;
  }
  std::uint32_t kinds = 0;
  if (access.kind != eu::AccessKind::Read) {
    kinds |= local ? kind::kLocalWrite : kind::kMemoryWrite;
  }
  if (access.kind != eu::AccessKind::Write) {
    kinds |= local ? kind::kLocalRead : kind::kMemoryRead;
  }
  kinds &= memory_kinds_;
  if (kinds == 0) {
    return;
  }
  const Space space = local ? Space::Local : Space::Global;
  const auto& ranges = ranges_[static_cast<std::size_t>(space)];
  if (ranges.empty()) {
    note(kinds, space, address, access.size, access.lane);
  }
  for (const Range& range : ranges) {
    const std::uint64_t begin = std::max(address, range.begin);
    const std::uint64_t end = std::min(address + access.size, range.end);
    if (begin < end) {
      note(kinds, space, begin, end - begin, access.lane);
    }
  }
}

void SearchObserver::note(std::uint32_t kinds, Space space, std::uint64_t address,
                          std::uint64_t size, std::uint32_t lane) {
  Part part{.kinds = kinds,
            .space = space,
            .address = address,
            .size = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, Hit::kValueBytes)),
            .lane = lane,
            .lanes = space == Space::Registers ? pending_->lanes : 1u << lane};
  if (const std::byte* const bytes = host(space, address)) {
    std::memcpy(part.old_value.data(), bytes, part.size);
  }
  parts_.push_back(part);
}

const std::byte* SearchObserver::host(Space space, std::uint64_t address) const {
  switch (space) {
    case Space::Registers: return reinterpret_cast<const std::byte*>(&thread_->state) + address;
    case Space::Local:
      return address < thread_->slm_size ? thread_->slm + address : nullptr;
    case Space::Global: {
      const eu::MemoryWindow window = memory_.window(address);
      return window.size == 0 ? nullptr : window.host + (address - window.base);
    }
    case Space::Instruction: break;
  }
  return nullptr;
}

bool SearchObserver::changed(const Part& part,
                             std::array<std::byte, Hit::kValueBytes>& now) const {
  if (const std::byte* const bytes = host(part.space, part.address)) {
    std::memcpy(now.data(), bytes, part.size);
  }
  return std::memcmp(now.data(), part.old_value.data(), part.size) != 0;
}

void SearchObserver::complete() {
  const Pending done = *pending_;
  pending_.reset();
  if (done.kinds == 0 && parts_.empty()) {
    return;
  }
  Hit hit;
  hit.time = done.time;
  hit.instruction = done.instruction;
  hit.lanes = done.lanes;
  hit.kinds = done.kinds;
  std::uint32_t acting = 0;
  for (const Part& part : parts_) {
    std::array<std::byte, Hit::kValueBytes> now{};
    const bool differs = changed(part, now);
    std::uint32_t kinds = part.kinds;
    const bool must_differ = query_.changes_only || part.space == Space::Registers;
    if (must_differ && !differs) {
      kinds &= ~kWriteKinds;
    }
    if (kinds == 0) {
      continue;
    }
    if (acting == 0) {
      hit.space = part.space;
      hit.address = part.address;
      hit.size = part.size;
      hit.lane = part.lane;
      hit.old_value = part.old_value;
      hit.new_value = now;
    }
    hit.kinds |= kinds;
    acting |= part.lanes;
  }
  if (hit.kinds != 0) {
    if (acting != 0) {
      hit.lanes = acting;
    }
    hit.thread = thread_->id;
    hit.group = thread_->group;
    hits.push_back(hit);
  }
}

}  // namespace xesim::time
