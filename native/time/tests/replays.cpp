// Records a launch, goes to random times of it, and compares each state with that of a run straight to
// the time; then runs all of it again.
//
//   xesim_time_replays [--points N] [--salt N] [--budget BYTES]
//                       [--host 1] [--host-allocation 1] and what kernel_run.hpp says
//
// Prints the length in instructions and the keyframes. Exit 1: one line says what was different.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "control_fixture.hpp"
#include "device/snapshot.hpp"
#include "kernel_run.hpp"
#include "time/recorder.hpp"
#include "time/replay.hpp"
#include "time/search.hpp"

namespace {

using namespace xesim;
using namespace xesim::device;
using testing::require;

// The state of a launch, with what the dispatcher has not begun yet left out.
struct State {
  std::map<std::uint32_t, std::vector<std::byte>> registers;       // by ordinal
  std::map<std::array<std::uint32_t, 3>, std::vector<std::byte>> local_memory;   // by group
  std::map<std::uint64_t, std::vector<std::byte>> memory;          // by address
};

std::vector<std::byte> thawed(const FrozenBytes& frozen) {
  std::vector<std::byte> bytes(frozen.size());
  frozen.copy_to(bytes.data());
  return bytes;
}

State state_of(const Snapshot& snapshot) {
  State state;
  auto next = snapshot.contents.begin();
  for (const ResidentThreadState& thread : snapshot.dispatcher.threads) {
    if (thread.entered) {
      state.registers[thread.ordinal] = thawed(*next++);
    }
  }
  for (const WorkGroupState& group : snapshot.dispatcher.groups) {
    state.local_memory[group.id] = thawed(*next++);
  }
  for (const AllocationState& allocation : snapshot.memory) {
    state.memory[allocation.address] = thawed(allocation.contents);
  }
  return state;
}

// Whether no block of these addresses was ever used by the launch.
bool is_unused(time::Replay& replay, std::uint64_t address, std::size_t size) {
  return std::ranges::none_of(replay.recording().first_used, [&](const auto& used) {
    const std::uint64_t begin = used.first.second;
    return begin < address + size && address < begin + used.second->size();
  });
}

State state_of(time::Replay& replay, const State& of) {
  State state;
  const DispatcherState placed = replay.dispatcher().state();
  const auto contents = replay.dispatcher().contents();
  auto next = contents.begin();
  for (const ResidentThreadState& thread : placed.threads) {
    if (thread.entered) {
      state.registers[thread.ordinal] = {next->begin(), next->end()};
      ++next;
    }
  }
  for (const WorkGroupState& group : placed.groups) {
    if (of.local_memory.contains(group.id)) {  // else it was placed after the last instruction
      state.local_memory[group.id] = {next->begin(), next->end()};
    }
    ++next;
  }
  for (const auto& [address, bytes] : of.memory) {
    // What the launch never used is not recorded: it is as it was.
    std::vector<std::byte> read = bytes;
    for (std::size_t at = 0; at < read.size(); at += time::kBlockBytes) {
      const std::size_t size = std::min<std::size_t>(time::kBlockBytes, read.size() - at);
      if (!replay.memory().read(address + at, read.data() + at, size)) {
        require(is_unused(replay, address + at, size), "memory is missing");
      }
    }
    state.memory[address] = std::move(read);
  }
  return state;
}

void require_equal(const State& was, const State& straight, std::uint64_t time) {
  const std::string at = " at time " + std::to_string(time);
  for (const auto& [ordinal, registers] : straight.registers) {
    require(was.registers.contains(ordinal), "thread " + std::to_string(ordinal) + " is missing" + at);
    // The rest is padding.
    const auto size = offsetof(eu::ThreadState, fused) + sizeof(eu::FusedExchange);
    const auto [there, here] = std::ranges::mismatch(std::span(was.registers.at(ordinal)).first(size),
                                                     std::span(registers).first(size));
    require(here == std::span(registers).first(size).end(),
            "the registers of thread " + std::to_string(ordinal) + " differ from byte " +
                std::to_string(here - std::span(registers).begin()) + " on" + at);
  }
  require(was.registers.size() == straight.registers.size(), "threads too many" + at);
  require(was.local_memory == straight.local_memory, "shared local memory differs" + at);
  for (const auto& [address, bytes] : straight.memory) {
    require(was.memory.at(address) == bytes,
            "memory at " + std::to_string(address) + " differs" + at);
  }
}

class Checker {
 public:
  Checker(test::KernelRun& run, std::uint64_t salt) : run_(run), random_(salt) {
    const auto pause = device().pause();
    device().set_exception_listener(&listener_);
  }
  ~Checker() {
    const auto pause = device().pause();
    device().set_recorder(nullptr);
    device().set_exception_listener(nullptr);
  }
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  void check(unsigned points, std::uint64_t budget) {
    record(budget);
    time::Recording& recording = *recorder_.kept().back();
    require(recording.given_up.empty(), recording.given_up);
    std::cout << recording.end << ' ' << recording.keyframes.size() << '\n';
    time::Replay replay(device(), recorder_.kept().back());
    check_cancel(replay);
    const std::size_t keyframes = recording.keyframes.size();
    // The recorder makes them by the clock: how far they are apart is another on each machine.
    std::uint64_t longest = recording.end - recording.keyframes.back()->time;
    for (std::size_t i = 1; i < keyframes; ++i) {
      longest = std::max(longest,
                         recording.keyframes[i]->time - recording.keyframes[i - 1]->time);
    }
    check_points(replay, points);
    require(replay.go_to(recording.end, nullptr) == time::Replay::Outcome::Reached, "no end");
    constexpr std::uint64_t kLong = 1'000'000;
    require(longest < kLong || recording.keyframes.size() > keyframes,
            "a long replay left no keyframes");
    require(recording.host_write_first == recording.host_write_end, "the host wrote nothing");
    require(replay.dispatcher().finished(*replay.dispatcher().alone()), "threads are left at the end");
    for (const test::Buffer& buffer : run_.buffers()) {
      std::vector<std::byte> then(buffer.memory.size);
      require(replay.memory().read(buffer.memory.address, then.data(), then.size()), "memory");
      require(std::memcmp(then.data(), reinterpret_cast<void*>(buffer.memory.address),
                          then.size()) == 0,
              "the end is another");
    }
  }

