// What the execution unit works out once for each decoded instruction: which routine executes it,
// where in the thread state its operands lie, and which routines read and write them.
//
// Plain data, so that it can live inside the instruction and be copied with it. An instruction
// that was never executed has no handler.
#pragma once

#include <cstdint>

#include "eu/isa/data_message.hpp"

namespace xesim::eu {

struct ExecutionContext;
struct Instruction;
struct Operand;
struct SourcePlan;

// What the run loop does after an instruction.
enum class Step : std::uint8_t {
  Next,         // go on with the following instruction
  Watched,      // likewise, after a stop: it accessed what is watched
  Jumped,       // the handler has set the ip
  Blocked,      // not executed: it waits for a barrier
  Synchronises, // not executed: the run ends before what synchronises threads
  EndOfThread,
  PageFault,    // nothing was written; the context holds the fault
  Illegal,      // nothing was written; the context holds the report
};

// Where the elements of a source operand are.
enum class SourceAccess : std::uint8_t {
  Immediate,        // one value, in the instruction
  PackedImmediate,  // :v, :uv, :vf
  Scalar,           // one element for all lanes
  Contiguous,       // element n at n * size
  Strided,          // element n at n * stride
  Region,           // <vertical; width, horizontal> that is none of these
  Indirect,         // through address registers
  Computed,         // not stored anywhere: ce, ip, the timestamp, null
};

enum class SourceModifier : std::uint8_t {
  None, Negate, Absolute, NegateAbsolute, Complement,
};

// Reads `lanes` elements into an array of the lane type that the routine was chosen for.
using SourceLoader = void (*)(ExecutionContext&, const Operand&, const SourcePlan&, unsigned lanes,
                              void* out);

// Writes those of the instruction's lanes that the context's mask holds, converting from the lane
// type that the routine was chosen for. False, with a report and nothing written, if it cannot.
using DestinationStorer = bool (*)(ExecutionContext&, const Instruction&, const void* values);

using Handler = Step (*)(ExecutionContext&, const Instruction&);

struct SourcePlan {
  SourceLoader load = nullptr;
  std::uint32_t position = 0;   // bytes from the start of ThreadState
  // Between lanes: bytes (Strided), elements (PackedImmediate). Bytes of a number (Scalar, Immediate).
  std::uint16_t stride = 0;
  SourceAccess access = SourceAccess::Scalar;
  SourceModifier modifier = SourceModifier::None;
};

// What has to follow a write, besides the bytes themselves.
enum class DestinationEffect : std::uint8_t {
  None, Accumulator, Control, State,
};

struct DestinationPlan {
  DestinationStorer store = nullptr;
  std::uint32_t position = 0;   // bytes from the start of ThreadState
  std::uint16_t stride = 0;     // bytes between lanes
  bool indirect = false;
  DestinationEffect effect = DestinationEffect::None;
};

// Executes a message whose memory is in a cached window. False: nothing was done.
using DirectTransfer = bool (*)(ExecutionContext&, const Instruction&);

// What a send asked for when it was last executed. It asks for the same as long as its descriptors,
// which may come from a0, are the same.
struct MessagePlan {
  bool decoded = false;                 // the rest says something
  std::uint32_t descriptor = 0;
  std::uint32_t extended = 0;
  std::uint32_t source1_length = 0;     // GRFs
  DataMessage data;                     // if the message is one to a data port
  DirectTransfer direct = nullptr;      // for the commonest ones; what follows is for it
  std::uint8_t components = 0;          // of a lane
  std::uint16_t extent = 0;             // bytes of a lane in memory
  std::uint16_t block_bytes = 0;        // of one component of all lanes in the registers
};

// In the order of use, with what a skipped instruction needs in front.
struct ExecutionPlan {
  Handler handler = nullptr;
  std::uint16_t registers = 0;          // one more than the highest GRF that is accessed directly
  std::uint8_t flag_shift = 0;          // bit of the flag register that belongs to the first lane
  bool always_called = false;           // called even if no lane is enabled (branches, messages)
  bool predicate_selects = false;       // sel: the predicate chooses a source instead of lanes
  DestinationPlan destination;
  SourcePlan source[3];
  Handler general = nullptr;            // of a handler on whole registers: for what that leaves out
  const char* problem = nullptr;        // why it cannot be executed; a string literal
  MessagePlan message;
};

}  // namespace xesim::eu
