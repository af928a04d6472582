// The values of a launch's payload.
#include "device/payload_assembly.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace xesim::device {

using Kind = PayloadError::Kind;
using zebin::AddressMode;
using zebin::ArgumentType;

namespace {

// Hardware counts in two dimensions by masks. Intel's driver has it make the local ids wherever it
// can, and enters kernels after the code that loads them from memory.
bool hardware_makes_local_ids(const zebin::Kernel& kernel,
                              const std::array<std::uint32_t, 3>& group_size) {
  constexpr std::uint32_t kMostItems = 1024;
  const bool counted = std::has_single_bit(group_size[kernel.walk_order[0]]) &&
                       std::has_single_bit(group_size[kernel.walk_order[1]]);
  return kernel.has_local_ids && !kernel.has_packed_local_ids && counted &&
         group_size[0] * group_size[1] * group_size[2] <= kMostItems;
}

}  // namespace

PayloadBuilder::Assembly::Assembly(const PayloadBuilder& builder,
                                   const std::array<std::uint32_t, 3>& group_count)
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
  // Each thread's part starts on a register: also the six bytes that a SIMD1 kernel takes.
  const std::uint32_t register_size = builder.device_.topology().grf_bytes();
  launch_.local_id_size =
      (kernel_.per_thread_size + register_size - 1) / register_size * register_size;
  launch_.packed_local_ids = kernel_.has_packed_local_ids;
  launch_.local_ids_in_registers =
      !kernel_.finds_local_ids && hardware_makes_local_ids(kernel_, launch_.group_size);
  launch_.slm_size = kernel_.slm_size;
  launch_.barrier_count = kernel_.barrier_count;
  launch_.cross_thread_data.resize(kernel_.cross_thread_size);
  launch_.outside = std::make_shared<OutsideAccesses>();
  launch_.resources = resources_;
}

std::variant<KernelLaunch, PayloadError> PayloadBuilder::Assembly::run() {
  check();
  place_memory();
  place_printf_buffer();
  place_assert_buffer();
  place_samplers();
  for (const zebin::PayloadArgument& argument : kernel_.arguments) {
    if (!error_) {
      patch(argument);
    }
  }
  if (!error_) {
    place_binding_table();
  }
  if (!error_ && launch_.slm_size > builder_.device_.topology().group_slm_bytes) {
    fail(Kind::OutOfMemory, std::to_string(launch_.slm_size) + " bytes of local memory, of " +
                                std::to_string(builder_.device_.topology().group_slm_bytes) +
                                " that a work-group may have");
  }
  if (error_) {
    return std::move(*error_);
  }
  if (kernel_.has_implicit_arguments) {
    const ImplicitArguments values = implicit_arguments();
    launch_.implicit_arguments.resize(sizeof values);
    std::memcpy(launch_.implicit_arguments.data(), &values, sizeof values);
  }
  return std::move(launch_);
}

void PayloadBuilder::Assembly::fail(Kind kind, const std::string& what) {
  if (!error_) {
    error_ = PayloadError{kind, "kernel " + kernel_.name + ": " + what};
  }
}

void PayloadBuilder::Assembly::unsupported(const zebin::PayloadArgument& argument) {
  fail(Kind::Unsupported, "payload argument `" + argument.type_name + "` is not supported");
}

std::uint64_t PayloadBuilder::Assembly::reserve(std::uint64_t size, const char* what) {
  if (error_) {
    return 0;
  }
  const auto address = resources_->allocate(size);
  if (!address) {
    fail(Kind::OutOfMemory, std::string("no room for ") + what);
  }
  return address.value_or(0);
}

void PayloadBuilder::Assembly::check() {
  const bool uses_images = std::ranges::any_of(kernel_.arguments, [](const auto& argument) {
    return argument.space == zebin::AddressSpace::Image ||
           argument.space == zebin::AddressSpace::Sampler;
  });
  if (uses_images && !builder_.device_.topology().has_images) {
    fail(Kind::Unsupported, "it uses images, which the device does not have");
  }
  for (const zebin::PayloadArgument& argument : kernel_.arguments) {
    if (argument.index >= 0 && !builder_.arguments_[static_cast<std::size_t>(argument.index)].set) {
      fail(Kind::ArgumentValue, "argument " + std::to_string(argument.index) + " is not set");
    }
  }
}

// Copies into the cross-thread data at most what the argument has room for.
void PayloadBuilder::Assembly::put(const zebin::PayloadArgument& argument, const void* data,
                                   std::size_t size) {
  if (argument.offset >= 0) {
    std::memcpy(launch_.cross_thread_data.data() + argument.offset, data,
                std::min(size, static_cast<std::size_t>(argument.size)));
  }
}

