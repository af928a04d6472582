// Fills the payload, the memory and the surfaces of one launch.
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "device/launch_resources.hpp"
#include "device/payload_builder.hpp"

namespace xesim::device {

namespace {

using Kind = PayloadError::Kind;
using zebin::AddressMode;
using zebin::ArgumentType;

// Scratch space of a thread is a power of two, at least this.
constexpr std::uint32_t kLeastScratchBytes = 64;
constexpr std::uint32_t kMostScratchBytes = 256 * 1024;  // what the surface's pitch can say

// A buffer as surface-based messages reach it: `base + buffer_offset` is the argument's address.
struct SurfaceView {
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  std::uint32_t offset = 0;
};

}  // namespace

class PayloadBuilder::Assembly {
 public:
  Assembly(const PayloadBuilder& builder, const std::array<std::uint32_t, 3>& group_count)
      : builder_(builder),
        kernel_(builder.kernel_),
        resources_(std::make_shared<LaunchResources>(builder.device_)) {
    launch_.kernel_name = kernel_.name;
    launch_.code_address = builder.addresses_.code;
    launch_.skip_per_thread_load = kernel_.skip_per_thread_load;
    launch_.simd_width = kernel_.simd_size;
    launch_.grf_count = kernel_.grf_count;
    launch_.group_count = group_count;
    launch_.group_size = builder.group_size_;
    launch_.walk_order = kernel_.walk_order;
    launch_.inline_data_size = kernel_.inline_data_size;
    launch_.local_id_size = kernel_.per_thread_size;
    launch_.slm_size = kernel_.slm_size;
    launch_.barrier_count = kernel_.barrier_count;
    launch_.cross_thread_data.resize(kernel_.cross_thread_size);
    launch_.resources = resources_;
  }

  std::variant<KernelLaunch, PayloadError> run() {
    check();
    place_memory();
    for (const zebin::PayloadArgument& argument : kernel_.arguments) {
      if (!error_) {
        patch(argument);
      }
    }
    if (!error_ && launch_.slm_size > builder_.device_.topology().group_slm_bytes) {
      fail(Kind::OutOfMemory, std::to_string(launch_.slm_size) +
                                  " bytes of local memory, of " +
                                  std::to_string(builder_.device_.topology().group_slm_bytes) +
                                  " that a work-group may have");
    }
    if (error_) {
      return std::move(*error_);
    }
    return std::move(launch_);
  }

 private:
  void fail(Kind kind, const std::string& what) {
    if (!error_) {
      error_ = PayloadError{kind, "kernel " + kernel_.name + ": " + what};
    }
  }

  void check() {
    if (kernel_.has_packed_local_ids || kernel_.simd_size == 1) {
      fail(Kind::Unsupported, "SIMD1 kernels (packed local ids) are not supported");
    }
    for (const zebin::PayloadArgument& argument : kernel_.arguments) {
      if (argument.index >= 0 && !builder_.arguments_[static_cast<std::size_t>(argument.index)].set) {
        fail(Kind::ArgumentValue, "argument " + std::to_string(argument.index) + " is not set");
      }
    }
  }

  void place_memory() {
    const std::uint64_t threads = builder_.device_.topology().thread_count();
    for (const zebin::ThreadMemoryBuffer& buffer : kernel_.memory_buffers) {
      const auto size = static_cast<std::uint32_t>(buffer.size);
      if (size == 0 || error_) {
        continue;
      }
      if (buffer.type == "global") {
        const std::uint64_t lanes = buffer.is_simt_thread ? kernel_.simd_size : 1;
        const auto address = resources_->allocate(lanes * size * threads);
        if (!address) {
          fail(Kind::OutOfMemory, "no room for its private memory");
          return;
        }
        launch_.private_base = *address;
      } else if (buffer.type == "scratch" && buffer.slot == 0) {
        place_scratch(size, static_cast<std::uint32_t>(threads));
      } else {
        fail(Kind::Unsupported, "per-thread memory of type " + buffer.type + ", slot " +
                                    std::to_string(buffer.slot) + ", is not supported");
      }
    }
  }

