// Runs launches, and says what came of them.
#include "driver/kernel_call.hpp"

#include <cstdio>

#include "device/assert_output.hpp"
#include "device/printf_output.hpp"
#include "driver/monitor.hpp"
#include "driver/report.hpp"

namespace xesim::driver {

using device::KernelLaunch;
using device::PayloadError;

namespace {

// Writes what the kernel printed, also one that did not complete, and empties the buffer: the launch
// may be one of a command list that is executed again.
void print_output(Device& device, const KernelLaunch& launch) {
  if (launch.printf_buffer == 0) {
    return;
  }
  const auto output = device::read_printf_buffer(device.memory(), launch.printf_buffer);
  device::begin_printf_buffer(launch.printf_buffer);
  if (!output.text.empty()) {
    std::fwrite(output.text.data(), 1, output.text.size(), stdout);
    std::fflush(stdout);
  }
  if (!output.problem.empty()) {
    report("kernel " + launch.kernel_name + ": " + output.problem);
  }
}

// Writes which assertions failed in the kernel, as Intel's driver does. The program goes on until
// it waits for the device, where that driver looks.
void tell_failed_assertions(Device& device, const KernelLaunch& launch) {
  if (launch.assert_buffer == 0) {
    return;
  }
  const auto output = device::read_assert_buffer(device.memory(), launch.assert_buffer);
  if (!output) {
    return;
  }
  std::fprintf(stderr, "AssertHandler::printMessage\n%s", output->text.c_str());
  if (!output->problem.empty()) {
    report("kernel " + launch.kernel_name + ": " + output->problem);
  }
  Monitor& monitor = Monitor::instance();
  const Monitor::Lock lock = monitor.lock();
  monitor.assertion_failed();
}

void tell_accesses_out_of_bounds(const KernelLaunch& launch) {
  if (launch.outside == nullptr) {
    return;
  }
  if (const auto line = launch.outside->take()) {
    report("kernel " + launch.kernel_name + ": " + *line);
  }
}

}  // namespace

Loss run_launch(Device& device, const KernelLaunch& launch) {
  Recording* const recording = device.recording();
  const auto one = recording != nullptr ? recording->one_launch() : std::unique_lock<std::mutex>{};
  device::LaunchEnd end = device.gpu().launch(launch);
  tell_accesses_out_of_bounds(launch);
  print_output(device, launch);
  tell_failed_assertions(device, launch);
  if (recording != nullptr) {
    const auto pause = device.gpu().pause();
    recording->finish_launch();
  }
  if (end.status == device::LaunchStatus::Complete) {
    return std::nullopt;
  }
  CommandError error(std::move(end.reason));
  error.loses_device = end.status == device::LaunchStatus::Lost;
  return error;
}

std::variant<std::function<Loss()>, PayloadError> prepare_launch(
    Device& device, std::shared_ptr<Module> module, const device::PayloadBuilder& builder,
    const std::array<std::uint32_t, 3>& groups) {
  if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0) {
    return std::function<Loss()>{};
  }
  auto built = builder.build(groups);
  if (auto* error = std::get_if<PayloadError>(&built)) {
    return std::move(*error);
  }
  auto launch = std::make_shared<KernelLaunch>(std::get<KernelLaunch>(std::move(built)));
  device.confine(*launch);
  return [module = std::move(module), &device, launch = std::shared_ptr<const KernelLaunch>(launch)] {
    return run_launch(device, *launch);
  };
}

}  // namespace xesim::driver