  // Searches for writes find the same whatever earlier ones noted.
  void check_searches(unsigned searches) {
    const auto& recording = recorder_.kept().back();
    time::Replay replay(device(), recording);
    unsigned found = 0;
    for (unsigned i = 0; i < searches; ++i) {
      const Allocation& memory = run_.buffers()[random_() % run_.buffers().size()].memory;
      const std::uint64_t address = memory.address + random_() % memory.size;
      time::Query query{.kinds = time::kind::kMemoryWrite,
                        .ranges = {{time::Space::Global, address, address + 4}},
                        .backward = random_() % 2 == 0,
                        .first = random_() % recording->end,
                        .end = 1 + random_() % recording->end};
      const time::Found noted = time::search(replay, device(), query, nullptr);
      // With a range that it has no use for, nothing is left out.
      query.ranges.push_back({time::Space::Instruction, 0, 1});
      const time::Found whole = time::search(replay, device(), query, nullptr);
      require(noted.hits.size() == whole.hits.size() && noted.searched_to == whole.searched_to,
              "a search finds something else with what is noted");
      for (std::size_t hit = 0; hit < noted.hits.size(); ++hit) {
        require(noted.hits[hit].time == whole.hits[hit].time &&
                    noted.hits[hit].new_value == whole.hits[hit].new_value,
                "a search finds another write with what is noted");
      }
      found += !noted.hits.empty();
    }
    std::cout << "found " << found << '\n';
  }

  // A search that finds nothing ends, over however many keyframes it goes, and again over what it noted.
  void check_search_over_keyframes() {
    const auto& recording = recorder_.kept().back();
    time::Replay replay(device(), recording);
    time::Query query{.kinds = time::kind::kMemoryWrite,
                      .ranges = {{time::Space::Global, 0, 1}, {time::Space::Instruction, 0, 1}},
                      .backward = true,
                      .first = 0,
                      .end = recording->end};
    for (int search = 0; search < 2; ++search) {
      const time::Found found = time::search(replay, device(), query, nullptr);
      require(found.hits.empty() && found.searched_to == recording->first(), "a search has no end");
      query.ranges.pop_back();
    }
  }

