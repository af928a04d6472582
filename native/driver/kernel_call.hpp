// A kernel with the values that it is launched with.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>

#include "device/payload_builder.hpp"
#include "driver/command.hpp"
#include "driver/device.hpp"
#include "driver/module.hpp"

namespace xesim::driver {

// Holds the module, whose code runs.
struct KernelCall {
  std::shared_ptr<Module> module;
  device::PayloadBuilder builder;
  std::array<std::uint32_t, 3> groups{};
};

// Launches on `device` and waits for the end: writes what the kernel printed and which assertions failed.
Loss run_launch(Device& device, const device::KernelLaunch& launch);

// What a command does that launches a kernel with the values that it has now: nothing, when a dimension
// has no groups, or the reason why it cannot be launched.
[[nodiscard]] std::variant<std::function<Loss()>, device::PayloadError> prepare_launch(
    Device& device, std::shared_ptr<Module> module, const device::PayloadBuilder& builder,
    const std::array<std::uint32_t, 3>& groups);

}  // namespace xesim::driver
