#include "device/two_cores.hpp"

#include <new>
#include <utility>

namespace xesim::device {

TwoCores::Share::Share(TwoCores& owner, unsigned number)
    : core(number),
      unit(owner.topology_.platform),
      code(owner.code_.of_core(number)),
      claims(owner.claims_, number),
      undo(owner.dispatcher_) {}

TwoCores::TwoCores(const Topology& topology, const Memory& memory, Dispatcher& dispatcher,
                   InstructionCaches& code)
    : topology_(topology),
      dispatcher_(dispatcher),
      code_(code),
      claims_(memory.data_base(), memory.data_size()),
      own_(*this, 0),
      helpers_(*this, 1) {}

void TwoCores::begin_launch(const KernelLaunch& launch, bool always) {
  always_ = always;
  pacing_.begin_launch(launch.code_address);
}

// Whole subslices, which no work-group reaches out of.
std::optional<std::uint32_t> TwoCores::plan(std::uint32_t from) {
  const auto limit = always_ ? std::optional(CorePacing::kMostTurns) : pacing_.batch_turns();
  const auto first = dispatcher_.next_resident(from);
  if (!limit || !first) {
    return std::nullopt;
  }
  const std::uint32_t threads = topology_.eus_per_subslice * topology_.threads_per_eu;
  const std::uint32_t subslices = topology_.thread_count() / threads;
  std::uint32_t subslice = *first / threads;
  if (from > subslice * threads) {
    return std::nullopt;  // part of it has had its turns
  }
  ranges_.clear();
  std::uint64_t turns = 0;
  do {
    dispatcher_.add_whole_groups(subslice, ranges_);
    turns += dispatcher_.residents(subslice);
    ++subslice;
  } while (subslice < subslices && turns < *limit);
  return ranges_.size() > 1 && (always_ || pacing_.pays(turns)) ? std::optional(subslice * threads)
                                                  : std::nullopt;
}

void TwoCores::run_range(Share& share, OrdinalRange range, std::uint64_t budget) {
  for (auto place = dispatcher_.next_resident(range.first); place && *place < range.end;
       place = dispatcher_.next_resident(*place + 1)) {
    if (!dispatcher_.runnable(*place)) {
      continue;
    }
    if (abandoned_.load(std::memory_order_relaxed)) {
      return;
    }
    share.undo.before_turn(*place);
    HardwareThread& thread = *dispatcher_.at(*place);
    const eu::RunResult result =
        share.unit.run(thread.state, dispatcher_.environment(thread), share.code,
                       {.budget = budget, .claims = &share.claims});
    ++share.turns;
    share.instructions += result.instructions;
    switch (result.outcome) {
      case eu::Outcome::BudgetSpent:
      case eu::Outcome::SynchronisationAhead:
        break;
      case eu::Outcome::BarrierWait:
        thread.run = ThreadRun::AtBarrier;
        break;
      case eu::Outcome::EndOfThread:
        dispatcher_.leave_group(thread);
        share.ended.push_back(&thread);
        break;
      case eu::Outcome::Exception:
        // What others did after it on one core depends on what the exception leads to.
        throw eu::ClaimRefused("a thread took an exception");
    }
  }
}

std::size_t TwoCores::take_range(const Share& share, std::size_t taken) {
  return always_ ? share.core + 2 * taken : next_++;
}

void TwoCores::work(Share& share, std::uint64_t budget) {
  try {
    for (std::size_t taken = 0; !abandoned_; ++taken) {
      const std::size_t range = take_range(share, taken);
      if (range >= ranges_.size()) {
        return;
      }
      run_range(share, ranges_[range], budget);
    }
  } catch (const eu::ClaimRefused&) {
    abandoned_ = true;
  } catch (const std::bad_alloc&) {
    abandoned_ = true;
  }
}

void TwoCores::take_back() {
  for (Share* share : {&own_, &helpers_}) {
    share->claims.take_back();
    share->undo.roll_back();
    share->ended.clear();
    share->turns = 0;
    share->instructions = 0;
  }
}

TwoCores::Done TwoCores::keep(std::uint32_t end) {
  Done done{.end = end};
  for (Share* share : {&own_, &helpers_}) {
    share->claims.keep();
    share->undo.forget();
    for (HardwareThread* thread : share->ended) {
      dispatcher_.retire(*thread);
    }
    share->ended.clear();
    done.turns += std::exchange(share->turns, 0);
    done.instructions += std::exchange(share->instructions, 0);
  }
  return done;
}

std::optional<TwoCores::Done> TwoCores::run_turns(std::uint32_t from, std::uint64_t budget) {
  const auto end = plan(from);
  if (!end) {
    return std::nullopt;
  }
  claims_.begin_period();
  next_ = 0;
  abandoned_ = false;
  const bool helped = helper_.begin([this, budget] { work(helpers_, budget); });
  work(own_, budget);
  const bool shared = helped && helper_.finish(always_);
  if (always_ && !shared) {
    work(helpers_, budget);
  }
  if (abandoned_) {
    take_back();
    pacing_.abandoned();
    ++batches_.abandoned;
    return std::nullopt;
  }
  const Done done = keep(*end);
  ++batches_.completed;
  pacing_.completed(done.turns, done.instructions);
  return done;
}

}  // namespace xesim::device