  void place_scratch(std::uint32_t size, std::uint32_t threads) {
    if (size > kMostScratchBytes) {
      fail(Kind::Unsupported, std::to_string(size) + " bytes of scratch space for each thread, of " +
                                  std::to_string(kMostScratchBytes) + " that a surface can say");
      return;
    }
    launch_.scratch_size = std::bit_ceil(std::max(size, kLeastScratchBytes));
    const auto address = resources_->allocate(std::uint64_t{launch_.scratch_size} * threads);
    const auto surface =
        address ? resources_->add_surface(
                      scratch_surface_state(*address, launch_.scratch_size, threads))
                : std::nullopt;
    if (!surface) {
      fail(Kind::OutOfMemory, "no room for its scratch space");
      return;
    }
    launch_.scratch_base = *address;
    launch_.scratch_surface = *surface;
  }

  // Copies into the cross-thread data at most what the argument has room for.
  void put(const zebin::PayloadArgument& argument, const void* data, std::size_t size) {
    if (argument.offset >= 0) {
      std::memcpy(launch_.cross_thread_data.data() + argument.offset, data,
                  std::min(size, static_cast<std::size_t>(argument.size)));
    }
  }
  void put_number(const zebin::PayloadArgument& argument, std::uint64_t value) {
    put(argument, &value, sizeof value);
  }
  void put_triple(const zebin::PayloadArgument& argument,
                  const std::array<std::uint32_t, 3>& values) {
    put(argument, values.data(), sizeof values);
  }

  void patch(const zebin::PayloadArgument& argument) {
    const auto& groups = launch_.group_count;
    const auto& size = launch_.group_size;
    switch (argument.type) {
      case ArgumentType::ByValue: by_value(argument); break;
      case ArgumentType::ByPointer: by_pointer(argument); break;
      case ArgumentType::BufferAddress: put_number(argument, pointer(argument)); break;
      case ArgumentType::BufferOffset:
        put_number(argument, view(pointer(argument), true, argument.index).offset);
        break;
      case ArgumentType::BufferSize:
        put_number(argument, view(pointer(argument), false, argument.index).size);
        break;
      case ArgumentType::GlobalIdOffset: put_triple(argument, builder_.global_offset_); break;
      case ArgumentType::GlobalSize:
        put_triple(argument, {groups[0] * size[0], groups[1] * size[1], groups[2] * size[2]});
        break;
      case ArgumentType::LocalSize:
      case ArgumentType::EnqueuedLocalSize: put_triple(argument, size); break;
      case ArgumentType::GroupCount: put_triple(argument, groups); break;
      case ArgumentType::WorkDimensions:
        put_number(argument, groups[2] * size[2] > 1 ? 3 : groups[1] * size[1] > 1 ? 2 : 1);
        break;
      case ArgumentType::PrivateBase: put_number(argument, launch_.private_base); break;
      case ArgumentType::ConstantBase: module_base(argument, builder_.addresses_.constant_data); break;
      case ArgumentType::GlobalBase: module_base(argument, builder_.addresses_.global_data); break;
      case ArgumentType::PrintfBuffer:
        if (builder_.addresses_.printf_buffer == 0) {
          unsupported(argument);
        }
        put_number(argument, builder_.addresses_.printf_buffer);
        break;
      case ArgumentType::AssertBuffer:
      case ArgumentType::ImplicitArgBuffer:
      case ArgumentType::IndirectDataPointer:
      case ArgumentType::ScratchPointer:
      case ArgumentType::Other: unsupported(argument); break;
    }
  }

  void unsupported(const zebin::PayloadArgument& argument) {
    fail(Kind::Unsupported, "payload argument `" + argument.type_name + "` is not supported");
  }

  [[nodiscard]] const Argument& value_of(const zebin::PayloadArgument& argument) const {
    return builder_.arguments_[static_cast<std::size_t>(argument.index)];
  }

  [[nodiscard]] std::uint64_t pointer(const zebin::PayloadArgument& argument) const {
    std::uint64_t address = 0;
    if (argument.index >= 0 && value_of(argument).value.size() == sizeof address) {
      std::memcpy(&address, value_of(argument).value.data(), sizeof address);
    }
    return address;
  }

  void by_value(const zebin::PayloadArgument& argument) {
    if (argument.index < 0) {
      unsupported(argument);
      return;
    }
    const auto& value = value_of(argument).value;
    const auto from = static_cast<std::size_t>(argument.source_offset);
    if (from < value.size()) {
      put(argument, value.data() + from, value.size() - from);
    }
  }

