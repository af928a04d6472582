#include "time/watches.hpp"

#include <algorithm>
#include <utility>

namespace xesim::time {

namespace {

constexpr std::uint32_t kReads = kind::kMemoryRead | kind::kLocalRead;
constexpr std::uint32_t kWrites = kind::kMemoryWrite | kind::kLocalWrite;

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
  for (const auto& [number, watch] : watches_) {
    for (const Range& range : watch.query.ranges) {
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
  parts_.clear();
  if (!hits_.empty()) {
    hits_.erase(device::ordinal(topology_, thread.id));
  }
}

bool Watches::is_meant(const WatchQuery& watch, std::uint32_t lane) const {
  const Query& query = watch.query;
  if ((query.lanes != 0 && (query.lanes >> lane & 1) == 0) || !query.threads.matches(thread_->id)) {
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

bool Watches::executed(const eu::ThreadState& state, std::uint64_t before) {
  if (parts_.empty()) {
    return false;
  }
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
    hits.push_back({part.watch,
                    {.time = time_ + before,
                     .instruction = memory_.instruction_base() + state.ip,
                     .thread = thread_->id,
                     .group = thread_->group,
                     .kinds = kinds,
                     .lanes = 0,
                     .space = access.space,
                     .address = access.address,
                     .size = access.size,
                     .lane = access.lane,
                     .old_value = access.old_value,
                     .new_value = now}});
  }
  parts_.clear();
  if (hits.empty()) {
    return false;
  }
  for (WatchHit& hit : hits) {
    hit.hit.lanes = lanes[hit.watch];
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
