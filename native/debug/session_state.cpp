#include "debug/session_state.hpp"

#include <algorithm>
#include <cstring>

namespace xesim::debug {

namespace {

zet_debug_event_t make_event(zet_debug_event_type_t type) {
  zet_debug_event_t event;
  std::memset(&event, 0, sizeof event);  // acknowledging compares the padding too
  event.type = type;
  return event;
}

zet_debug_event_t thread_event(zet_debug_event_type_t type, const device::ThreadId& id) {
  zet_debug_event_t event = make_event(type);
  event.info.thread.thread = {id.slice, id.subslice, id.eu, id.thread};
  return event;
}

zet_debug_event_t unload_event(const zet_debug_event_t& load) {
  zet_debug_event_t event = load;
  event.type = ZET_DEBUG_EVENT_TYPE_MODULE_UNLOAD;
  event.flags = 0;
  return event;
}

}  // namespace

bool SessionState::frame_received(const Frame& frame) {
  const auto decoded = [this]<class Message>(const std::optional<Message>& message) {
    return message && receive(*message);
  };
  switch (frame.kind) {
    case wire::Kind::QueuesChanged:
      return decoded(wire::decode<wire::QueuesChanged>(frame.payload));
    case wire::Kind::ModuleLoaded:
      return decoded(wire::decode<wire::ModuleLoaded>(frame.payload));
    case wire::Kind::ModuleUnloaded:
      return decoded(wire::decode<wire::ModuleUnloaded>(frame.payload));
    case wire::Kind::ThreadSnapshots:
      return decoded(wire::decode<wire::ThreadSnapshots>(frame.payload));
    case wire::Kind::ThreadsStopped:
      return decoded(wire::decode<wire::ThreadsStopped>(frame.payload));
    case wire::Kind::InterruptAnswer:
      return decoded(wire::decode<wire::InterruptAnswer>(frame.payload));
    case wire::Kind::PageFault:
      return decoded(wire::decode<wire::PageFault>(frame.payload));
    default:
      return false;
  }
}

void SessionState::add_view(const std::shared_ptr<SessionView>& view) {
  const std::lock_guard lock(mutex_);
  if (view->holds(tiles_with_queues_)) {
    view->events.push({make_event(ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY), {}});
  }
  for (auto& [id, module] : modules_) {
    if (!view->holds(module.tiles)) continue;
    zet_debug_event_t load = module.load;
    load.flags = module.awaited.empty() ? 0 : ZET_DEBUG_EVENT_FLAG_NEED_ACK;
    if (!module.awaited.empty()) module.awaited.push_back(view.get());
    view->events.push({load, {}});
  }
  view->events.push(stop_events(*view, threads_.stopped()));
  if (ended_) view->events.close();
  views_.push_back(view);
}

std::vector<std::uint64_t> SessionState::remove_view(const SessionView& view) {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint64_t> modules;
  for (const std::uint32_t ordinal : threads_.stopped()) {
    if (view.holds(device::thread_id(topology_, ordinal))) threads_.resume(ordinal);
  }
  for (auto& [id, module] : modules_) {
    if (std::erase(module.awaited, &view) != 0 && module.awaited.empty()) modules.push_back(id);
  }
  for (PendingInterrupt& interrupt : interrupts_) {
    if (interrupt.view == &view) interrupt.view = nullptr;
  }
  std::erase_if(views_, [&](const auto& other) { return other.get() == &view; });
  return modules;
}

device::Tiles SessionState::attended() {
  const std::lock_guard lock(mutex_);
  device::Tiles tiles = 0;
  for (const auto& view : views_) tiles |= view->tiles();
  return tiles;
}

bool SessionState::receive(const wire::QueuesChanged& message) {
  const std::lock_guard lock(mutex_);
  for (const auto& view : views_) {
    const bool has_queues = view->holds(message.tiles);
    if (has_queues == view->holds(tiles_with_queues_)) continue;
    view->events.push({make_event(has_queues ? ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY
                                             : ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT),
                       {}});
  }
  tiles_with_queues_ = message.tiles;
  return true;
}

bool SessionState::receive(const wire::ModuleLoaded& message) {
  zet_debug_event_t event = make_event(ZET_DEBUG_EVENT_TYPE_MODULE_LOAD);
  if (message.needs_acknowledge != 0) event.flags = ZET_DEBUG_EVENT_FLAG_NEED_ACK;
  event.info.module.format = ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF;
  event.info.module.moduleBegin = message.begin;
  event.info.module.moduleEnd = message.end;
  event.info.module.load = message.load;
  bool is_seen = false;
  {
    const std::lock_guard lock(mutex_);
    if (modules_.contains(message.module)) return false;
    Module& module = modules_[message.module];
    module.load = event;
    module.tiles = message.tiles;
    for (const auto& view : views_) {
      if (!view->holds(message.tiles)) continue;
      is_seen = true;
      if (message.needs_acknowledge != 0) module.awaited.push_back(view.get());
      view->events.push({event, {}});
    }
  }
  if (!is_seen && message.needs_acknowledge != 0) acknowledge_(message.module);
  return true;
}

bool SessionState::receive(const wire::ModuleUnloaded& message) {
  const std::lock_guard lock(mutex_);
  const auto module = modules_.find(message.module);
  if (module == modules_.end()) return false;
  for (const auto& view : views_) {
    if (!view->holds(module->second.tiles)) continue;
    view->events.push({unload_event(module->second.load), {}});
  }
  modules_.erase(module);
  return true;
}

bool SessionState::receive(const wire::ThreadSnapshots& message) {
  const std::size_t bytes = read_ahead_bytes(topology_.platform);
  const std::lock_guard lock(mutex_);
  const std::size_t total = snapshots_.threads.size() + message.threads.size();
  if (message.registers.size() != message.threads.size() * bytes ||
      total > topology_.thread_count()) {
    return false;
  }
  snapshots_.threads.insert(snapshots_.threads.end(), message.threads.begin(),
                            message.threads.end());
  snapshots_.registers.insert(snapshots_.registers.end(), message.registers.begin(),
                              message.registers.end());
  return true;
}

bool SessionState::are_threads(const std::vector<std::uint32_t>& ordinals) const {
  return std::ranges::all_of(ordinals, [this](std::uint32_t ordinal) {
    return ordinal < topology_.thread_count();
  });
}

void SessionState::stop_threads(const std::vector<std::uint32_t>& ordinals, bool reported) {
  for (const std::uint32_t ordinal : ordinals) {
    const device::ThreadId id = device::thread_id(topology_, ordinal);
    if (std::ranges::any_of(views_, [&](const auto& view) { return view->holds(id); })) {
      threads_.stop(ordinal, reported);
    }
  }
}

void SessionState::take_snapshots() {
  std::span<const std::byte> rest = snapshots_.registers;
  for (const std::uint32_t ordinal : snapshots_.threads) {
    const std::uint64_t version = threads_.version(ordinal);
    for (const ReadAhead& part : read_ahead_sets(topology_.platform)) {
      threads_.remember(ordinal, version, part.type, rest.first(part.bytes));
      rest = rest.subspan(part.bytes);
    }
  }
  snapshots_ = {};
}

std::deque<QueuedEvent> SessionState::stop_events(
    const SessionView& view, const std::vector<std::uint32_t>& ordinals) const {
  std::deque<QueuedEvent> events;
  for (const std::uint32_t ordinal : ordinals) {
    const device::ThreadId id = device::thread_id(topology_, ordinal);
    if (!view.holds(id)) continue;
    events.push_back({thread_event(ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED, view.of_view(id)), ordinal});
  }
  return events;
}

bool SessionState::receive(const wire::ThreadsStopped& message) {
  if (!are_threads(message.threads)) return false;
  const std::lock_guard lock(mutex_);
  stop_threads(message.threads, false);
  take_snapshots();
  for (const auto& view : views_) view->events.push(stop_events(*view, message.threads));
  return true;
}

bool SessionState::receive(const wire::InterruptAnswer& message) {
  if (!are_threads(message.halted) || !are_threads(message.stopped)) return false;
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(interrupts_, message.request, &PendingInterrupt::sent);
  if (found == interrupts_.end()) return false;
  const PendingInterrupt interrupt = *found;
  interrupts_.erase(found);
  stop_threads(message.halted, true);
  stop_threads(message.stopped, false);
  take_snapshots();
  const auto type = message.halted.empty() ? ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE
                                           : ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED;
  for (const auto& view : views_) {
    std::deque<QueuedEvent> events = stop_events(*view, message.stopped);
    if (view.get() == interrupt.view) {
      events.push_front({thread_event(type, interrupt.requested), {}});
    }
    view->events.push(events);
  }
  return true;
}

// Intel's driver gives the address alone: the mask is 0, the reason INVALID.
bool SessionState::receive(const wire::PageFault& message) {
  zet_debug_event_t event = make_event(ZET_DEBUG_EVENT_TYPE_PAGE_FAULT);
  event.info.page_fault.address = message.address;
  const std::lock_guard lock(mutex_);
  for (const auto& view : views_) view->events.push({event, {}});
  return true;
}

void SessionState::connection_ended() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  threads_.clear();
  past_threads_.clear();
  for (const auto& view : views_) {
    std::deque<QueuedEvent> events;
    for (const auto& [id, module] : modules_) {
      if (view->holds(module.tiles)) events.push_back({unload_event(module.load), {}});
    }
    if (view->holds(tiles_with_queues_)) {
      events.push_back({make_event(ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT), {}});
    }
    for (const PendingInterrupt& interrupt : interrupts_) {
      if (interrupt.view != view.get()) continue;
      events.push_back(
          {thread_event(ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE, interrupt.requested), {}});
    }
    // Its reason is INVALID whatever the cause, as with Intel's driver.
    events.push_back({make_event(ZET_DEBUG_EVENT_TYPE_DETACHED), {}});
    view->events.push(events);
    view->events.close();
  }
  interrupts_.clear();
}

