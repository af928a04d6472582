// Kills programs while their device's process comes to be, and looks whether it went with them.
//
//   xesim_device_killed_programs [--programs N] [--seed S]
//
// Each program begins a device's process and waits; it is killed within the time that this takes.
// Every process that is left of it holds the end of a pipe. Prints how many programs had begun the
// process when they were killed, and how many left a process running; exit 1 when any did.
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

#include "device/device_process.hpp"

namespace {

using namespace std::chrono;

constexpr int kPatienceMilliseconds = 5000;

// A program that begins a device's process, says so and waits. Whatever is left of it holds its end
// of the pipe.
class Program {
 public:
  Program() {
    if (::pipe(ends_) != 0) throw std::runtime_error("no pipe");
    id_ = ::fork();
    if (id_ == 0) run();
    ::close(ends_[1]);
    if (id_ < 0) throw std::runtime_error("no process");
  }
  ~Program() {
    if (id_ > 0) kill();
    ::close(ends_[0]);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void kill() {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
    id_ = 0;
  }
  // False at the end of what it says: nothing is left of it.
  bool hears_that_it_has_begun() {
    pollfd readable{ends_[0], POLLIN, 0};
    if (::poll(&readable, 1, kPatienceMilliseconds) == 0) throw LeftBehind();
    char answer = 0;
    if (::read(ends_[0], &answer, 1) != 1) return false;
    if (answer != 'y') throw std::runtime_error("the device's process could not be made");
    return true;
  }

  struct LeftBehind {};

 private:
  [[noreturn]] void run() {
    ::close(ends_[0]);
    const char answer = xesim::device::DeviceProcess::begin() ? 'y' : 'n';
    if (::write(ends_[1], &answer, 1) != 1) std::abort();
    for (;;) ::pause();
  }

  int ends_[2]{};
  pid_t id_ = 0;
};

microseconds time_to_begin() {
  const auto start = steady_clock::now();
  Program program;
  program.hears_that_it_has_begun();
  return duration_cast<microseconds>(steady_clock::now() - start);
}

}  // namespace

int main(int count, char** words) {
  int programs = 300;
  std::uint32_t seed = 1;
  for (int n = 1; n + 1 < count; n += 2) {
    const std::string option = words[n];
    if (option == "--programs") programs = std::atoi(words[n + 1]);
    if (option == "--seed") seed = static_cast<std::uint32_t>(std::atoi(words[n + 1]));
  }
  std::mt19937 random(seed);
  int begun = 0;
  int left = 0;
  try {
    const auto longest = 2 * time_to_begin();
    for (int n = 0; n < programs; ++n) {
      Program program;
      std::this_thread::sleep_for(microseconds(random() % longest.count()));
      program.kill();
      try {
        while (program.hears_that_it_has_begun()) ++begun;
      } catch (const Program::LeftBehind&) {
        ++left;
      }
    }
  } catch (const std::exception& error) {
    std::cerr << "xesim_device_killed_programs: " << error.what() << '\n';
    return 2;
  }
  std::cout << "programs " << programs << " begun " << begun << " left " << left << '\n';
  return left == 0 ? 0 : 1;
}
