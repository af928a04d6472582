// What a debugger can do to the device.
//   xesim_device_debug_control --list            names of the cases
//   xesim_device_debug_control CASE VADD_MODULE [CORES]  exit 0, or 1 and one line
// CORES: threads of the host that execute launches which no debugger watches.
#include <algorithm>
#include <ctime>
#include <iostream>

#include "device/tests/control_fixture.hpp"

namespace {

using namespace xesim;
using namespace xesim::device;
using namespace xesim::device::testing;

constexpr std::uint32_t kBody = 0x140;   // an instruction after the prologs, length 16

// As iga64 assembles them: `(W) jmpi (1|M0)` to itself, and `sync.bar null`.
using Word = std::array<std::uint32_t, 4>;
constexpr Word kEndlessLoop{0x80000020, 0x00004000, 0, 0};
constexpr std::uint32_t kJumpBytes = 0x0100'0000;  // beyond every kernel
constexpr Word kJumpAway{0x80000020, 0x00004000, 0, kJumpBytes};
constexpr Word kWaitForBarrier{0x00000001, 0x00010000, 0xe0000000, 0};

void replace_body(VectorAdd& vadd, const Word& word) {
  require(vadd.device.write_memory(vadd.code + kBody, word.data(), sizeof word), "patch");
}

Word body(VectorAdd& vadd) {
  Word word{};
  require(vadd.device.read_memory(vadd.code + kBody, word.data(), sizeof word), "read code");
  return word;
}

void listen(VectorAdd& vadd, ExceptionListener* listener) {
  const auto held = vadd.device.pause();
  vadd.device.set_exception_listener(listener);
}

std::uint32_t kernel_offset(VectorAdd& vadd, const HardwareThread& thread) {
  return thread.state.control[2] -
         static_cast<std::uint32_t>(vadd.code - vadd.device.memory().instruction_base());
}

// Continues over the breakpoint that the thread stands at.
void proceed(VectorAdd& vadd, HardwareThread& thread, bool step) {
  thread.state.control[1] &= ~eu::cr0::kBreakpoint;
  thread.state.control[0] |= eu::cr0::kBreakpointSuppress;
  if (step) {
    thread.state.control[1] |= eu::cr0::kBreakpoint;
  }
  vadd.device.resume(thread);
}

void breakpoint_stops_every_thread(VectorAdd& vadd) {
  Recorder recorder;
  vadd.set_breakpoint(kBody, true);
  listen(vadd, &recorder);
  const KernelLaunch launch = vadd.launch(8, vadd.c);
  Running running(vadd.device, launch);
  eventually([&] { return recorder.exceptions == 8; }, "eight stops");
  {
    const auto held = vadd.device.pause();
    const auto threads = vadd.device.resident_threads();
    require(threads.size() == 8, "eight resident threads");
    for (std::uint32_t i = 0; i < 8; ++i) {
      require(threads[i]->run == ThreadRun::Stopped, "stopped");
      require(threads[i]->id == ThreadId{0, 0, 0, i}, "threads in ordinal order");
      require(recorder.stops[i] == threads[i]->id, "stops in ordinal order");
      require(threads[i]->group[0] == i, "one group each");
      require(kernel_offset(vadd, *threads[i]) == kBody, "at the breakpoint");
      require((threads[i]->state.control[1] & eu::cr0::kBreakpoint) != 0, "cause");
      proceed(vadd, *threads[i], false);
    }
  }
  require(running.finish().status == LaunchStatus::Complete, "complete");
  require(recorder.exceptions == 8 && recorder.ended == 8 && recorder.idle == 1, "events");
  require(vadd.result_is_right(), "result");
  listen(vadd, nullptr);
}

void step_executes_one_instruction(VectorAdd& vadd) {
  Recorder recorder;
  vadd.set_breakpoint(kBody, true);
  listen(vadd, &recorder);
  const KernelLaunch launch = vadd.launch(8, vadd.c);
  Running running(vadd.device, launch);
  eventually([&] { return recorder.exceptions == 8; }, "eight stops");
  for (unsigned step = 1; step <= 4; ++step) {
    {
      const auto held = vadd.device.pause();
      HardwareThread* thread = vadd.device.find_thread({0, 0, 0, 3});
      require(thread != nullptr, "thread");
      const std::uint64_t before = thread->state.instructions_executed;
      proceed(vadd, *thread, true);
      require(thread->state.instructions_executed == before, "nothing runs under a pause");
    }
    eventually([&] { return recorder.exceptions == 8 + step; }, "a step's stop");
    const auto held = vadd.device.pause();
    require(kernel_offset(vadd, *vadd.device.find_thread({0, 0, 0, 3})) == kBody + 16 * step,
            "one instruction on");
  }
  {
    const auto held = vadd.device.pause();
    for (HardwareThread* thread : vadd.device.resident_threads()) {
      proceed(vadd, *thread, false);
    }
  }
  require(running.finish().status == LaunchStatus::Complete && vadd.result_is_right(), "result");
  listen(vadd, nullptr);
}

void pause_gets_into_an_endless_loop(VectorAdd& vadd) {
  replace_body(vadd, kEndlessLoop);
  Recorder recorder;
  listen(vadd, &recorder);
  const KernelLaunch launch = vadd.launch(8, vadd.c);
  Running running(vadd.device, launch);
  const auto slow = std::chrono::milliseconds(500);
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const auto held = vadd.device.pause();
    require(std::chrono::steady_clock::now() - start < slow, "a pause took too long");
  }
  const std::uint64_t loop = vadd.code + kBody - vadd.device.memory().instruction_base();
  eventually(
      [&] {
        const auto held = vadd.device.pause();
        const auto threads = vadd.device.resident_threads();
        return threads.size() == 8 && std::ranges::all_of(threads, [&](HardwareThread* thread) {
                 return thread->state.ip == loop;
               });
      },
      "all threads in the loop");
  const auto held = vadd.device.pause();
  for (HardwareThread* thread : vadd.device.resident_threads()) {
    vadd.device.halt(*thread);
    require(thread->run == ThreadRun::Stopped, "halted");
    require((thread->state.control[1] & eu::cr0::kForceException) != 0, "forced");
    // Out of the loop by hand, as a debugger may.
    thread->state.control[1] = 0;
    const std::uint32_t next = thread->state.ip + 16;
    for (std::uint32_t& channel : thread->state.channel_ip) {
      channel = channel == thread->state.ip ? next : channel;
    }
    thread->state.ip = next;
    vadd.device.resume(*thread);
  }
  require(recorder.exceptions == 0, "a halt is not an exception");
}

