// What a launch reaches through states in heaps: surfaces of buffers and images, samplers.
#include <algorithm>

#include "device/image_arguments.hpp"
#include "device/payload_assembly.hpp"

namespace xesim::device {

using Kind = PayloadError::Kind;
using zebin::AddressMode;
using zebin::ArgumentType;

// Bytes of the program's own memory that a surface has at most, and how many of them are kept for what
// is before the address.
constexpr std::uint64_t kProgramReach = std::uint64_t{4} << 30;
constexpr std::uint64_t kProgramFront = std::uint64_t{1} << 30;

void PayloadBuilder::Assembly::module_base(const zebin::PayloadArgument& argument,
                                           std::uint64_t address) {
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
bool PayloadBuilder::Assembly::has_offset(std::int32_t index) const {
  return index >= 0 && std::ranges::any_of(kernel_.arguments, [&](const auto& candidate) {
           return candidate.type == ArgumentType::BufferOffset && candidate.index == index;
         });
}

// With an offset argument the surface is the whole allocation, so that negative indices stay
// inside it; without one it starts at the address.
PayloadBuilder::Assembly::SurfaceView PayloadBuilder::Assembly::view(std::uint64_t address,
                                                                     bool whole,
                                                                     std::int32_t index) {
  if (address == 0) {
    return {};
  }
  const auto allocation = builder_.device_.memory().find(address);
  ProgramMemory* const program =
      allocation ? nullptr : builder_.device_.memory().program_memory(address);
  if (program != nullptr) {
    program->forget();  // a heap or a stack may have grown
  }
  const auto stretch = program != nullptr ? program->stretch(address) : std::nullopt;
  if (stretch) {
    // What is mapped in one may be longer than a surface.
    const std::uint64_t before = address - stretch->begin;
    const std::uint64_t after = stretch->end - address;
    if (!whole) {
      return {address, std::min(after, kProgramReach), 0};
    }
    const std::uint64_t back = std::min(after, kProgramReach - std::min(before, kProgramFront));
    const std::uint64_t front = std::min(before, kProgramReach - back);
    return {address - front, front + back, static_cast<std::uint32_t>(front)};
  }
  if (!allocation) {
    fail(Kind::ArgumentValue,
         (index < 0 ? std::string("module data") : "argument " + std::to_string(index)) +
             " is not an address in memory of this device");
    return {};
  }
  const std::uint64_t offset = address - allocation->address;
  std::uint64_t size = (allocation->size + 3) & ~std::uint64_t{3};
  // A buffer may go on in what is mapped beside it.
  const auto is_mapping = [](const Allocation& part) {
    return part.kind == AllocationKind::Mapped || part.kind == AllocationKind::MappedHost;
  };
  for (auto part = allocation; part && is_mapping(*part);) {
    part = builder_.device_.memory().find(allocation->address + size);
    size += part && is_mapping(*part) ? part->size : 0;
  }
  if (whole) {
    return {allocation->address, size, static_cast<std::uint32_t>(offset)};
  }
  return {address, size > offset ? size - offset : 0, 0};
}

void PayloadBuilder::Assembly::put_surface(const zebin::PayloadArgument& argument,
                                           std::uint64_t address) {
  const SurfaceView surface = view(address, has_offset(argument.index), argument.index);
  const auto offset = resources_->add_surface(buffer_surface_state(surface.base, surface.size));
  if (!offset) {
    fail(Kind::OutOfMemory, "the surface state heap is full");
    return;
  }
  put_number(argument, *offset);
}

void PayloadBuilder::Assembly::bind(const zebin::PayloadArgument& argument, std::uint64_t address) {
  const SurfaceView surface = view(address, has_offset(argument.index), argument.index);
  bind(argument, buffer_surface_state(surface.base, surface.size));
}

void PayloadBuilder::Assembly::bind(const zebin::PayloadArgument& argument,
                                    const SurfaceState& state) {
  if (argument.binding_table_index < 0) {
    fail(Kind::Unsupported, "argument " + std::to_string(argument.index) +
                                " is stateful but has no binding table index");
    return;
  }
  const auto offset = resources_->add_surface(state);
  if (!offset) {
    fail(Kind::OutOfMemory, "the surface state heap is full");
    return;
  }
  const auto index = static_cast<std::size_t>(argument.binding_table_index);
  if (launch_.binding_table.size() <= index) {
    launch_.binding_table.resize(index + 1);  // offset 0 is the null surface
  }
  launch_.binding_table[index] = *offset;
}

void PayloadBuilder::Assembly::put_image(const zebin::PayloadArgument& argument) {
  const std::optional<ImageDescription>& image = value_of(argument).image;
  if (!image || argument.index < 0) {
    fail(Kind::ArgumentValue, "argument " + std::to_string(argument.index) + " is not an image");
    return;
  }
  if (argument.mode == AddressMode::Stateful) {
    bind(argument, image_surface_state(*image));
    return;
  }
  if (argument.offset < 0) {
    return;  // not accessed
  }
  const auto offset = resources_->add_surface(image_surface_state(*image));
  if (!offset) {
    fail(Kind::OutOfMemory, "the surface state heap is full");
    return;
  }
  put_number(argument, *offset);
}

// After all that is bound: the table in memory, which threads find by r0.4.
void PayloadBuilder::Assembly::place_binding_table() {
  if (launch_.binding_table.empty()) {
    return;
  }
  const auto offset = resources_->add_binding_table(launch_.binding_table);
  if (!offset) {
    fail(Kind::OutOfMemory, "the surface state heap is full");
    return;
  }
  launch_.binding_table_offset = *offset;
}

void PayloadBuilder::Assembly::place_samplers() {
  SamplerTable table;
  for (const zebin::InlineSampler& sampler : kernel_.inline_samplers) {
    table.set(sampler.index, inline_sampler(sampler));
  }
  for (const zebin::PayloadArgument& argument : kernel_.arguments) {
    if (argument.space == zebin::AddressSpace::Sampler && argument.index >= 0 &&
        argument.sampler_index >= 0 && value_of(argument).sampler) {
      table.set(static_cast<std::uint32_t>(argument.sampler_index), *value_of(argument).sampler);
    }
  }
  if (table.states().empty()) {
    return;
  }
  const auto offset = resources_->add_samplers(table.states());
  if (!offset) {
    fail(Kind::OutOfMemory, "the sampler state heap is full");
    return;
  }
  launch_.sampler_table = *offset;
  launch_.sampler_count = static_cast<std::uint32_t>(table.states().size());
}

void PayloadBuilder::Assembly::put_sampler(const zebin::PayloadArgument& argument) {
  const auto index = static_cast<std::uint32_t>(argument.sampler_index);
  if (argument.sampler_index < 0 || index >= launch_.sampler_count) {
    fail(Kind::Unsupported, "sampler index " + std::to_string(argument.sampler_index) +
                                " is none of the kernel's samplers");
    return;
  }
  put_number(argument, launch_.sampler_table + index * kSamplerStateBytes);
}

void PayloadBuilder::Assembly::query(const zebin::PayloadArgument& argument) {
  if (argument.index < 0) {
    unsupported(argument);
    return;
  }
  const auto& value = value_of(argument);
  const auto answer = value.image     ? image_query(argument.type, *value.image)
                      : value.sampler ? sampler_query(argument.type, *value.sampler)
                                      : std::nullopt;
  if (!answer) {
    unsupported(argument);
    return;
  }
  put_number(argument, *answer);
}

}  // namespace xesim::device
