// Two-dimensional blocks: a rectangle of a matrix in global memory to registers and back.
//
// Layout of payload and registers: public facts in the documents of Intel's graphics compiler
// (vISA, untyped 2D block messages) and of cl_intel_subgroup_2d_block_io.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "eu/messages/context.hpp"
#include "eu/messages/lsc_encoding.hpp"

namespace xesim::eu {
namespace {

// The address payload, dword by dword.
struct Matrix {
  std::uint64_t base = 0;     // global address of the first row
  std::uint32_t width = 0;    // bytes of a row
  std::uint32_t height = 0;   // rows
  std::uint32_t pitch = 0;    // bytes from row to row
  std::int64_t x = 0;         // of the first block's corner, in elements; may be outside
  std::int64_t y = 0;
  unsigned columns = 0;       // elements of a block's row
  unsigned rows = 0;
  unsigned blocks = 0;        // beside each other
};

Matrix read_matrix(const MessageContext& context, const DataMessage& message) {
  std::array<std::uint32_t, lsc::kMatrixDwords> payload{};
  std::memcpy(payload.data(), context.source0(), sizeof payload);
  return {
      .base = std::uint64_t{lsc::kMatrixBaseHigh.of(payload)} << 32 | lsc::kMatrixBaseLow.of(payload),
      .width = lsc::kMatrixWidth.of(payload) + 1,
      .height = lsc::kMatrixHeight.of(payload) + 1,
      .pitch = lsc::kMatrixPitch.of(payload) + 1,
      .x = std::int64_t{lsc::kMatrixX.signed_of(payload)} + message.block2d.x_offset,
      .y = std::int64_t{lsc::kMatrixY.signed_of(payload)} + message.block2d.y_offset,
      .columns = lsc::kMatrixColumns.of(payload) + 1,
      .rows = lsc::kMatrixRows.of(payload) + 1,
      .blocks = lsc::kMatrixBlocks.of(payload) + 1,
  };
}

// Where the elements of a block lie in the registers.
struct Placement {
  std::uint32_t row_bytes = 0;    // of a row of registers' data: a power of two elements
  std::uint32_t block_bytes = 0;  // whole registers
};

Placement placement(Platform platform, const DataMessage& message, const Matrix& matrix) {
  Placement out;
  unsigned rows = matrix.rows;
  unsigned unit = message.memory_bytes;
  unsigned columns = matrix.columns;
  if (message.block2d.transposed) {
    std::swap(rows, columns);
  } else if (message.block2d.transformed) {
    unit = sizeof(std::uint32_t);
    const unsigned together = unit / message.memory_bytes;
    rows = (rows + together - 1) / together;
  }
  out.row_bytes = std::bit_ceil(columns) * unit;
  const unsigned grf = grf_bytes(platform);
  out.block_bytes = (rows * out.row_bytes + grf - 1) / grf * grf;
  return out;
}

// Byte offset in the block's registers of the element in `row`, `column`.
std::uint32_t position(const DataMessage& message, const Placement& place, unsigned row,
                       unsigned column) {
  if (message.block2d.transposed) {
    return column * place.row_bytes + row * message.memory_bytes;
  }
  if (message.block2d.transformed) {
    const unsigned together = sizeof(std::uint32_t) / message.memory_bytes;
    return row / together * place.row_bytes + column * sizeof(std::uint32_t) +
           row % together * message.memory_bytes;
  }
  return row * place.row_bytes + column * message.memory_bytes;
}

// What the hardware demands of the matrix and of the block; null, or what is wrong.
const char* violation(const DataMessage& message, const Matrix& matrix) {
  const unsigned row_bytes = matrix.columns * message.memory_bytes;
  const bool store = message.operation == DataOperation::Store;
  const unsigned most_rows = store ? 8 : 32;
  if (matrix.base % 64 != 0) return "2D block: the matrix does not start at a multiple of 64 bytes";
  // The documents ask for 64 bytes at least, and for a pitch of no less than the width in multiples of 8
  // bytes. oneMKL's kernels for small matrices have narrower ones and pitches of any dwords; and to begin
  // at a multiple of 64 bytes they add what is before a matrix to its width, not to its pitch: rows
  // overlap then, and each is where its number says.
  if (matrix.width % 4 != 0) return "2D block: the matrix is not a multiple of 4 bytes wide";
  if (matrix.pitch % 4 != 0) return "2D block: the pitch is not a multiple of 4 bytes";
  if (row_bytes < 4 || row_bytes * matrix.blocks > 64) {
    return "2D block: its rows are not of 4 to 64 bytes";
  }
  if (matrix.rows > most_rows) return "2D block: it has too many rows";
  if (store && matrix.blocks != 1) return "2D block: several blocks are stored";
  if (message.block2d.transposed && matrix.blocks != 1) {
    return "2D block: several blocks are transposed";
  }
  if (message.block2d.transposed && row_bytes > 32) {
    return "2D block: transposed rows above 32 bytes";
  }
  return nullptr;
}

// Calls `visit(offset, position)` for every element inside the matrix: its offset in bytes from the
// matrix's base, and where it is in the registers.
template <typename Visitor>
void for_each_element(const DataMessage& message, const Matrix& matrix, const Placement& place,
                      Visitor visit) {
  const std::int64_t size = message.memory_bytes;
  for (unsigned block = 0; block < matrix.blocks; ++block) {
    for (unsigned row = 0; row < matrix.rows; ++row) {
      const std::int64_t y = matrix.y + row;
      if (y < 0 || y >= matrix.height) continue;
      for (unsigned column = 0; column < matrix.columns; ++column) {
        const std::int64_t x = (matrix.x + block * matrix.columns + column) * size;
        if (x < 0 || x + size > matrix.width) continue;
        visit(static_cast<std::uint64_t>(y) * matrix.pitch + static_cast<std::uint64_t>(x),
              block * place.block_bytes + position(message, place, row, column));
      }
    }
  }
}

// One observed access for each row of each block that is inside the matrix.
void notify_rows(const MessageContext& context, const DataMessage& message, const Matrix& matrix,
                 const Placement& place) {
  MemoryAccess run{.kind = message.operation == DataOperation::Store ? AccessKind::Write
                                                                      : AccessKind::Read,
                   .space = MemorySpace::Global,
                   .address = 0,
                   .size = 0,
                   .lane = 0};
  const auto flush = [&] {
    if (run.size != 0) context.observer->memory(context.thread, run);
  };
  for_each_element(message, matrix, place, [&](std::uint64_t offset, std::uint32_t) {
    const std::uint64_t address = matrix.base + offset;
    if (run.size == 0 || address != run.address + run.size) {
      flush();
      run.address = address;
      run.size = 0;
    }
    run.size += message.memory_bytes;
  });
  flush();
}

}  // namespace

MessageResult execute_block2d(const MessageContext& context, const DataMessage& message) {
  const bool write = message.operation == DataOperation::Store;
  // It belongs to the thread, as a transposed message does: one enabled lane is enough.
  if (context.slots == 0 || (!write && context.instruction.destination.is_null())) {
    return {};
  }
  const Matrix matrix = read_matrix(context, message);
  if (const char* const problem = violation(message, matrix)) {
    return unsupported(context.send, problem);
  }
  const Placement place = placement(context.platform, message, matrix);
  const std::uint32_t registers =
      place.block_bytes * matrix.blocks / grf_bytes(context.platform);
  // 32 registers are one more than the field of the response length can say.
  constexpr std::uint32_t kMostRegisters = 32;
  const std::uint32_t room = write ? context.data_length(message)
                             : context.send.response_length() == kMostRegisters - 1
                                 ? kMostRegisters
                                 : context.send.response_length();
  const Operand& data_operand = write ? context.instruction.source[1]
                                      : context.instruction.destination;
  if (registers > room || (write && context.source1_length == 0) ||
      data_operand.register_number + registers > register_count(context.thread)) {
    return unsupported(context.send, "register payload shorter than its data");
  }
  TargetMemory memory(message, context.environment, context.windows);
  MessageResult result;
  for_each_element(message, matrix, place, [&](std::uint64_t offset, std::uint32_t) {
    if (!result.fault.present) {
      memory.accessible(matrix.base + offset, message.memory_bytes, write, result.fault);
    }
  });
  if (result.fault.present) {
    result.outcome = MessageOutcome::PageFault;
    return result;
  }
  if (context.observer != nullptr) {
    notify_rows(context, message, matrix, place);
  }
  std::byte* const data = context.registers(data_operand);
  if (!write) {
    std::memset(data, 0, std::size_t{registers} * grf_bytes(context.platform));
  }
  for_each_element(message, matrix, place, [&](std::uint64_t offset, std::uint32_t at) {
    if (write) {
      memory.write(matrix.base + offset, data + at, message.memory_bytes);
    } else {
      memory.read(matrix.base + offset, data + at, message.memory_bytes);
    }
  });
  return result;
}

}  // namespace xesim::eu
