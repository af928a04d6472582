// Runs one launch on one core of the host and on two, and holds everything that they leave against
// each other: status and reason, how many instructions, all of the device's memory.
//
//   xesim_device_host_cores [--times N] and what kernel_run.hpp says
//
// N times (1) on two cores where it pays, and as often on two wherever it is allowed. Prints a line
// "batches COMPLETED ABANDONED" of all of these, after a line "lost REASON" if the launch was. Exit
// 1: one line says what was different.
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/snapshot.hpp"
#include "eu/tests/test_program.hpp"
#include "kernel_run.hpp"

namespace {

using namespace xesim;
using namespace xesim::device;

struct Outcome {
  LaunchStatus status = LaunchStatus::Complete;
  std::string reason;
  std::uint64_t instructions = 0;
  std::vector<AllocationState> memory;
};

// Launches from `memory`.
Outcome launch(test::KernelRun& run, HostCores cores, const std::vector<AllocationState>& memory) {
  Device& device = run.device();
  {
    const auto pause = device.pause();
    device.set_host_cores(cores);
    apply(memory);
  }
  const std::uint64_t before = device.instructions_executed();
  Outcome outcome;
  outcome.status = device.launch(run.launch());
  outcome.instructions = device.instructions_executed() - before;
  outcome.reason = outcome.status == LaunchStatus::Lost ? device.lost_reason() : "";
  outcome.memory = capture(device.memory());
  return outcome;
}

void require_same(const Outcome& one, const Outcome& two) {
  if (one.status != two.status || one.reason != two.reason) {
    throw std::runtime_error("the launch ended in another way: " + one.reason + " / " + two.reason);
  }
  if (one.instructions != two.instructions) {
    throw std::runtime_error(std::to_string(one.instructions) + " instructions on one core, " +
                             std::to_string(two.instructions) + " on two");
  }
  if (one.memory.size() != two.memory.size()) {
    throw std::runtime_error("another number of allocations");
  }
  for (std::size_t i = 0; i < one.memory.size(); ++i) {
    if (one.memory[i].used != two.memory[i].used || one.memory[i].pages != two.memory[i].pages) {
      throw std::runtime_error("other contents of allocation " + std::to_string(i) + " of " +
                               std::to_string(one.memory[i].mapped) + " bytes");
    }
  }
}

void run(int count, char** values) {
  test::KernelRun run(count, values);
  const std::string text = run.option("times");
  const std::uint64_t times = text.empty() ? 1 : test::number(text);
  const std::vector<AllocationState> before = capture(run.device().memory());
  const Outcome alone = launch(run, HostCores::One, before);
  for (std::uint64_t i = 0; i < times; ++i) {
    for (const HostCores cores : {HostCores::Two, HostCores::TwoAlways}) {
      require_same(alone, launch(run, cores, before));
    }
  }
  if (alone.status == LaunchStatus::Lost) {
    std::cout << "lost " << alone.reason << '\n';
  }
  const auto pause = run.device().pause();
  const BatchCounts batches = run.device().batches();
  std::cout << "batches " << batches.completed << ' ' << batches.abandoned << '\n';
}

}  // namespace

int main(int count, char** values) {
  return xesim::tests::run_program([&] { run(count, values); });
}
