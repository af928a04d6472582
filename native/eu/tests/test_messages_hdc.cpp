// Loads and stores of the data cache (dc0, dc1), with descriptors that compilers emit.
#include "eu/tests/message_bench.hpp"

namespace {

using namespace xesim::eu;
using namespace xesim::eu::test;

constexpr std::uint64_t kBase = 0x0000'7000'1000'0000;

void fill_with_counting_words(std::vector<std::byte>& bytes) {
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    write_memory<std::uint32_t>(bytes, i, 0x01000000u + static_cast<std::uint32_t>(i));
  }
}

void the_payload_block_read_adds_the_general_state_base() {
  Bench bench;
  bench.environment.state_base = kBase;
  auto& memory = bench.environment.allocate(kBase, 512).bytes;
  fill_with_counting_words(memory);
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 0x60);  // bytes, in the header's third dword
  EXPECT(bench.send(SharedFunction::Dc0, 0x022843FD, 0, 8, 0xFF).outcome == MessageOutcome::Done);
  EXPECT(std::memcmp(&bench.thread.grf[Bench::kResponse * kGrfBytes], memory.data() + 0x60, 64) ==
         0);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse + 2, 0), 0xEEEEEEEEu);
}

void one_oword_is_the_low_half_of_a_register() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 64).bytes;
  fill_with_counting_words(memory);
  bench.environment.binding_table = {.valid = true, .scratch = false, .base = kBase, .size = 64};
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 20);
  EXPECT(bench.send(SharedFunction::Dc0, 0x02184000, 0, 4, 0xF).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0x01000014u);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 3), 0x01000020u);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 4), 0xEEEEEEEEu);
  EXPECT_EQ(bench.environment.asked_index, 0);
}

void oword_block_writes_count_in_owords() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 512).bytes;
  bench.environment.binding_table = {.valid = true, .scratch = false, .base = kBase, .size = 512};
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 3);
  for (unsigned element = 0; element < 32; ++element) {
    bench.put<std::uint32_t>(Bench::kData, element, 0x40 + element);
  }
  EXPECT(bench.send(SharedFunction::Dc0, 0x020A0401, 4, 16, 0xFFFF).outcome ==
         MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 48), 0x40);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 48 + 124), 0x5F);
  EXPECT_EQ(bench.environment.asked_index, 1);
}

void a64_blocks_have_their_address_at_the_start_of_the_header() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 512).bytes;
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase + 16);
  for (unsigned element = 0; element < 8; ++element) {
    bench.put<std::uint32_t>(Bench::kData, element, 0x40 + element);
  }
  EXPECT(bench.send(SharedFunction::Dc1, 0x020D40FF, 1, 8, 0xFF).outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 16), 0x40);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 28), 0x43);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 32), 0);
  bench.instruction.destination = Bench::grf(Bench::kResponse);
  EXPECT(bench.send(SharedFunction::Dc1, 0x021D0AFF, 0, 8, 0xFF).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 3), 0x43);
}

void lanes_enable_the_dwords_of_a_block() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 512).bytes;
  fill_with_counting_words(memory);
  // Where the lanes that are not enabled would read there is no memory.
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase - 32);
  EXPECT(bench.send(SharedFunction::Dc1, 0x022D03FF, 0, 16, 0xFF00).outcome ==
         MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 7), 0xEEEEEEEEu);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 8), 0x01000000u);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 15), 0x0100001Cu);
  const auto fault = bench.send(SharedFunction::Dc1, 0x022D03FF, 0, 16, 0xFF80);
  EXPECT(fault.outcome == MessageOutcome::PageFault);
  EXPECT_EQ(fault.fault.lane, 7);
  bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase);
  for (unsigned element = 0; element < 16; ++element) {
    bench.put<std::uint32_t>(Bench::kData, element, 0x40 + element);
  }
  EXPECT(bench.send(SharedFunction::Dc1, 0x020D43FF, 2, 16, 0x00F0).outcome ==
         MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 12), 0x0100000Cu);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 16), 0x44);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 28), 0x47);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 32), 0x01000020u);
}

