// A module: a zebin placed into the device's memory.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "device/payload_builder.hpp"
#include "driver/context.hpp"
#include "driver/handle.hpp"
#include "driver/module_error.hpp"
#include "zebin/image.hpp"

namespace xesim::driver {

class Module : public Object<Module> {
 public:
  // Parses `binary` and places its sections. A module without imports is linked at once.
  static std::variant<std::shared_ptr<Module>, ModuleError> load(std::shared_ptr<Context> context,
                                                                 Device& device,
                                                                 std::span<const std::byte> binary);

  // Use load(). The image is not placed yet.
  Module(std::shared_ptr<Context> context, Device& device, zebin::Image image);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  // Relocates the module's sections with what `others` define for its imports, and announces it to a
  // debugger; then waits until the debugger has acknowledged. Once.
  std::optional<ModuleError> link(const zebin::Exports& others);
  [[nodiscard]] bool linked() const { return linked_; }
  // Tells a debugger that the module is gone, once: commands that were appended may still use it.
  void withdraw_announcement();
  // What this module defines for others; its code runs only once it is linked itself.
  [[nodiscard]] zebin::Exports exports() const { return image_.exports(placement_); }

  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] Device& device() const { return device_; }
  [[nodiscard]] const zebin::Image& image() const { return image_; }
  // The relocated ELF that debuggers get; the same before and after the module is linked.
  [[nodiscard]] const std::vector<std::byte>& debug_image() const { return debug_image_; }

  // The kernels that an application can create, in the file's order.
  [[nodiscard]] std::vector<const zebin::Kernel*> kernels() const;
  // Null when the module has no such kernel.
  [[nodiscard]] const zebin::Kernel* find_kernel(const std::string& name) const;
  [[nodiscard]] device::ModuleAddresses addresses(const zebin::Kernel& kernel) const;

  // Address and size of the variable `name`, or nothing.
  struct Variable {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
  };
  [[nodiscard]] std::optional<Variable> find_variable(const std::string& name) const;
  // Address of the first instruction of function or kernel `name`.
  [[nodiscard]] std::optional<std::uint64_t> find_function(const std::string& name) const;

 private:
  std::optional<ModuleError> place();
  std::optional<ModuleError> fill(const zebin::Exports& others);
  void announce();

  std::shared_ptr<Context> context_;
  Device& device_;
  zebin::Image image_;
  zebin::Placement placement_;                        // section to address
  std::map<std::uint32_t, std::uint64_t> allocated_;  // section to bytes backed
  std::vector<std::uint64_t> announced_code_;         // addresses given to add_code()
  std::vector<std::byte> debug_image_;
  bool linked_ = false;
  std::uint64_t id_ = 0;  // the debugger's; 0: not announced
};

}  // namespace xesim::driver
