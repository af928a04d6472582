// Commands that launch kernels.
#include <level_zero/ze_api.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "device/assert_output.hpp"
#include "device/printf_output.hpp"
#include "driver/command_list.hpp"
#include "driver/host_access.hpp"
#include "driver/kernel.hpp"
#include "driver/later_api.hpp"
#include "driver/monitor.hpp"
#include "driver/report.hpp"

using namespace xesim::driver;
using xesim::device::KernelLaunch;
using xesim::device::PayloadError;

namespace {

// Writes what the kernel printed, also one that did not complete, and empties the buffer: the launch
// may be one of a command list that is executed again.
void print_output(Device& device, const KernelLaunch& launch) {
  if (launch.printf_buffer == 0) {
    return;
  }
  const auto output = xesim::device::read_printf_buffer(device.memory(), launch.printf_buffer);
  xesim::device::begin_printf_buffer(launch.printf_buffer);
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
  const auto output = xesim::device::read_assert_buffer(device.memory(), launch.assert_buffer);
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

Loss run_launch(Device& device, const KernelLaunch& launch) {
  const auto status = device.gpu().launch(launch);
  tell_accesses_out_of_bounds(launch);
  print_output(device, launch);
  tell_failed_assertions(device, launch);
  if (Recording* recording = device.recording(); recording != nullptr) {
    const auto pause = device.gpu().pause();
    recording->finish_launch();
  }
  if (status == xesim::device::LaunchStatus::Lost) {
    return device.gpu().lost_reason();
  }
  return std::nullopt;
}

// A kernel with the values that it had when it was appended. Holds the module, whose code runs.
struct Snapshot {
  std::shared_ptr<Module> module;
  xesim::device::PayloadBuilder builder;

  explicit Snapshot(const Kernel& kernel) : module(kernel.module()), builder(kernel.builder()) {}

  // Builds and runs a launch on `device` whose group count is known only now, read from `count`.
  [[nodiscard]] Loss run_indirect(Device& device, const ze_group_count_t* count) const {
    if (Loss loss = check_host_access(device, "indirect launch arguments", count, sizeof(*count))) {
      return loss;
    }
    ze_group_count_t groups{};
    std::memcpy(&groups, count, sizeof(groups));
    if (groups.groupCountX == 0 || groups.groupCountY == 0 || groups.groupCountZ == 0) {
      return std::nullopt;
    }
    auto built = builder.build({groups.groupCountX, groups.groupCountY, groups.groupCountZ});
    if (const auto* error = std::get_if<PayloadError>(&built)) {
      return "indirect launch: " + error->message;
    }
    auto& launch = std::get<KernelLaunch>(built);
    device.confine(launch);
    return run_launch(device, launch);
  }
};

ze_result_t append_launch(const AppendArguments& arguments, ze_kernel_handle_t handle,
                          const ze_group_count_t* groups) {
  if (arguments.list == nullptr || handle == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (groups == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (groups->groupCountX == 0 || groups->groupCountY == 0 || groups->groupCountZ == 0) {
    return append_command(arguments, {});  // no work, but its events count
  }
  const Kernel& kernel = *object_of<Kernel>(handle);
  auto built =
      kernel.builder().build({groups->groupCountX, groups->groupCountY, groups->groupCountZ});
  if (const auto* error = std::get_if<PayloadError>(&built)) {
    return refuse(*error);
  }
  Device& device = object_of<CommandList>(arguments.list)->device();
  device.confine(std::get<KernelLaunch>(built));
  return append_command(arguments,
                        [module = kernel.module(), &device, launch = std::make_shared<const KernelLaunch>(
                                                       std::get<KernelLaunch>(std::move(built)))] {
                          return run_launch(device, *launch);
                        });
}

}  // namespace

ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t hCommandList,
                                            ze_kernel_handle_t hKernel,
                                            const ze_group_count_t* pLaunchFuncArgs,
                                            ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                            ze_event_handle_t* phWaitEvents) {
  return guarded([&] {
    return append_launch({hCommandList, hSignalEvent, numWaitEvents, phWaitEvents}, hKernel,
                         pLaunchFuncArgs);
  });
}

ze_result_t zeCommandListAppendLaunchCooperativeKernel(ze_command_list_handle_t hCommandList,
                                                       ze_kernel_handle_t hKernel,
                                                       const ze_group_count_t* pLaunchFuncArgs,
                                                       ze_event_handle_t hSignalEvent,
                                                       uint32_t numWaitEvents,
                                                       ze_event_handle_t* phWaitEvents) {
  return guarded([&] {
    if (hKernel == nullptr) {
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    }
    if (pLaunchFuncArgs == nullptr) {
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    }
    // Its groups wait for each other, so all of them must be on the device at once.
    const std::uint64_t groups = std::uint64_t{pLaunchFuncArgs->groupCountX} *
                                 pLaunchFuncArgs->groupCountY * pLaunchFuncArgs->groupCountZ;
    if (groups > object_of<Kernel>(hKernel)->resident_groups()) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    return append_launch({hCommandList, hSignalEvent, numWaitEvents, phWaitEvents}, hKernel,
                         pLaunchFuncArgs);
  });
}

ze_result_t later::command_list_append_launch_with_parameters(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t* groups,
    const void* extensions, ze_event_handle_t signal_event, std::uint32_t wait_count,
    ze_event_handle_t* wait_events) {
  bool is_cooperative = false;
  for_each_extension(extensions, [&](const ExtensionHead& head) {
    if (head.stype == kCooperativeLaunch) {
      is_cooperative = reinterpret_cast<const CooperativeLaunch&>(head).is_cooperative != 0;
    }
  });
  const auto append = is_cooperative ? &zeCommandListAppendLaunchCooperativeKernel
                                     : &zeCommandListAppendLaunchKernel;
  return append(list, kernel, groups, signal_event, wait_count, wait_events);
}

ze_result_t later::command_list_append_launch_with_arguments(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t groups,
    const GroupSize group_size, void** values, const void* extensions,
    ze_event_handle_t signal_event, std::uint32_t wait_count, ze_event_handle_t* wait_events) {
  if (list == nullptr || kernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (const ze_result_t result =
          zeKernelSetGroupSize(kernel, group_size.x, group_size.y, group_size.z)) {
    return result;
  }
  if (const ze_result_t result = set_arguments(*object_of<Kernel>(kernel), values)) {
    return result;
  }
  return command_list_append_launch_with_parameters(list, kernel, &groups, extensions,
                                                    signal_event, wait_count, wait_events);
}

ze_result_t zeCommandListAppendLaunchKernelIndirect(ze_command_list_handle_t hCommandList,
                                                    ze_kernel_handle_t hKernel,
                                                    const ze_group_count_t* pLaunchArgumentsBuffer,
                                                    ze_event_handle_t hSignalEvent,
                                                    uint32_t numWaitEvents,
                                                    ze_event_handle_t* phWaitEvents) {
  if (hCommandList == nullptr || hKernel == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pLaunchArgumentsBuffer == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    return append_command(
        {hCommandList, hSignalEvent, numWaitEvents, phWaitEvents},
        [snapshot = Snapshot(*object_of<Kernel>(hKernel)),
         &device = object_of<CommandList>(hCommandList)->device(), pLaunchArgumentsBuffer] {
          return snapshot.run_indirect(device, pLaunchArgumentsBuffer);
        });
  });
}

ze_result_t zeCommandListAppendLaunchMultipleKernelsIndirect(
    ze_command_list_handle_t hCommandList, uint32_t numKernels, ze_kernel_handle_t* phKernels,
    const uint32_t* pCountBuffer, const ze_group_count_t* pLaunchArgumentsBuffer,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  if (hCommandList == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (phKernels == nullptr || pCountBuffer == nullptr || pLaunchArgumentsBuffer == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    std::vector<Snapshot> snapshots;
    for (std::uint32_t index = 0; index < numKernels; ++index) {
      if (phKernels[index] == nullptr) {
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
      }
      snapshots.emplace_back(*object_of<Kernel>(phKernels[index]));
    }
    Device& device = object_of<CommandList>(hCommandList)->device();
    return append_command(
        {hCommandList, hSignalEvent, numWaitEvents, phWaitEvents},
        [&device, snapshots = std::move(snapshots), pCountBuffer,
         pLaunchArgumentsBuffer]() -> Loss {
          if (Loss loss = check_host_access(device, "indirect launch count", pCountBuffer,
                                            sizeof(*pCountBuffer))) {
            return loss;
          }
          std::uint32_t count = 0;
          std::memcpy(&count, pCountBuffer, sizeof(count));
          for (std::size_t index = 0; index < snapshots.size() && index < count; ++index) {
            if (Loss loss = snapshots[index].run_indirect(device, pLaunchArgumentsBuffer + index)) {
              return loss;
            }
          }
          return std::nullopt;
        });
  });
}