  void by_pointer(const zebin::PayloadArgument& argument) {
    if (argument.is_local_pointer()) {
      const auto alignment = static_cast<std::uint32_t>(argument.slm_alignment);
      launch_.slm_size = (launch_.slm_size + alignment - 1) / alignment * alignment;
      put_number(argument, launch_.slm_size);
      const std::size_t size = value_of(argument).local_size;
      if (size > builder_.device_.topology().group_slm_bytes) {
        fail(Kind::OutOfMemory, "argument " + std::to_string(argument.index) + " of " +
                                    std::to_string(size) + " bytes does not fit local memory");
        return;
      }
      launch_.slm_size += static_cast<std::uint32_t>(size);
      return;
    }
    if (!argument.is_global_pointer()) {
      fail(Kind::Unsupported, "argument " + std::to_string(argument.index) +
                                  " is an image or a sampler: not supported");
      return;
    }
    const std::uint64_t address = pointer(argument);
    switch (argument.mode) {
      case AddressMode::Bindless: put_surface(argument, address); break;
      case AddressMode::Stateful: bind(argument, address); break;
      default: put_number(argument, address); break;
    }
  }

  void module_base(const zebin::PayloadArgument& argument, std::uint64_t address) {
    if (argument.mode == AddressMode::Bindless) {
      put_surface(argument, address);
      return;
    }
    put_number(argument, address);
    if (argument.binding_table_index >= 0) {
      bind(argument, address);
    }
  }

  // Whether the compiler adds an offset of its own to accesses of argument `index`.
  [[nodiscard]] bool has_offset(std::int32_t index) const {
    return index >= 0 && std::ranges::any_of(kernel_.arguments, [&](const auto& candidate) {
             return candidate.type == ArgumentType::BufferOffset && candidate.index == index;
           });
  }

  // With an offset argument the surface is the whole allocation, so that negative indices stay
  // inside it; without one it starts at the address.
  SurfaceView view(std::uint64_t address, bool whole, std::int32_t index) {
    if (address == 0) {
      return {};
    }
    const auto allocation = builder_.device_.memory().find(address);
    if (!allocation) {
      fail(Kind::ArgumentValue,
           (index < 0 ? std::string("module data")
                      : "argument " + std::to_string(index)) +
               " is not an address in memory of this device");
      return {};
    }
    const std::uint64_t offset = address - allocation->address;
    const std::uint64_t size = (allocation->size + 3) & ~std::uint64_t{3};
    if (whole) {
      return {allocation->address, size, static_cast<std::uint32_t>(offset)};
    }
    return {address, size > offset ? size - offset : 0, 0};
  }

  void put_surface(const zebin::PayloadArgument& argument, std::uint64_t address) {
    const SurfaceView surface = view(address, has_offset(argument.index), argument.index);
    const auto offset = resources_->add_surface(buffer_surface_state(surface.base, surface.size));
    if (!offset) {
      fail(Kind::OutOfMemory, "the surface state heap is full");
      return;
    }
    put_number(argument, *offset);
  }

  void bind(const zebin::PayloadArgument& argument, std::uint64_t address) {
    const SurfaceView surface = view(address, has_offset(argument.index), argument.index);
    if (argument.binding_table_index < 0) {
      fail(Kind::Unsupported, "argument " + std::to_string(argument.index) +
                                  " is stateful but has no binding table index");
      return;
    }
    const auto index = static_cast<std::size_t>(argument.binding_table_index);
    if (launch_.binding_table.size() <= index) {
      launch_.binding_table.resize(index + 1);
    }
    launch_.binding_table[index] =
        decode_surface_state(buffer_surface_state(surface.base, surface.size));
  }

  const PayloadBuilder& builder_;
  const zebin::Kernel& kernel_;
  std::shared_ptr<LaunchResources> resources_;
  KernelLaunch launch_;
  std::optional<PayloadError> error_;
};

std::variant<KernelLaunch, PayloadError> PayloadBuilder::build(
    const std::array<std::uint32_t, 3>& group_count) const {
  return Assembly(*this, group_count).run();
}

}  // namespace xesim::device
