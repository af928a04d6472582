// Time travel and watches: the functions of XESIM_extension_debug_time. The session does the work; here are the
// checks of handles and pointers, and the header's structs.
#include <level_zero/zet_api.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "driver/open_sessions.hpp"
#include "driver/xesim_debug_extension.h"

using namespace xesim::driver;

namespace wire = xesim::debug::wire;

namespace {

wire::Find query_of(const xesim_debug_find_t& find, const xesim_debug_range_t* ranges) {
  wire::Find query{.launch = find.launch,
                   .backward = static_cast<std::uint8_t>(find.backward != 0),
                   .from = find.from,
                   .to = find.to,
                   .threads = {find.thread.slice, find.thread.subslice, find.thread.eu,
                               find.thread.thread},
                   .kinds = find.kinds,
                   .limit = find.limit,
                   .lanes = find.lanes,
                   .changes_only = static_cast<std::uint8_t>(find.changesOnly != 0),
                   .ranges = {}};
  for (std::uint32_t index = 0; index < find.rangeCount; ++index) {
    query.ranges.push_back({ranges[index].begin, ranges[index].end, ranges[index].space});
  }
  return query;
}

void copy_value(const std::vector<std::byte>& value, std::uint8_t (&to)[64]) {
  const auto size = static_cast<std::ptrdiff_t>(std::min(value.size(), sizeof to));
  std::transform(value.begin(), value.begin() + size, to,
                 [](std::byte each) { return std::to_integer<std::uint8_t>(each); });
}

xesim_debug_hit_t hit_of(const wire::FindHit& found) {
  xesim_debug_hit_t hit{};
  hit.time = found.time;
  hit.instruction = found.instruction;
  hit.thread = {found.thread.slice, found.thread.subslice, found.thread.eu, found.thread.thread};
  hit.kinds = found.kinds;
  hit.lanes = found.lanes;
  hit.group[0] = found.group_x;
  hit.group[1] = found.group_y;
  hit.group[2] = found.group_z;
  hit.launch = found.launch;
  hit.address = found.address;
  hit.size = found.size;
  hit.lane = found.lane;
  copy_value(found.old_value, hit.oldValue);
  copy_value(found.new_value, hit.newValue);
  return hit;
}

}  // namespace

ze_result_t xesimDebugGetRecording(zet_debug_session_handle_t hDebug, uint32_t launch,
                                   xesim_debug_recording_t* pRecording) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pRecording == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return with_session(hDebug, [&](auto& session) {
    wire::RecordingState state;
    const ze_result_t result = session.recording(launch, state);
    if (result != ZE_RESULT_SUCCESS) {
      return result;
    }
    *pRecording = {};
    pRecording->launch = state.launch;
    pRecording->launches = state.launches;
    pRecording->oldest = state.oldest;
    pRecording->state = state.state;
    pRecording->first = state.first;
    pRecording->now = state.now;
    pRecording->end = state.end;
    pRecording->bytes = state.bytes;
    pRecording->budget = state.budget;
    pRecording->keyframes = state.keyframes;
    pRecording->hostWriteFirst = state.host_write_first;
    pRecording->hostWriteEnd = state.host_write_end;
    state.text.copy(pRecording->text, sizeof pRecording->text - 1);
    return result;
  });
}

ze_result_t xesimDebugSetRecording(zet_debug_session_handle_t hDebug, uint32_t enabled,
                                   uint64_t budget) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return with_session(
      hDebug, [&](auto& session) { return session.set_recording(enabled != 0, budget); });
}

ze_result_t xesimDebugGoTo(zet_debug_session_handle_t hDebug, uint32_t launch, uint64_t time) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return with_session(hDebug, [&](auto& session) { return session.go_to(launch, time); });
}

ze_result_t xesimDebugGetThreads(zet_debug_session_handle_t hDebug, uint32_t* pCount,
                                 ze_device_thread_t* pThreads) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pCount == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return with_session(hDebug,
                      [&](auto& session) { return session.stopped_threads(pCount, pThreads); });
}

ze_result_t xesimDebugFind(zet_debug_session_handle_t hDebug, const xesim_debug_find_t* pFind,
                           const xesim_debug_range_t* pRanges, uint32_t* pHitCount,
                           xesim_debug_hit_t* pHits, uint64_t* pSearchedTo) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pFind == nullptr || pHitCount == nullptr || pSearchedTo == nullptr ||
      (pRanges == nullptr && pFind->rangeCount != 0) ||
      (pHits == nullptr && pFind->limit != 0)) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return with_session(hDebug, [&](auto& session) {
    wire::FindResult found;
    const ze_result_t result = session.find(query_of(*pFind, pRanges), found);
    if (result != ZE_RESULT_SUCCESS) {
      return result;
    }
    *pHitCount = std::min<std::uint32_t>(pFind->limit,
                                         static_cast<std::uint32_t>(found.hits.size()));
    for (std::uint32_t index = 0; index < *pHitCount; ++index) {
      pHits[index] = hit_of(found.hits[index]);
    }
    *pSearchedTo = found.searched_to;
    return result;
  });
}

ze_result_t xesimDebugCancel(zet_debug_session_handle_t hDebug) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return with_session(hDebug, [&](auto& session) { return session.cancel(); });
}

ze_result_t xesimDebugSetWatch(zet_debug_session_handle_t hDebug,
                               const xesim_debug_watch_t* pWatch,
                               const xesim_debug_range_t* pRanges, uint64_t* pNumber) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pWatch == nullptr || pRanges == nullptr || pNumber == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  wire::SetWatch watch{.kinds = pWatch->kinds,
                       .threads = {pWatch->thread.slice, pWatch->thread.subslice,
                                   pWatch->thread.eu, pWatch->thread.thread},
                       .lanes = pWatch->lanes,
                       .changes_only = static_cast<std::uint8_t>(pWatch->changesOnly != 0),
                       .group_x = pWatch->group[0],
                       .group_y = pWatch->group[1],
                       .group_z = pWatch->group[2],
                       .ranges = {}};
  for (std::uint32_t index = 0; index < pWatch->rangeCount; ++index) {
    watch.ranges.push_back({pRanges[index].begin, pRanges[index].end, pRanges[index].space});
  }
  return with_session(hDebug,
                      [&](auto& session) { return session.set_watch(std::move(watch), pNumber); });
}

ze_result_t xesimDebugClearWatch(zet_debug_session_handle_t hDebug, uint64_t number) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return with_session(hDebug, [&](auto& session) { return session.clear_watch(number); });
}

ze_result_t xesimDebugGetWatchHits(zet_debug_session_handle_t hDebug, ze_device_thread_t thread,
                                   uint32_t* pCount, xesim_debug_watch_hit_t* pHits) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pCount == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return with_session(hDebug, [&](auto& session) {
    wire::WatchHits found;
    const ze_result_t result = session.watch_hits(thread, found);
    if (result != ZE_RESULT_SUCCESS) {
      return result;
    }
    const auto all = static_cast<std::uint32_t>(found.hits.size());
    if (*pCount == 0 || pHits == nullptr) {
      *pCount = all;
      return result;
    }
    *pCount = std::min(*pCount, all);
    for (std::uint32_t index = 0; index < *pCount; ++index) {
      pHits[index] = {found.watches[index], hit_of(found.hits[index])};
    }
    return result;
  });
}
