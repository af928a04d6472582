// Saves a launch in its middle and goes on from there, more than once: the rest is the same.
//
//   xesim_device_snapshots [--points N] [--salt N] and what kernel_run.hpp says
//
// Prints the points (instructions into the launch) and the bytes of each snapshot. Exit 1: one line
// says what was different.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>

#include "device/snapshot.hpp"
#include "eu/tests/test_program.hpp"
#include "execution_digest.hpp"

namespace {

using namespace xesim;
using namespace xesim::device;

void require(bool condition, const std::string& what) {
  if (!condition) {
    throw std::runtime_error(what);
  }
}

class Checker {
 public:
  Checker(test::KernelRun& run, std::uint64_t salt) : run_(run), random_(salt) {
    const auto pause = device().pause();
    device().set_observer(&trace_);
  }
  ~Checker() {
    const auto pause = device().pause();
    device().set_observer(nullptr);
  }
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  void check_points(unsigned points) {
    const std::uint64_t length = whole_launch();
    for (unsigned i = 0; i < points; ++i) {
      check_point(1 + random_() % length);
    }
  }

 private:
  Device& device() { return run_.device(); }

  std::uint64_t whole_launch() {
    const std::uint64_t before = device().instructions_executed();
    run_.restore_memory();
    run_.complete();
    memory_ = test::digest_of_memory(run_);
    return device().instructions_executed() - before;
  }

  void check_point(std::uint64_t point) {
    std::vector<std::byte> snapshot;
    std::string problem;
    run_.restore_memory();
    const std::uint64_t start = device().instructions_executed();
    {
      const auto pause = device().pause();
      device().set_checkpoint(start + point, [&] {
        snapshot = device().save();
        problem = misuse(snapshot);
        trace_.restart();
      });
    }
    run_.complete();
    require(!snapshot.empty(), "the checkpoint was not met");
    require(problem.empty(), problem);
    std::cout << point << ' ' << snapshot.size() << '\n';
    const std::uint64_t rest = trace_.value();
    require(test::digest_of_memory(run_) == memory_, "a checkpoint changed the result");
    for (unsigned again = 0; again < 2; ++again) {
      for (const test::Buffer& buffer : run_.buffers()) {
        std::memset(reinterpret_cast<void*>(buffer.memory.address), 0xA5, buffer.memory.size);
      }
      for (const test::ModuleData& data : run_.module_data()) {
        std::memset(data.address, 0xA5, data.contents.size());
      }
      trace_.restart();
      const auto status = device().launch_from(run_.launch(), snapshot);
      if (const auto* refused = std::get_if<std::string>(&status)) {
        throw std::runtime_error(*refused);
      }
      require(std::get<LaunchEnd>(status).status == LaunchStatus::Complete, "the rest was lost");
      require(trace_.value() == rest, "the rest executed something else");
      require(test::digest_of_memory(run_) == memory_, "the rest has another result");
    }
    KernelLaunch other = run_.launch();
    ++other.group_count[0];
    require(std::holds_alternative<std::string>(device().launch_from(other, snapshot)),
            "another launch took the snapshot");
  }

  // With the device held: what must not change anything, and what changed nevertheless.
  std::string misuse(const std::vector<std::byte>& snapshot) {
    const auto damaged = [&](std::size_t at) {
      std::vector<std::byte> bytes = snapshot;
      bytes[at % bytes.size()] ^= static_cast<std::byte>(1 + random_() % 255);
      return bytes;
    };
    for (unsigned i = 0; i < 8; ++i) {
      if (!device().restore(damaged(random_()))) {
        return "a damaged snapshot was taken";
      }
    }
    if (!device().restore(std::span(snapshot).first(random_() % snapshot.size()))) {
      return "half a snapshot was taken";
    }
    if (device().save() != snapshot) {
      return "a snapshot that was refused changed something";
    }
    // Damage that the checksum does not show must not crash either, taken or not.
    constexpr std::size_t kHeader = 32;
    constexpr std::size_t kFingerprint = 24;
    for (unsigned i = 0; i < 24; ++i) {
      // The beginning and the end of the dispatcher's part are small and full of numbers.
      const std::size_t range = i % 2 == 0 ? std::size_t{512} : snapshot.size() - kHeader;
      auto bytes = damaged(kHeader + random_() % std::min(range, snapshot.size() - kHeader));
      const std::uint64_t sum = fingerprint(std::span(bytes).subspan(kHeader));
      std::memcpy(bytes.data() + kFingerprint, &sum, sizeof sum);
      (void)device().restore(bytes);
    }
    if (const auto refused = device().restore(snapshot)) {
      return *refused;
    }
    return device().save() == snapshot ? "" : "saved, restored and saved again it is another";
  }

  test::KernelRun& run_;
  std::mt19937_64 random_;
  test::TraceDigest trace_;
  std::uint64_t memory_ = 0;
};

void run(int count, char** values) {
  test::KernelRun run(count, values);
  const std::string points = run.option("points");
  const std::string salt = run.option("salt");
  Checker checker(run, salt.empty() ? 0 : test::number(salt));
  checker.check_points(points.empty() ? 3 : static_cast<unsigned>(test::number(points)));
}

}  // namespace

int main(int count, char** values) {
  return xesim::tests::run_program([&] { run(count, values); });
}