ze_result_t SessionState::read_event(SessionView& view, std::uint64_t timeout_milliseconds,
                                     zet_debug_event_t* event) {
  *event = make_event(ZET_DEBUG_EVENT_TYPE_INVALID);
  const auto next = view.events.pop(timeout_milliseconds);
  if (!next) return ZE_RESULT_NOT_READY;
  if (next->reports) {
    const std::lock_guard lock(mutex_);
    threads_.report(*next->reports);
  }
  *event = next->event;
  return ZE_RESULT_SUCCESS;
}

SessionState::Acknowledgement SessionState::acknowledge(const SessionView& view,
                                                        const zet_debug_event_t& event) {
  Acknowledgement acknowledgement;
  const std::lock_guard lock(mutex_);
  const auto waiting_and_same = [&](const auto& entry) {
    return std::ranges::find(entry.second.awaited, &view) != entry.second.awaited.end() &&
           std::memcmp(&entry.second.load, &event, sizeof event) == 0;
  };
  const auto same_address = [&](const auto& entry) {
    return event.type == ZET_DEBUG_EVENT_TYPE_MODULE_LOAD && view.holds(entry.second.tiles) &&
           entry.second.load.info.module.load == event.info.module.load;
  };
  auto module = std::ranges::find_if(modules_, waiting_and_same);
  if (module == modules_.end()) module = std::ranges::find_if(modules_, same_address);
  if (module == modules_.end()) return acknowledgement;
  acknowledgement.result = ZE_RESULT_SUCCESS;
  auto& awaited = module->second.awaited;
  if (std::erase(awaited, &view) != 0 && awaited.empty()) acknowledgement.module = module->first;
  return acknowledgement;
}

