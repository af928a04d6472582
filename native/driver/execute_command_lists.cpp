// Command lists on a command queue.
#include "driver/command_list.hpp"
#include "driver/command_queue.hpp"
#include "driver/fence.hpp"

using namespace xesim::driver;

ze_result_t zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t hCommandQueue,
                                              uint32_t numCommandLists,
                                              ze_command_list_handle_t* phCommandLists,
                                              ze_fence_handle_t hFence) {
  if (hCommandQueue == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (phCommandLists == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (numCommandLists == 0) {
    return ZE_RESULT_ERROR_INVALID_SIZE;
  }
  return guarded([&] {
    CommandSequence commands;
    for (std::uint32_t index = 0; index < numCommandLists; ++index) {
      if (!is_live(phCommandLists[index])) {
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
      }
      const CommandList& list = *object_of<CommandList>(phCommandLists[index]);
      if (list.is_immediate() || !list.closed()) {
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
      }
      commands.insert(commands.end(), list.commands().begin(), list.commands().end());
    }
    if (hFence != nullptr) {
      auto signal_fence = std::make_shared<Command>();
      signal_fence->signal_fence = object_of<Fence>(hFence)->shared_from_this();
      commands.push_back(std::move(signal_fence));
    }
    return object_of<CommandQueue>(hCommandQueue)->submit(commands);
  });
}
