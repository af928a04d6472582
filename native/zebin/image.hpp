// A native module (zebin): ELF sections, symbols, relocations and what .ze_info says of kernels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace xesim::zebin {

struct Elf;

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
  std::uint32_t local_id_size = 0;     // bytes of local ids per hardware thread
  std::uint32_t cross_thread_size = 0; // bytes, rounded up to whole registers
  std::uint32_t per_thread_size = 0;   // bytes
  std::array<std::uint32_t, 3> required_group_size{0, 0, 0};
  std::array<std::uint8_t, 3> walk_order{0, 1, 2};   // dimensions, that of neighbouring lanes first
  std::vector<PayloadArgument> arguments;
  std::vector<ThreadMemoryBuffer> memory_buffers;
  std::vector<InlineSampler> inline_samplers;
  std::uint32_t argument_count = 0;    // kernel arguments: 1 + the largest index
  std::vector<std::string> argument_type_names;  // from kernels_misc_info; may be empty
};

struct Section {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t offset = 0;   // in the file
  std::uint64_t size = 0;
};

// The variables that start as zero, `.bss.X`, lie right after those with values, `.data.X`, of the
// same kind: code reaches both through one base. Gives the section in front of section `index`, or
// nothing when that is no such section or lies alone.
[[nodiscard]] std::optional<std::uint32_t> section_in_front(const std::vector<Section>& sections,
                                                            std::uint32_t index);

// Whether a section called so is a segment of the image that debuggers get. Texts, which are the
// host's, are none; nor is what starts as zero, of the segment in front of it.
[[nodiscard]] bool is_segment(std::string_view section_name);

// Where sections were placed: ELF section index to global address.
using Placement = std::map<std::uint32_t, std::uint64_t>;

// Where a module's variables of a kind, "const" or "global", begin: what its code reaches all of them
// from. Those with values, `.data.KIND`, come first, and without such those that start as zero,
// `.bss.KIND`; 0 without any.
[[nodiscard]] std::uint64_t variables_address(const std::vector<Section>& sections,
                                              const Placement& placement, std::string_view kind);

// Functions and variables by name, at global addresses: what modules give to each other.
using Exports = std::map<std::string, std::uint64_t, std::less<>>;

class Image {
 public:
  // Checks everything that it keeps; the error is one line that names what is wrong and where.
  static std::variant<Image, std::string> parse(std::span<const std::byte> file);

  [[nodiscard]] std::uint32_t product_family() const;     // note 1; 0 when absent
  [[nodiscard]] std::uint32_t ip_version() const;         // note 6; 0 when absent
  [[nodiscard]] const std::vector<Section>& sections() const;
  [[nodiscard]] const std::vector<Kernel>& kernels() const;
  [[nodiscard]] std::span<const std::byte> section_bytes(std::uint32_t index) const;
  [[nodiscard]] std::span<const std::byte> file() const;

  // What code and data refer to but other modules define, in the order of the names.
  [[nodiscard]] std::vector<std::string> imports() const;
  // What other modules may refer to, where `placement` puts it.
  [[nodiscard]] Exports exports(const Placement& placement) const;

  // The bytes of section `index` with its relocations applied for `placement` and for the imports
  // that `others` define; the error names the symbol that could not be resolved.
  [[nodiscard]] std::variant<std::vector<std::byte>, std::string> relocated(
      std::uint32_t index, const Placement& placement, const Exports& others = {}) const;

  // The ELF that MODULE_LOAD announces: ET_EXEC, section addresses and program headers for
  // `placement` (with `allocated` bytes each), symbols and sections relocated as far as the module
  // itself defines what they refer to.
  [[nodiscard]] std::vector<std::byte> debug_image(
      const Placement& placement, const std::map<std::uint32_t, std::uint64_t>& allocated) const;

 private:
  std::vector<std::byte> file_;
  std::shared_ptr<const Elf> elf_;
  std::vector<Section> sections_;
  std::vector<Kernel> kernels_;
  std::uint32_t product_family_ = 0;
  std::uint32_t ip_version_ = 0;
};

}  // namespace xesim::zebin
