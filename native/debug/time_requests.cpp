#include "debug/time_requests.hpp"

#include <level_zero/zet_api.h>

#include <algorithm>
#include <utility>

#include "debug/wire_hits.hpp"

namespace xesim::debug {

namespace {

wire::Reply reply(time::Status status) {
  switch (status) {
    case time::Status::Done: return {ZE_RESULT_SUCCESS, {}};
    case time::Status::Cancelled: return {ZE_RESULT_NOT_READY, {}};
    case time::Status::NothingRecorded: return {ZE_RESULT_ERROR_NOT_AVAILABLE, {}};
    case time::Status::InThePast: return {ZE_RESULT_ERROR_NOT_AVAILABLE, {}};
    case time::Status::OutOfRange: return {ZE_RESULT_ERROR_INVALID_ARGUMENT, {}};
    case time::Status::Diverged: break;
  }
  return {static_cast<std::uint32_t>(ZE_RESULT_ERROR_UNKNOWN), {}};
}

}  // namespace

bool TimeRequests::answers(wire::Kind kind) {
  return kind == wire::Kind::GetRecording || kind == wire::Kind::SetRecording ||
         kind == wire::Kind::GoTo || kind == wire::Kind::Find;
}

std::optional<wire::Reply> TimeRequests::answer(const Frame& frame,
                                                const time::Cancelled& cancelled) {
  const auto decoded = [&]<class Message>(std::optional<Message> message, auto... more) -> Answer {
    return message ? answer(*message, more...) : std::nullopt;
  };
  switch (frame.kind) {
    case wire::Kind::GetRecording:
      return decoded(wire::decode<wire::GetRecording>(frame.payload));
    case wire::Kind::SetRecording:
      return decoded(wire::decode<wire::SetRecording>(frame.payload));
    case wire::Kind::GoTo:
      return decoded(wire::decode<wire::GoTo>(frame.payload), cancelled);
    case wire::Kind::Find:
      return decoded(wire::decode<wire::Find>(frame.payload), cancelled);
    default:
      return std::nullopt;
  }
}

TimeRequests::Answer TimeRequests::answer(const wire::GetRecording& request) {
  const time::TimeMachine::Info info = machine_.info(request.launch);
  const wire::RecordingState state{.launch = info.launch,
                                   .launches = info.launches,
                                   .oldest = info.oldest,
                                   .state = static_cast<std::uint32_t>(info.state),
                                   .first = info.first,
                                   .now = info.now,
                                   .end = info.end,
                                   .bytes = info.bytes,
                                   .budget = info.budget,
                                   .keyframes = info.keyframes,
                                   .host_write_first = info.host_write_first,
                                   .host_write_end = info.host_write_end,
                                   .text = info.text};
  return wire::Reply{ZE_RESULT_SUCCESS, wire::encode_fields(state)};
}

TimeRequests::Answer TimeRequests::answer(const wire::SetRecording& request) {
  return reply(machine_.configure(request.enabled != 0, request.budget));
}

TimeRequests::Answer TimeRequests::answer(const wire::GoTo& request,
                                          const time::Cancelled& cancelled) {
  if (request.time != time::TimeMachine::kPresent) device_.wait_until_settled();
  const time::Status status = machine_.go_to(request.launch, request.time, cancelled);
  if (status != time::Status::Done) return reply(status);
  wire::ThreadsOfTime threads{.in_past = machine_.in_past(), .threads = {}};
  if (machine_.in_past()) threads.threads = machine_.threads();
  return wire::Reply{ZE_RESULT_SUCCESS, wire::encode_fields(threads)};
}

TimeRequests::Answer TimeRequests::answer(const wire::Find& request,
                                          const time::Cancelled& cancelled) {
  time::Query query;
  query.kinds = request.kinds;
  query.threads = request.threads;
  query.lanes = request.lanes;
  query.changes_only = request.changes_only != 0;
  query.backward = request.backward != 0;
  query.first = query.backward ? request.to : request.from;
  query.end = query.backward ? request.from : request.to;
  query.limit = std::min(request.limit, wire::kMaximumHits);
  for (const wire::FindRange& range : request.ranges) {
    const auto known = range_of(device_.topology().platform, range);
    if (!known) return wire::Reply{static_cast<std::uint32_t>(ZE_RESULT_ERROR_INVALID_ARGUMENT), {}};
    query.ranges.push_back(*known);
  }
  time::Found found;
  const time::Status status = machine_.find(request.launch, query, cancelled, found);
  if (status != time::Status::Done && status != time::Status::Cancelled) return reply(status);
  wire::FindResult result{.hits = {}, .searched_to = found.searched_to};
  const std::uint32_t launch = machine_.info(request.launch).launch;
  for (const time::Hit& hit : found.hits) {
    result.hits.push_back(wire_hit(hit, request.ranges, query.ranges, launch));
  }
  return wire::Reply{ZE_RESULT_SUCCESS, wire::encode_fields(result)};
}

}  // namespace xesim::debug
