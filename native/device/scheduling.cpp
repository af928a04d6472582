#include "device/scheduling.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace xesim::device {

namespace {

constexpr std::array<PolicyName, 3> kPolicyNames{{
    {SchedulingPolicy::RoundRobin, "round-robin"},
    {SchedulingPolicy::Random, "random"},
    {SchedulingPolicy::Adversarial, "adversarial"},
}};

bool parse_number(std::string_view text, std::uint64_t& value) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) {
    text.remove_prefix(2);
  }
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::span<const PolicyName> policy_names() { return kPolicyNames; }

std::variant<Scheduling, std::string> parse_scheduling(std::string_view policy,
                                                       std::string_view seed) {
  Scheduling scheduling;
  if (!policy.empty()) {
    const auto* found = std::ranges::find(kPolicyNames, policy, &PolicyName::name);
    if (found == kPolicyNames.end()) {
      std::string line = "'" + std::string(policy) + "' is not a scheduling policy; there are:";
      for (const PolicyName& known : kPolicyNames) {
        line += ' ';
        line += known.name;
      }
      return line;
    }
    scheduling.policy = found->policy;
  }
  if (!seed.empty() && !parse_number(seed, scheduling.seed)) {
    return "'" + std::string(seed) + "' is not a seed: a number from 0 to 2^64 - 1";
  }
  return scheduling;
}

}  // namespace xesim::device