// More groups than the results need, and more than host threads; none ends by itself.
constexpr std::uint32_t kEndlessGroups = 200;

// How many threads of the device are in the loop.
std::size_t threads_in_loop(VectorAdd& vadd) {
  const std::uint64_t loop = vadd.code + kBody - vadd.device.memory().instruction_base();
  return static_cast<std::size_t>(
      std::ranges::count_if(vadd.device.resident_threads(), [&](const HardwareThread* thread) {
        return thread->state.ip == loop && thread->run == ThreadRun::Runnable;
      }));
}

void every_resident_group_goes_on(VectorAdd& vadd) {
  const Word word = body(vadd);
  replace_body(vadd, kEndlessLoop);
  const KernelLaunch launch = vadd.launch(kEndlessGroups, vadd.c);
  Running running(vadd.device, launch);
  eventually(
      [&] {
        const auto held = vadd.device.pause();
        return threads_in_loop(vadd) == kEndlessGroups;
      },
      "all threads in the loop");
  {
    // Every host thread sees the code that is there from now on.
    const auto held = vadd.device.pause();
    replace_body(vadd, word);
  }
  require(running.finish().status == LaunchStatus::Complete && vadd.result_is_right(), "result");
}

void a_debugger_comes_into_a_launch(VectorAdd& vadd) {
  const Word word = body(vadd);
  replace_body(vadd, kEndlessLoop);
  const KernelLaunch launch = vadd.launch(kEndlessGroups, vadd.c);
  Running running(vadd.device, launch);
  eventually(
      [&] {
        const auto held = vadd.device.pause();
        return threads_in_loop(vadd) != 0;
      },
      "a thread in the loop");
  Recorder recorder;
  {
    const auto held = vadd.device.pause();
    vadd.device.set_exception_listener(&recorder);
    const auto threads = vadd.device.resident_threads();
    require(threads.size() == kEndlessGroups, "every group is placed");
    for (HardwareThread* thread : threads) {
      vadd.device.halt(*thread);
    }
  }
  require(recorder.exceptions == 0, "a halt is not an exception");
  vadd.set_breakpoint(kBody, true);
  {
    const auto held = vadd.device.pause();
    for (HardwareThread* thread : vadd.device.resident_threads()) {
      thread->state.control[1] = 0;
      vadd.device.resume(*thread);
    }
  }
  eventually([&] { return recorder.exceptions == kEndlessGroups; }, "each thread's stop");
  {
    const auto held = vadd.device.pause();
    // In the order of one thread of the host, whose round may have begun before.
    unsigned rounds = 0;
    for (std::uint32_t i = 0; i < kEndlessGroups; ++i) {
      const auto place = [&](std::uint32_t stop) {
        return ordinal(vadd.device.topology(), recorder.stops[stop % kEndlessGroups]);
      };
      rounds += place(i) > place(i + 1);
    }
    require(rounds == 1, "stops in ordinal order");
    replace_body(vadd, word);
    vadd.device.set_exception_listener(nullptr);
  }
  require(running.finish().status == LaunchStatus::Complete && vadd.result_is_right(), "result");
}

