// From a kernel's description and argument values to a launch: what zeKernelSetArgumentValue,
// zeKernelSetGroupSize and zeCommandListAppendLaunchKernel feed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "device/device.hpp"
#include "device/image_state.hpp"
#include "device/launch.hpp"
#include "device/sampler_state.hpp"
#include "zebin/image.hpp"

namespace xesim::device {

// Addresses that a module has after placement; 0 for what it does not have.
struct ModuleAddresses {
  std::uint64_t code = 0;           // the kernel's first instruction
  std::uint64_t constant_data = 0;  // .data.const, or .bss.const where it is alone
  std::uint64_t global_data = 0;    // .data.global, or .bss.global
};

struct PayloadError {
  enum class Kind : std::uint8_t {
    ArgumentIndex,   // no such argument
    ArgumentSize,    // a pointer or handle of another size
    ArgumentValue,   // not set, or not an address of this device
    GroupSize,       // zero, too large, or not the one that the kernel requires
    OutOfMemory,     // private memory, scratch or surface states do not fit
    Unsupported,     // the kernel wants something that the device does not provide; named
  };
  Kind kind = Kind::Unsupported;
  std::string message;              // one line
};

// The values of one kernel object. `device` and `kernel` must outlive it.
class PayloadBuilder {
 public:
  PayloadBuilder(Device& device, const zebin::Kernel& kernel, const ModuleAddresses& addresses);

  // As zeKernelSetArgumentValue. By value: `size` bytes of value, which may be fewer than it has. Global pointer: 8 bytes, the
  // address (null `value`: the null pointer). Local pointer: null `value`, `size` bytes of SLM.
  std::optional<PayloadError> set_argument(std::uint32_t index, std::size_t size,
                                           const void* value);

  // The value of an argument that is an image or a sampler; memory and state of the image must
  // outlive the launch.
  std::optional<PayloadError> set_image(std::uint32_t index, const ImageDescription& image);
  std::optional<PayloadError> set_sampler(std::uint32_t index, const SamplerDescription& sampler);

  // What the kernel takes as argument `index`, as far as it is known; false beyond the last one.
  [[nodiscard]] bool takes_image(std::uint32_t index) const;
  [[nodiscard]] bool takes_sampler(std::uint32_t index) const;

  // The arguments that are pointers to global memory and are set, with the addresses.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint64_t>> pointers() const;

  // Work-items of a group in each dimension.
  std::optional<PayloadError> set_group_size(const std::array<std::uint32_t, 3>& size);

  // Work-items that get_global_id starts from.
  void set_global_offset(const std::array<std::uint32_t, 3>& offset);

  // A launch of `group_count` groups with the values as they are now. The launch owns its private
  // memory, scratch and surface states (KernelLaunch::resources).
  [[nodiscard]] std::variant<KernelLaunch, PayloadError> build(
      const std::array<std::uint32_t, 3>& group_count) const;

 private:
  class Assembly;
  [[nodiscard]] bool takes(std::uint32_t index, zebin::AddressSpace space,
                           std::string_view type_name) const;
  struct Argument {
    bool set = false;
    std::vector<std::byte> value;   // by value: its bytes; global pointer: 8 bytes
    std::size_t local_size = 0;     // local pointer: bytes of SLM
    std::optional<ImageDescription> image;
    std::optional<SamplerDescription> sampler;
  };
  Device& device_;
  const zebin::Kernel& kernel_;
  ModuleAddresses addresses_;
  std::vector<Argument> arguments_;
  std::array<std::uint32_t, 3> group_size_{1, 1, 1};
  std::array<std::uint32_t, 3> global_offset_{0, 0, 0};
};

}  // namespace xesim::device
