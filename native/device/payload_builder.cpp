#include "device/payload_builder.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace xesim::device {

namespace {

using Kind = PayloadError::Kind;
using zebin::ArgumentType;

}  // namespace

PayloadBuilder::PayloadBuilder(Device& device, const zebin::Kernel& kernel,
                               const ModuleAddresses& addresses)
    : device_(device),
      kernel_(kernel),
      addresses_(addresses),
      // Arguments that the kernel does not use are missing from its payload.
      arguments_(std::max<std::size_t>(kernel.argument_count, kernel.argument_type_names.size())) {}

std::optional<PayloadError> PayloadBuilder::set_argument(std::uint32_t index, std::size_t size,
                                                         const void* value) {
  const std::string where = "kernel " + kernel_.name + ": argument " + std::to_string(index);
  if (index >= arguments_.size()) {
    return PayloadError{Kind::ArgumentIndex, where + " does not exist: it has " +
                                                 std::to_string(arguments_.size())};
  }
  if (takes_image(index) || takes_sampler(index)) {
    return PayloadError{Kind::ArgumentValue,
                        where + (takes_image(index) ? " is an image" : " is a sampler") +
                            ": it takes no other value"};
  }
  std::size_t needed = 0;
  bool is_pointer = false;
  bool is_local = false;
  for (const zebin::PayloadArgument& argument : kernel_.arguments) {
    if (argument.index != static_cast<std::int32_t>(index)) {
      continue;
    }
    is_pointer |= argument.is_global_pointer();
    is_local |= argument.is_local_pointer();
    if (argument.type == ArgumentType::ByValue) {
      needed = std::max(needed, static_cast<std::size_t>(argument.source_offset + argument.size));
    }
  }
  Argument set;
  set.set = true;
  if (is_local) {
    if (value != nullptr || size == 0) {
      return PayloadError{Kind::ArgumentSize,
                          where + " is local memory: it takes a size and no value"};
    }
    set.local_size = size;
  } else if (is_pointer) {
    if (size != sizeof(std::uint64_t)) {
      return PayloadError{Kind::ArgumentSize, where + " is a pointer of 8 bytes, not " +
                                                  std::to_string(size)};
    }
    set.value.resize(size);
    if (value != nullptr) {
      std::memcpy(set.value.data(), value, size);
    }
  } else {
    // Fewer bytes than the parameter has change those, and the others stay, as with Intel's driver.
    // More are the caller's business: oneMKL's own kernels are given eight bytes for four.
    // No value means zeros, for values too: SYCL's adapter takes eight bytes of zeros for a null
    // pointer and passes none (zeKernelSetArgumentValue: "the argument value is considered null").
    set.value = std::move(arguments_[index].value);
    set.value.resize(std::max({size, needed, set.value.size()}));
    if (value != nullptr) {
      std::memcpy(set.value.data(), value, size);
    } else {
      std::ranges::fill(set.value, std::byte{0});
    }
  }
  arguments_[index] = std::move(set);
  return std::nullopt;
}

std::optional<PayloadError> PayloadBuilder::set_image(std::uint32_t index,
                                                      const ImageDescription& image) {
  if (!takes_image(index)) {
    return PayloadError{Kind::ArgumentValue, "kernel " + kernel_.name + ": argument " +
                                                 std::to_string(index) + " is not an image"};
  }
  arguments_[index].set = true;
  arguments_[index].image = image;
  return std::nullopt;
}

std::optional<PayloadError> PayloadBuilder::set_sampler(std::uint32_t index,
                                                        const SamplerDescription& sampler) {
  if (!takes_sampler(index)) {
    return PayloadError{Kind::ArgumentValue, "kernel " + kernel_.name + ": argument " +
                                                 std::to_string(index) + " is not a sampler"};
  }
  arguments_[index].set = true;
  arguments_[index].sampler = sampler;
  return std::nullopt;
}

bool PayloadBuilder::takes_image(std::uint32_t index) const {
  return takes(index, zebin::AddressSpace::Image, "image");
}

bool PayloadBuilder::takes_sampler(std::uint32_t index) const {
  return takes(index, zebin::AddressSpace::Sampler, "sampler_t");
}

bool PayloadBuilder::takes(std::uint32_t index, zebin::AddressSpace space,
                           std::string_view type_name) const {
  // An argument that the kernel does not use may have its type's name only.
  if (index < kernel_.argument_type_names.size() &&
      kernel_.argument_type_names[index].starts_with(type_name)) {
    return true;
  }
  return std::ranges::any_of(kernel_.arguments, [&](const zebin::PayloadArgument& argument) {
    return argument.index == static_cast<std::int32_t>(index) &&
           argument.type == ArgumentType::ByPointer && argument.space == space;
  });
}

std::vector<std::pair<std::uint32_t, std::uint64_t>> PayloadBuilder::pointers() const {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> found;
  for (const zebin::PayloadArgument& argument : kernel_.arguments) {
    const auto index = static_cast<std::uint32_t>(argument.index);
    if (!argument.is_global_pointer() || argument.index < 0 ||
        arguments_[index].value.size() < sizeof(std::uint64_t)) {
      continue;
    }
    std::uint64_t address = 0;
    std::memcpy(&address, arguments_[index].value.data(), sizeof address);
    found.emplace_back(index, address);
  }
  return found;
}

std::optional<PayloadError> PayloadBuilder::set_group_size(
    const std::array<std::uint32_t, 3>& size) {
  const Topology& topology = device_.topology();
  const std::string text = std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" +
                           std::to_string(size[2]);
  const auto fail = [&](const std::string& what) {
    return PayloadError{Kind::GroupSize,
                        "kernel " + kernel_.name + ": work-group size " + text + what};
  };
  std::uint64_t items = 1;
  for (const std::uint32_t dimension : size) {
    if (dimension == 0 || dimension > topology.group_size) {
      return fail(": each dimension must be in 1.." + std::to_string(topology.group_size));
    }
    items *= dimension;
  }
  const std::uint32_t slots = topology.eus_per_subslice * topology.threads_per_eu /
                              (kernel_.grf_count > 128 ? 2 : 1);
  const std::uint64_t most =
      std::min<std::uint64_t>(topology.group_size, std::uint64_t{slots} * kernel_.simd_size);
  if (items > most) {
    return fail(" is more than " + std::to_string(most) + " work-items");
  }
  const auto& required = kernel_.required_group_size;
  if (required[0] != 0 && required != size) {
    return fail(": the kernel requires " + std::to_string(required[0]) + "x" +
                std::to_string(required[1]) + "x" + std::to_string(required[2]));
  }
  group_size_ = size;
  return std::nullopt;
}

void PayloadBuilder::set_global_offset(const std::array<std::uint32_t, 3>& offset) {
  global_offset_ = offset;
}

}  // namespace xesim::device