  // With room for a part of the keyframes, the older ones become fewer, and every time is still there.
  void check_thinning(unsigned points) {
    // No keyframes but those asked for: the clock makes others in each run.
    recorder_ = time::Recorder([] { return 0.0; });
    record(time::kDefaultBudget);
    const std::uint64_t least = recorder_.bytes();
    const std::uint64_t end = recorder_.kept().back()->end;
    recorder_.clear();
    keep_every(end / 64 + 1);
    record(time::kDefaultBudget);
    const std::uint64_t most = recorder_.bytes();
    const std::size_t all = recorder_.kept().back()->keyframes.size();
    check_search_over_keyframes();
    recorder_.clear();
    keep_every(end / 64 + 1);
    record(least + (most - least) / 2);
    const time::Recording& recording = *recorder_.kept().back();
    require(recording.given_up.empty(), recording.given_up);
    require(recorder_.bytes() <= least + (most - least) / 2, "more than the budget");
    require(recording.keyframes.size() < all && recording.first() == 0, "nothing was dropped");
    const auto is_newer = [&](const auto& each) { return each->time >= end / 2; };
    const auto newer = std::ranges::count_if(recording.keyframes, is_newer);
    require(newer > std::ssize(recording.keyframes) - newer, "not the oldest were dropped");
    std::cout << "thinned " << all << " to " << recording.keyframes.size() << '\n';
    time::Replay replay(device(), recorder_.kept().back());
    check_points(replay, points);
  }

  // The host allocates after so many eighths of a launch, and what runs uses that from there on, where it
  // has addresses of the first buffer.
  void check_host_allocation(std::uint64_t budget, unsigned eighths) {
    const Allocation& before = run_.buffers().front().memory;
    const std::uint64_t middle = recorder_.kept().back()->end * eighths / 8;
    const std::uint64_t executed = device().instructions_executed();
    std::optional<Allocation> made;
    {
      const auto pause = device().pause();
      device().set_checkpoint(executed + middle, [&] {
        made = device().memory().allocate(AllocationKind::Shared, before.size, 0, nullptr);
        require(made.has_value(), "no memory");
        std::memcpy(reinterpret_cast<void*>(made->address),
                    reinterpret_cast<void*>(before.address), before.size);
        for (HardwareThread* const thread : device().resident_threads()) {
          move_pointers(*thread, before, *made);
        }
      });
    }
    record(budget);
    const auto& recording = recorder_.kept().back();
    time::Replay replay(device(), recording);
    replay.restore(0);
    require(replay.run_to(recording->end, nullptr, nullptr) == time::Replay::Outcome::Reached,
            "it did something else where the host had allocated");
    for (const Allocation& memory : {before, *made}) {
      std::vector<std::byte> then(memory.size);
      require(!replay.memory().read(memory.address, then.data(), then.size()) ||
                  std::memcmp(then.data(), reinterpret_cast<void*>(memory.address),
                              then.size()) == 0,
              "the end is another where the host had allocated");
    }
    require(replay.go_to(middle - 1, nullptr) == time::Replay::Outcome::Reached, "not reached");
    std::byte then{};
    require(!replay.memory().read(made->address, &then, 1), "it was allocated before");
    const auto used = recording->first_used.lower_bound({made->id, 0});
    if (used != recording->first_used.end() && used->first.first == made->id) {
      std::cout << "used what the host allocated\n";
    }
    static_cast<void>(device().memory().release(made->address));
  }

  // The host writes into a buffer in the middle of a launch: noticed, and shown from there on.
  void check_host_write(std::uint64_t budget) {
    const std::uint64_t middle = recorder_.kept().back()->end / 2;
    const Allocation& memory = run_.buffers().front().memory;
    const std::uint64_t address = memory.address + memory.size - 1;
    const std::uint64_t executed = device().instructions_executed();
    std::byte before{};
    {
      const auto pause = device().pause();
      device().set_checkpoint(executed + middle, [&] {
        auto& byte = *reinterpret_cast<std::byte*>(address);
        before = std::exchange(byte, byte ^ std::byte{0x80});
        recorder_.keep_present();
      });
    }
    record(budget);
    const auto& recording = recorder_.kept().back();
    time::Replay replay(device(), recording);
    replay.restore(0);
    require(replay.run_to(recording->end, nullptr, nullptr) == time::Replay::Outcome::Reached,
            "no end");
    require(recording->host_write_first <= middle && recording->host_write_end >= middle &&
                recording->host_write_end > recording->host_write_first,
            "it was not noticed that the host wrote");
    std::byte then{};
    require(replay.memory().read(address, &then, 1) &&
                then == *reinterpret_cast<const std::byte*>(address),
            "what the host wrote is missing");
    require(replay.go_to(middle - 1, nullptr) == time::Replay::Outcome::Reached, "not reached");
    require(replay.memory().read(address, &then, 1) && then == before, "it was there before");
  }

