// The order in which the threads of a device run, as users choose it: a policy and a seed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace xesim::device {

enum class SchedulingPolicy : std::uint8_t {
  // Every thread in the order of the hardware's numbers, each for a slice. What programs see on an
  // idle machine: little of what can go wrong does.
  RoundRobin,
  // Rounds in random order, and slices of random length down to one instruction. Provokes what
  // needs two threads between each other's instructions: lost updates, torn sequences.
  Random,
  // One thread as far as possible. A thread that comes to a barrier, an atomic or a fence waits
  // there until every other one waits or came as far; the last to come runs ahead. Provokes what
  // needs one thread far before or far after the others: missing barriers, flags that are read
  // before they are set. After "a randomized scheduler with probabilistic guarantees of finding
  // bugs" (Burckhardt and others, ASPLOS 2010): priorities that fall at chosen points.
  Adversarial,
};

struct PolicyName {
  SchedulingPolicy policy;
  std::string_view name;   // as users write it
};
[[nodiscard]] std::span<const PolicyName> policy_names();

struct Scheduling {
  SchedulingPolicy policy = SchedulingPolicy::RoundRobin;
  std::uint64_t seed = 0;  // round robin does without
};

// From a policy's name and a decimal or 0x number, each empty for the default; or one line that says
// what is wrong.
[[nodiscard]] std::variant<Scheduling, std::string> parse_scheduling(std::string_view policy,
                                                                     std::string_view seed);

}  // namespace xesim::device
