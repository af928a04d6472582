#include "debug/session.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>

#include "debug/client.hpp"
#include "debug/register_sets.hpp"
#include "debug/session_state.hpp"

namespace xesim::debug {

namespace {

constexpr std::chrono::seconds kDetachTimeout{2};
// Of what runs a launch again, which can be cancelled.
constexpr std::chrono::seconds kLongReplyTimeout = std::chrono::hours(24);
constexpr unsigned kAddressBits = 48;
constexpr std::uint64_t kSlmTag = 1ull << 28;
constexpr std::uint64_t kSlmOffsetMask = kSlmTag - 1;
// Since version 1.14 of the API; not in every version of its headers.
constexpr std::uint32_t kBarrierSpace = 3;

device::ThreadId thread_id_of(const ze_device_thread_t& thread) {
  return {thread.slice, thread.subslice, thread.eu, thread.thread};
}

// The address without its sign extension; nothing when it is no address.
std::optional<std::uint64_t> decanonized(std::uint64_t address) {
  const auto shift = 64 - kAddressBits;
  const auto extended = static_cast<std::uint64_t>(
      static_cast<std::int64_t>(address << shift) >> shift);
  const std::uint64_t low = address & ((1ull << kAddressBits) - 1);
  if (address != low && address != extended) return std::nullopt;
  return low;
}

struct MemoryTarget {
  ze_result_t result = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  std::uint32_t thread = wire::kNoThread;
  std::uint64_t address = 0;
};

ze_result_t result_of(const std::optional<wire::Reply>& reply) {
  return reply ? static_cast<ze_result_t>(reply->result) : ZE_RESULT_ERROR_UNKNOWN;
}

// A debuggee sends what it likes, and debuggers show it in terminals.
char printable(std::byte character) {
  const auto code = std::to_integer<unsigned char>(character);
  return code >= 0x20 && code < 0x7F ? static_cast<char>(code) : '?';
}

}  // namespace

// The connection, which sessions of tiles share. Threads here are as the device counts them.
struct Session::Impl {
  explicit Impl(const device::Topology& device)
      : topology(device), state(device, [this](std::uint64_t module) {
          static_cast<void>(client->post(wire::Acknowledge{module}));
        }) {}

  // Says which tiles have sessions: threads of others do not stop.
  void attend() {
    static_cast<void>(client->request(wire::Attend{state.attended()}, kDetachTimeout));
  }

  // Whether `thread` may be accessed: SUCCESS, or why not.
  ze_result_t check_stopped(const device::ThreadId& thread) {
    if (!device::contains(topology, thread)) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    return state.is_reported(device::ordinal(topology, thread)) ? ZE_RESULT_SUCCESS
                                                                : ZE_RESULT_ERROR_NOT_AVAILABLE;
  }

  MemoryTarget memory_target(const SessionView& view, const device::ThreadId& of_view,
                             const zet_debug_memory_space_desc_t& where);
  ze_result_t fetch_registers(std::uint32_t ordinal, const RegisterSet& set, std::uint32_t start,
                              std::uint32_t count, void* values);
  // From the thread's mode bits.
  ze_result_t grf_count(std::uint32_t ordinal, std::uint32_t* count);