void PayloadBuilder::Assembly::put_number(const zebin::PayloadArgument& argument,
                                          std::uint64_t value) {
  put(argument, &value, sizeof value);
}

void PayloadBuilder::Assembly::put_triple(const zebin::PayloadArgument& argument,
                                          const std::array<std::uint32_t, 3>& values) {
  put(argument, values.data(), sizeof values);
}

void PayloadBuilder::Assembly::patch(const zebin::PayloadArgument& argument) {
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
    case ArgumentType::WorkDimensions: put_number(argument, work_dimensions()); break;
    case ArgumentType::PrivateBase: put_number(argument, launch_.private_base); break;
    case ArgumentType::ConstantBase:
      module_base(argument, builder_.addresses_.constant_data);
      break;
    case ArgumentType::GlobalBase: module_base(argument, builder_.addresses_.global_data); break;
    case ArgumentType::AssertBuffer: put_number(argument, launch_.assert_buffer); break;
    case ArgumentType::PrintfBuffer: put_number(argument, launch_.printf_buffer); break;
    case ArgumentType::ImplicitArgBuffer: put_implicit_buffer(argument); break;
    case ArgumentType::SyncBuffer: put_sync_buffer(argument); break;
    case ArgumentType::InlineSampler: put_sampler(argument); break;
    case ArgumentType::ImageWidth:
    case ArgumentType::ImageHeight:
    case ArgumentType::ImageDepth:
    case ArgumentType::ImageArraySize:
    case ArgumentType::ImageMipLevels:
    case ArgumentType::ImageSamples:
    case ArgumentType::ImageChannelDataType:
    case ArgumentType::ImageChannelOrder:
    case ArgumentType::ImageSrgbChannelOrder:
    case ArgumentType::SamplerAddress:
    case ArgumentType::SamplerNormalized:
    case ArgumentType::SamplerSnap: query(argument); break;
    case ArgumentType::IndirectDataPointer:
    case ArgumentType::ScratchPointer:
    case ArgumentType::Other: unsupported(argument); break;
  }
}

const PayloadBuilder::Argument& PayloadBuilder::Assembly::value_of(
    const zebin::PayloadArgument& argument) const {
  return builder_.arguments_[static_cast<std::size_t>(argument.index)];
}

std::uint64_t PayloadBuilder::Assembly::pointer(const zebin::PayloadArgument& argument) const {
  std::uint64_t address = 0;
  if (argument.index >= 0 && value_of(argument).value.size() == sizeof address) {
    std::memcpy(&address, value_of(argument).value.data(), sizeof address);
  }
  return address;
}

std::uint32_t PayloadBuilder::Assembly::work_dimensions() const {
  const auto& groups = launch_.group_count;
  const auto& size = launch_.group_size;
  return std::uint64_t{groups[2]} * size[2] > 1   ? 3
         : std::uint64_t{groups[1]} * size[1] > 1 ? 2
                                                  : 1;
}

void PayloadBuilder::Assembly::by_value(const zebin::PayloadArgument& argument) {
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

void PayloadBuilder::Assembly::by_pointer(const zebin::PayloadArgument& argument) {
  if (argument.is_local_pointer()) {
    // The compiler adds the size of the kernel's own local memory, which comes first: the first of
    // these pointers is 0.
    const auto alignment = static_cast<std::uint32_t>(argument.slm_alignment);
    const std::uint32_t before =
        (launch_.slm_size - kernel_.slm_size + alignment - 1) / alignment * alignment;
    put_number(argument, before);
    const std::size_t size = value_of(argument).local_size;
    if (size > builder_.device_.topology().group_slm_bytes) {
      fail(Kind::OutOfMemory, "argument " + std::to_string(argument.index) + " of " +
                                  std::to_string(size) + " bytes does not fit local memory");
      return;
    }
    launch_.slm_size = kernel_.slm_size + before + static_cast<std::uint32_t>(size);
    return;
  }
  if (argument.space == zebin::AddressSpace::Image) {
    put_image(argument);
    return;
  }
  if (argument.space == zebin::AddressSpace::Sampler) {
    put_sampler(argument);
    return;
  }
  if (!argument.is_global_pointer()) {
    fail(Kind::Unsupported, "argument " + std::to_string(argument.index) +
                                " is a pointer to an address space that is not supported");
    return;
  }
  const std::uint64_t address = pointer(argument);
  switch (argument.mode) {
    case AddressMode::Bindless: put_surface(argument, address); break;
    case AddressMode::Stateful: bind(argument, address); break;
    default: put_number(argument, address); break;
  }
}

std::variant<KernelLaunch, PayloadError> PayloadBuilder::build(
    const std::array<std::uint32_t, 3>& group_count) const {
  return Assembly(*this, group_count).run();
}

}  // namespace xesim::device