 private:
  void check_points(time::Replay& replay, unsigned points) {
    for (unsigned i = 0; i < points; ++i) {
      const std::uint64_t time = 1 + random_() % (replay.recording().end - 1);
      const State straight = state_of(straight_run(time));
      require(replay.go_to(time, nullptr) == time::Replay::Outcome::Reached, "not reached");
      require(replay.time() == time, "it stopped early");
      require_equal(state_of(replay, straight), straight, time);
    }
  }

  // A keyframe each time so many more instructions of the next launch were executed.
  void keep_every(std::uint64_t instructions) {
    const std::uint64_t executed = device().instructions_executed();
    const auto pause = device().pause();
    keep_at(executed + instructions, instructions);
  }
  void keep_at(std::uint64_t time, std::uint64_t step) {
    device().set_checkpoint(time, [this, time, step] {
      recorder_.keep_present();
      keep_at(time + step, step);
    });
  }

  // What points into one allocation, in the registers of a thread, points into the other.
  void move_pointers(HardwareThread& thread, const Allocation& from, const Allocation& to) {
    for (std::size_t at = 0; at < thread.state.grf.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t value = 0;
      std::memcpy(&value, thread.state.grf.data() + at, sizeof value);
      if (value - from.address < from.size) {
        value = to.address + (value - from.address);
        device().change(thread, [at, value](HardwareThread& changed) {
          std::memcpy(changed.state.grf.data() + at, &value, sizeof value);
        });
      }
    }
  }

  // A way that is given up leaves nothing behind: the next one leads to its end.
  void check_cancel(time::Replay& replay) {
    const std::uint64_t end = replay.recording().end;
    unsigned asked = 0;
    const auto outcome = replay.go_to(end, [&] { return ++asked != 0; });
    require(asked == (outcome == time::Replay::Outcome::Cancelled ? 1 : 0), "it was not cancelled");
    require(asked == 0 || replay.time() < end, "it went on to the end");
    std::cout << "asked " << asked << '\n';
  }

  Device& device() { return run_.device(); }

  void record(std::uint64_t budget) {
    run_.restore_memory();
    recorder_.configure(true, budget);
    {
      const auto pause = device().pause();
      device().set_recorder(&recorder_);
    }
    run_.complete();
    const auto pause = device().pause();
    device().set_recorder(nullptr);
  }

  // Scratch space and the like too, which kernels find as the launch before left it.
  void restore_first_memory() {
    for (const auto& [place, block] : recorder_.kept().back()->first_used) {
      const auto& [id, address] = place;
      const auto found = device().memory().find(address);
      if (found && found->id == id) {  // the payload's is gone
        block->copy_to(reinterpret_cast<std::byte*>(address));
      }
    }
  }

  Snapshot straight_run(std::uint64_t time) {
    std::vector<std::byte> saved;
    restore_first_memory();
    const std::uint64_t before = device().instructions_executed();
    {
      const auto pause = device().pause();
      device().set_checkpoint(before + time, [&] { saved = device().save(); });
    }
    run_.complete();
    require(!saved.empty(), "the checkpoint was not met");
    return std::get<Snapshot>(decode(saved));
  }

  test::KernelRun& run_;
  std::mt19937_64 random_;
  testing::Recorder listener_;
  time::Recorder recorder_;
};

}  // namespace

int main(int count, char** values) {
  try {
    test::KernelRun run(count, values);
    const auto option = [&](const char* name, std::uint64_t otherwise) {
      return run.option(name).empty() ? otherwise : test::number(run.option(name));
    };
    const std::uint64_t budget = option("budget", xesim::time::kDefaultBudget);
    Checker checker(run, option("salt", 1));
    checker.check(static_cast<unsigned>(option("points", 5)), budget);
    if (option("host", 0) != 0) {
      checker.check_searches(12);
      checker.check_host_write(budget);
      checker.check_thinning(1);
    }
    // Of a kernel that knows its buffers by address.
    for (unsigned eighths = 1; eighths < 8 && option("host-allocation", 0) != 0; ++eighths) {
      checker.check_host_allocation(budget, eighths);
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
