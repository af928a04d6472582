// What observers cost: launches of a kernel on one core of the host, in turns without an observer and
// with each of those that there are.
//
//   xesim_driver_observer_cost [--rounds N] and what device/tests/kernel_run.hpp says
//
// Prints, for each of N rounds (1) and each observer, its name and the processor's seconds of the launch.
// "none" comes twice in a round, before the others and after them.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "device/tests/coverage_counter.hpp"
#include "device/tests/kernel_run.hpp"
#include "driver/instruction_profile.hpp"
#include "driver/instruction_trace.hpp"
#include "eu/tests/test_program.hpp"

namespace {

using namespace xesim;
using device::test::KernelRun;

class Silent final : public eu::Observer {
  [[nodiscard]] eu::Subscriptions subscriptions() const override { return {}; }
};

class OfMemory final : public eu::Observer {
  [[nodiscard]] eu::Subscriptions subscriptions() const override { return {.memory = true}; }
};

double launch(KernelRun& run, eu::Observer* observer) {
  {
    const auto pause = run.device().pause();
    run.device().set_observer(observer);
  }
  run.restore_memory();
  run.complete();  // brings back to the caches what the observer before this one drove out
  run.restore_memory();
  const double begin = device::test::processor_seconds();
  run.complete();
  const double seconds = device::test::processor_seconds() - begin;
  const auto pause = run.device().pause();
  run.device().set_observer(nullptr);
  return seconds;
}

driver::CodeSection code_of(KernelRun& run) {
  device::Device& device = run.device();
  const auto code = device.memory().find(run.launch().code_address);
  return {"kernel",
          static_cast<std::uint32_t>(code->address - device.memory().instruction_base()),
          static_cast<std::uint32_t>(code->size)};
}

void run(int count, char** values) {
  KernelRun run(count, values);
  eu::Observer looking;
  Silent silent;
  OfMemory memory;
  device::test::CoverageCounter coverage;
  driver::InstructionProfile profile;
  profile.add_section(code_of(run));
  std::ofstream nowhere("/dev/null");
  driver::InstructionTrace trace(
      nowhere, {.limit = std::numeric_limits<std::uint64_t>::max(), .group = {}, .thread = {}});
  const std::vector<std::pair<const char*, eu::Observer*>> observers{
      {"none", nullptr},   {"silent", &silent},       {"memory", &memory},
      {"everything", &looking}, {"coverage", &coverage}, {"profile", &profile},
      {"trace", &trace},   {"again", nullptr}};
  const std::string text = run.option("rounds");
  const std::uint64_t rounds = text.empty() ? 1 : device::test::number(text);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (const auto& [name, observer] : observers) {
      std::cout << name << ' ' << launch(run, observer) << '\n';
    }
  }
}

}  // namespace

int main(int count, char** values) {
  return xesim::tests::run_program([&] { run(count, values); });
}
