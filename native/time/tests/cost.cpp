// What time travel costs on one launch, in processor seconds of this process.
//
//   xesim_time_cost [--times N] and what kernel_run.hpp says
//
// Prints a line for each: instructions, forward (a debugger is attached, nothing is recorded), with one
// watch and with 1,000, of writes and of all accesses (none stops a thread), recorded, and of the past: one step back from the end, the same again, going to the middle, a search backward
// through all.
#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "control_fixture.hpp"
#include "kernel_run.hpp"
#include "time/recorder.hpp"
#include "time/search.hpp"
#include "time/watches.hpp"

namespace {

using namespace xesim;
using namespace xesim::device;

template <class Work>
double seconds_of(Work work) {
  const double begin = test::processor_seconds();
  work();
  return test::processor_seconds() - begin;
}

// The least of some runs, each from the same memory.
double launch_seconds(test::KernelRun& run, unsigned times) {
  double least = 1e9;
  for (unsigned i = 0; i < times; ++i) {
    run.restore_memory();
    least = std::min(least, seconds_of([&] { run.complete(); }));
  }
  return least;
}

void set_recorder(Device& device, LaunchRecorder* recorder) {
  const auto pause = device.pause();
  device.set_recorder(recorder);
}

// `count` watches of words of the launch's buffers; of a work-group that there is not, so that none stops a
// thread.
double watched_seconds(test::KernelRun& run, unsigned times, unsigned count, std::uint32_t kinds) {
  Device& device = run.device();
  time::Watches watches(device.topology(), device.memory());
  const std::vector<test::Buffer>& buffers = run.buffers();
  for (unsigned i = 0; i < count; ++i) {
    const Allocation& memory = buffers[(i + 1) % buffers.size()].memory;
    const std::uint64_t begin = memory.address + (memory.size - 4) / count * i / 4 * 4;
    time::WatchQuery watch;
    watch.query.kinds = kinds;
    watch.query.ranges = {{time::Space::Global, begin, begin + 4}};
    watch.group = {UINT32_MAX - 1, UINT32_MAX - 1, UINT32_MAX - 1};
    static_cast<void>(watches.add(std::move(watch)));
  }
  const auto arm = [&](RunWatch* watch) {
    const auto pause = device.pause();
    device.set_watch(watch);
  };
  arm(&watches);
  const double seconds = launch_seconds(run, times);
  arm(nullptr);
  return seconds;
}

void measure(test::KernelRun& run, unsigned times) {
  Device& device = run.device();
  testing::Recorder listener;
  {
    const auto pause = device.pause();
    device.set_exception_listener(&listener);
  }
  const double forward = launch_seconds(run, times);
  constexpr std::uint32_t kWrites = time::kind::kMemoryWrite;
  constexpr std::uint32_t kAll = kWrites | time::kind::kMemoryRead;
  const double one_write = watched_seconds(run, times, 1, kWrites);
  const double thousand_writes = watched_seconds(run, times, 1000, kWrites);
  const double one_access = watched_seconds(run, times, 1, kAll);
  const double thousand_accesses = watched_seconds(run, times, 1000, kAll);
  time::Recorder recorder;
  set_recorder(device, &recorder);
  const double recorded = launch_seconds(run, times);
  set_recorder(device, nullptr);
  const auto recording = recorder.kept().back();
  time::Replay replay(device, recording);
  std::cout << "instructions " << recording->end << "\nkeyframes " << recording->keyframes.size()
            << "\nforward " << forward << "\none_write " << one_write
            << "\nthousand_writes " << thousand_writes << "\none_access " << one_access
            << "\nthousand_accesses " << thousand_accesses << "\nrecorded " << recorded;
  const auto search_seconds = [&](const time::Query& query) {
    return seconds_of([&] { static_cast<void>(time::search(replay, device, query, nullptr)); });
  };
  for (const char* const name : {"step_back", "step_back_again"}) {
    std::cout << '\n' << name << ' '
              << search_seconds({.kinds = time::kind::kExecute, .ranges = {}, .backward = true,
                                 .first = 0, .end = recording->end});
  }
  std::cout << "\ngo_to_middle "
            << seconds_of([&] { static_cast<void>(replay.go_to(recording->end / 2, nullptr)); });
  std::cout << "\nsearch_back "
            << search_seconds({.kinds = time::kind::kExecute,
                               .ranges = {{time::Space::Instruction, 0, 1}}, .backward = true,
                               .first = 0, .end = recording->end});
  for (const char* const name : {"search_writes_back", "search_writes_back_again"}) {
    std::cout << '\n' << name << ' '
              << search_seconds({.kinds = time::kind::kMemoryWrite,
                                 .ranges = {{time::Space::Global, 0, 1}}, .backward = true,
                                 .first = 0, .end = recording->end});
  }
  std::cout << '\n';
  const auto pause = device.pause();
  device.set_exception_listener(nullptr);
}

}  // namespace

int main(int count, char** values) {
  try {
    test::KernelRun run(count, values);
    const std::string times = run.option("times");
    measure(run, times.empty() ? 3 : static_cast<unsigned>(test::number(times)));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