  const device::Topology& topology;
  std::size_t sessions = 1;  // that are attached; of the tiles there may be several
  SessionState state;
  std::unique_ptr<Client> client;  // last: its reader thread uses the state
};

Session::Session() = default;

ze_result_t Session::attach(const device::Topology& topology, std::uint32_t pid,
                            std::unique_ptr<Session>& session, std::uint32_t device) {
  return connect(topology, pid, session, device, std::make_shared<SessionView>(topology));
}

ze_result_t Session::attach_tile(const device::Topology& topology, std::uint32_t pid,
                                 std::unique_ptr<Session>& session, std::uint32_t device,
                                 std::uint32_t tile, const Session* sibling) {
  auto view = std::make_shared<SessionView>(topology, tile);
  if (sibling == nullptr) return connect(topology, pid, session, device, std::move(view));
  session.reset(new Session);
  session->impl_ = sibling->impl_;
  session->view_ = std::move(view);
  ++session->impl_->sessions;
  session->impl_->state.add_view(session->view_);
  session->impl_->attend();
  return ZE_RESULT_SUCCESS;
}

ze_result_t Session::connect(const device::Topology& topology, std::uint32_t pid,
                             std::unique_ptr<Session>& session, std::uint32_t device,
                             std::shared_ptr<SessionView> view) {
  std::unique_ptr<Session> made(new Session);
  made->impl_ = std::make_shared<Impl>(topology);
  made->view_ = std::move(view);
  made->impl_->state.add_view(made->view_);
  const ze_result_t result = Client::connect(pid, device, topology.key, made->impl_->client);
  if (result != ZE_RESULT_SUCCESS) return result;
  made->impl_->client->start(made->impl_->state);
  if (made->view_->is_tile()) made->impl_->attend();
  session = std::move(made);
  return ZE_RESULT_SUCCESS;
}

Session::~Session() {
  if (impl_ && impl_->client) detach();
}

void Session::detach() {
  if (is_detached_.exchange(true)) return;
  if (--impl_->sessions != 0) {
    const std::vector<std::uint64_t> modules = impl_->state.remove_view(*view_);
    view_->events.close();
    for (const std::uint64_t module : modules) {
      static_cast<void>(impl_->client->post(wire::Acknowledge{module}));
    }
    impl_->attend();
    return;
  }
  // The reply says that everything is released: the next debugger finds the debuggee free. A
  // debuggee that someone has stopped sees the end of the connection when it goes on.
  static_cast<void>(impl_->client->request(wire::Detach{}, kDetachTimeout));
  impl_->client->end();
}

ze_result_t Session::read_event(std::uint64_t timeout_milliseconds, zet_debug_event_t* event) {
  if (event == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return impl_->state.read_event(*view_, timeout_milliseconds, event);
}

ze_result_t Session::acknowledge(const zet_debug_event_t* event) {
  if (event == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const auto acknowledgement = impl_->state.acknowledge(*view_, *event);
  if (acknowledgement.module) {
    static_cast<void>(impl_->client->post(wire::Acknowledge{*acknowledgement.module}));
  }
  return acknowledgement.result;
}

ze_result_t Session::interrupt(ze_device_thread_t thread) {
  if (impl_->state.in_past()) return ZE_RESULT_ERROR_NOT_AVAILABLE;
  const device::ThreadId threads = thread_id_of(thread);
  const auto interrupt = impl_->state.begin_interrupt(*view_, threads);
  // If the connection has just ended the answer is THREAD_UNAVAILABLE, as for every other.
  if (interrupt.is_sent) {
    static_cast<void>(impl_->client->post(wire::Interrupt{view_->of_device(threads)}));
  }
  return interrupt.result;
}

ze_result_t Session::resume(ze_device_thread_t thread) {
  if (impl_->state.in_past()) return ZE_RESULT_ERROR_NOT_AVAILABLE;
  const auto ordinals = impl_->state.begin_resume(view_->of_device(thread_id_of(thread)));
  if (ordinals.empty()) return ZE_RESULT_ERROR_NOT_AVAILABLE;
  const auto reply = impl_->client->request(wire::Resume{ordinals});
  // The last threads of a program let it exit, perhaps before its answer was sent: they did resume.
  if (!reply && impl_->client->has_ended()) return ZE_RESULT_SUCCESS;
  return result_of(reply);
}

// Checks in the order in which Intel's driver makes them: the address, then the thread.
MemoryTarget Session::Impl::memory_target(const SessionView& view,
                                          const device::ThreadId& of_view,
                                          const zet_debug_memory_space_desc_t& where) {
  MemoryTarget target;
  const auto space = static_cast<std::uint32_t>(where.type);
  if (space == ZET_DEBUG_MEMORY_SPACE_TYPE_DEFAULT) {
    const auto address = decanonized(where.address);
    if (!address) return target;
    target.address = *address;
  } else if (space == ZET_DEBUG_MEMORY_SPACE_TYPE_SLM) {
    if ((where.address & kSlmTag) == 0) return target;
    target.address = where.address & kSlmOffsetMask;
  } else if (space != kBarrierSpace) {
    return target;
  }
  if (of_view.is_all()) {
    if (space == ZET_DEBUG_MEMORY_SPACE_TYPE_DEFAULT) target.result = ZE_RESULT_SUCCESS;
    return target;
  }
  if (!of_view.is_single()) return target;
  const device::ThreadId thread = view.of_device(of_view);
  target.result = check_stopped(thread);
  if (target.result != ZE_RESULT_SUCCESS) return target;
  target.thread = device::ordinal(topology, thread);
  // No device of the simulator lets the state of barriers be read, and none has it written. (Newer
  // drivers end the debugger's process when it asks such a device.)
  if (space == kBarrierSpace) target.result = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  return target;
}

ze_result_t Session::read_memory(ze_device_thread_t thread,
                                 const zet_debug_memory_space_desc_t* where, std::size_t size,
                                 void* buffer) {
  if (where == nullptr || (buffer == nullptr && size != 0)) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const MemoryTarget target = impl_->memory_target(*view_, thread_id_of(thread), *where);
  if (target.result != ZE_RESULT_SUCCESS) return target.result;
  for (std::size_t done = 0; done < size;) {
    wire::ReadMemory request;
    request.thread = target.thread;
    request.space = static_cast<std::uint32_t>(where->type);
    request.address = target.address + done;
    request.whole = size - done;
    request.size = static_cast<std::uint32_t>(
        std::min<std::size_t>(size - done, wire::kMaximumTransfer));
    const auto reply = impl_->client->request(request);
    if (!reply) {
      return target.thread == wire::kNoThread ? ZE_RESULT_ERROR_NOT_AVAILABLE
                                              : ZE_RESULT_ERROR_UNKNOWN;
    }
    if (reply->result != ZE_RESULT_SUCCESS) return static_cast<ze_result_t>(reply->result);
    if (reply->data.size() != request.size) return ZE_RESULT_ERROR_UNKNOWN;
    std::memcpy(static_cast<std::byte*>(buffer) + done, reply->data.data(), reply->data.size());
    done += request.size;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t Session::write_memory(ze_device_thread_t thread,
                                  const zet_debug_memory_space_desc_t* where, std::size_t size,
                                  const void* buffer) {
  if (where == nullptr || (buffer == nullptr && size != 0)) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (impl_->state.in_past()) return ZE_RESULT_ERROR_NOT_AVAILABLE;
  const MemoryTarget target = impl_->memory_target(*view_, thread_id_of(thread), *where);
  if (target.result != ZE_RESULT_SUCCESS) return target.result;
  for (std::size_t done = 0; done < size;) {
    wire::WriteMemory request;
    request.thread = target.thread;
    request.space = static_cast<std::uint32_t>(where->type);
    request.address = target.address + done;
    request.whole = size - done;
    const auto* from = static_cast<const std::byte*>(buffer) + done;
    const std::size_t part = std::min<std::size_t>(size - done, wire::kMaximumTransfer);
    request.data.assign(from, from + part);
    const auto reply = impl_->client->request(request);
    if (!reply) {
      return target.thread == wire::kNoThread ? ZE_RESULT_ERROR_NOT_AVAILABLE
                                              : ZE_RESULT_ERROR_UNKNOWN;
    }
    if (reply->result != ZE_RESULT_SUCCESS) return static_cast<ze_result_t>(reply->result);
    done += part;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t Session::Impl::fetch_registers(std::uint32_t ordinal, const RegisterSet& set,
                                           std::uint32_t start, std::uint32_t count,
                                           void* values) {
  const auto copy_out = [values](std::span<const std::byte> registers) {
    std::memcpy(values, registers.data(), registers.size());
    return ZE_RESULT_SUCCESS;
  };
  const auto cached = state.cached_registers(ordinal, set, start, count);
  if (!cached.empty()) return copy_out(cached);

  // The whole set in one round trip: whoever asks for one register usually asks for more.
  std::uint32_t whole = set.count;
  if (set.type == RegisterType::Grf) {
    const ze_result_t result = grf_count(ordinal, &whole);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  whole = std::max(whole, start + count);
  const std::size_t bytes = std::size_t{whole} * set.bytes;
  const std::vector<std::uint64_t> versions = state.begin_read(ordinal, set.type, bytes);
  const auto following = static_cast<std::uint32_t>(versions.size()) - 1;
  const auto reply = client->request(
      wire::ReadRegisters{ordinal, static_cast<std::uint32_t>(set.type), 0, whole, following});
  if (!reply || reply->result != ZE_RESULT_SUCCESS) return result_of(reply);
  const std::size_t threads = reply->data.size() / bytes;
  if (reply->data.size() % bytes != 0 || threads == 0 || threads > versions.size()) {
    return ZE_RESULT_ERROR_UNKNOWN;
  }
  for (std::uint32_t number = 0; number < threads; ++number) {
    state.remember_registers(ordinal + number, versions[number], set.type,
                             std::span(reply->data).subspan(number * bytes, bytes));
  }
  return copy_out(std::span(reply->data).subspan(start * set.bytes, count * set.bytes));
}

ze_result_t Session::Impl::grf_count(std::uint32_t ordinal, std::uint32_t* count) {
  const GrfMode& mode = grf_mode(topology.platform);
  const RegisterSet* set =
      find_register_set(topology.platform, static_cast<std::uint32_t>(mode.type));
  if (set == nullptr) return ZE_RESULT_ERROR_UNKNOWN;
  std::vector<std::uint32_t> values(set->bytes / sizeof(std::uint32_t));
  const ze_result_t result = fetch_registers(ordinal, *set, 0, 1, values.data());
  if (result == ZE_RESULT_SUCCESS) *count = thread_grf_count(mode, values[mode.dword]);
  return result;
}

namespace {

// SUCCESS when [start, start + count) lies inside the set.
ze_result_t check_range(const RegisterSet& set, std::uint32_t start, std::uint32_t count) {
  // In 32 bits, as Intel's driver adds; a wrapped sum cannot pass both tests with a count that
  // would be read beyond the set, because `count` is then larger than the limit.
  const bool inside = start < set.limit && start + count <= set.limit && count <= set.limit;
  return inside ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

}  // namespace

ze_result_t Session::read_registers(ze_device_thread_t thread, std::uint32_t type,
                                    std::uint32_t start, std::uint32_t count, void* values) {
  const device::ThreadId id = view_->of_device(thread_id_of(thread));
  if (!thread_id_of(thread).is_single()) return ZE_RESULT_ERROR_NOT_AVAILABLE;
  const ze_result_t stopped = impl_->check_stopped(id);
  if (stopped != ZE_RESULT_SUCCESS) return stopped;
  const RegisterSet* set = find_register_set(impl_->topology.platform, type);
  if (set == nullptr) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  const ze_result_t inside = check_range(*set, start, count);
  if (inside != ZE_RESULT_SUCCESS || count == 0) return inside;
  if (values == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return impl_->fetch_registers(device::ordinal(impl_->topology, id), *set, start, count, values);
}

ze_result_t Session::write_registers(ze_device_thread_t thread, std::uint32_t type,
                                     std::uint32_t start, std::uint32_t count,
                                     const void* values) {
  if (impl_->state.in_past()) return ZE_RESULT_ERROR_NOT_AVAILABLE;
  const device::ThreadId id = view_->of_device(thread_id_of(thread));
  if (!thread_id_of(thread).is_single()) return ZE_RESULT_ERROR_NOT_AVAILABLE;
  const ze_result_t stopped = impl_->check_stopped(id);
  if (stopped != ZE_RESULT_SUCCESS) return stopped;
  const RegisterSet* set = find_register_set(impl_->topology.platform, type);
  if (set == nullptr || !set->writeable) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  const ze_result_t inside = check_range(*set, start, count);
  if (inside != ZE_RESULT_SUCCESS || count == 0) return inside;
  if (values == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  wire::WriteRegisters request{device::ordinal(impl_->topology, id), type, start, count, {}};
  const auto* from = static_cast<const std::byte*>(values);
  request.data.assign(from, from + std::size_t{count} * set->bytes);
  // Whatever is asked after this finds it done, so there is nothing to wait for.
  const bool posted = impl_->client->post(request);
  impl_->state.forget_registers(request.thread, set->type);
  return posted ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNKNOWN;
}

ze_result_t Session::thread_register_set_properties(ze_device_thread_t thread,
                                                    std::uint32_t* count,
                                                    zet_debug_regset_properties_t* properties) {
  const device::ThreadId id = view_->of_device(thread_id_of(thread));
  if (!thread_id_of(thread).is_single()) return ZE_RESULT_ERROR_NOT_AVAILABLE;
  const ze_result_t stopped = impl_->check_stopped(id);
  if (stopped != ZE_RESULT_SUCCESS) return stopped;
  std::uint32_t registers = 0;
  const ze_result_t known =
      impl_->grf_count(device::ordinal(impl_->topology, id), &registers);
  if (known != ZE_RESULT_SUCCESS) return known;
  return describe_register_sets(impl_->topology.platform, registers, count, properties);
}

ze_result_t Session::exception_reason(ze_device_thread_t thread, std::size_t* size, char* text) {
  if (size == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const device::ThreadId id = view_->of_device(thread_id_of(thread));
  if (!thread_id_of(thread).is_single()) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  const ze_result_t stopped = impl_->check_stopped(id);
  if (stopped != ZE_RESULT_SUCCESS) return stopped;
  const auto reply = impl_->client->request(
      wire::ReadExceptionReason{device::ordinal(impl_->topology, id)});
  if (!reply || reply->result != ZE_RESULT_SUCCESS) return result_of(reply);
  const std::span<const std::byte> reason(reply->data);
  if (reason.size() > wire::kMaximumReason) return ZE_RESULT_ERROR_UNKNOWN;
  if (text != nullptr) {
    if (*size <= reason.size()) return ZE_RESULT_ERROR_INVALID_SIZE;
    std::ranges::transform(reason, text, printable);
    text[reason.size()] = '\0';
  }
  *size = reason.size() + 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t Session::set_recording(bool enabled, std::uint64_t budget) {
  return result_of(impl_->client->request(
      wire::SetRecording{static_cast<std::uint8_t>(enabled), budget}));
}

ze_result_t Session::recording(std::uint32_t launch, wire::RecordingState& state) {
  const auto reply = impl_->client->request(wire::GetRecording{launch});
  if (!reply || reply->result != ZE_RESULT_SUCCESS) return result_of(reply);
  auto decoded = wire::decode<wire::RecordingState>(reply->data);
  if (!decoded) return ZE_RESULT_ERROR_UNKNOWN;
  state = std::move(*decoded);
  std::ranges::transform(state.text, state.text.begin(),
                         [](char character) { return printable(static_cast<std::byte>(character)); });
  return ZE_RESULT_SUCCESS;
}

ze_result_t Session::go_to(std::uint32_t launch, std::uint64_t time) {
  const auto reply = impl_->client->request(wire::GoTo{launch, time}, kLongReplyTimeout);
  if (!reply || reply->result != ZE_RESULT_SUCCESS) return result_of(reply);
  const auto threads = wire::decode<wire::ThreadsOfTime>(reply->data);
  if (!threads || !impl_->state.show(*threads)) return ZE_RESULT_ERROR_UNKNOWN;
  return ZE_RESULT_SUCCESS;
}

ze_result_t Session::stopped_threads(std::uint32_t* count, ze_device_thread_t* threads) {
  if (count == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const device::ThreadId any{device::ThreadId::kAny, device::ThreadId::kAny,
                             device::ThreadId::kAny, device::ThreadId::kAny};
  const std::vector<std::uint32_t> ordinals = impl_->state.reported(view_->of_device(any));
  const auto all = static_cast<std::uint32_t>(ordinals.size());
  if (*count == 0 || threads == nullptr) {
    *count = all;
    return ZE_RESULT_SUCCESS;
  }
  *count = std::min(*count, all);
  for (std::uint32_t index = 0; index < *count; ++index) {
    const device::ThreadId id =
        view_->of_view(device::thread_id(impl_->topology, ordinals[index]));
    threads[index] = {id.slice, id.subslice, id.eu, id.thread};
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t Session::find(wire::Find query, wire::FindResult& result) {
  query.threads = view_->of_device(query.threads);
  const auto reply = impl_->client->request(query, kLongReplyTimeout);
  if (!reply || reply->result != ZE_RESULT_SUCCESS) return result_of(reply);
  auto decoded = wire::decode<wire::FindResult>(reply->data);
  if (!decoded) return ZE_RESULT_ERROR_UNKNOWN;
  result = std::move(*decoded);
  for (wire::FindHit& hit : result.hits) hit.thread = view_->of_view(hit.thread);
  return ZE_RESULT_SUCCESS;
}

ze_result_t Session::cancel() {
  return impl_->client->post(wire::Cancel{}) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNKNOWN;
}

ze_result_t Session::set_watch(wire::SetWatch watch, std::uint64_t* number) {
  watch.threads = view_->of_device(watch.threads);
  const auto reply = impl_->client->request(watch);
  if (!reply || reply->result != ZE_RESULT_SUCCESS) return result_of(reply);
  const auto decoded = wire::decode<wire::WatchNumber>(reply->data);
  if (!decoded) return ZE_RESULT_ERROR_UNKNOWN;
  *number = decoded->watch;
  return ZE_RESULT_SUCCESS;
}

ze_result_t Session::clear_watch(std::uint64_t number) {
  return result_of(impl_->client->request(wire::ClearWatch{number}));
}

ze_result_t Session::watch_hits(ze_device_thread_t thread, wire::WatchHits& hits) {
  const device::ThreadId id = view_->of_device(thread_id_of(thread));
  if (!thread_id_of(thread).is_single()) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  const ze_result_t stopped = impl_->check_stopped(id);
  if (stopped != ZE_RESULT_SUCCESS) return stopped;
  const auto reply =
      impl_->client->request(wire::GetWatchHits{device::ordinal(impl_->topology, id)});
  if (!reply || reply->result != ZE_RESULT_SUCCESS) return result_of(reply);
  auto decoded = wire::decode<wire::WatchHits>(reply->data);
  if (!decoded || decoded->watches.size() != decoded->hits.size()) return ZE_RESULT_ERROR_UNKNOWN;
  hits = std::move(*decoded);
  for (wire::FindHit& hit : hits.hits) hit.thread = view_->of_view(hit.thread);
  return ZE_RESULT_SUCCESS;
}

ze_result_t register_set_properties(const device::Topology& topology, std::uint32_t* count,
                                    zet_debug_regset_properties_t* properties) {
  return describe_register_sets(topology.platform, kDeviceGrfCount, count, properties);
}

}  // namespace xesim::debug