void a64_dword_gathers_have_a_register_block_per_element() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 512).bytes;
  fill_with_counting_words(memory);
  for (unsigned lane = 0; lane < 16; ++lane) {
    bench.put<std::uint64_t>(Bench::kAddresses, lane, kBase + 8 * lane);
  }
  EXPECT(bench.send(SharedFunction::Dc1, 0x084415FF, 0, 16, 0xFFFF).outcome ==
         MessageOutcome::Done);
  for (unsigned lane = 0; lane < 16; ++lane) {
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, lane), 0x01000000u + 8 * lane);
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse + 2, lane), 0x01000004u + 8 * lane);
  }
}

void a64_byte_scatters_write_the_low_part_of_each_dword() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 64).bytes;
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint64_t>(Bench::kAddresses, lane, kBase + lane);
    bench.put<std::uint32_t>(Bench::kData, lane, 0xABCDEF00u + lane);
  }
  EXPECT(bench.send(SharedFunction::Dc1, 0x040680FF, 1, 8, 0xFF).outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint64_t>(memory, 0), 0x0706050403020100u);
}

void byte_gathers_read_shared_local_memory() {
  Bench bench;
  write_memory<std::uint32_t>(bench.environment.slm, 13, 0xCAFEBABE);
  bench.put<std::uint32_t>(Bench::kAddresses, 0, 13);
  EXPECT(bench.send(SharedFunction::Dc0, 0x021108FE, 0, 1, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0xCAFEBABEu);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 1), 0xEEEEEEEEu);
}

void dword_scatters_count_in_dwords() {
  Bench bench;
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 5);
  bench.put<std::uint32_t>(Bench::kData, 2, 0x1234);
  EXPECT(bench.send(SharedFunction::Dc0, 0x0202C2FE, 1, 8, 0b100).outcome == MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(bench.environment.slm, 20), 0x1234);
}

// As a logical shift leaves the negative offsets before a surface, and lanes count on from there.
void offsets_in_units_wrap_around_in_bytes() {
  constexpr std::uint32_t kOneRegister = 1u << 25;
  for (const unsigned shift : {2u, 3u}) {
    Bench bench;
    auto& memory = bench.environment.allocate(kBase, 512).bytes;
    fill_with_counting_words(memory);
    bench.environment.binding_table = {.valid = true, .scratch = false, .base = kBase, .size = 512};
    for (unsigned lane = 0; lane < 8; ++lane) {
      bench.put<std::uint32_t>(Bench::kAddresses, lane, (0xFFFFFFF8u >> shift) + lane);
    }
    const std::uint32_t gather = shift == 2 ? 0x03u << 14 | 1u << 20 : 0x05u << 14 | 2u << 20;
    EXPECT(bench.send(SharedFunction::Dc0, kOneRegister | gather, 0, 8, 0xFF).outcome ==
           MessageOutcome::Done);
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0);  // out of bounds
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 2), 0x01000000u);
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 7), 0x01000014u);
  }
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 512).bytes;
  bench.environment.binding_table = {.valid = true, .scratch = false, .base = kBase, .size = 512};
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 0xF000'0003);
  bench.put<std::uint32_t>(Bench::kData, 0, 0x40);
  EXPECT(bench.send(SharedFunction::Dc0, 0x020A0401, 4, 16, 0xFFFF).outcome ==
         MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(memory, 48), 0x40);
}

void untyped_surface_masks_disable_components() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 512).bytes;
  fill_with_counting_words(memory);
  bench.environment.binding_table = {.valid = true, .scratch = false, .base = kBase, .size = 512};
  for (unsigned lane = 0; lane < 16; ++lane) {
    bench.put<std::uint32_t>(Bench::kAddresses, lane, 16 * lane);
  }
  EXPECT(bench.send(SharedFunction::Dc1, 0x04405A00, 0, 16, 0xFFFF).outcome ==
         MessageOutcome::Done);  // x and z
  for (unsigned lane = 0; lane < 16; ++lane) {
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, lane), 0x01000000u + 16 * lane);
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse + 2, lane), 0x01000008u + 16 * lane);
  }
}

