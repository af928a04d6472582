#include "time/search_observer.hpp"

#include <algorithm>

namespace xesim::time {

namespace {

constexpr std::uint32_t kGlobalKinds = kind::kMemoryWrite | kind::kMemoryRead;
constexpr std::uint32_t kLocalKinds = kind::kLocalWrite | kind::kLocalRead;

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
  const auto [space, address] = place_of(access, *thread_);
  if (space == Space::Global && access.kind != eu::AccessKind::Read) {
    written_.note(pending_->time, address, access.size);
  }
  if (query_.lanes != 0 && (query_.lanes >> access.lane & 1) == 0) {
    return;
  }
  const std::uint32_t kinds = kinds_of(access) & memory_kinds_;
  if (kinds == 0) {
    return;
  }
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
  AccessPart part{.kinds = kinds,
                  .space = space,
                  .address = address,
                  .size = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, Hit::kValueBytes)),
                  .lane = lane,
                  .lanes = space == Space::Registers ? pending_->lanes : 1u << lane};
  part.old_value = value_of(part, *thread_, memory_);
  parts_.push_back(part);
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
  for (const AccessPart& part : parts_) {
    const Value now = value_of(part, *thread_, memory_);
    const bool must_differ = query_.changes_only || part.space == Space::Registers;
    const std::uint32_t kinds = kinds_after(part, now, must_differ);
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
