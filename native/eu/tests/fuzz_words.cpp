// Executes mutated kernels: whatever the words are, the execution unit has to come to an end within
// its budget, stay inside the memory it was given, and say why it stopped.
//
//   xesim_eu_fuzz_words PLATFORM SEED COUNT CODE...
//
// Mutates the machine code in the files CODE, COUNT times, and runs a thread on each mutant. The
// same arguments give the same mutants. Writes one line of NAME=NUMBER pairs; ends with an error
// that names the mutant if an outcome breaks a rule. Meant for a build with sanitizers.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "eu/execution_unit.hpp"
#include "eu/tests/test_program.hpp"

namespace {

using namespace xesim::eu;
using namespace xesim::tests;

using Code = std::vector<std::byte>;

constexpr std::size_t kGranule = 8;
constexpr std::uint64_t kGlobalBase = 0x10000;
constexpr std::size_t kMemoryBytes = 64 * 1024;
constexpr unsigned kBudget = 400;       // instructions of one run
constexpr unsigned kRuns = 12;          // of one thread
constexpr unsigned kMostMutations = 6;
constexpr std::size_t kLargestMutant = 1 << 20;  // bytes

// A little of every memory. The vectors are as large as their windows, for the sanitizers to see
// every access beyond.
class SmallEnvironment final : public ThreadEnvironment {
 public:
  explicit SmallEnvironment(ThreadState& thread) : thread_(thread) {
    for (auto& memory : memories_) memory.resize(kMemoryBytes);
  }

  MemoryWindow window(MemorySpace space, std::uint64_t address) override {
    auto& memory = memories_[static_cast<std::size_t>(space)];
    const std::uint64_t base = space == MemorySpace::Global ? kGlobalBase : 0;
    if (address < base || address - base >= memory.size()) return {};
    return {base, memory.size(), memory.data(), true};
  }
  std::uint64_t instruction_base() const override { return 0; }
  std::uint64_t general_state_base() const override { return kGlobalBase; }
  BufferSurface bindless_surface(std::uint32_t offset) override {
    BufferSurface surface;
    surface.valid = offset % 3 != 0;
    surface.scratch = offset % 5 == 0;
    surface.base = kGlobalBase + offset % kMemoryBytes;
    surface.size = kMemoryBytes / 2;
    return surface;
  }
  BufferSurface binding_table_surface(std::uint32_t index) override {
    return bindless_surface(index + 1);
  }
  void barrier_signal(std::uint32_t id, BarrierRole, std::uint32_t, std::uint32_t) override {
    thread_.barrier_pending |= 1u << id % 32;
  }

 private:
  ThreadState& thread_;
  std::vector<std::byte> memories_[3];
};

class CountingObserver final : public Observer {
 public:
  void instruction(const ThreadState&, const Instruction&, std::uint32_t) override { ++count; }
  std::uint64_t count = 0;
};

Code read_file(const char* path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(std::string("cannot read ") + path);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  Code code(bytes.size() / kGranule * kGranule);
  if (code.empty()) throw std::runtime_error(std::string("no code in ") + path);
  std::memcpy(code.data(), bytes.data(), code.size());
  return code;
}

std::size_t granule_in(Random& random, const Code& code) {
  return below(random, code.size() / kGranule) * kGranule;
}

void mutate(Random& random, Code& code, const std::vector<Code>& corpus) {
  const std::size_t at = granule_in(random, code);
  switch (below(random, 8)) {
    case 0: case 1:
      code[at + below(random, kGranule)] ^= static_cast<std::byte>(1u << below(random, 8));
      break;
    case 2:
      code[at + below(random, kGranule)] = static_cast<std::byte>(random());
      break;
    case 3: {  // a random half of an instruction
      const std::uint64_t word = random();
      std::memcpy(code.data() + at, &word, kGranule);
      break;
    }
    case 4: {  // swap
      const std::size_t other = granule_in(random, code);
      std::swap_ranges(code.begin() + static_cast<std::ptrdiff_t>(at),
                       code.begin() + static_cast<std::ptrdiff_t>(at + kGranule),
                       code.begin() + static_cast<std::ptrdiff_t>(other));
      break;
    }
    case 5: {  // from another kernel, up to four instructions
      const Code& donor = corpus[below(random, corpus.size())];
      const std::size_t from = granule_in(random, donor);
      const std::size_t size = std::min(
          {2 * kGranule * (1 + below(random, 4)), code.size() - at, donor.size() - from});
      std::memcpy(code.data() + at, donor.data() + from, size);
      break;
    }
    case 6:  // the end is missing
      if (at != 0) code.resize(at);
      break;
    default: {  // shifted by one granule
      if (code.size() + kGranule <= kLargestMutant) {
        code.insert(code.begin() + static_cast<std::ptrdiff_t>(at), kGranule,
                    static_cast<std::byte>(random()));
      }
      break;
    }
  }
}

// Registers with small numbers, addresses of the memory that there is, and noise.
void fill(Random& random, ThreadState& thread) {
  for (std::size_t at = 0; at < thread.grf.size(); at += 8) {
    std::uint64_t value = 0;
    switch (below(random, 4)) {
      case 0: value = below(random, 4096); break;
      case 1: value = kGlobalBase + below(random, kMemoryBytes); break;
      case 2: value = random(); break;
      default: break;
    }
    std::memcpy(thread.grf.data() + at, &value, sizeof value);
  }
  for (auto& address : thread.address) {
    address = static_cast<std::uint16_t>(below(random, 2) == 0 ? random() : below(random, 4096));
  }
  for (auto& flag : thread.flag) flag = static_cast<std::uint32_t>(random());
  thread.control[0] = static_cast<std::uint32_t>(random()) &
                      (3u << cr0::kRoundingShift | cr0::kDenormF64 | cr0::kDenormF32 |
                       cr0::kDenormF16 | cr0::kLargeGrf);
  thread.state[2] = static_cast<std::uint32_t>(random() | 1);
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    thread.channel_ip[lane] = (thread.state[2] >> lane & 1) != 0 ? 0 : kNoInstruction;
  }
}

