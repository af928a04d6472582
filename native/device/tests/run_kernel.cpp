// Runs one launch of a native module's kernel on a device, without a driver around it: for tests
// that compare results with another OpenCL.
//
//   xesim_device_run_kernel [--repeat N] and what kernel_run.hpp says
//
// Buffers are written back to their files after the launch. Exit 0: complete, and one line
// "instructions N" is printed. Exit 1: one line says why not, or what it
// accessed out of bounds.
//
// XESIM_COVERAGE_DIRECTORY in the environment names where to leave, in a file of its own, what the
// launch executed: the module and the kernel on a line each, then a line for each opcode (with its
// function: math.sqt) or message: how often, "opcode" or "message", its name; between them tabs.
//
// --repeat is for benchmarks: N more launches, from the same memory, each with a line "seconds S"
// for the launch alone, and a line "processor-seconds S" of what it took of the host's cores; then a
// line "lane-operations N": instructions, each counted once for every
// lane that it acted for.
#include <bit>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include "coverage_counter.hpp"
#include "eu/tests/test_program.hpp"
#include "kernel_run.hpp"

namespace {

using namespace xesim;
using device::test::KernelRun;

class LaneCounter : public eu::Observer {
 public:
  [[nodiscard]] eu::Subscriptions subscriptions() const override { return {.instructions = true}; }
  void instruction(const eu::ThreadState&, const eu::Instruction&, std::uint32_t lanes) override {
    lanes_ += static_cast<std::uint64_t>(std::popcount(lanes));
  }
  [[nodiscard]] std::uint64_t lanes() const { return lanes_; }

 private:
  std::uint64_t lanes_ = 0;
};

void repeat(KernelRun& run, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) {
    run.restore_memory();
    const auto start = std::chrono::steady_clock::now();
    const double processor_start = device::test::processor_seconds();
    run.complete();
    const double processor = device::test::processor_seconds() - processor_start;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::cout << "seconds " << seconds.count() << "\nprocessor-seconds " << processor << '\n';
  }
  LaneCounter counter;
  {
    const auto pause = run.device().pause();
    run.device().set_observer(&counter);
  }
  run.restore_memory();
  run.complete();
  std::cout << "lane-operations " << counter.lanes() << '\n';
}

void run(int count, char** values) {
  KernelRun run(count, values);
  const char* const coverage_directory = std::getenv("XESIM_COVERAGE_DIRECTORY");
  device::test::CoverageCounter coverage;
  if (coverage_directory != nullptr) {
    const auto pause = run.device().pause();
    run.device().set_observer(&coverage);
  }
  run.complete();
  if (coverage_directory != nullptr) {
    const auto pause = run.device().pause();
    run.device().set_observer(nullptr);
    coverage.write(coverage_directory, values[1], values[2]);
  }
  for (const device::test::Buffer& buffer : run.buffers()) {
    device::test::save(buffer);
  }
  if (const auto line = run.outside_accesses()) {
    throw std::runtime_error(*line);
  }
  std::cout << "instructions " << run.device().instructions_executed() << '\n';
  if (const std::string times = run.option("repeat"); !times.empty()) {
    repeat(run, device::test::number(times));
  }
}

}  // namespace

int main(int count, char** values) {
  return xesim::tests::run_program([&] { run(count, values); });
}
