// Two-dimensional blocks: where elements lie in registers, edges of the matrix, refusals.
#include "eu/tests/message_bench.hpp"

namespace {

using namespace xesim::eu;
using namespace xesim::eu::test;

constexpr std::uint64_t kBase = 0x0000'7000'1000'0000;
constexpr unsigned kWidth = 128, kHeight = 40, kPitch = 192;  // bytes, rows, bytes
constexpr std::uint32_t kTransformed = 1u << 7, kTransposed = 1u << 15;
constexpr std::uint32_t load(unsigned log2_bytes, unsigned response) {
  return 0x03 | log2_bytes << 9 | 1u << 25 | response << 20;
}
constexpr std::uint32_t kStoreWords = 0x07 | 1u << 9 | 1u << 25;

struct Shape {
  int x, y;                          // elements, rows
  unsigned columns, rows, blocks;
};

// A matrix whose byte i of row r is a function of both.
std::uint8_t byte_at(unsigned row, unsigned byte) {
  return static_cast<std::uint8_t>(row * 37 + byte * 5 + 1);
}

struct MatrixBench : Bench {
  MatrixBench() {
    auto& bytes = environment.allocate(kBase, kPitch * kHeight).bytes;
    memory = &bytes;
    for (unsigned row = 0; row < kHeight; ++row) {
      for (unsigned byte = 0; byte < kPitch; ++byte) {
        bytes[row * kPitch + byte] = static_cast<std::byte>(byte_at(row, byte));
      }
    }
  }

  // Of the matrix, as a message says it.
  std::uint32_t width = kWidth;
  std::uint32_t height = kHeight;
  std::uint32_t pitch = kPitch;

  void describe(const Shape& shape) {
    const std::uint32_t dwords[8] = {
        static_cast<std::uint32_t>(kBase),
        static_cast<std::uint32_t>(kBase >> 32),
        width - 1,
        height - 1,
        pitch - 1,
        static_cast<std::uint32_t>(shape.x),
        static_cast<std::uint32_t>(shape.y),
        (shape.columns - 1) | (shape.rows - 1) << 8 | (shape.blocks - 1) << 16};
    std::memcpy(&thread.grf[Bench::kAddresses * 64], dwords, sizeof dwords);
  }

  MessageResult transfer(std::uint32_t descriptor, const Shape& shape, unsigned source1 = 0) {
    describe(shape);
    instruction.execution_size = 1;
    instruction.send.function = SharedFunction::Ugm;
    instruction.send.descriptor = descriptor;
    instruction.send.source1_length = static_cast<std::uint8_t>(source1);
    instruction.source[1] = source1 != 0 ? grf(Bench::kData) : Operand{};
    instruction.destination = source1 != 0 ? Operand{} : grf(Bench::kResponse);
    return execute_send(Platform::XeHpc, thread, instruction, 1, environment, windows,
                        observed ? &observer : nullptr);
  }

  [[nodiscard]] unsigned response_byte(unsigned offset) const {
    return static_cast<unsigned>(thread.grf[Bench::kResponse * 64 + offset]);
  }

  std::vector<std::byte>* memory = nullptr;
};

// What element `byte` of the matrix element at (row, column) is; 0 outside.
unsigned expected(const Shape& shape, unsigned size, unsigned block, unsigned row, unsigned column,
                  unsigned byte) {
  const int y = shape.y + static_cast<int>(row);
  const int x = (shape.x + static_cast<int>(block * shape.columns + column)) *
                static_cast<int>(size);
  const bool inside = y >= 0 && y < static_cast<int>(kHeight) && x >= 0 &&
                      x + static_cast<int>(size) <= static_cast<int>(kWidth);
  return inside ? byte_at(static_cast<unsigned>(y), static_cast<unsigned>(x) + byte) : 0;
}

void rows_follow_each_other_and_blocks_begin_registers() {
  MatrixBench bench;
  const Shape shape{3, 2, 16, 8, 2};
  EXPECT(bench.transfer(load(1, 8), shape).outcome == MessageOutcome::Done);
  for (unsigned block = 0; block < 2; ++block)
    for (unsigned row = 0; row < 8; ++row)
      for (unsigned column = 0; column < 16; ++column)
        for (unsigned byte = 0; byte < 2; ++byte)
          EXPECT_EQ(bench.response_byte(block * 256 + row * 32 + column * 2 + byte),
                    expected(shape, 2, block, row, column, byte));
}

void rows_are_padded_to_a_power_of_two() {
  MatrixBench bench;
  const Shape shape{0, 0, 12, 4, 1};
  EXPECT(bench.transfer(load(2, 4), shape).outcome == MessageOutcome::Done);
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned column = 0; column < 16; ++column)
      EXPECT_EQ(bench.response_byte(row * 64 + column * 4),
                column < 12 ? expected(shape, 4, 0, row, column, 0) : 0);
}

