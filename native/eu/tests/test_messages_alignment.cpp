// Which addresses each kind of message takes: the first multiple of what it demands, and nothing
// between two of them.
#include "eu/tests/message_bench.hpp"
#include "eu/thread/execution_context.hpp"

namespace {

using namespace xesim::eu;
using namespace xesim::eu::test;

constexpr std::uint64_t kBase = 0x0000'7000'1000'0000;
constexpr std::size_t kSize = 1024;

enum class Addresses : std::uint8_t { Flat, Offsets, FlatHeader, OffsetHeader };

struct Kind {
  const char* name;
  SharedFunction function;
  std::uint32_t descriptor;
  unsigned data;  // registers that are stored; 0 for a load
  Addresses addresses;
  unsigned alignment;
};

constexpr std::uint32_t lengths(unsigned addresses, unsigned response) {
  return addresses << 25 | response << 20;
}

// Descriptors of the load/store cache for eight lanes.
constexpr std::uint32_t kA64 = 3u << 7, kA32 = 2u << 7, kTransposed = 1u << 15, kStore = 4;
constexpr std::uint32_t kD16u32 = 5u << 9, kD32 = 2u << 9, kD64 = 3u << 9, kX2 = 1u << 12;
constexpr std::uint32_t kQuad = 2, kXy = 3u << 12;
// Descriptors of the data cache.
constexpr std::uint32_t kStateless = 0xFF, kLocal = 0xFE, kHeader = 1u << 19;
constexpr std::uint32_t type(unsigned code) { return code << 14; }
constexpr std::uint32_t kSimd8 = 2u << 12, kX = 0xEu << 8;
constexpr std::uint32_t kFourBytes = 2u << 10, kDwords = 1u << 8, kQwords = 2u << 8;
constexpr std::uint32_t kTwoOwords = 2u << 8, kUnaligned = 1u << 11;

const Kind kKinds[] = {
    {"one word", SharedFunction::Ugm, kA64 | kD16u32 | lengths(2, 1), 0, Addresses::Flat, 1},
    {"one dword", SharedFunction::Ugm, kA64 | kD32 | lengths(2, 1), 0, Addresses::Flat, 1},
    {"one dword, stored", SharedFunction::Ugm, kStore | kA64 | kD32 | lengths(2, 0), 1,
     Addresses::Flat, 1},
    {"one qword", SharedFunction::Ugm, kA64 | kD64 | lengths(2, 2), 0, Addresses::Flat, 1},
    {"one local dword", SharedFunction::Slm, kA32 | kD32 | lengths(1, 1), 0, Addresses::Offsets, 1},
    {"vector", SharedFunction::Ugm, kA64 | kD32 | kX2 | lengths(2, 2), 0, Addresses::Flat, 4},
    {"vector of qwords, stored", SharedFunction::Ugm, kStore | kA64 | kD64 | kX2 | lengths(2, 0),
     4, Addresses::Flat, 8},
    {"local vector", SharedFunction::Slm, kA32 | kD32 | kX2 | lengths(1, 2), 0,
     Addresses::Offsets, 4},
    {"components", SharedFunction::Ugm, kQuad | kA64 | kD32 | kXy | lengths(2, 2), 0,
     Addresses::Flat, 4},
    {"block", SharedFunction::Ugm, kA64 | kD32 | kX2 | kTransposed | lengths(1, 1), 0,
     Addresses::FlatHeader, 4},
    {"block of qwords, stored", SharedFunction::Ugm,
     kStore | kA64 | kD64 | kX2 | kTransposed | lengths(1, 0), 1, Addresses::FlatHeader, 8},
    {"byte gather of four", SharedFunction::Dc0, kStateless | type(4) | kFourBytes | lengths(1, 1),
     0, Addresses::Offsets, 1},
    {"local byte scatter of four", SharedFunction::Dc0,
     kLocal | type(12) | kFourBytes | lengths(1, 0), 1, Addresses::Offsets, 1},
    {"untyped surface", SharedFunction::Dc1, kStateless | type(1) | kSimd8 | kX | lengths(1, 1), 0,
     Addresses::Offsets, 4},
    {"untyped surface, stored", SharedFunction::Dc1,
     kStateless | type(9) | kSimd8 | kX | lengths(1, 0), 1, Addresses::Offsets, 4},
    {"flat untyped surface", SharedFunction::Dc1,
     kStateless | type(17) | kSimd8 | kX | lengths(2, 1), 0, Addresses::Flat, 4},
    {"flat byte gather of four", SharedFunction::Dc1,
     kStateless | type(16) | kFourBytes | lengths(2, 1), 0, Addresses::Flat, 1},
    {"flat dword gather", SharedFunction::Dc1, kStateless | type(16) | kDwords | lengths(2, 1), 0,
     Addresses::Flat, 4},
    {"flat qword scatter", SharedFunction::Dc1, kStateless | type(26) | kQwords | lengths(2, 0), 2,
     Addresses::Flat, 8},
    {"block at dwords", SharedFunction::Dc0,
     kStateless | kHeader | type(1) | kTwoOwords | lengths(1, 1), 0, Addresses::OffsetHeader, 4},
    {"flat block at dwords", SharedFunction::Dc1,
     kStateless | kHeader | type(20) | kUnaligned | kTwoOwords | lengths(1, 1), 0,
     Addresses::FlatHeader, 4},
    {"flat block at owords", SharedFunction::Dc1,
     kStateless | kHeader | type(20) | kTwoOwords | lengths(1, 1), 0, Addresses::FlatHeader, 16},
    {"flat block at dwords, stored", SharedFunction::Dc1,
     kStateless | kHeader | type(21) | kTwoOwords | lengths(1, 0), 1, Addresses::FlatHeader, 4},
};

void put_address(Bench& bench, const Kind& kind, unsigned lane, std::uint64_t offset) {
  switch (kind.addresses) {
    case Addresses::Flat:
    case Addresses::FlatHeader:
      bench.put<std::uint64_t>(Bench::kAddresses, lane, kBase + offset);
      break;
    case Addresses::Offsets:
      bench.put<std::uint32_t>(Bench::kAddresses, lane, static_cast<std::uint32_t>(offset));
      break;
    case Addresses::OffsetHeader:
      bench.put<std::uint32_t>(Bench::kAddresses, 2, static_cast<std::uint32_t>(offset));
      break;
  }
}

// The message with its last lane, or its block, `offset` bytes into memory that counts.
MessageResult send_at(Bench& bench, const Kind& kind, unsigned offset) {
  bench.environment.state_base = kBase;
  auto& memory = bench.environment.allocate(kBase, kSize).bytes;
  bench.environment.slm.resize(kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    memory[i] = bench.environment.slm[i] = static_cast<std::byte>(i);
  }
  const bool block =
      kind.addresses == Addresses::FlatHeader || kind.addresses == Addresses::OffsetHeader;
  const unsigned last = block ? 0 : 7;
  for (unsigned lane = 0; lane <= last; ++lane) {
    put_address(bench, kind, lane, lane == last ? offset : 32 * lane);
  }
  return bench.send(kind.function, kind.descriptor, kind.data, block ? 1 : 8, block ? 1 : 0xFF);
}

// The first byte of the last lane, or of the block, where it is in the registers.
std::byte* data_byte(Bench& bench, const Kind& kind, unsigned grf) {
  const bool lanes = kind.addresses == Addresses::Flat || kind.addresses == Addresses::Offsets;
  const bool qwords = (kind.function == SharedFunction::Ugm && (kind.descriptor >> 9 & 7) == 3) ||
                      kind.alignment == 8;
  return &bench.thread.grf[grf * kGrfBytes + (lanes ? 7 * (qwords ? 8 : 4) : 0)];
}

void every_kind_takes_multiples_of_its_alignment() {
  for (const Kind& kind : kKinds) {
    const unsigned offset = 256 + kind.alignment;
    Bench bench;
    if (kind.data != 0) *data_byte(bench, kind, Bench::kData) = std::byte{0x5A};
    const MessageResult result = send_at(bench, kind, offset);
    if (result.outcome != MessageOutcome::Done) {
      std::fprintf(stderr, "%s: %s\n", kind.name, result.report.c_str());
    }
    EXPECT(result.outcome == MessageOutcome::Done);
    const bool local = kind.function == SharedFunction::Slm || (kind.descriptor & 0xFF) == kLocal;
    const auto& memory =
        local ? bench.environment.slm : bench.environment.allocations.front()->bytes;
    if (kind.data != 0) {
      EXPECT_EQ(memory[offset], std::byte{0x5A});
    } else {
      EXPECT_EQ(*data_byte(bench, kind, Bench::kResponse), static_cast<std::byte>(offset));
    }
  }
}

void every_kind_refuses_what_lies_between() {
  for (const Kind& kind : kKinds) {
    for (unsigned wrong = 1; wrong < kind.alignment; wrong *= 2) {
      Bench bench;
      const MessageResult result = send_at(bench, kind, 256 + wrong);
      EXPECT(result.outcome == MessageOutcome::Unsupported);
      const std::string reason =
          "address that is not a multiple of " + std::to_string(kind.alignment) + " bytes";
      EXPECT(result.report.find(reason) != std::string::npos);
      EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0xEEEEEEEEu);
      const auto& memory = bench.environment.allocations.front()->bytes;
      EXPECT_EQ(memory[0], std::byte{0});
      EXPECT_EQ(memory[256 + wrong], static_cast<std::byte>(256 + wrong));
    }
  }
}

// The shorter way of the commonest messages leaves such addresses to the one that reports them.
void direct_transfers_leave_them_alone() {
  for (const Kind& kind : kKinds) {
    Bench bench;
    if (send_at(bench, kind, 256).outcome != MessageOutcome::Done ||
        bench.instruction.plan.message.direct == nullptr) {
      continue;
    }
    CodeCache code(bench.platform);
    ExecutionContext context(bench.platform, bench.thread, bench.environment, code, nullptr);
    context.windows = bench.windows;
    context.lanes = 0xFF;
    EXPECT(bench.instruction.plan.message.direct(context, bench.instruction));
    put_address(bench, kind, 7, 257);
    const bool done = bench.instruction.plan.message.direct(context, bench.instruction);
    EXPECT_EQ(done, kind.alignment == 1);
  }
}

}  // namespace

int main() {
  return run_tests({
      {"multiples", every_kind_takes_multiples_of_its_alignment},
      {"between", every_kind_refuses_what_lies_between},
      {"direct", direct_transfers_leave_them_alone},
  });
}
