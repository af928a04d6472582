// What test programs share: main(), platforms by name, and fuzzing by seeds.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>

#include "eu/isa/instruction.hpp"

namespace xesim::tests {

// Runs `program`; an exception becomes a line on standard error and a status that is not 0.
template <class Program>
int run_program(Program program) {
  try {
    program();
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}

// As eu::platform_named. Throws std::runtime_error for a name that is none.
inline eu::Platform required_platform(const std::string& name) {
  const auto platform = eu::platform_named(name);
  if (!platform) throw std::runtime_error("unknown platform " + name);
  return *platform;
}

using Random = std::mt19937_64;
using Counts = std::map<std::string, std::uint64_t>;

inline std::uint32_t below(Random& random, std::uint64_t end) {
  return end == 0 ? 0 : static_cast<std::uint32_t>(random() % end);
}

// Calls `attempt` with a generator, which has a seed of its own, so that it can be made again alone:
// `seed`, then the numbers that follow while `goes_on(how many there were)`. Gives back how many
// there were. An error names the seed.
template <class GoesOn, class Attempt>
std::uint64_t try_seeds(std::uint64_t seed, GoesOn goes_on, Attempt attempt) {
  std::uint64_t tried = 0;
  for (; goes_on(tried); ++tried) {
    Random random(seed + tried);
    try {
      attempt(random);
    } catch (const std::exception& error) {
      throw std::runtime_error("seed " + std::to_string(seed + tried) + ": " + error.what());
    }
  }
  return tried;
}

// Writes what was counted as NAME=NUMBER pairs, without an end of the line.
inline void print_counts(const Counts& counts) {
  const char* separator = "";
  for (const auto& [name, number] : counts) {
    std::cout << separator << name << '=' << number;
    separator = " ";
  }
}

// The most memory that this program had. Not getrusage(): that also counts what the process held
// before exec, which is the memory of the process that started the program.
inline std::uint64_t peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes;
  }
  throw std::runtime_error("/proc/self/status names no VmHWM");
}

}  // namespace xesim::tests
