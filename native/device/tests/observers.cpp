// What observers get of one launch, by what they subscribe to.
//
//   xesim_device_observers and what kernel_run.hpp says
//
// Prints a line for each set of subscriptions: NAME THREADS INSTRUCTIONS MEMORY BARRIERS TASKS, the
// calls of each kind, and how many threads this process has had by then; launches may use four. Exit
// 1: a launch left other contents in memory than the first one.
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "eu/tests/test_program.hpp"
#include "execution_digest.hpp"
#include "kernel_run.hpp"

namespace {

using namespace xesim;
using device::test::KernelRun;

class Counter final : public eu::Observer {
 public:
  explicit Counter(eu::Subscriptions subscriptions) : subscriptions_(subscriptions) {}

  [[nodiscard]] eu::Subscriptions subscriptions() const override { return subscriptions_; }
  void thread_begin(const eu::ThreadState&) override { ++threads; }
  void thread_end(const eu::ThreadState&) override { ++threads; }
  void instruction(const eu::ThreadState&, const eu::Instruction&, std::uint32_t) override {
    ++instructions;
  }
  void memory(const eu::ThreadState&, const eu::MemoryAccess&) override { ++accesses; }
  void barrier(const eu::ThreadState&, std::uint32_t) override { ++barriers; }

  std::uint64_t threads = 0;
  std::uint64_t instructions = 0;
  std::uint64_t accesses = 0;
  std::uint64_t barriers = 0;

 private:
  eu::Subscriptions subscriptions_;
};

std::ptrdiff_t tasks() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

void run(int count, char** values) {
  KernelRun run(count, values);
  const auto launch = [&](eu::Observer* observer) {
    run.restore_memory();
    {
      const auto pause = run.device().pause();
      run.device().set_host_cores({.count = 4, .alone = 0});
      run.device().set_observer(observer);
    }
    run.complete();
  };
  Counter first({true, true, true, true});
  launch(&first);
  const std::uint64_t contents = digest_of_memory(run);
  const std::vector<std::pair<const char*, eu::Subscriptions>> sets{
      {"threads", {.threads = true}},
      {"instructions", {.instructions = true}},
      {"memory", {.memory = true}},
      {"barriers", {.barriers = true}},
      {"everything", {true, true, true, true}},
      {"nothing", {}}};
  for (const auto& [name, subscriptions] : sets) {
    Counter counter(subscriptions);
    launch(&counter);
    if (digest_of_memory(run) != contents) {
      throw std::runtime_error(std::string("other contents of memory with ") + name);
    }
    std::cout << name << ' ' << counter.threads << ' ' << counter.instructions << ' '
              << counter.accesses << ' ' << counter.barriers << ' ' << tasks() << '\n';
  }
}

}  // namespace

int main(int count, char** values) {
  return xesim::tests::run_program([&] { run(count, values); });
}
