// A native module (zebin): ELF sections, symbols, relocations and what .ze_info says of kernels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace xesim::zebin {

struct Elf;

enum class ArgumentType : std::uint8_t {
  ByPointer, ByValue, BufferOffset, BufferAddress, BufferSize, GlobalIdOffset, GlobalSize, LocalSize,
  EnqueuedLocalSize, GroupCount, WorkDimensions, PrivateBase, PrintfBuffer, ConstantBase,
  GlobalBase, AssertBuffer, ImplicitArgBuffer, IndirectDataPointer, ScratchPointer, Other,
};
enum class AddressMode : std::uint8_t { None, Stateless, Stateful, Bindless, Slm };
enum class AddressSpace : std::uint8_t { None, Global, Local, Constant, Image, Sampler };

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

  [[nodiscard]] bool is_global_pointer() const {
    return type == ArgumentType::ByPointer &&
           (space == AddressSpace::Global || space == AddressSpace::Constant);
  }
  [[nodiscard]] bool is_local_pointer() const {
    return type == ArgumentType::ByPointer && mode == AddressMode::Slm;
  }
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
  bool has_local_ids = false;
  bool has_packed_local_ids = false;   // the SIMD1 form
  std::uint32_t local_id_size = 0;     // bytes of local ids per hardware thread
  std::uint32_t cross_thread_size = 0; // bytes, rounded up to whole registers
  std::uint32_t per_thread_size = 0;   // bytes
  std::array<std::uint32_t, 3> required_group_size{0, 0, 0};
  std::array<std::uint8_t, 3> walk_order{0, 1, 2};   // dimensions, that of neighbouring lanes first
  std::vector<PayloadArgument> arguments;
  std::vector<ThreadMemoryBuffer> memory_buffers;
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

// Where sections were placed: ELF section index to global address.
using Placement = std::map<std::uint32_t, std::uint64_t>;

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

  // The bytes of section `index` with its relocations applied for `placement`; the error names the
  // symbol that could not be resolved.
  [[nodiscard]] std::variant<std::vector<std::byte>, std::string> relocated(
      std::uint32_t index, const Placement& placement) const;

  // The ELF that MODULE_LOAD announces: ET_EXEC, section addresses and program headers for
  // `placement` (with `allocated` bytes each), symbols and debug sections relocated.
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