void bindless_messages_take_their_surface_from_the_extended_descriptor() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 64).bytes;
  fill_with_counting_words(memory);
  bench.environment.bindless = {.valid = true, .scratch = false, .base = kBase, .size = 64};
  bench.instruction.send.extended_descriptor_in_register = true;
  bench.instruction.send.extended_bindless_offset = true;
  bench.thread.address[0] = 0x1240;
  bench.put<std::uint32_t>(Bench::kAddresses, 0, 12);
  EXPECT(bench.send(SharedFunction::Dc1, 0x02106EFC, 0, 8, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0x0100000Cu);
  EXPECT_EQ(bench.environment.asked_surface, 0x1240);

  bench.instruction.send.extended_bindless_offset = false;
  bench.thread.address[0] = 0x9000;  // unit 9 of 64 bytes
  EXPECT(bench.send(SharedFunction::Dc1, 0x02106EFC, 0, 8, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.environment.asked_surface, 9 * 64);
}

void a_header_precedes_the_addresses() {
  Bench bench;
  write_memory<std::uint32_t>(bench.environment.slm, 24, 0x99);
  bench.put<std::uint32_t>(Bench::kAddresses + 1, 0, 24);
  EXPECT(bench.send(SharedFunction::Dc1, 0x04186EFE, 0, 8, 1).outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0x99);
}

void scratch_blocks_count_in_registers() {
  Bench bench;
  for (unsigned element = 0; element < 16; ++element) {
    bench.put<std::uint32_t>(Bench::kData, element, 0x70 + element);
  }
  EXPECT(bench.send(SharedFunction::Dc0, 0x020E1003 | 1u << 18, 2, 8, 0xFF).outcome ==
         MessageOutcome::Done);
  EXPECT_EQ(read_memory<std::uint32_t>(bench.environment.scratch, 96), 0x70);
  EXPECT_EQ(read_memory<std::uint32_t>(bench.environment.scratch, 96 + 60), 0x7F);
}

// Fields of the descriptors below: header, type, kind of block and its size.
constexpr std::uint32_t kHeader = 1u << 25 | 1u << 19;

void a64_blocks_of_owords_and_hwords_take_their_address_as_it_is() {
  constexpr std::uint32_t kReadA64 = kHeader | 0x14u << 14 | 0xFF;
  constexpr std::uint32_t kWriteA64 = kHeader | 0x15u << 14 | 0xFF;
  constexpr std::uint32_t kAligned = 0, kUnaligned = 1u << 11, kHwords = 3u << 11;
  struct Block {
    std::uint32_t kind;
    std::uint32_t size;  // the code in the descriptor
    unsigned bytes;
    unsigned offset;  // of the address
  };
  for (const Block& block : {Block{kUnaligned, 2u << 8, 32, 4}, Block{kAligned, 3u << 8, 64, 16},
                             Block{kHwords, 1u << 8, 64, 4}}) {
    const unsigned registers = block.bytes / kGrfBytes;
    Bench bench;
    auto& memory = bench.environment.allocate(kBase, 512).bytes;
    fill_with_counting_words(memory);
    bench.put<std::uint64_t>(Bench::kAddresses, 0, kBase + block.offset);
    EXPECT(bench.send(SharedFunction::Dc1, kReadA64 | registers << 20 | block.kind | block.size, 0,
                      8, 0xFF)
               .outcome == MessageOutcome::Done);
    EXPECT(std::memcmp(&bench.thread.grf[Bench::kResponse * kGrfBytes],
                       memory.data() + block.offset, block.bytes) == 0);
    EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse + registers, 0), 0xEEEEEEEEu);
    for (unsigned element = 0; element < block.bytes / 4; ++element) {
      bench.put<std::uint32_t>(Bench::kData, element, 0x40 + element);
    }
    EXPECT(bench.send(SharedFunction::Dc1, kWriteA64 | block.kind | block.size, registers, 8, 0xFF)
               .outcome == MessageOutcome::Done);
    EXPECT_EQ(read_memory<std::uint32_t>(memory, block.offset), 0x40);
    EXPECT_EQ(read_memory<std::uint32_t>(memory, block.offset + block.bytes - 4),
              0x40 + block.bytes / 4 - 1);
    EXPECT_EQ(read_memory<std::uint32_t>(memory, block.offset + block.bytes),
              0x01000000u + block.offset + block.bytes);
  }
}