void a_launch_without_a_debugger_is_saved_and_restored(VectorAdd& vadd) {
  const Word word = body(vadd);
  replace_body(vadd, kEndlessLoop);
  const KernelLaunch launch = vadd.launch(kEndlessGroups, vadd.c);
  Running running(vadd.device, launch);
  std::vector<std::byte> snapshot;
  eventually(
      [&] {
        const auto held = vadd.device.pause();
        snapshot = threads_in_loop(vadd) != 0 ? vadd.device.save() : std::vector<std::byte>{};
        return !snapshot.empty();
      },
      "a thread in the loop");
  const std::uint64_t then = [&] {
    const auto held = vadd.device.pause();
    const auto refused = vadd.device.restore(snapshot);
    require(!refused, refused.value_or(""));
    require(vadd.device.save() == snapshot, "saved, restored and saved again it is another");
    std::uint64_t sum = 0;
    for (const HardwareThread* thread : vadd.device.resident_threads()) {
      sum += thread->state.instructions_executed;
    }
    return sum;
  }();
  require(then != 0, "nothing had run");
  {
    const auto held = vadd.device.pause();
    replace_body(vadd, word);
  }
  require(running.finish().status == LaunchStatus::Complete && vadd.result_is_right(), "result");
}

void a_fault_without_a_debugger_loses_the_launch(VectorAdd& vadd) {
  const KernelLaunch launch = vadd.launch(kEndlessGroups, 0x123000);
  const LaunchEnd end = vadd.device.launch(launch);
  require(end.status == LaunchStatus::Lost, "lost");
  require(end.reason.find("page fault writing global memory at 0x123") !=
              std::string::npos,
          "reason: " + end.reason);
  const KernelLaunch good = vadd.launch(8, vadd.c);
  require(vadd.device.launch(good).status == LaunchStatus::Complete && vadd.result_is_right(),
          "the device works after a loss");
}

void waiting_for_a_debugger_costs_nothing(VectorAdd& vadd) {
  Recorder recorder;
  vadd.set_breakpoint(kBody, true);
  listen(vadd, &recorder);
  const KernelLaunch launch = vadd.launch(8, vadd.c);
  Running running(vadd.device, launch);
  eventually([&] { return recorder.exceptions == 8; }, "eight stops");
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double busy = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  require(busy < 0.05, "spun for " + std::to_string(busy) + " s");
  listen(vadd, nullptr);
  require(running.finish().status == LaunchStatus::Complete, "the listener left, so threads went on");
  require(vadd.result_is_right(), "result");
}

