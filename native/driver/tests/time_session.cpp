// A debugger's session on a launch: stops it, changes it, watches its memory, then looks at its past, from
// end to end.
//
//   xesim_driver_time_session and what kernel_run.hpp says
//
// Exit 1: one line says what is wrong.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "debug/register_sets.hpp"
#include "debug/server.hpp"
#include "debug/session.hpp"
#include "kernel_run.hpp"
#include "time/query.hpp"

namespace {

using namespace xesim;
using namespace xesim::device;
namespace wire = debug::wire;

constexpr ze_device_thread_t kAll{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
constexpr ThreadId kAny{ThreadId::kAny, ThreadId::kAny, ThreadId::kAny, ThreadId::kAny};
constexpr std::uint64_t kPresent = UINT64_MAX;

void require(bool condition, const std::string& what) {
  if (!condition) {
    throw std::runtime_error(what);
  }
}

void require_success(ze_result_t result, const char* what) {
  require(result == ZE_RESULT_SUCCESS, std::string(what) + " gives " + std::to_string(result));
}

zet_debug_memory_space_desc_t space(std::uint64_t address) {
  zet_debug_memory_space_desc_t where{};
  where.stype = ZET_STRUCTURE_TYPE_DEBUG_MEMORY_SPACE_DESC;
  where.address = address;
  return where;
}

class Debugger {
 public:
  explicit Debugger(test::KernelRun& run)
      : run_(run), topology_(run.device().topology()), server_(debug::Server::start(run.device())) {
    require(server_ != nullptr, "no server");
    attach();
  }

  void attach() {
    require_success(debug::Session::attach(topology_, static_cast<std::uint32_t>(::getpid()), session_),
                    "attach");
  }
  void detach() { session_.reset(); }

  // Every thread stops at its first instruction, gets another value in its last register, and goes on.
  void run_with_stops() {
    run_.restore_memory();
    toggle_breakpoint(true);
    std::thread running([this] { run_.complete(); });
    std::uint32_t stops = 0;
    for (std::uint64_t timeout = 5000;; timeout = 300) {
      zet_debug_event_t event;
      if (session_->read_event(timeout, &event) != ZE_RESULT_SUCCESS) break;
      if (event.type != ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED) continue;
      go_on(event.info.thread.thread);
      ++stops;
    }
    running.join();
    require(stops != 0, "nothing stopped");
    toggle_breakpoint(false);
  }

  // What watches say at each stop, in the order of time.
  std::vector<wire::FindHit> run_with_watches() {
    run_.restore_memory();
    std::atomic<bool> ended = false;
    std::thread running([&] {
      run_.complete();
      ended = true;
    });
    std::vector<wire::FindHit> hits;
    for (bool last = false;;) {
      zet_debug_event_t event;
      if (session_->read_event(last ? 1 : 20, &event) != ZE_RESULT_SUCCESS) {
        if (last) break;
        last = ended;
        continue;
      }
      if (event.type != ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED) continue;
      wire::WatchHits found;
      require_success(session_->watch_hits(event.info.thread.thread, found), "watch hits");
      require(!found.hits.empty(), "a thread stopped for nothing");
      hits.insert(hits.end(), found.hits.begin(), found.hits.end());
      go_on(event.info.thread.thread, false);
    }
    running.join();
    std::ranges::stable_sort(hits, {}, &wire::FindHit::time);
    return hits;
  }

  std::uint64_t set_watch(std::uint32_t kinds, const std::vector<wire::FindRange>& ranges,
                          const ThreadId& threads = kAny) {
    std::uint64_t number = 0;
    require_success(
        session_->set_watch({.kinds = kinds,
                             .threads = threads,
                             .lanes = 0, .changes_only = 0, .group_x = UINT32_MAX,
                             .group_y = UINT32_MAX, .group_z = UINT32_MAX, .ranges = ranges},
                            &number),
        "set watch");
    return number;
  }

  wire::RecordingState recording(std::uint32_t launch = 0) {
    wire::RecordingState state;
    require_success(session_->recording(launch, state), "recording");
    return state;
  }

  void go_to(std::uint64_t time) { require_success(session_->go_to(0, time), "go to"); }

  std::vector<std::byte> read(std::uint64_t address, std::size_t size) {
    std::vector<std::byte> bytes(size);
    const auto where = space(address);
    require_success(session_->read_memory(kAll, &where, size, bytes.data()), "read memory");
    return bytes;
  }

  // Whether the memory at `address` can be read in what is shown.
  bool has(std::uint64_t address) {
    std::byte byte{};
    const auto where = space(address);
    return session_->read_memory(kAll, &where, 1, &byte) == ZE_RESULT_SUCCESS;
  }

  // All hits, in the order of the search.
  std::vector<wire::FindHit> find(std::uint32_t kinds, const std::vector<wire::FindRange>& ranges,
                                  std::uint64_t first, std::uint64_t end, bool backward,
                                  const ThreadId& threads = kAny) {
    std::vector<wire::FindHit> hits;
    std::uint64_t from = backward ? end : first;
    const std::uint64_t to = backward ? first : end;
    while (from != to) {
      wire::FindResult found;
      require_success(
          session_->find({.launch = 0, .backward = backward, .from = from, .to = to,
                          .threads = threads,
                          .kinds = kinds, .limit = 1000, .lanes = 0, .changes_only = 0,
                          .ranges = ranges},
                         found),
          "find");
      require(found.searched_to != from || !found.hits.empty(), "the search stands still");
      hits.insert(hits.end(), found.hits.begin(), found.hits.end());
      from = found.searched_to;
    }
    return hits;
  }

  debug::Session& session() { return *session_; }
  test::KernelRun& run() { return run_; }

 private:
  void toggle_breakpoint(bool on) {
    const auto where = space(run_.launch().code_address);
    std::uint32_t word = 0;
    require_success(session_->read_memory(kAll, &where, sizeof word, &word), "read code");
    const std::uint32_t bit = (word >> 29 & 1) != 0 ? 1u << 7 : 1u << 30;
    word = on ? word | bit : word & ~bit;
    require_success(session_->write_memory(kAll, &where, sizeof word, &word), "write code");
  }

  void go_on(ze_device_thread_t thread, bool changes = true) {
    constexpr auto kControl = static_cast<std::uint32_t>(debug::RegisterType::Control);
    constexpr auto kGrf = static_cast<std::uint32_t>(debug::RegisterType::Grf);
    std::array<std::uint32_t, 4> control{};
    require_success(session_->read_registers(thread, kControl, 0, 1, control.data()), "read cr0");
    if (changes) control[0] |= eu::cr0::kBreakpointSuppress;
    control[1] &= ~(eu::cr0::kBreakpoint | eu::cr0::kForceException);
    require_success(session_->write_registers(thread, kControl, 0, 1, control.data()), "write cr0");
    std::vector<std::byte> value(topology_.grf_bytes(), std::byte{0x5A});
    if (changes) {
      require_success(session_->write_registers(thread, kGrf, 127, 1, value.data()), "write r127");
    }
    require_success(session_->resume(thread), "resume");
  }

  test::KernelRun& run_;
  const Topology& topology_;
  std::unique_ptr<debug::Server> server_;
  std::unique_ptr<debug::Session> session_;
};

void check_first_and_last_memory(Debugger& debugger) {
  const wire::RecordingState state = debugger.recording();
  require(state.state == 3, "the launch is not finished but " + std::to_string(state.state));
  require(state.text == debugger.run().launch().kernel_name, "another kernel");
  for (const test::Buffer& buffer : debugger.run().buffers()) {
    debugger.go_to(state.first);
    const std::uint64_t begin = buffer.memory.address;
    if (!debugger.has(begin)) {  // the past of a launch that has ended is without what it did not use
      const auto accesses =
          debugger.find(time::kind::kMemoryWrite | time::kind::kMemoryRead,
                        {{begin, begin + buffer.memory.size, 1}}, 0, state.end, false);
      require(accesses.empty(), "memory that was used is not there");
      continue;
    }
    require(std::ranges::equal(debugger.read(buffer.memory.address, buffer.contents.size()),
                               buffer.contents),
            "memory of the first time differs");
    debugger.go_to(state.end);
    const auto last = debugger.read(buffer.memory.address, buffer.memory.size);
    require(std::memcmp(last.data(), reinterpret_cast<void*>(buffer.memory.address), last.size()) == 0,
            "memory of the last time differs");
  }
}

void check_instructions(Debugger& debugger) {
  const wire::RecordingState state = debugger.recording();
  const std::uint64_t first = state.end > 5000 ? state.end - 5000 : 0;
  const auto forward = debugger.find(time::kind::kExecute, {}, first, state.end, false);
  auto backward = debugger.find(time::kind::kExecute, {}, first, state.end, true);
  require(forward.size() == state.end - first, "instructions are missing");
  for (std::size_t i = 0; i < forward.size(); ++i) {
    const wire::FindHit& later = backward[forward.size() - 1 - i];
    require(forward[i].time == first + i, "an instruction has another time");
    require(later.time == forward[i].time && later.instruction == forward[i].instruction &&
                later.thread == forward[i].thread,
            "backward finds another instruction");
  }
}

// What a hit says was there before and after is there at these times.
void check_writes(Debugger& debugger) {
  const wire::RecordingState state = debugger.recording();
  std::vector<wire::FindRange> ranges;
  for (const test::Buffer& buffer : debugger.run().buffers()) {
    ranges.push_back({buffer.memory.address, buffer.memory.address + buffer.memory.size, 1});
  }
  const auto hits = debugger.find(time::kind::kMemoryWrite, ranges, 0, state.end, false);
  auto backward = debugger.find(time::kind::kMemoryWrite, ranges, 0, state.end, true);
  std::ranges::reverse(backward);
  require(hits.size() == backward.size() && !hits.empty(), "writes are found in one direction only");
  for (std::size_t i = 0; i < hits.size(); i += 1 + hits.size() / 8) {
    require(hits[i].time == backward[i].time && hits[i].new_value == backward[i].new_value,
            "backward finds another write");
    debugger.go_to(hits[i].time);
    require(debugger.read(hits[i].address, hits[i].size) == hits[i].old_value, "another old value");
    debugger.go_to(hits[i].time + 1);
    require(debugger.read(hits[i].address, hits[i].size) == hits[i].new_value, "another new value");
  }
}

void check_register_writes(Debugger& debugger) {
  const wire::RecordingState state = debugger.recording();
  const std::uint32_t bytes = debugger.run().device().topology().grf_bytes();
  const std::vector<wire::FindRange> ranges{{1 * bytes, 126 * bytes, 3}};
  const std::uint64_t end = std::min<std::uint64_t>(state.end, 3000);
  const auto hits = debugger.find(time::kind::kRegisterWrite, ranges, 0, end, false);
  require(!hits.empty(), "no register is written");
  for (std::size_t i = 0; i < hits.size(); i += 1 + hits.size() / 8) {
    const wire::FindHit& hit = hits[i];
    const ze_device_thread_t thread{hit.thread.slice, hit.thread.subslice, hit.thread.eu,
                                    hit.thread.thread};
    const auto value = [&](std::uint64_t time) {
      debugger.go_to(time);
      std::vector<std::byte> all(std::size_t{128} * bytes);
      require_success(debugger.session().read_registers(thread, 1, 0, 128, all.data()), "read");
      return std::vector<std::byte>(all.begin() + static_cast<std::ptrdiff_t>(hit.address),
                                    all.begin() + static_cast<std::ptrdiff_t>(hit.address + hit.size));
    };
    require(value(hit.time) == hit.old_value, "a register was another before");
    require(value(hit.time + 1) == hit.new_value, "a register is another after");
  }
}

using Act = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>;

// Time, instruction, kinds and lanes of each instruction with a hit; those of one follow each other. Of a
// thread's last instruction, in front of which it stops, it is not known when and for which lanes it executes:
// they come first.
std::vector<Act> acts(const std::vector<wire::FindHit>& hits) {
  std::vector<Act> found;
  for (const wire::FindHit& hit : hits) {
    if ((hit.kinds & time::kind::kEnd) != 0) found.insert(found.begin(), {0, hit.instruction, hit.kinds, 0});
  }
  for (const wire::FindHit& hit : hits) {
    if ((hit.kinds & time::kind::kEnd) != 0) continue;
    if (!found.empty() && std::get<0>(found.back()) == hit.time) {
      std::get<2>(found.back()) |= hit.kinds;
      std::get<3>(found.back()) |= hit.lanes;
    } else {
      found.emplace_back(hit.time, hit.instruction, hit.kinds, hit.lanes);
    }
  }
  return found;
}

// The stops of a watched launch are those that a search of it finds, forward and backward.
void check_watches(Debugger& debugger, std::uint32_t kinds, const std::vector<wire::FindRange>& ranges,
                   const ThreadId& threads = kAny) {
  const std::uint64_t number = debugger.set_watch(kinds, ranges, threads);
  const auto stopped = debugger.run_with_watches();
  require_success(debugger.session().clear_watch(number), "clear watch");
  require(debugger.session().clear_watch(number) == ZE_RESULT_ERROR_INVALID_ARGUMENT,
          "a watch is cleared twice");
  const std::uint64_t end = debugger.recording().end;
  const auto forward = debugger.find(kinds, ranges, 0, end, false, threads);
  auto backward = debugger.find(kinds, ranges, 0, end, true, threads);
  std::ranges::reverse(backward);
  require(acts(stopped) == acts(forward), "stops at watches and a search differ: " +
                                              std::to_string(acts(stopped).size()) + " and " +
                                              std::to_string(forward.size()));
  require(acts(forward) == acts(backward), "a search forward and one backward differ");
  for (const wire::FindHit& hit : forward) {
    if ((hit.kinds & time::kind::kEnd) != 0) continue;
    const auto same = std::ranges::find_if(stopped, [&](const wire::FindHit& each) {
      return each.time == hit.time && each.lane == hit.lane && each.address == hit.address;
    });
    require(same != stopped.end() && same->old_value == hit.old_value &&
                same->new_value == hit.new_value && same->thread == hit.thread,
            "a watch saw other values than a search");
  }
  std::cout << "stops " << acts(stopped).size() << '\n';
}

void check_watches(Debugger& debugger) {
  std::vector<wire::FindRange> global;
  for (const test::Buffer& buffer : debugger.run().buffers()) {
    const std::uint64_t middle = buffer.memory.address + buffer.memory.size / 2;
    global.push_back({middle, middle + 24, 1});
  }
  check_watches(debugger, time::kind::kMemoryWrite, global);
  check_watches(debugger, time::kind::kMemoryWrite | time::kind::kMemoryRead, global);
  const std::vector<wire::FindRange> local{{4, 12, 2}, {64, 68, 2}};
  check_watches(debugger, time::kind::kLocalWrite | time::kind::kLocalRead, local);
  // What the first thread does to two registers, and when its work ends; its next work too.
  const std::uint64_t bytes = debugger.run().device().topology().grf_bytes();
  const std::vector<wire::FindRange> registers{{5 * bytes, 5 * bytes + 4, 3}, {12 * bytes, 14 * bytes, 3}};
  check_watches(debugger, time::kind::kRegisterWrite | time::kind::kEnd, registers, {0, 0, 0, 0});
  std::uint64_t number = 0;
  require(debugger.session().set_watch({.kinds = time::kind::kMemoryWrite, .threads = {}, .ranges = {}},
                                       &number) == ZE_RESULT_ERROR_INVALID_ARGUMENT,
          "nothing is watched");
  require(debugger.session().set_watch(
              {.kinds = time::kind::kRegisterWrite, .threads = {}, .ranges = {{0, 1 << 20, 3}}},
              &number) == ZE_RESULT_ERROR_INVALID_ARGUMENT,
          "registers that there are not are watched");
}

void check_what_the_past_refuses(Debugger& debugger) {
  debugger.go_to(1);
  debug::Session& session = debugger.session();
  std::uint32_t count = 0;
  require_success(session.stopped_threads(&count, nullptr), "threads");
  require(count != 0, "no thread in the past");
  std::vector<ze_device_thread_t> threads(count);
  require_success(session.stopped_threads(&count, threads.data()), "threads");
  std::uint32_t word = 0;
  const auto where = space(debugger.run().launch().code_address);
  require(session.resume(kAll) == ZE_RESULT_ERROR_NOT_AVAILABLE, "the past resumes");
  require(session.interrupt(kAll) == ZE_RESULT_ERROR_NOT_AVAILABLE, "the past is interrupted");
  require(session.write_memory(kAll, &where, sizeof word, &word) == ZE_RESULT_ERROR_NOT_AVAILABLE,
          "the past's memory is written");
  require(session.write_registers(threads[0], 6, 0, 1, &word) == ZE_RESULT_ERROR_NOT_AVAILABLE,
          "the past's registers are written");
  require(session.go_to(0, debugger.recording().end + 1) == ZE_RESULT_ERROR_INVALID_ARGUMENT,
          "there is a time after the end");
  require(session.go_to(99, 0) == ZE_RESULT_ERROR_NOT_AVAILABLE, "there is a launch 99");
  require(session.set_recording(true, 1) == ZE_RESULT_ERROR_NOT_AVAILABLE, "it is set in the past");
  debugger.go_to(kPresent);
  require_success(session.stopped_threads(&count, nullptr), "threads");
  require(count == 0, "a thread of the past is left");
}

// A launch that comes while the past is shown waits; a debugger that leaves then lets it go on.
void check_leaving_in_the_past(Debugger& debugger) {
  debugger.go_to(1);
  debugger.run().restore_memory();
  const auto before = debugger.run().device().instructions_executed();
  std::thread running([&] { debugger.run().complete(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  require(debugger.run().device().instructions_executed() == before, "the present goes on");
  debugger.detach();
  running.join();
  require(debugger.run().device().instructions_executed() > before, "nothing ran");
  debugger.attach();
}

void check_small_budget(Debugger& debugger) {
  require_success(debugger.session().set_recording(true, 4096), "set recording");
  debugger.run().restore_memory();
  debugger.run().complete();
  const wire::RecordingState state = debugger.recording();
  require(state.state == 4 && state.text.find("budget") != std::string::npos, "it did not give up");
  require(debugger.session().go_to(0, 0) == ZE_RESULT_ERROR_NOT_AVAILABLE, "it is visited");
  require_success(debugger.session().set_recording(false, 0), "set recording");
  require(debugger.recording().state == 0, "it records");
}

}  // namespace

int main(int count, char** values) {
  try {
    std::string directory = "/tmp/xesim-time-test-XXXXXX";
    require(::mkdtemp(directory.data()) != nullptr, "no directory");
    ::setenv("XDG_RUNTIME_DIR", directory.c_str(), 1);
    {
      test::KernelRun run(count, values);
      Debugger debugger(run);
      debugger.run_with_stops();
      check_first_and_last_memory(debugger);
      check_instructions(debugger);
      check_writes(debugger);
      check_register_writes(debugger);
      check_what_the_past_refuses(debugger);
      check_leaving_in_the_past(debugger);
      check_watches(debugger);
      check_small_budget(debugger);
    }
    ::rmdir((directory + "/xesim-debug").c_str());
    ::rmdir(directory.c_str());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
