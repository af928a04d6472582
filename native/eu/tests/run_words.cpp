// Executes instruction words on one thread, on command: the bench on which the tests in
// tests/eu compare the execution unit with arithmetic that is done elsewhere.
//
// Reads lines, answers those that ask with one line each:
//   new MASK PLATFORM               a fresh thread at offset 0 with that dispatch mask, no code;
//                                   PLATFORM: xe_hpg and so on
//   code HEX                        the bytes of the code, at offset 0
//   set FILE OFFSET HEX             bytes into a register file: grf acc mme flag
//                                   address control state mme; memory: global slm scratch
//   get FILE OFFSET BYTES           -> HEX
//   problems                        -> OFFSET MNEMONIC: WHY; ... of what cannot be executed, but for
//                                   illegal instructions, which pad code
//   memory                          from here on there is memory: 4 KiB of global memory, also all
//                                   that any surface has, 4 KiB local, 4 KiB scratch; zero
//   channels                        -> the mask of enabled channels
//   barrier MASK                    barriers that are signalled and not released
//   run BUDGET plain|debug|observed -> OUTCOME INSTRUCTIONS IP [REPORT]
//                                   observed: the report is IP:LANES:ENABLED of each instruction
// Numbers are hexadecimal, bytes are two digits each.
#include <array>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "eu/decode/decode.hpp"
#include "eu/execute/prepare.hpp"
#include "eu/execution_unit.hpp"
#include "eu/tests/test_program.hpp"

namespace {

using namespace xesim::eu;

constexpr std::uint64_t kGlobalBase = 0x10000;
constexpr std::size_t kMemoryBytes = 4096;

// There is nothing outside the thread, until it is given a little of every memory.
class SmallEnvironment final : public ThreadEnvironment {
 public:
  void provide_memory() {
    for (auto& memory : memories_) memory.assign(kMemoryBytes, std::byte{0});
  }
  std::span<std::byte> memory(MemorySpace space) {
    return memories_[static_cast<std::size_t>(space)];
  }

  MemoryWindow window(MemorySpace space, std::uint64_t address) override {
    const std::span<std::byte> bytes = memory(space);
    const std::uint64_t base = space == MemorySpace::Global ? kGlobalBase : 0;
    if (address < base || address - base >= bytes.size()) return {};
    return {base, bytes.size(), bytes.data(), true};
  }
  std::uint64_t instruction_base() const override { return 0; }
  std::uint64_t general_state_base() const override { return kGlobalBase; }
  BufferSurface bindless_surface(std::uint32_t) override { return whole(); }
  BufferSurface binding_table_surface(std::uint32_t) override { return whole(); }
  void barrier_signal(std::uint32_t, BarrierRole, std::uint32_t, std::uint32_t) override {}

 private:
  [[nodiscard]] BufferSurface whole() const {
    const std::size_t size = memories_[0].size();
    return {.valid = size != 0, .scratch = false, .base = kGlobalBase, .size = size};
  }
  std::array<std::vector<std::byte>, 3> memories_;
};

// Writes down which channels executed what.
class Trace final : public Observer {
 public:
  void thread_begin(const ThreadState&) override { text += "begin "; }
  void thread_end(const ThreadState&) override { text += "end "; }
  void instruction(const ThreadState& thread, const Instruction&, std::uint32_t lanes) override {
    std::ostringstream line;
    line << std::hex << thread.ip << ':' << lanes << ':' << thread.enabled_channels() << ' ';
    text += line.str();
  }

  std::string text;
};

std::vector<std::byte> bytes_of(const std::string& digits) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::string digits_of(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string digits;
  for (const std::byte value : bytes) {
    digits += kDigits[std::to_integer<unsigned>(value) >> 4];
    digits += kDigits[std::to_integer<unsigned>(value) & 0xF];
  }
  return digits;
}

class Bench {
 public:
  void command(const std::string& line) {
    std::istringstream in(line);
    in >> std::hex;
    std::string verb;
    in >> verb;
    if (verb == "new") start(in);
    else if (verb == "code") load(in);
    else if (verb == "set") set(in);
    else if (verb == "get") get(in);
    else if (verb == "memory") environment_.provide_memory();
    else if (verb == "problems") report_problems();
    else if (verb == "channels") std::cout << std::hex << thread_.enabled_channels() << std::endl;
    else if (verb == "barrier") in >> thread_.barrier_pending;
    else if (verb == "run") run(in);
    else throw std::runtime_error("unknown command " + verb);
  }

