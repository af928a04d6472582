// Decides which hardware thread runs next and for how long. Its state is plain data: the policy, the
// seed and what has run so far determine every later decision.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "device/dispatcher.hpp"
#include "device/scheduling.hpp"

namespace xesim::device {

// A thread's permission to run.
struct Turn {
  std::uint32_t ordinal = 0;          // of the hardware thread
  std::uint64_t budget = 0;           // instructions that are left
  std::uint64_t executed = 0;         // instructions
  bool until_synchronisation = false; // ends before a barrier, atomic or fence
};

// How a turn ended, as far as the order of threads depends on it.
enum class TurnEnd : std::uint8_t { BudgetSpent, SynchronisationAhead, Waiting, Gone };

class Scheduler {
 public:
  // `dispatcher` must outlive it.
  explicit Scheduler(const Dispatcher& dispatcher) : dispatcher_(dispatcher) {}

  // Takes effect with the next launch.
  void configure(const Scheduling& scheduling) { scheduling_ = scheduling; }
  [[nodiscard]] const Scheduling& scheduling() const { return scheduling_; }

  // A launch begins: the same seed gives the same order again.
  void begin();

  // Turns come in rounds. When a thread stopped, `in_order` makes the round one of every thread in
  // order, whatever the policy.
  void begin_round(bool in_order);
  // Nothing when the round is over.
  [[nodiscard]] std::optional<Turn> next();
  // What became of the turn that next() gave last.
  void turn_ended(const Turn& turn, TurnEnd end);

  // Of the running launch.
  [[nodiscard]] SchedulingPolicy policy() const { return policy_; }

  // Everything that decisions depend on.
  struct State {
    Scheduling scheduling;
    std::uint64_t random = 0;               // the generator's state
    bool in_order = true;                   // the current round
    bool turn_given = false;                // adversarial, where a round is one turn
    std::uint32_t position = 0;             // in order: the next ordinal; else in `order`
    std::vector<std::uint32_t> order;       // random: this round's ordinals; adversarial: all that
                                            // ever were resident, the one to run first in front
  };
  [[nodiscard]] State state() const;
  // Whether a state can be restored: it names threads that `threads` ordinals have.
  [[nodiscard]] static bool is_valid(const State& state, std::uint32_t threads);
  void restore(const State& state);

 private:
  [[nodiscard]] std::optional<Turn> next_in_order();
  [[nodiscard]] std::optional<Turn> next_of_shuffled();
  [[nodiscard]] std::optional<Turn> next_by_priority();
  void shuffle_runnable();
  void add_newly_resident();
  std::uint64_t random();
  // Up to 2^n, where every n from `least_bits` to `bits` is equally likely.
  std::uint64_t random_length(unsigned least_bits, unsigned bits);

  const Dispatcher& dispatcher_;
  Scheduling scheduling_;
  SchedulingPolicy policy_ = SchedulingPolicy::RoundRobin;  // of the running launch
  std::uint64_t seed_ = 0;
  std::uint64_t random_ = 0;
  bool in_order_ = true;
  bool turn_given_ = false;                 // adversarial: a round is one turn
  std::uint32_t position_ = 0;
  std::vector<std::uint32_t> order_;
  // Adversarial: which ordinals are in `order_`, and after how many placements that was looked at.
  std::vector<bool> known_;
  std::uint64_t seen_placements_ = 0;
};

}  // namespace xesim::device
