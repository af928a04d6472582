// The making of one launch: its payload, memory and surfaces. Internal to PayloadBuilder::build().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "device/implicit_arguments.hpp"
#include "device/launch_resources.hpp"
#include "device/payload_builder.hpp"

namespace xesim::device {

class PayloadBuilder::Assembly {
 public:
  Assembly(const PayloadBuilder& builder, const std::array<std::uint32_t, 3>& group_count);

  std::variant<KernelLaunch, PayloadError> run();

 private:
  // A buffer as surface-based messages reach it: `base + offset` is the argument's address.
  struct SurfaceView {
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::uint32_t offset = 0;
  };

  // Keeps the first error, after which nothing more is done.
  void fail(PayloadError::Kind kind, const std::string& what);
  void unsupported(const zebin::PayloadArgument& argument);
  // The address of `size` zeroed bytes that live as long as the launch; 0 after an error, which is
  // also that there is no room for `what`.
  std::uint64_t reserve(std::uint64_t size, const char* what);

  // Values (payload_assembly.cpp).
  void check();
  void patch(const zebin::PayloadArgument& argument);
  void put(const zebin::PayloadArgument& argument, const void* data, std::size_t size);
  void put_number(const zebin::PayloadArgument& argument, std::uint64_t value);
  void put_triple(const zebin::PayloadArgument& argument,
                  const std::array<std::uint32_t, 3>& values);
  void by_value(const zebin::PayloadArgument& argument);
  void by_pointer(const zebin::PayloadArgument& argument);
  [[nodiscard]] const Argument& value_of(const zebin::PayloadArgument& argument) const;
  [[nodiscard]] std::uint64_t pointer(const zebin::PayloadArgument& argument) const;
  [[nodiscard]] std::uint32_t work_dimensions() const;

  // Memory that the kernel needs beside its arguments (payload_memory.cpp).
  void place_memory();
  void place_scratch(std::uint32_t size, std::uint32_t threads);
  void place_printf_buffer();
  void place_assert_buffer();
  [[nodiscard]] ImplicitArguments implicit_arguments() const;
  void put_implicit_buffer(const zebin::PayloadArgument& argument);
  void put_sync_buffer(const zebin::PayloadArgument& argument);

  // Buffers, images and samplers as states in heaps (payload_surfaces.cpp).
  void module_base(const zebin::PayloadArgument& argument, std::uint64_t address);
  [[nodiscard]] bool has_offset(std::int32_t index) const;
  SurfaceView view(std::uint64_t address, bool whole, std::int32_t index);
  void put_surface(const zebin::PayloadArgument& argument, std::uint64_t address);
  void bind(const zebin::PayloadArgument& argument, std::uint64_t address);
  void bind(const zebin::PayloadArgument& argument, const SurfaceState& state);
  void put_image(const zebin::PayloadArgument& argument);
  void place_samplers();
  void place_binding_table();
  void put_sampler(const zebin::PayloadArgument& argument);
  void query(const zebin::PayloadArgument& argument);

  const PayloadBuilder& builder_;
  const zebin::Kernel& kernel_;
  std::shared_ptr<LaunchResources> resources_;
  KernelLaunch launch_;
  std::optional<PayloadError> error_;
};

}  // namespace xesim::device
