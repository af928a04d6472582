#include "debug/watch_requests.hpp"

#include <level_zero/zet_api.h>

#include <algorithm>
#include <utility>

#include "debug/wire_hits.hpp"

namespace xesim::debug {

namespace {

// A thread that has begun cannot be stopped before its first instruction.
constexpr std::uint32_t kKinds = time::kind::kAll & ~time::kind::kBegin;

wire::Reply reply(ze_result_t result) { return {static_cast<std::uint32_t>(result), {}}; }

}  // namespace

bool WatchRequests::answers(wire::Kind kind) {
  return kind == wire::Kind::SetWatch || kind == wire::Kind::ClearWatch ||
         kind == wire::Kind::GetWatchHits;
}

std::optional<wire::Reply> WatchRequests::answer(const Frame& frame) {
  const auto decoded = [&]<class Message>(std::optional<Message> message) -> Answer {
    return message ? answer(*message) : std::nullopt;
  };
  switch (frame.kind) {
    case wire::Kind::SetWatch: return decoded(wire::decode<wire::SetWatch>(frame.payload));
    case wire::Kind::ClearWatch: return decoded(wire::decode<wire::ClearWatch>(frame.payload));
    case wire::Kind::GetWatchHits: return decoded(wire::decode<wire::GetWatchHits>(frame.payload));
    default: return std::nullopt;
  }
}

void WatchRequests::arm() { device_.set_watch(watches_.empty() ? nullptr : &watches_); }

void WatchRequests::end() {
  const auto pause = device_.pause();
  watches_.clear();
  ranges_.clear();
  arm();
}

WatchRequests::Answer WatchRequests::answer(const wire::SetWatch& request) {
  time::WatchQuery watch;
  watch.query.kinds = request.kinds;
  watch.query.threads = request.threads;
  watch.query.lanes = request.lanes;
  watch.query.changes_only = request.changes_only != 0;
  watch.group = {request.group_x, request.group_y, request.group_z};
  for (const wire::FindRange& range : request.ranges) {
    const auto known = range_of(device_.topology().platform, range);
    if (!known || known->begin >= known->end) return reply(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    watch.query.ranges.push_back(*known);
  }
  const bool needs_ranges = (request.kinds & ~time::kind::kEnd) != 0;
  if ((request.kinds & ~kKinds) != 0 || request.kinds == 0 ||
      (needs_ranges && watch.query.ranges.empty())) {
    return reply(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  const auto pause = device_.pause();
  Ranges ranges{request.ranges, watch.query.ranges};
  const wire::WatchNumber number{watches_.add(std::move(watch))};
  ranges_.emplace(number.watch, std::move(ranges));
  arm();
  return wire::Reply{ZE_RESULT_SUCCESS, wire::encode_fields(number)};
}

WatchRequests::Answer WatchRequests::answer(const wire::ClearWatch& request) {
  const auto pause = device_.pause();
  const bool removed = watches_.remove(request.watch);
  ranges_.erase(request.watch);
  arm();
  return reply(removed ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

WatchRequests::Answer WatchRequests::answer(const wire::GetWatchHits& request) {
  if (request.thread >= device_.topology().thread_count()) return std::nullopt;
  const std::uint32_t launch = past_.info(0).launch;
  const auto pause = device_.pause();
  const auto* thread = device_.find_thread(device::thread_id(device_.topology(), request.thread));
  if (past_.in_past() || thread == nullptr || thread->run != device::ThreadRun::Stopped) {
    return reply(ZE_RESULT_ERROR_NOT_AVAILABLE);
  }
  wire::WatchHits hits;
  for (const time::WatchHit& found : watches_.hits(request.thread)) {
    if (hits.hits.size() == wire::kMaximumHits) break;
    const auto ranges = ranges_.find(found.watch);
    if (ranges == ranges_.end()) continue;   // it was cleared meanwhile
    hits.watches.push_back(found.watch);
    hits.hits.push_back(wire_hit(found.hit, ranges->second.asked, ranges->second.known, launch));
  }
  return wire::Reply{ZE_RESULT_SUCCESS, wire::encode_fields(hits)};
}

}  // namespace xesim::debug
