// A kernel as .ze_info describes it: its arguments, their places in the payload, and what it needs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace xesim::zebin {

enum class ArgumentType : std::uint8_t {
  ByPointer, ByValue, BufferOffset, BufferAddress, BufferSize, GlobalIdOffset, GlobalSize, LocalSize,
  EnqueuedLocalSize, GroupCount, WorkDimensions, PrivateBase, PrintfBuffer, ConstantBase,
  GlobalBase, AssertBuffer, SyncBuffer, ImplicitArgBuffer, IndirectDataPointer,
  ScratchPointer,
  ImageWidth, ImageHeight, ImageDepth, ImageArraySize, ImageMipLevels, ImageSamples,
  ImageChannelDataType, ImageChannelOrder, ImageSrgbChannelOrder,
  SamplerAddress, SamplerNormalized, SamplerSnap, InlineSampler, Other,
};
enum class AddressMode : std::uint8_t { None, Stateless, Stateful, Bindless, Slm };
enum class AddressSpace : std::uint8_t { None, Global, Local, Constant, Image, Sampler };

// Kernels that make stack calls find these bytes of implicit arguments where r0.0 points to, in front
// of their cross-thread data; __INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0 stands for them in code.
inline constexpr std::uint32_t kImplicitArgumentBytes = 128;

struct PayloadArgument {
  ArgumentType type = ArgumentType::Other;
  std::string type_name;               // as written
  std::int32_t offset = -1;            // bytes in the cross-thread data; -1 if it has none
  std::int32_t size = 0;               // bytes
  std::int32_t index = -1;             // kernel argument
  std::int32_t source_offset = 0;      // bytes in the argument's value
  AddressMode mode = AddressMode::None;
  AddressSpace space = AddressSpace::None;
  std::int32_t slm_alignment = 16;
  std::int32_t binding_table_index = -1;  // stateful arguments
  std::int32_t sampler_index = -1;        // samplers: the entry in the kernel's table of them

  [[nodiscard]] bool is_global_pointer() const {
    return type == ArgumentType::ByPointer &&
           (space == AddressSpace::Global || space == AddressSpace::Constant);
  }
  [[nodiscard]] bool is_local_pointer() const {
    return type == ArgumentType::ByPointer && mode == AddressMode::Slm;
  }
};

// A sampler that is written in the program.
enum class SamplerAddressMode : std::uint8_t { None, Repeat, ClampEdge, ClampBorder, Mirror };
struct InlineSampler {
  std::uint32_t index = 0;             // as PayloadArgument::sampler_index
  SamplerAddressMode address = SamplerAddressMode::None;
  bool is_linear = false;
  bool is_normalized = false;
};

struct ThreadMemoryBuffer {
  std::string type;    // global, scratch, slm
  std::string usage;   // private_space, spill_fill_space, single_space
  std::int32_t size = 0;
  std::int32_t slot = 0;
  bool is_simt_thread = false;
};

struct Kernel {
  std::string name;
  std::uint32_t text_section = 0;      // ELF section index
  std::uint32_t simd_size = 8;
  std::uint32_t grf_count = 128;
  std::uint32_t barrier_count = 0;
  std::uint32_t slm_size = 0;
  std::uint32_t inline_data_size = 0;
  std::uint32_t skip_per_thread_load = 0;
  std::uint32_t skip_cross_thread_load = 0;
  std::uint32_t private_size = 0;      // bytes per hardware thread or lane: see ThreadMemoryBuffer
  std::uint32_t spill_size = 0;
  bool has_stack_calls = false;
  bool has_implicit_arguments = false; // in front of its cross-thread data
  bool has_local_ids = false;
  bool has_packed_local_ids = false;   // the SIMD1 form
  bool finds_local_ids = true;         // where the driver puts them in memory: Intel's compiler's do
  std::uint32_t local_id_size = 0;     // bytes of local ids per hardware thread
  std::uint32_t cross_thread_size = 0; // bytes, rounded up to whole registers
  std::uint32_t per_thread_size = 0;   // bytes
  std::array<std::uint32_t, 3> required_group_size{0, 0, 0};
  std::array<std::uint8_t, 3> walk_order{0, 1, 2};   // dimensions, that of neighbouring lanes first
  std::vector<PayloadArgument> arguments;
  std::vector<ThreadMemoryBuffer> memory_buffers;
  std::vector<InlineSampler> inline_samplers;
  std::uint32_t argument_count = 0;    // kernel arguments: 1 + the largest index
  std::string source_attributes;       // of its declaration, as OpenCL C writes them, a space between
  std::vector<std::string> argument_type_names;  // from kernels_misc_info; may be empty
};

}  // namespace xesim::zebin