void groups_are_dispatched_past_a_stopped_thread(VectorAdd& vadd) {
  // More groups than slots; the first thread that arrives stays, all others go on.
  constexpr unsigned kGroups = 5000;
  vadd.set_breakpoint(kBody, true);
  Recorder recorder;
  listen(vadd, &recorder);
  const KernelLaunch launch = vadd.launch(kGroups, vadd.c);
  Running running(vadd.device, launch);
  const auto let_others_go = [&] {
    const auto held = vadd.device.pause();
    for (HardwareThread* thread : vadd.device.resident_threads()) {
      if (thread->run == ThreadRun::Stopped && thread->group[0] != 0) {
        proceed(vadd, *thread, false);
      }
    }
    return recorder.ended == kGroups - 1;
  };
  eventually(let_others_go, "all but one ended");
  {
    const auto held = vadd.device.pause();
    const auto threads = vadd.device.resident_threads();
    require(threads.size() == 1 && threads[0]->run == ThreadRun::Stopped, "the one that stopped");
    proceed(vadd, *threads[0], false);
  }
  require(running.finish().status == LaunchStatus::Complete && vadd.result_is_right(), "result");
  listen(vadd, nullptr);
}

void fault_stops_the_thread_and_then_loses_the_launch(VectorAdd& vadd) {
  constexpr std::uint64_t kNowhere = 0x123000;
  Recorder recorder;
  listen(vadd, &recorder);
  const KernelLaunch launch = vadd.launch(1, kNowhere);
  Running running(vadd.device, launch);
  eventually([&] { return recorder.exceptions == 1; }, "the fault");
  {
    const auto held = vadd.device.pause();
    HardwareThread* thread = vadd.device.find_thread({0, 0, 0, 0});
    require((thread->state.control[1] & eu::cr0::kPageFault) != 0, "cause");
    require(thread->fault.present && thread->fault.access == eu::FaultAccess::Write &&
                thread->fault.address == kNowhere,
            "fault address");
    // Left as it is, the same exception comes again at once.
    vadd.device.resume(*thread);
  }
  eventually([&] { return recorder.exceptions == 2; }, "the fault again");
  listen(vadd, nullptr);
  const LaunchEnd end = running.finish();
  require(end.status == LaunchStatus::Lost, "lost");
  require(end.reason.find("page fault writing global memory at 0x123000") !=
              std::string::npos,
          "reason: " + end.reason);
  const KernelLaunch good = vadd.launch(8, vadd.c);
  require(vadd.device.launch(good).status == LaunchStatus::Complete && vadd.result_is_right(),
          "the device works after a loss");
}

void a_jump_out_of_all_code_is_a_page_fault(VectorAdd& vadd) {
  replace_body(vadd, kJumpAway);
  Recorder recorder;
  listen(vadd, &recorder);
  const KernelLaunch launch = vadd.launch(1, vadd.c);
  Running running(vadd.device, launch);
  eventually([&] { return recorder.exceptions == 1; }, "the fault");
  {
    const auto held = vadd.device.pause();
    const HardwareThread* thread = vadd.device.find_thread({0, 0, 0, 0});
    require((thread->state.control[1] & eu::cr0::kPageFault) != 0, "cause");
    require(thread->fault.present && thread->fault.access == eu::FaultAccess::InstructionFetch &&
                thread->fault.address == vadd.code + kBody + kJumpBytes,
            "fault address");
  }
  listen(vadd, nullptr);
  const LaunchEnd end = running.finish();
  require(end.status == LaunchStatus::Lost, "lost");
  require(end.reason.find("page fault fetching an instruction") != std::string::npos,
          "reason: " + end.reason);
}

