#include "driver/command_queue.hpp"

#include "driver/later_api.hpp"

namespace xesim::driver {

QueuePresence::QueuePresence(Device& device) : device_(device) {
  if (device_.debug_server() != nullptr) {
    device_.debug_server()->queue_created(device_.tile_mask());
  }
}

QueuePresence::~QueuePresence() {
  if (device_.debug_server() != nullptr) {
    device_.debug_server()->queue_destroyed(device_.tile_mask());
  }
}

CommandQueue::CommandQueue(std::shared_ptr<Context> context, Device& device,
                           const ze_command_queue_desc_t& description)
    : context_(std::move(context)),
      device_(device),
      description_(description),
      stream_(std::make_shared<CommandStream>(description.priority)),
      presence_(device) {
  description_.pNext = nullptr;
}

ze_result_t CommandQueue::submit(const CommandSequence& commands) {
  const ze_result_t result = device_.streamer().submit(stream_, commands);
  const bool waits = description_.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  return result == ZE_RESULT_SUCCESS && waits ? synchronize(UINT64_MAX) : result;
}

ze_result_t CommandQueue::synchronize(std::uint64_t timeout) const {
  return CommandStreamer::synchronize(*stream_, timeout);
}

ze_result_t check_queue(const ze_command_queue_desc_t& description) {
  const QueueGroup* group = Device::queue_group(description.ordinal);
  return group != nullptr && description.index < group->queues ? ZE_RESULT_SUCCESS
                                                               : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

}  // namespace xesim::driver

using namespace xesim::driver;

ze_result_t zeCommandQueueCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                 const ze_command_queue_desc_t* desc,
                                 ze_command_queue_handle_t* phCommandQueue) {
  if (hContext == nullptr || hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || phCommandQueue == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (const ze_result_t result = check_queue(*desc)) {
    return result;
  }
  return guarded([&] {
    *phCommandQueue = publish<ze_command_queue_handle_t>(
        std::make_shared<CommandQueue>(object_of<Context>(hContext)->shared_from_this(),
                                       *object_of<Device>(hDevice), *desc));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandQueueDestroy(ze_command_queue_handle_t hCommandQueue) {
  if (hCommandQueue == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    withdraw(object_of<CommandQueue>(hCommandQueue));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandQueueSynchronize(ze_command_queue_handle_t hCommandQueue, uint64_t timeout) {
  if (hCommandQueue == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return object_of<CommandQueue>(hCommandQueue)->synchronize(timeout);
}

namespace {

// Stores the member of what the queue was asked for.
template <class Value>
ze_result_t query(ze_command_queue_handle_t queue, Value ze_command_queue_desc_t::*member,
                  Value* value) {
  if (queue == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (value == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *value = object_of<CommandQueue>(queue)->description().*member;
  return ZE_RESULT_SUCCESS;
}

}  // namespace

ze_result_t later::command_queue_get_ordinal(ze_command_queue_handle_t queue,
                                             std::uint32_t* ordinal) {
  return query(queue, &ze_command_queue_desc_t::ordinal, ordinal);
}

ze_result_t later::command_queue_get_index(ze_command_queue_handle_t queue, std::uint32_t* index) {
  return query(queue, &ze_command_queue_desc_t::index, index);
}

ze_result_t later::command_queue_get_flags(ze_command_queue_handle_t queue,
                                           ze_command_queue_flags_t* flags) {
  return query(queue, &ze_command_queue_desc_t::flags, flags);
}

ze_result_t later::command_queue_get_mode(ze_command_queue_handle_t queue,
                                          ze_command_queue_mode_t* mode) {
  return query(queue, &ze_command_queue_desc_t::mode, mode);
}

ze_result_t later::command_queue_get_priority(ze_command_queue_handle_t queue,
                                              ze_command_queue_priority_t* priority) {
  return query(queue, &ze_command_queue_desc_t::priority, priority);
}
