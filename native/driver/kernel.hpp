// A kernel object: one kernel of a module and the values it will be launched with.
#pragma once

#include <level_zero/ze_api.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "device/payload_builder.hpp"
#include "driver/handle.hpp"
#include "driver/module.hpp"

namespace xesim::driver {

class Kernel : public Object<Kernel> {
 public:
  // `description` belongs to `module`.
  Kernel(std::shared_ptr<Module> module, const zebin::Kernel& description)
      : module_(std::move(module)),
        description_(description),
        builder_(module_->device().gpu(), description, module_->addresses(description)) {}

  [[nodiscard]] const std::shared_ptr<Module>& module() const { return module_; }
  [[nodiscard]] const zebin::Kernel& description() const { return description_; }
  [[nodiscard]] device::PayloadBuilder& builder() { return builder_; }
  [[nodiscard]] const device::PayloadBuilder& builder() const { return builder_; }

  [[nodiscard]] const std::array<std::uint32_t, 3>& group_size() const { return group_size_; }
  void set_group_size(const std::array<std::uint32_t, 3>& size) { group_size_ = size; }

  [[nodiscard]] ze_kernel_indirect_access_flags_t indirect_access() const { return indirect_; }
  void set_indirect_access(ze_kernel_indirect_access_flags_t flags) { indirect_ = flags; }

  // Most work-items that a group of this kernel may have: what its threads leave room for.
  [[nodiscard]] std::uint32_t maximum_group_size() const;
  // Groups of the present size that the device holds at once.
  [[nodiscard]] std::uint32_t resident_groups() const;

 private:
  std::shared_ptr<Module> module_;
  const zebin::Kernel& description_;
  device::PayloadBuilder builder_;
  std::array<std::uint32_t, 3> group_size_{1, 1, 1};
  ze_kernel_indirect_access_flags_t indirect_ = 0;
};

// As zeKernelSetArgumentValue.
std::optional<device::PayloadError> set_argument(device::PayloadBuilder& builder,
                                                 std::uint32_t index, std::size_t size,
                                                 const void* value);

// Sets every argument from where `values` points: to its value, of local memory to its size in bytes (a
// size_t). `values` may be null for a kernel without arguments.
ze_result_t set_arguments(Kernel& kernel, void** values);

// The API's result for a payload error, whose message goes to the user: what went wrong with a
// kernel is rarely clear from a result code.
ze_result_t refuse(const device::PayloadError& error);

}  // namespace xesim::driver
