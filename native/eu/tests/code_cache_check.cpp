// Holds CodeCache to its promises: prints what it broke, and exits with 1.

#include <array>
#include <cstdio>
#include <cstring>
#include <vector>

#include "eu/decode/code_cache.hpp"

namespace {

using namespace xesim::eu;

int failures = 0;

void expect(bool holds, const char* promise) {
  if (holds) return;
  std::printf("broken: %s\n", promise);
  ++failures;
}

// nop (16 bytes), compacted add (8 bytes), nop: instructions at 0, 16 and 24.
constexpr std::uint32_t kCompactedAdd = 16;
constexpr std::uint32_t kSecondNop = 24;
constexpr std::uint32_t kCodeBytes = 40;

std::vector<std::byte> sample_code() {
  constexpr std::byte kNop{0x60};
  constexpr std::array<unsigned char, 8> kAdd = {0x40, 0, 5, 0x20, 0, 7, 0, 9};
  std::vector<std::byte> code(kCodeBytes);
  code[0] = code[kSecondNop] = kNop;
  std::memcpy(code.data() + kCompactedAdd, kAdd.data(), kAdd.size());
  return code;
}

void decodes_each_offset_once() {
  const std::vector<std::byte> code = sample_code();
  CodeCache cache(Platform::XeHpg);
  cache.add(0x1000, code.data(), kCodeBytes);
  const Instruction* add = cache.fetch(0x1000 + kCompactedAdd);
  expect(add != nullptr && add->opcode == Opcode::Add && add->length == 8, "compacted add");
  for (std::uint32_t offset = 0; offset < kCodeBytes; offset += 8) {
    expect(cache.fetch(0x1000 + offset) != nullptr, "every aligned offset inside has an answer");
  }
  expect(cache.fetch(0x1000 + kCompactedAdd) == add, "pointers survive other fetches");
  expect(cache.fetch(0x1000 + kCodeBytes) == nullptr, "nothing after the range");
  expect(cache.fetch(0xff8) == nullptr, "nothing before the range");
  expect(cache.fetch(0x1004) == nullptr, "nothing at an unaligned offset");
}

void forgets_what_was_written() {
  std::vector<std::byte> code = sample_code();
  CodeCache cache(Platform::XeHpg);
  cache.add(0, code.data(), kCodeBytes);
  expect(!cache.fetch(kCompactedAdd)->breakpoint, "no breakpoint at first");
  code[kCompactedAdd] |= std::byte{0x80};
  cache.invalidate(kCompactedAdd, 1);
  expect(cache.fetch(kCompactedAdd)->breakpoint, "a breakpoint bit is seen after invalidate");

  expect(cache.fetch(kSecondNop)->opcode == Opcode::Nop, "a nop at first");
  code[kSecondNop] = std::byte{0};
  cache.invalidate(kSecondNop + 12, 4);  // in the second half of the instruction
  expect(cache.fetch(kSecondNop)->opcode == Opcode::Illegal,
         "a write into an instruction's second half is seen");
  cache.invalidate(0xfffffff0, 0x10);  // elsewhere, up to the end of the address space
  expect(cache.fetch(0)->opcode == Opcode::Nop, "an invalidation elsewhere does no harm");
}

void keeps_ranges_apart() {
  const std::vector<std::byte> first = sample_code();
  const std::vector<std::byte> second(first.begin() + kCompactedAdd, first.end());
  CodeCache cache(Platform::XeHpg);
  cache.add(0x100, first.data(), kCodeBytes);
  cache.add(0xffffffe8, second.data(), static_cast<std::uint32_t>(second.size()));
  expect(cache.fetch(0xffffffe8)->opcode == Opcode::Add, "a range at the end of the space");
  expect(cache.fetch(0x100)->opcode == Opcode::Nop, "and one at its start");
  cache.remove(0x100);
  expect(cache.fetch(0x100) == nullptr, "a removed range is gone");
  cache.add(0x100, second.data(), static_cast<std::uint32_t>(second.size()));
  expect(cache.fetch(0x100)->opcode == Opcode::Add, "an address can be used again");
}

}  // namespace

int main() {
  decodes_each_offset_once();
  forgets_what_was_written();
  keeps_ranges_apart();
  return failures == 0 ? 0 : 1;
}