SessionState::Interrupt SessionState::begin_interrupt(SessionView& view,
                                                      const device::ThreadId& threads) {
  const std::lock_guard lock(mutex_);
  if (ended_) {
    view.events.push_before_last(
        {thread_event(ZET_DEBUG_EVENT_TYPE_THREAD_UNAVAILABLE, threads), {}});
    return {};
  }
  const device::ThreadId sent = view.of_device(threads);
  if (threads_.all_reported(sent)) return {ZE_RESULT_ERROR_NOT_AVAILABLE};
  const auto same = [&](const PendingInterrupt& other) {
    return other.view == &view && other.requested == threads;
  };
  if (std::ranges::any_of(interrupts_, same)) return {ZE_RESULT_NOT_READY};
  interrupts_.push_back({&view, threads, sent});
  return {ZE_RESULT_SUCCESS, true};
}

std::vector<std::uint32_t> SessionState::begin_resume(const device::ThreadId& threads) {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint32_t> ordinals = threads_.reported(threads);
  for (const std::uint32_t ordinal : ordinals) threads_.resume(ordinal);
  return ordinals;
}

bool SessionState::show(const wire::ThreadsOfTime& threads) {
  if (!are_threads(threads.threads)) return false;
  const std::lock_guard lock(mutex_);
  in_past_ = threads.in_past != 0;
  past_threads_.clear();
  for (const std::uint32_t ordinal : threads.threads) past_threads_.stop(ordinal, true);
  return true;
}

bool SessionState::in_past() {
  const std::lock_guard lock(mutex_);
  return in_past_;
}

std::vector<std::uint32_t> SessionState::reported(const device::ThreadId& selection) {
  const std::lock_guard lock(mutex_);
  return shown_threads().reported(selection);
}

bool SessionState::is_reported(std::uint32_t ordinal) {
  const std::lock_guard lock(mutex_);
  return shown_threads().is_reported(ordinal);
}

std::vector<std::byte> SessionState::cached_registers(std::uint32_t ordinal, const RegisterSet& set,
                                                      std::uint32_t start, std::uint32_t count) {
  const std::lock_guard lock(mutex_);
  const auto known = shown_threads().registers(ordinal, set.type);
  if (std::size_t{start + count} * set.bytes > known.size()) return {};
  const auto wanted = known.subspan(std::size_t{start} * set.bytes, count * set.bytes);
  return {wanted.begin(), wanted.end()};
}

std::vector<std::uint64_t> SessionState::begin_read(std::uint32_t ordinal, RegisterType type,
                                                    std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const ThreadTable& threads = shown_threads();
  std::vector<std::uint64_t> versions{threads.version(ordinal)};
  const std::size_t most = ordinal == next_read_ ? 1 + wire::kMaximumFollowing : 1;
  while (versions.size() < most) {
    const auto next = ordinal + static_cast<std::uint32_t>(versions.size());
    if (!threads.is_reported(next) || threads.registers(next, type).size() >= bytes) break;
    versions.push_back(threads.version(next));
  }
  next_read_ = ordinal + static_cast<std::uint32_t>(versions.size());
  return versions;
}

void SessionState::remember_registers(std::uint32_t ordinal, std::uint64_t version,
                                      RegisterType type, std::span<const std::byte> registers) {
  const std::lock_guard lock(mutex_);
  shown_threads().remember(ordinal, version, type, registers);
}

void SessionState::forget_registers(std::uint32_t ordinal, RegisterType type) {
  const std::lock_guard lock(mutex_);
  shown_threads().forget(ordinal, type);
}

}  // namespace xesim::debug