void outside_the_matrix_is_zero() {
  for (const Shape shape : {Shape{-5, -3, 16, 8, 1}, Shape{60, 36, 16, 8, 1},
                            Shape{-16, 0, 16, 8, 1}, Shape{0, 100, 16, 8, 1}}) {
    MatrixBench bench;
    EXPECT(bench.transfer(load(1, 4), shape).outcome == MessageOutcome::Done);
    for (unsigned row = 0; row < 8; ++row)
      for (unsigned column = 0; column < 16; ++column)
        EXPECT_EQ(bench.response_byte(row * 32 + column * 2),
                  expected(shape, 2, 0, row, column, 0));
  }
}

void a_transformed_block_pairs_rows() {
  MatrixBench bench;
  const Shape words{8, 1, 16, 16, 1};
  EXPECT(bench.transfer(load(1, 8) | kTransformed, words).outcome == MessageOutcome::Done);
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < 16; ++column)
      EXPECT_EQ(bench.response_byte(row / 2 * 64 + column * 4 + row % 2 * 2),
                expected(words, 2, 0, row, column, 0));
  const Shape bytes{4, 1, 16, 32, 1};
  EXPECT(bench.transfer(load(0, 8) | kTransformed, bytes).outcome == MessageOutcome::Done);
  for (unsigned row = 0; row < 32; ++row)
    for (unsigned column = 0; column < 16; ++column)
      EXPECT_EQ(bench.response_byte(row / 4 * 64 + column * 4 + row % 4),
                expected(bytes, 1, 0, row, column, 0));
}

void a_transposed_block_holds_columns() {
  MatrixBench bench;
  const Shape shape{2, 3, 8, 16, 1};
  EXPECT(bench.transfer(load(2, 8) | kTransposed, shape).outcome == MessageOutcome::Done);
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < 8; ++column)
      for (unsigned byte = 0; byte < 4; ++byte)
        EXPECT_EQ(bench.response_byte(column * 64 + row * 4 + byte),
                  expected(shape, 4, 0, row, column, byte));
}

void a_store_keeps_what_is_outside() {
  MatrixBench bench;
  bench.observed = true;
  std::memset(&bench.thread.grf[Bench::kData * 64], 0xAB, 4 * 64);
  const Shape shape{60, 36, 16, 8, 1};
  EXPECT(bench.transfer(kStoreWords, shape, 4).outcome == MessageOutcome::Done);
  for (unsigned row = 0; row < kHeight; ++row)
    for (unsigned byte = 0; byte < kPitch; ++byte) {
      const bool stored = row >= 36 && byte >= 120 && byte < kWidth;
      EXPECT_EQ((*bench.memory)[row * kPitch + byte],
                static_cast<std::byte>(stored ? 0xAB : byte_at(row, byte)));
    }
  EXPECT_EQ(bench.observer.accesses.size(), 4);  // one for each row inside
  EXPECT_EQ(bench.observer.accesses.at(0).size, 8);
}

void a_block_beyond_all_memory_faults_and_writes_nothing() {
  MatrixBench bench;
  bench.memory->resize(kPitch * 5);
  const auto result = bench.transfer(load(1, 4), {0, 0, 16, 8, 1});
  EXPECT(result.outcome == MessageOutcome::PageFault);
  EXPECT_EQ(result.fault.address, kBase + kPitch * 5);
  EXPECT_EQ(bench.response_byte(0), 0xEE);
}