void state_base_addresses_locate_the_code(VectorAdd& vadd) {
  Recorder recorder;
  vadd.set_breakpoint(kBody, true);
  listen(vadd, &recorder);
  const KernelLaunch launch = vadd.launch(8, vadd.c);
  Running running(vadd.device, launch);
  eventually([&] { return recorder.exceptions == 8; }, "eight stops");
  {
    const auto held = vadd.device.pause();
    const HardwareThread* thread = vadd.device.find_thread({0, 0, 0, 5});
    const auto bases = vadd.device.state_base_addresses(thread);
    constexpr std::size_t kInstruction = 4;
    require(bases[kInstruction] + thread->state.control[2] == vadd.code + kBody, "ISA base");
    // dbg0.1 is where the thread began.
    require(bases[kInstruction] + thread->state.debug[1] == vadd.code, "start");
    std::uint64_t outside = 0;
    require(!vadd.device.read_memory(0x5000, &outside, sizeof outside), "unmapped memory");
    require(vadd.device.find_thread({8, 0, 0, 0}) == nullptr, "outside the topology");
    require(vadd.device.find_thread({7, 3, 15, 7}) == nullptr, "idle slot");
  }
  listen(vadd, nullptr);
  require(running.finish().status == LaunchStatus::Complete, "complete");
}

void a_barrier_that_cannot_complete_loses_the_launch(VectorAdd& vadd) {
  replace_body(vadd, kWaitForBarrier);
  vadd.set_breakpoint(kBody, true);
  Recorder recorder;
  listen(vadd, &recorder);
  const KernelLaunch launch = vadd.launch(1, vadd.c);
  Running running(vadd.device, launch);
  eventually([&] { return recorder.exceptions == 1; }, "the stop");
  {
    const auto held = vadd.device.pause();
    HardwareThread* thread = vadd.device.find_thread({0, 0, 0, 0});
    thread->state.barrier_pending = 1;   // as if it had signalled, and another thread had not
    proceed(vadd, *thread, false);
  }
  const auto waits = [&] {
    const auto held = vadd.device.pause();
    return vadd.device.find_thread({0, 0, 0, 0})->run == ThreadRun::AtBarrier;
  };
  eventually(waits, "the wait");
  {
    // It can still be looked at, and sent on its way again.
    const auto held = vadd.device.pause();
    HardwareThread* thread = vadd.device.find_thread({0, 0, 0, 0});
    vadd.device.halt(*thread);
    require(kernel_offset(vadd, *thread) == kBody, "halted at the barrier");
    thread->state.control[1] = 0;
    thread->state.control[0] |= eu::cr0::kBreakpointSuppress;
    vadd.device.resume(*thread);
  }
  eventually(waits, "the wait again");
  listen(vadd, nullptr);
  const LaunchEnd end = running.finish();
  require(end.status == LaunchStatus::Lost, "lost");
  require(end.reason.find("deadlock") != std::string::npos,
          "reason: " + end.reason);
}

// As those of tiles are.
KernelLaunch confined(KernelLaunch launch, std::uint32_t slice) {
  launch.first_slice = slice;
  launch.slice_count = 1;
  return launch;
}

void launches_on_different_slices_stop_at_once(VectorAdd& vadd) {
  vadd.set_breakpoint(kBody, true);
  Recorder recorder;
  listen(vadd, &recorder);
  const KernelLaunch launches[] = {confined(vadd.launch(1, vadd.c), 0),
                                   confined(vadd.launch(8, vadd.c), 1),
                                   confined(vadd.launch(1, vadd.c), 0)};
  Running first(vadd.device, launches[0]);
  eventually([&] { return recorder.exceptions == 1; }, "the stop of the first");
  Running second(vadd.device, launches[1]);
  eventually([&] { return recorder.exceptions == 9; }, "those of the second");
  Running third(vadd.device, launches[2]);
  {
    const auto held = vadd.device.pause();
    require(recorder.stops[0].slice == 0 && recorder.stops[8].slice == 1, "each has its slice");
    require(vadd.device.save().empty(), "two launches are no snapshot");
    for (HardwareThread* thread : vadd.device.resident_threads()) {
      proceed(vadd, *thread, false);
    }
  }
  require(first.finish().status == LaunchStatus::Complete, "the first goes on");
  require(second.finish().status == LaunchStatus::Complete, "the second goes on");
  eventually([&] { return recorder.exceptions == 10; }, "the third has the place of the first");
  require(vadd.result_is_right(), "result");
  listen(vadd, nullptr);
  require(third.finish().status == LaunchStatus::Complete, "the third goes on");
}