 private:
  void start(std::istream& in) {
    thread_ = ThreadState{};
    std::string platform;
    in >> thread_.state[2] >> platform;
    platform_ = xesim::tests::required_platform(platform);
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      thread_.channel_ip[lane] = (thread_.state[2] >> lane & 1) != 0 ? 0 : kNoInstruction;
    }
    // As every compiled program has it: denormals are kept.
    thread_.control[0] = cr0::kDenormF32 | cr0::kDenormF16 | cr0::kDenormF64;
  }

  void load(std::istream& in) {
    std::string digits;
    in >> digits;
    code_ = std::make_unique<CodeCache>(platform_);
    words_ = bytes_of(digits);
    code_->add(0, words_.data(), static_cast<std::uint32_t>(words_.size()));
  }

  std::span<std::byte> file(const std::string& name) {
    const auto bytes = [](auto& array) { return std::as_writable_bytes(std::span(array)); };
    if (name == "grf") return bytes(thread_.grf);
    if (name == "acc") return bytes(thread_.accumulator);
    if (name == "flag") return bytes(thread_.flag);
    if (name == "address") return bytes(thread_.address);
    if (name == "control") return bytes(thread_.control);
    if (name == "mme") return bytes(thread_.mme);
    if (name == "state") return bytes(thread_.state);
    if (name == "global") return environment_.memory(MemorySpace::Global);
    if (name == "slm") return environment_.memory(MemorySpace::Slm);
    if (name == "scratch") return environment_.memory(MemorySpace::Scratch);
    throw std::runtime_error("unknown register file " + name);
  }

  void set(std::istream& in) {
    std::string name;
    std::string digits;
    std::size_t offset = 0;
    in >> name >> offset >> digits;
    const auto bytes = bytes_of(digits);
    if (!bytes.empty()) {
      std::memcpy(file(name).subspan(offset, bytes.size()).data(), bytes.data(), bytes.size());
    }
  }

  void get(std::istream& in) {
    std::string name;
    std::size_t offset = 0;
    std::size_t size = 0;
    in >> name >> offset >> size;
    std::cout << digits_of(file(name).subspan(offset, size)) << std::endl;
  }

  void report_problems() {
    std::uint32_t offset = 0;
    while (const Instruction* instruction = code_->fetch(offset)) {
      prepare(*instruction, platform_);
      if (instruction->plan.problem != nullptr && instruction->opcode != Opcode::Illegal) {
        std::cout << std::hex << offset << ' ' << mnemonic(*instruction) << ": "
                  << instruction->plan.problem << "; ";
      }
      offset += instruction->length;
    }
    std::cout << std::endl;
  }

  void run(std::istream& in) {
    RunOptions options;
    std::string mode;
    in >> options.budget >> mode;
    options.debugging = mode == "debug";
    Trace trace;
    if (mode == "observed") options.observer = &trace;
    const RunResult result = ExecutionUnit(platform_).run(thread_, environment_, *code_, options);
    std::cout << outcome_name(result.outcome) << ' ' << std::hex
              << result.instructions << ' ' << thread_.ip << ' ' << result.report
              << (result.fault.present ? describe(result.fault) : std::string()) << trace.text
              << std::endl;
  }

  Platform platform_ = Platform::XeHpg;
  SmallEnvironment environment_;
  ThreadState thread_;
  std::vector<std::byte> words_;
  std::unique_ptr<CodeCache> code_ = std::make_unique<CodeCache>(Platform::XeHpg);
};

}  // namespace

int main() {
  return xesim::tests::run_program([] {
    Bench bench;
    for (std::string line; std::getline(std::cin, line);) bench.command(line);
  });
}
