// Commands that launch kernels.
#include <level_zero/ze_api.h>

#include <cstring>
#include <vector>

#include "driver/command_list.hpp"
#include "driver/host_access.hpp"
#include "driver/kernel.hpp"
#include "driver/kernel_call.hpp"
#include "driver/later_api.hpp"

using namespace xesim::driver;
using xesim::device::PayloadError;

namespace {

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
    const auto run = prepare_launch(device, module, builder,
                                    {groups.groupCountX, groups.groupCountY, groups.groupCountZ});
    if (const auto* error = std::get_if<PayloadError>(&run)) {
      return "indirect launch: " + error->message;
    }
    const auto& launch = std::get<std::function<Loss()>>(run);
    return launch ? launch() : std::nullopt;
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
  const Kernel& kernel = *object_of<Kernel>(handle);
  CommandList& list = *object_of<CommandList>(arguments.list);
  const std::array<std::uint32_t, 3> count{groups->groupCountX, groups->groupCountY,
                                           groups->groupCountZ};
  auto run = prepare_launch(list.device(), kernel.module(), kernel.builder(), count);
  if (const auto* error = std::get_if<PayloadError>(&run)) {
    return refuse(*error);
  }
  std::shared_ptr<const KernelCall> call;
  if (list.mutable_commands() != nullptr) {
    call = std::make_shared<KernelCall>(KernelCall{kernel.module(), kernel.builder(), count});
  }
  return append_command(arguments, std::get<std::function<Loss()>>(std::move(run)),
                        std::move(call));
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
      if (!is_live(phKernels[index])) {
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
