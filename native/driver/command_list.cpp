#include "driver/command_list.hpp"

#include "driver/later_api.hpp"

namespace xesim::driver {

CommandList::CommandList(std::shared_ptr<Context> context, Device& device, std::uint32_t ordinal,
                         ze_command_list_flags_t flags, bool is_mutable)
    : context_(std::move(context)),
      device_(device),
      ordinal_(ordinal),
      flags_(flags),
      mutable_(is_mutable ? std::make_unique<MutableCommands>() : nullptr) {}

CommandList::CommandList(std::shared_ptr<Context> context, Device& device,
                         const ze_command_queue_desc_t& description)
    : context_(context),
      device_(device),
      ordinal_(description.ordinal),
      queue_(std::make_unique<CommandQueue>(std::move(context), device, description)) {}

std::shared_ptr<CommandList> CommandList::clone() const {
  auto copy = std::make_shared<CommandList>(context_, device_, ordinal_, flags_, false);
  copy->commands_ = commands_;
  if (mutable_ != nullptr) {
    copy->mutable_ = std::make_unique<MutableCommands>(*mutable_);
  }
  copy->closed_ = true;
  return copy;
}

bool CommandList::closed() const {
  return closed_ && (mutable_ == nullptr || !mutable_->changed());
}

ze_result_t CommandList::close() {
  closed_ = true;
  return mutable_ == nullptr ? ZE_RESULT_SUCCESS : mutable_->apply(device_, commands_);
}

void CommandList::reset() {
  commands_.clear();
  if (mutable_ != nullptr) {
    mutable_->clear();
  }
  closed_ = false;
}

ze_result_t CommandList::append(const CommandSequence& commands) {
  if (queue_ != nullptr) {
    return queue_->submit(commands);
  }
  if (closed_) {
    return ZE_RESULT_SUCCESS;  // after the end of the list: never executed, as with Intel's driver
  }
  if (mutable_ != nullptr) {
    mutable_->appended(commands_.size(), commands.front());
  }
  commands_.insert(commands_.end(), commands.begin(), commands.end());
  return ZE_RESULT_SUCCESS;
}

ze_result_t append_command(const AppendArguments& arguments, std::function<Loss()> run,
                           std::shared_ptr<const KernelCall> call) {
  if (arguments.list == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  auto command = std::make_shared<Command>();
  if (const ze_result_t result =
          collect_wait_events(arguments.wait_count, arguments.wait_events, command->wait_events)) {
    return result;
  }
  if (arguments.signal_event != nullptr) {
    command->signal_event = object_of<Event>(arguments.signal_event)->shared_from_this();
  }
  command->run = std::move(run);
  command->call = std::move(call);
  return object_of<CommandList>(arguments.list)->append({std::move(command)});
}

}  // namespace xesim::driver

using namespace xesim::driver;

ze_result_t zeCommandListCreate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                const ze_command_list_desc_t* desc,
                                ze_command_list_handle_t* phCommandList) {
  if (hContext == nullptr || hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || phCommandList == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (Device::queue_group(desc->commandQueueGroupOrdinal) == nullptr) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  bool is_mutable = false;
  for_each_extension(desc->pNext, [&](const ExtensionHead& head) {
    is_mutable = is_mutable || head.stype == later::kMutableCommandList;
  });
  return guarded([&] {
    *phCommandList = publish<ze_command_list_handle_t>(std::make_shared<CommandList>(
        object_of<Context>(hContext)->shared_from_this(), *object_of<Device>(hDevice),
        desc->commandQueueGroupOrdinal, desc->flags, is_mutable));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandListCreateImmediate(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                         const ze_command_queue_desc_t* altdesc,
                                         ze_command_list_handle_t* phCommandList) {
  if (hContext == nullptr || hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (altdesc == nullptr || phCommandList == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (const ze_result_t result = check_queue(*altdesc)) {
    return result;
  }
  return guarded([&] {
    *phCommandList = publish<ze_command_list_handle_t>(
        std::make_shared<CommandList>(object_of<Context>(hContext)->shared_from_this(),
                                      *object_of<Device>(hDevice), *altdesc));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandListDestroy(ze_command_list_handle_t hCommandList) {
  if (hCommandList == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    withdraw(object_of<CommandList>(hCommandList));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeCommandListClose(ze_command_list_handle_t hCommandList) {
  if (hCommandList == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] { return object_of<CommandList>(hCommandList)->close(); });
}

ze_result_t zeCommandListReset(ze_command_list_handle_t hCommandList) {
  if (hCommandList == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    object_of<CommandList>(hCommandList)->reset();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t later::command_list_host_synchronize(ze_command_list_handle_t list,
                                                 std::uint64_t timeout) {
  if (list == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  const CommandQueue* queue = object_of<CommandList>(list)->queue();
  return queue != nullptr ? queue->synchronize(timeout) : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

namespace {

// Stores what `read(list)` returns, after the checks that all the queries share.
template <class Value, class Read>
ze_result_t query(ze_command_list_handle_t handle, Value* value, Read read) {
  if (handle == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (value == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *value = read(*object_of<CommandList>(handle));
  return ZE_RESULT_SUCCESS;
}

}  // namespace

ze_result_t later::command_list_get_device(ze_command_list_handle_t list,
                                           ze_device_handle_t* device) {
  return query(list, device, [](CommandList& object) { return object.device().handle(); });
}

ze_result_t later::command_list_get_context(ze_command_list_handle_t list,
                                            ze_context_handle_t* context) {
  return query(list, context, [](CommandList& object) { return object.context().handle(); });
}

ze_result_t later::command_list_get_ordinal(ze_command_list_handle_t list, std::uint32_t* ordinal) {
  return query(list, ordinal, [](CommandList& object) { return object.ordinal(); });
}

ze_result_t later::command_list_is_immediate(ze_command_list_handle_t list, ze_bool_t* immediate) {
  return query(list, immediate,
               [](CommandList& object) { return static_cast<ze_bool_t>(object.is_immediate()); });
}

ze_result_t later::command_list_get_flags(ze_command_list_handle_t list,
                                          ze_command_list_flags_t* flags) {
  return query(list, flags, [](CommandList& object) { return object.flags(); });
}

namespace {

// The same of what an immediate list's queue was asked for.
template <class Value>
ze_result_t query_queue(ze_command_list_handle_t list, Value ze_command_queue_desc_t::*member,
                        Value* value) {
  if (list != nullptr && !object_of<CommandList>(list)->is_immediate()) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  return query(list, value,
               [&](CommandList& object) { return object.queue()->description().*member; });
}

}  // namespace

ze_result_t later::command_list_immediate_get_index(ze_command_list_handle_t list,
                                                    std::uint32_t* index) {
  return query_queue(list, &ze_command_queue_desc_t::index, index);
}

ze_result_t later::command_list_immediate_get_flags(ze_command_list_handle_t list,
                                                    ze_command_queue_flags_t* flags) {
  return query_queue(list, &ze_command_queue_desc_t::flags, flags);
}

ze_result_t later::command_list_immediate_get_mode(ze_command_list_handle_t list,
                                                   ze_command_queue_mode_t* mode) {
  return query_queue(list, &ze_command_queue_desc_t::mode, mode);
}

ze_result_t later::command_list_immediate_get_priority(ze_command_list_handle_t list,
                                                       ze_command_queue_priority_t* priority) {
  return query_queue(list, &ze_command_queue_desc_t::priority, priority);
}

ze_result_t later::command_list_create_clone(ze_command_list_handle_t list,
                                             ze_command_list_handle_t* clone) {
  if (list == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (clone == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    const CommandList& original = *object_of<CommandList>(list);
    if (original.is_immediate() || !original.closed()) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    *clone = publish<ze_command_list_handle_t>(original.clone());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t later::command_list_immediate_append_command_lists_with_parameters(
    ze_command_list_handle_t immediate, std::uint32_t count, ze_command_list_handle_t* lists,
    const void* /*extensions*/, ze_event_handle_t signal_event, std::uint32_t wait_count,
    ze_event_handle_t* wait_events) {
  return command_list_immediate_append_command_lists(immediate, count, lists, signal_event,
                                                     wait_count, wait_events);
}

ze_result_t later::command_list_immediate_append_command_lists(
    ze_command_list_handle_t immediate, std::uint32_t count, ze_command_list_handle_t* lists,
    ze_event_handle_t signal_event, std::uint32_t wait_count, ze_event_handle_t* wait_events) {
  if (immediate == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (lists == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    auto first = std::make_shared<Command>();
    if (const ze_result_t result =
            collect_wait_events(wait_count, wait_events, first->wait_events)) {
      return result;
    }
    CommandSequence commands{std::move(first)};
    for (std::uint32_t index = 0; index < count; ++index) {
      if (!is_live(lists[index])) {
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
      }
      const CommandList& list = *object_of<CommandList>(lists[index]);
      if (list.is_immediate() || !list.closed()) {
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
      }
      commands.insert(commands.end(), list.commands().begin(), list.commands().end());
    }
    auto last = std::make_shared<Command>();
    if (signal_event != nullptr) {
      last->signal_event = object_of<Event>(signal_event)->shared_from_this();
    }
    commands.push_back(std::move(last));
    return object_of<CommandList>(immediate)->append(commands);
  });
}