void hword_aligned_blocks_read_registers_from_a_byte_offset() {
  Bench bench;
  auto& memory = bench.environment.allocate(kBase, 512).bytes;
  fill_with_counting_words(memory);
  bench.environment.binding_table = {.valid = true, .scratch = false, .base = kBase, .size = 512};
  bench.put<std::uint32_t>(Bench::kAddresses, 2, 36);
  EXPECT(bench.send(SharedFunction::Dc0, kHeader | 0x01u << 14 | 1u << 13 | 1u << 8 | 2u << 20, 0,
                    8, 0xFF)
             .outcome == MessageOutcome::Done);
  EXPECT(std::memcmp(&bench.thread.grf[Bench::kResponse * kGrfBytes], memory.data() + 36, 64) ==
         0);
}

void dwords_and_qwords_are_gathered_in_units_of_themselves() {
  Bench bench;
  fill_with_counting_words(bench.environment.slm);
  for (unsigned lane = 0; lane < 8; ++lane) {
    bench.put<std::uint32_t>(Bench::kAddresses, lane, 8 - lane);
  }
  constexpr std::uint32_t kOneRegister = 1u << 25 | 0xFE;
  EXPECT(bench.send(SharedFunction::Dc0, kOneRegister | 0x03u << 14 | 1u << 20, 0, 8, 0x81)
             .outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0x01000000u + 32);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 1), 0xEEEEEEEEu);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 7), 0x01000000u + 4);
  bench.instruction.destination = Bench::grf(Bench::kResponse);
  EXPECT(bench.send(SharedFunction::Dc0, kOneRegister | 0x05u << 14 | 2u << 20, 0, 8, 0x81)
             .outcome == MessageOutcome::Done);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 0), 0x01000000u + 64);
  EXPECT_EQ(bench.get<std::uint32_t>(Bench::kResponse, 15), 0x01000000u + 12);
}

void what_is_not_implemented_is_named() {
  Bench bench;
  const auto typed = bench.send(SharedFunction::Dc1, 0x02035002, 5, 8, 0xFF);
  EXPECT(typed.outcome == MessageOutcome::Unsupported);
  EXPECT(typed.report.find("typed surface write with xyzw (desc 0x02035002") != std::string::npos);
  const auto sampler = bench.send(SharedFunction::Sampler, 0x0485A000, 0, 8, 0xFF);
  EXPECT(sampler.outcome == MessageOutcome::Unsupported);
}

}  // namespace

int main() {
  return run_tests({
      {"a64_block_kinds", a64_blocks_of_owords_and_hwords_take_their_address_as_it_is},
      {"hword_block", hword_aligned_blocks_read_registers_from_a_byte_offset},
      {"gathers", dwords_and_qwords_are_gathered_in_units_of_themselves},
      {"payload", the_payload_block_read_adds_the_general_state_base},
      {"one_oword", one_oword_is_the_low_half_of_a_register},
      {"oword_write", oword_block_writes_count_in_owords},
      {"unit_wrap", offsets_in_units_wrap_around_in_bytes},
      {"a64_block", a64_blocks_have_their_address_at_the_start_of_the_header},
      {"block_lanes", lanes_enable_the_dwords_of_a_block},
      {"a64_gather", a64_dword_gathers_have_a_register_block_per_element},
      {"a64_bytes", a64_byte_scatters_write_the_low_part_of_each_dword},
      {"slm_bytes", byte_gathers_read_shared_local_memory},
      {"dwords", dword_scatters_count_in_dwords},
      {"untyped", untyped_surface_masks_disable_components},
      {"bindless", bindless_messages_take_their_surface_from_the_extended_descriptor},
      {"header", a_header_precedes_the_addresses},
      {"scratch", scratch_blocks_count_in_registers},
      {"unsupported", what_is_not_implemented_is_named},
  });
}