void launches_on_different_slices_are_lost_for_reasons_of_their_own(VectorAdd& vadd) {
  Recorder recorder;
  listen(vadd, &recorder);
  const KernelLaunch launches[] = {confined(vadd.launch(1, 0x123000), 0),
                                   confined(vadd.launch(1, 0x456000), 1),
                                   confined(vadd.launch(8, vadd.c), 2)};
  Running first(vadd.device, launches[0]);
  Running second(vadd.device, launches[1]);
  eventually([&] { return recorder.exceptions == 2; }, "the faults");
  const LaunchEnd third = vadd.device.launch(launches[2]);
  require(third.status == LaunchStatus::Complete && vadd.result_is_right(),
          "one beside them ends: " + third.reason);
  listen(vadd, nullptr);
  const LaunchEnd ends[] = {first.finish(), second.finish()};
  require(ends[0].status == LaunchStatus::Lost &&
              ends[0].reason.find("0x123000") != std::string::npos,
          "reason: " + ends[0].reason);
  require(ends[1].status == LaunchStatus::Lost &&
              ends[1].reason.find("0x456000") != std::string::npos,
          "reason: " + ends[1].reason);
}

struct Case {
  const char* name;
  void (*run)(VectorAdd&);
};

constexpr Case kCases[] = {
    {"breakpoint_stops_every_thread", breakpoint_stops_every_thread},
    {"step_executes_one_instruction", step_executes_one_instruction},
    {"pause_gets_into_an_endless_loop", pause_gets_into_an_endless_loop},
    {"every_resident_group_goes_on", every_resident_group_goes_on},
    {"a_debugger_comes_into_a_launch", a_debugger_comes_into_a_launch},
    {"a_launch_without_a_debugger_is_saved_and_restored",
     a_launch_without_a_debugger_is_saved_and_restored},
    {"a_fault_without_a_debugger_loses_the_launch", a_fault_without_a_debugger_loses_the_launch},
    {"waiting_for_a_debugger_costs_nothing", waiting_for_a_debugger_costs_nothing},
    {"groups_are_dispatched_past_a_stopped_thread", groups_are_dispatched_past_a_stopped_thread},
    {"fault_stops_the_thread_and_then_loses_the_launch",
     fault_stops_the_thread_and_then_loses_the_launch},
    {"a_jump_out_of_all_code_is_a_page_fault", a_jump_out_of_all_code_is_a_page_fault},
    {"a_barrier_that_cannot_complete_loses_the_launch",
     a_barrier_that_cannot_complete_loses_the_launch},
    {"launches_on_different_slices_stop_at_once", launches_on_different_slices_stop_at_once},
    {"launches_on_different_slices_are_lost_for_reasons_of_their_own",
     launches_on_different_slices_are_lost_for_reasons_of_their_own},
    {"state_base_addresses_locate_the_code", state_base_addresses_locate_the_code},
};

}  // namespace

int main(int count, char** values) {
  if (count == 2 && std::string(values[1]) == "--list") {
    for (const Case& candidate : kCases) {
      std::cout << candidate.name << '\n';
    }
    return 0;
  }
  for (const Case& candidate : kCases) {
    if ((count == 3 || count == 4) && std::string(values[1]) == candidate.name) {
      try {
        VectorAdd vadd(values[2]);
        if (count == 4) {
          const auto held = vadd.device.pause();
          vadd.device.set_host_cores({static_cast<unsigned>(std::stoul(values[3])), 0});
        }
        candidate.run(vadd);
        return 0;
      } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        std::_Exit(1);  // a launch may still wait for us
      }
    }
  }
  std::cerr << "usage: xesim_device_debug_control --list | CASE VADD_MODULE [CORES]\n";
  return 2;
}
