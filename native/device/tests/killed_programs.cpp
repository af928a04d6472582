// Kills programs while their device's process comes to be, and looks whether it went with them.
//
//   xesim_device_killed_programs [--programs N] [--seed S]
//
// Each program begins a device's process and waits; it is killed within the time that this takes.
// Whoever is left of it holds the end of a pipe. Prints how many programs had begun the process when
// they were killed, and how many left something behind; exit 1 when any did.
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

struct Killed {
  bool begun = false;
  bool left_something = false;
};

[[noreturn]] void be_program(int pipe_end) {
  const char answer = xesim::device::DeviceProcess::begin() ? 'y' : 'n';
  if (::write(pipe_end, &answer, 1) != 1) std::abort();
  for (;;) ::pause();
}

Killed kill_after(microseconds moment) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t program = ::fork();
  if (program < 0) throw std::runtime_error("no process");
  if (program == 0) {
    ::close(ends[0]);
    be_program(ends[1]);
  }
  ::close(ends[1]);
  std::this_thread::sleep_for(moment);
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  Killed result;
  for (;;) {
    pollfd readable{ends[0], POLLIN, 0};
    if (::poll(&readable, 1, kPatienceMilliseconds) == 0) {
      result.left_something = true;
      break;
    }
    char answer = 0;
    if (::read(ends[0], &answer, 1) != 1) break;
    if (answer != 'y') throw std::runtime_error("the device's process could not be made");
    result.begun = true;
  }
  ::close(ends[0]);
  return result;
}

// How long it takes until the process has begun.
microseconds time_to_begin() {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const auto start = steady_clock::now();
  const pid_t program = ::fork();
  if (program == 0) be_program(ends[1]);
  char answer = 0;
  if (::read(ends[0], &answer, 1) != 1) throw std::runtime_error("no answer");
  const auto took = duration_cast<microseconds>(steady_clock::now() - start);
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  return took;
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
      const Killed killed = kill_after(microseconds(random() % longest.count()));
      begun += killed.begun;
      left += killed.left_something;
    }
  } catch (const std::exception& error) {
    std::cerr << "xesim_device_killed_programs: " << error.what() << '\n';
    return 2;
  }
  std::cout << "programs " << programs << " begun " << begun << " left " << left << '\n';
  return left == 0 ? 0 : 1;
}
