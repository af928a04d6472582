// Runs one launch under each scheduling policy and seed, twice each.
//
//   xesim_device_schedules [--seeds N] and what kernel_run.hpp says; round robin always has seed 0,
//   the others 0 .. N-1
//
// One line each: policy, seed, digest of what was executed in which order, digest of the
// buffers and the program's variables.
// Exit 1 when two launches under the same seed differ, or the launch does not complete.
#include <iostream>
#include <stdexcept>
#include <string>

#include "eu/tests/test_program.hpp"
#include "execution_digest.hpp"

namespace {

using namespace xesim;
using namespace xesim::device;

struct Outcome {
  std::uint64_t trace = 0;
  std::uint64_t memory = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome launch(test::KernelRun& run, const Scheduling& scheduling) {
  test::TraceDigest trace;
  {
    const auto pause = run.device().pause();
    run.device().set_scheduling(scheduling);
    run.device().set_observer(&trace);
  }
  run.restore_memory();
  run.complete();
  const auto pause = run.device().pause();
  run.device().set_observer(nullptr);
  return {trace.value(), test::digest_of_memory(run)};
}

void run(int count, char** values) {
  test::KernelRun run(count, values);
  const std::string text = run.option("seeds");
  const std::uint64_t seeds = text.empty() ? 1 : test::number(text);
  for (const PolicyName& policy : policy_names()) {
    const std::uint64_t all = policy.policy == SchedulingPolicy::RoundRobin ? 1 : seeds;
    for (std::uint64_t seed = 0; seed < all; ++seed) {
      const Scheduling scheduling{policy.policy, seed};
      const Outcome first = launch(run, scheduling);
      std::cout << policy.name << ' ' << seed << ' ' << first.trace << ' ' << first.memory << '\n';
      if (launch(run, scheduling) != first) {
        throw std::runtime_error("two launches under the same seed differ");
      }
    }
  }
}

}  // namespace

int main(int count, char** values) {
  return xesim::tests::run_program([&] { run(count, values); });
}
