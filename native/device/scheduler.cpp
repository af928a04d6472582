#include "device/scheduler.hpp"

#include <algorithm>

namespace xesim::device {

namespace {

// Instructions of one thread before the next one gets its turn: in order, and at random, in powers
// of two.
constexpr std::uint64_t kSliceInstructions = 4096;
constexpr unsigned kLongestRandomSlice = 12;
// What a thread that meets no synchronisation gets before others must have their turn: a loop that
// waits for another thread would otherwise never end.
constexpr unsigned kShortestPatience = 4;
constexpr unsigned kLongestPatience = 16;

}  // namespace

void Scheduler::begin() {
  policy_ = scheduling_.policy;
  seed_ = scheduling_.seed;
  random_ = seed_;
  in_order_ = true;
  position_ = 0;
  order_.clear();
  known_.clear();
  seen_placements_ = 0;
}

void Scheduler::begin_round(bool in_order) {
  in_order_ = in_order || policy_ == SchedulingPolicy::RoundRobin;
  turn_given_ = false;
  position_ = 0;
  if (!in_order_ && policy_ == SchedulingPolicy::Random) {
    shuffle_runnable();
  }
}

std::optional<Turn> Scheduler::next() {
  if (in_order_) {
    return next_in_order();
  }
  return policy_ == SchedulingPolicy::Random ? next_of_shuffled() : next_by_priority();
}

std::optional<Turn> Scheduler::next_in_order() {
  while (const auto place = dispatcher_.next_resident(position_)) {
    position_ = *place + 1;
    if (dispatcher_.runnable(*place)) {
      return Turn{.ordinal = *place, .budget = kSliceInstructions};
    }
  }
  return std::nullopt;
}

void Scheduler::shuffle_runnable() {
  order_.clear();
  for (auto place = dispatcher_.next_resident(0); place;
       place = dispatcher_.next_resident(*place + 1)) {
    if (dispatcher_.runnable(*place)) {
      order_.push_back(*place);
    }
  }
  for (std::size_t left = order_.size(); left > 1; --left) {
    std::swap(order_[left - 1], order_[random() % left]);
  }
}

std::optional<Turn> Scheduler::next_of_shuffled() {
  while (position_ < order_.size()) {
    const std::uint32_t place = order_[position_++];
    if (dispatcher_.runnable(place)) {
      return Turn{.ordinal = place, .budget = random_length(0, kLongestRandomSlice)};
    }
  }
  return std::nullopt;
}

// With seed 0 those that were placed last come first; other seeds put them anywhere.
void Scheduler::add_newly_resident() {
  if (seen_placements_ == dispatcher_.placements()) {
    return;
  }
  seen_placements_ = dispatcher_.placements();
  for (auto place = dispatcher_.next_resident(0); place;
       place = dispatcher_.next_resident(*place + 1)) {
    if (*place >= known_.size()) {
      known_.resize(*place + 1);
    }
    if (!known_[*place]) {
      known_[*place] = true;
      const std::size_t at = seed_ == 0 ? 0 : random() % (order_.size() + 1);
      order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(at), *place);
    }
  }
}

std::optional<Turn> Scheduler::next_by_priority() {
  if (turn_given_) {
    return std::nullopt;
  }
  add_newly_resident();
  for (const std::uint32_t place : order_) {
    if (dispatcher_.runnable(place)) {
      turn_given_ = true;
      return Turn{.ordinal = place,
                  .budget = random_length(kShortestPatience, kLongestPatience),
                  .until_synchronisation = true};
    }
  }
  return std::nullopt;
}

void Scheduler::turn_ended(const Turn& turn, TurnEnd end) {
  if (policy_ != SchedulingPolicy::Adversarial ||
      (end != TurnEnd::BudgetSpent && end != TurnEnd::SynchronisationAhead)) {
    return;
  }
  const auto place = std::ranges::find(order_, turn.ordinal);
  if (place != order_.end()) {
    std::rotate(place, place + 1, order_.end());
  }
}

Scheduler::State Scheduler::state() const {
  return {.scheduling = {policy_, seed_},
          .random = random_,
          .in_order = in_order_,
          .turn_given = turn_given_,
          .position = position_,
          .order = order_};
}

bool Scheduler::is_valid(const State& state, std::uint32_t threads) {
  std::vector<bool> seen(threads);
  for (const std::uint32_t place : state.order) {
    if (place >= threads || seen[place]) {
      return false;
    }
    seen[place] = true;
  }
  return state.scheduling.policy <= SchedulingPolicy::Adversarial;
}

void Scheduler::restore(const State& state) {
  policy_ = state.scheduling.policy;
  seed_ = state.scheduling.seed;
  random_ = state.random;
  in_order_ = state.in_order;
  turn_given_ = state.turn_given;
  position_ = state.position;
  order_ = state.order;
  known_.clear();
  seen_placements_ = 0;
  for (const std::uint32_t place : order_) {
    known_.resize(std::max<std::size_t>(known_.size(), place + std::size_t{1}));
    known_[place] = true;
  }
}

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same on every machine, one word of state.
std::uint64_t Scheduler::random() {
  random_ += 0x9E3779B97F4A7C15;
  std::uint64_t mixed = random_;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
  return mixed ^ mixed >> 31;
}

std::uint64_t Scheduler::random_length(unsigned least_bits, unsigned bits) {
  const std::uint64_t magnitude = least_bits + random() % (bits - least_bits + 1);
  return 1 + random() % (std::uint64_t{1} << magnitude);
}

}  // namespace xesim::device