void what_the_hardware_forbids_is_refused() {
  MatrixBench bench;
  const auto refused = [&](std::uint32_t descriptor, const Shape& shape, unsigned source1 = 0) {
    return bench.transfer(descriptor, shape, source1).outcome == MessageOutcome::Unsupported;
  };
  EXPECT(refused(load(1, 3), {0, 0, 16, 8, 1}));                // response too short
  EXPECT(refused(load(1, 16), {0, 0, 64, 8, 1}));               // rows of 128 bytes
  EXPECT(refused(load(1, 16), {0, 0, 16, 40, 1}));              // 40 rows
  EXPECT(refused(kStoreWords, {0, 0, 16, 16, 1}, 8));           // more than 8 rows
  EXPECT(refused(kStoreWords | kTransposed, {0, 0, 16, 8, 1}, 4));
  EXPECT(refused(load(1, 8) | kTransposed, {0, 0, 16, 16, 1}));  // words are not transposed
  EXPECT(refused(load(2, 8) | kTransformed, {0, 0, 8, 16, 1}));  // dwords are not transformed
}

// As oneMKL's kernels for small matrices send them.
void a_narrow_matrix_is_taken() {
  MatrixBench bench;
  bench.width = 16;
  bench.height = 1;
  bench.pitch = 8;
  const Shape shape{0, 0, 8, 2, 1};
  EXPECT(bench.transfer(load(2, 1), shape).outcome == MessageOutcome::Done);
  for (unsigned column = 0; column < 8; ++column)
    EXPECT_EQ(bench.response_byte(column * 4),
              column < 4 ? expected(shape, 4, 0, 0, column, 0) : 0);
}

// Two rows of two doubles, 32 bytes after a multiple of 64: those are part of each row's width.
void a_matrix_between_multiples_of_64_bytes_is_taken() {
  MatrixBench bench;
  bench.width = 48;
  bench.height = 2;
  bench.pitch = 16;
  const Shape shape{4, 0, 8, 8, 1};
  EXPECT(bench.transfer(load(3, 8), shape).outcome == MessageOutcome::Done);
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column)
      for (unsigned byte = 0; byte < 8; ++byte)
        EXPECT_EQ(bench.response_byte(row * 64 + column * 8 + byte),
                  row < 2 && column < 2 ? byte_at(0, row * 16 + (4 + column) * 8 + byte) : 0);
}

void a_pitch_is_a_number_of_dwords() {
  MatrixBench bench;
  bench.width = 20;
  bench.height = 3;
  bench.pitch = 20;
  const Shape shape{0, 0, 8, 4, 1};
  EXPECT(bench.transfer(load(2, 2), shape).outcome == MessageOutcome::Done);
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned column = 0; column < 8; ++column)
      EXPECT_EQ(bench.response_byte(row * 32 + column * 4),
                row < 3 && column < 5 ? byte_at(0, row * 20 + column * 4) : 0);
  bench.pitch = 22;
  EXPECT(bench.transfer(load(2, 2), shape).outcome == MessageOutcome::Unsupported);
}

}  // namespace

int main() {
  return run_tests({
      {"rows", rows_follow_each_other_and_blocks_begin_registers},
      {"padding", rows_are_padded_to_a_power_of_two},
      {"outside", outside_the_matrix_is_zero},
      {"transformed", a_transformed_block_pairs_rows},
      {"transposed", a_transposed_block_holds_columns},
      {"store", a_store_keeps_what_is_outside},
      {"fault", a_block_beyond_all_memory_faults_and_writes_nothing},
      {"narrow", a_narrow_matrix_is_taken},
      {"between", a_matrix_between_multiples_of_64_bytes_is_taken},
      {"pitch", a_pitch_is_a_number_of_dwords},
      {"refusals", what_the_hardware_forbids_is_refused},
  });
}
