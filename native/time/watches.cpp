#include "time/watches.hpp"

#include <algorithm>
#include <utility>

namespace xesim::time {

namespace {

constexpr std::uint32_t kReads = kind::kMemoryRead | kind::kLocalRead;
constexpr std::uint32_t kWrites = kind::kMemoryWrite | kind::kLocalWrite;

constexpr std::uint32_t kOfEach = kind::kRegisterWrite | kind::kExecute | kind::kEnd;

// The kinds of accesses in a space.
std::uint32_t kinds_in(Space space) {
  return space == Space::Local ? kind::kLocalRead | kind::kLocalWrite
                               : kind::kMemoryRead | kind::kMemoryWrite;
}

}  // namespace

std::uint64_t Watches::add(WatchQuery watch) {
  const std::uint64_t number = next_number_++;
  watches_.emplace(number, std::move(watch));
  index();
  return number;
}

bool Watches::remove(std::uint64_t number) {
  if (watches_.erase(number) == 0) {
    return false;
  }
  index();
  return true;
}

void Watches::clear() {
  watches_.clear();
  hits_.clear();
  index();
}

void Watches::index() {
  filters_ = {};
  intervals_ = {};
  of_each_.clear();
  for (const auto& [number, watch] : watches_) {
    if ((watch.query.kinds & kOfEach) != 0) {
      of_each_.push_back(number);
    }
    for (const Range& range : watch.query.ranges) {
      if (range.space != Space::Local && range.space != Space::Global) {
        continue;
      }
      const std::uint32_t kinds = watch.query.kinds & kinds_in(range.space);
      const std::size_t space = range.space == Space::Local ? 1 : 0;
      if (kinds == 0 || range.begin >= range.end) {
        continue;
      }
      intervals_[space].push_back({range.begin, range.end, range.end, number});
      if ((kinds & kReads) != 0) {
        filters_[space][0].add(range.begin, range.end);
      }
      if ((kinds & kWrites) != 0) {
        filters_[space][1].add(range.begin, range.end);
      }
    }
  }
  for (auto& intervals : intervals_) {
    std::ranges::sort(intervals, {}, &Interval::begin);
    std::uint64_t reach = 0;
    for (Interval& interval : intervals) {
      reach = interval.reach = std::max(reach, interval.end);
    }
  }
}

void Watches::begin_run(const device::HardwareThread& thread, std::uint64_t time) {
  thread_ = &thread;
  time_ = time;
  scratch_ = reinterpret_cast<std::uintptr_t>(thread.scratch);
  parts_.clear();
  if (!hits_.empty()) {
    hits_.erase(device::ordinal(topology_, thread.id));
  }
  seen_.clear();
  for (const std::uint64_t number : of_each_) {
    const WatchQuery& watch = watches_.at(number);
    if (is_meant(watch)) {
      note_registers(watch, seen_.emplace_back(Seen{number, {}}));
    }
  }
  sees_each_ = !seen_.empty();
}

// What they have before the run; a debugger may have written to them since the last one.
void Watches::note_registers(const WatchQuery& watch, Seen& seen) {
  for (const Range& range : watch.query.ranges) {
    if (range.space != Space::Registers) {
      continue;
    }
    for (std::uint64_t at = range.begin; at < range.end; at += Hit::kValueBytes) {
      AccessPart part{.kinds = kind::kRegisterWrite,
                      .space = Space::Registers,
                      .address = at,
                      .size = static_cast<std::uint32_t>(
                          std::min<std::uint64_t>(Hit::kValueBytes, range.end - at))};
      part.old_value = value_of(part, *thread_, view_);
      seen.registers.push_back(part);
    }
  }
}

bool Watches::is_meant(const WatchQuery& watch, std::uint32_t lane) const {
  return (watch.query.lanes == 0 || (watch.query.lanes >> lane & 1) != 0) && is_meant(watch);
}

bool Watches::is_meant(const WatchQuery& watch) const {
  if (!watch.query.threads.matches(thread_->id)) {
    return false;
  }
  for (std::size_t axis = 0; axis < watch.group.size(); ++axis) {
    if (watch.group[axis] != WatchQuery::kAnyGroup && watch.group[axis] != thread_->group[axis]) {
      return false;
    }
  }
  return true;
}

void Watches::memory(const eu::ThreadState&, const eu::MemoryAccess& access) {
  const auto place = place_of(access, *thread_);
  const auto& intervals = intervals_[place.space == Space::Local ? 1 : 0];
  const std::uint64_t end = place.address + access.size;
  auto next = std::ranges::lower_bound(intervals, end, {}, &Interval::begin);
  while (next != intervals.begin() && (--next)->reach > place.address) {
    if (next->end > place.address) {
      note(*next, kinds_of(access), place, access.size, access.lane);
    }
  }
}

void Watches::note(const Interval& interval, std::uint32_t kinds, const Place& place,
                   std::uint32_t size, std::uint32_t lane) {
  const WatchQuery& watch = watches_.at(interval.watch);
  kinds &= watch.query.kinds;
  if (kinds == 0 || !is_meant(watch, lane)) {
    return;
  }
  const std::uint64_t end = std::min(place.address + size, interval.end);
  for (std::uint64_t at = std::max(place.address, interval.begin); at < end;
       at += Hit::kValueBytes) {
    AccessPart part{.kinds = kinds,
                    .space = place.space,
                    .address = at,
                    .size = static_cast<std::uint32_t>(
                        std::min<std::uint64_t>(Hit::kValueBytes, end - at)),
                    .lane = lane,
                    .lanes = 1u << lane};
    part.old_value = value_of(part, *thread_, view_);
    parts_.push_back({interval.watch, part});
  }
}

Hit Watches::hit_at(std::uint32_t ip, std::uint64_t time) const {
  Hit hit;
  hit.time = time;
  hit.instruction = memory_.instruction_base() + ip;
  hit.thread = thread_->id;
  hit.group = thread_->group;
  return hit;
}

std::vector<WatchHit> Watches::accesses(std::uint32_t ip, std::uint64_t before) {
  std::vector<WatchHit> hits;
  std::map<std::uint64_t, std::uint32_t> lanes;   // that acted, by watch
  for (const Part& part : parts_) {
    const AccessPart& access = part.access;
    const Value now = value_of(access, *thread_, view_);
    const std::uint32_t kinds =
        kinds_after(access, now, watches_.at(part.watch).query.changes_only);
    if (kinds == 0) {
      continue;
    }
    lanes[part.watch] |= access.lanes;
    Hit hit = hit_at(ip, time_ + before);
    hit.kinds = kinds;
    hit.space = access.space;
    hit.address = access.address;
    hit.size = access.size;
    hit.lane = access.lane;
    hit.old_value = access.old_value;
    hit.new_value = now;
    hits.push_back({part.watch, hit});
  }
  parts_.clear();
  for (WatchHit& hit : hits) {
    hit.hit.lanes = lanes[hit.watch];
  }
  return hits;
}

bool Watches::executed(const eu::ThreadState& state, std::uint64_t before) {
  return !sees_each_ && !parts_.empty() && keep(accesses(state.ip, before));
}

bool Watches::stepped(const eu::ThreadState& state, const Executed& executed) {
  std::vector<WatchHit> hits = accesses(executed.ip, executed.before);
  const std::uint64_t next = memory_.instruction_base() + state.ip;
  for (Seen& seen : seen_) {
    const Query& query = watches_.at(seen.watch).query;
    for (AccessPart& part : seen.registers) {
      const Value now = value_of(part, *thread_, view_);
      if (now == part.old_value) {
        continue;
      }
      Hit hit = hit_at(executed.ip, time_ + executed.before);
      hit.kinds = kind::kRegisterWrite;
      hit.lanes = executed.lanes;
      hit.space = Space::Registers;
      hit.address = part.address;
      hit.size = part.size;
      hit.old_value = std::exchange(part.old_value, now);
      hit.new_value = now;
      hits.push_back({seen.watch, hit});
    }
    const bool is_ahead = std::ranges::any_of(query.ranges, [&](const Range& range) {
      return range.space == Space::Instruction && next >= range.begin && next < range.end;
    });
    const std::uint32_t ahead = query.kinds & ((is_ahead ? kind::kExecute : 0) |
                                               (executed.ends_next ? kind::kEnd : 0));
    if (ahead != 0) {
      Hit hit = hit_at(state.ip, time_ + executed.before + 1);
      hit.kinds = ahead;
      hits.push_back({seen.watch, hit});
    }
  }
  return keep(std::move(hits));
}

bool Watches::keep(std::vector<WatchHit> hits) {
  if (hits.empty()) {
    return false;
  }
  std::ranges::stable_sort(hits, {}, [](const WatchHit& hit) {
    return std::pair(hit.watch, hit.hit.lane);
  });
  hits_[device::ordinal(topology_, thread_->id)] = std::move(hits);
  return true;
}

std::vector<WatchHit> Watches::hits(std::uint32_t thread) const {
  const auto found = hits_.find(thread);
  return found == hits_.end() ? std::vector<WatchHit>{} : found->second;
}

}  // namespace xesim::time