// As a debugger could: all channels that execute, to any instruction or the middle of one.
void go_elsewhere(Random& random, ThreadState& thread, const Code& code) {
  const auto ip = static_cast<std::uint32_t>(granule_in(random, code));
  for (auto& channel : thread.channel_ip) {
    if (channel == thread.ip) channel = ip;
  }
  thread.ip = ip;
  thread.control[1] = 0;
}

struct Findings {
  Counts counts;
  double slowest = 0;  // seconds of one run
};

// What is wrong with how a run ended; empty if nothing is.
std::string broken_rule(const RunResult& result, const ThreadState& thread) {
  if (result.instructions > kBudget) return "more instructions than the budget";
  if (result.outcome != Outcome::Exception) return {};
  if (thread.control[2] != thread.ip) return "cr0.2 is not the ip of the exception";
  // Not cr0.1 for the cause: a mutant may have written other bits there itself.
  if ((result.raised == cr0::kPageFault) != result.fault.present) return "a fault and its address";
  if ((result.raised == cr0::kIllegalOpcode) == result.report.empty()) return "a report and its cause";
  if (thread.control[1] == 0) return "an exception without a status";
  if ((thread.control[1] & result.raised) != result.raised) return "a cause that cr0.1 does not show";
  return {};
}

void run_mutant(Platform platform, Random& random, const Code& code, Findings& findings) {
  ThreadState thread;
  fill(random, thread);
  SmallEnvironment environment(thread);
  CodeCache cache(platform);
  cache.add(0, code.data(), static_cast<std::uint32_t>(code.size()));
  CountingObserver observer;
  RunOptions options;
  options.budget = kBudget;
  options.debugging = below(random, 4) == 0;
  options.observer = below(random, 4) == 0 ? &observer : nullptr;
  for (unsigned run = 0; run < kRuns; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    const RunResult result = ExecutionUnit(platform).run(thread, environment, cache, options);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    findings.slowest = std::max(findings.slowest, took.count());
    findings.counts["instructions"] += result.instructions;
    ++findings.counts[outcome_name(result.outcome)];
    if (result.fault.present) ++findings.counts["faults"];
    if (result.raised == cr0::kIllegalOpcode) ++findings.counts["illegal"];
    if (const std::string rule = broken_rule(result, thread); !rule.empty()) {
      throw std::runtime_error(rule + ": " + result.report);
    }
    thread.barrier_pending = 0;
    if (result.outcome == Outcome::Exception && (thread.control[1] & cr0::kBreakpoint) != 0) {
      thread.control[0] |= cr0::kBreakpointSuppress;  // go on, by single steps every other time
      thread.control[1] = below(random, 2) == 0 ? 0 : cr0::kBreakpoint;
    } else if (result.outcome != Outcome::BarrierWait) {
      go_elsewhere(random, thread, code);
    }
  }
}

void fuzz(int argc, char** argv) {
  if (argc < 5) throw std::runtime_error("usage: PLATFORM SEED COUNT CODE...");
  const Platform platform = required_platform(argv[1]);
  const std::uint64_t count = std::stoull(argv[3]);
  std::vector<Code> corpus;
  for (int index = 4; index < argc; ++index) corpus.push_back(read_file(argv[index]));
  Findings findings;
  const auto attempt = [&](Random& random) {
    const unsigned chosen = below(random, corpus.size());
    Code code = corpus[chosen];
    const unsigned mutations = 1 + below(random, kMostMutations);
    for (unsigned index = 0; index < mutations; ++index) mutate(random, code, corpus);
    try {
      run_mutant(platform, random, code, findings);
    } catch (const std::exception& error) {
      throw std::runtime_error(std::string("mutant of ") + argv[4 + chosen] + ": " + error.what());
    }
  };
  findings.counts["mutants"] = try_seeds(
      std::stoull(argv[2]), [count](std::uint64_t tried) { return tried < count; }, attempt);
  print_counts(findings.counts);
  std::cout << " slowest_microseconds=" << static_cast<std::uint64_t>(findings.slowest * 1e6)
            << " peak_kilobytes=" << peak_kilobytes() << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program([&] { fuzz(argc, argv); });
}
