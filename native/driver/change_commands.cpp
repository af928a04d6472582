// The entry points that change commands of mutable lists.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "driver/command_list.hpp"
#include "driver/kernel.hpp"
#include "driver/kernel_call.hpp"
#include "driver/mutable_api.hpp"

namespace xesim::driver {

namespace {

using Entry = MutableCommands::Entry;

Command& draft_of(Entry& entry) {
  if (!entry.draft) {
    entry.draft = *entry.command;
  }
  return *entry.draft;
}

// The launch with the changes so far; null when the command is none.
const KernelCall* call_of(const Entry& entry) {
  return entry.call != nullptr ? entry.call.get() : entry.command->call.get();
}

void set_call(Entry& entry, KernelCall call) {
  draft_of(entry);
  entry.call = std::make_shared<const KernelCall>(std::move(call));
}

// What all changes but those of kernels begin with: `apply(entry)`, where `aspect` of the command can be
// changed.
template <class Change>
ze_result_t change(ze_command_list_handle_t list, std::uint64_t id, later::MutableAspect aspect,
                   Change apply) {
  MutableCommands* commands = object_of<CommandList>(list)->mutable_commands();
  Entry* entry = commands != nullptr ? commands->find(id, aspect) : nullptr;
  return entry != nullptr ? apply(*entry) : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

// The same of a launch: `apply(call)` may return an error, and then changes nothing.
template <class Change>
ze_result_t change_call(ze_command_list_handle_t list, std::uint64_t id,
                        later::MutableAspect aspect, Change apply) {
  return change(list, id, aspect, [&](Entry& entry) {
    if (call_of(entry) == nullptr) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    KernelCall call = *call_of(entry);
    const std::optional<device::PayloadError> error = apply(call);
    if (error) {
      refuse(*error);
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    set_call(entry, std::move(call));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t apply_change(ze_command_list_handle_t list, const ExtensionHead& head) {
  if (head.stype == later::kArgumentChange) {
    const auto& change = reinterpret_cast<const later::ArgumentChange&>(head);
    return change_call(list, change.command, later::kMutableArguments, [&](KernelCall& call) {
      return set_argument(call.builder, change.index, change.size, change.value);
    });
  }
  if (head.stype == later::kGroupCountChange) {
    const auto& change = reinterpret_cast<const later::GroupCountChange&>(head);
    if (change.groups == nullptr) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    return change_call(list, change.command, later::kMutableGroupCount, [&](KernelCall& call) {
      const ze_group_count_t& groups = *change.groups;
      call.groups = {groups.groupCountX, groups.groupCountY, groups.groupCountZ};
      return std::nullopt;
    });
  }
  const auto& change = reinterpret_cast<const later::DimensionsChange&>(head);
  if (head.stype == later::kGroupSizeChange) {
    return change_call(list, change.command, later::kMutableGroupSize, [&](KernelCall& call) {
      return call.builder.set_group_size({change.x, change.y, change.z});
    });
  }
  if (head.stype == later::kGlobalOffsetChange) {
    return change_call(list, change.command, later::kMutableGlobalOffset, [&](KernelCall& call) {
      call.builder.set_global_offset({change.x, change.y, change.z});
      return std::nullopt;
    });
  }
  return ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

}  // namespace

ze_result_t later::command_list_get_next_command_id_with_kernels(
    ze_command_list_handle_t list, const MutableCommandId* description, std::uint32_t count,
    ze_kernel_handle_t* kernels, std::uint64_t* id) {
  if (list == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (description == nullptr || id == nullptr || (count > 0 && kernels == nullptr)) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (description->flags > kLastMutableFlags) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  if ((description->flags & ~kAllMutableAspects) != 0) {
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;  // graphs
  }
  return guarded([&] {
    const CommandList& object = *object_of<CommandList>(list);
    if (object.mutable_commands() == nullptr || object.closed()) {
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    }
    std::vector<std::shared_ptr<Kernel>> choice;
    for (std::uint32_t index = 0; index < count; ++index) {
      if (!is_live(kernels[index])) {
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
      }
      choice.push_back(object_of<Kernel>(kernels[index])->shared_from_this());
    }
    *id = object.mutable_commands()->expect(
        description->flags != 0 ? description->flags : kDefaultMutableAspects, std::move(choice));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t later::command_list_get_next_command_id(ze_command_list_handle_t list,
                                                    const MutableCommandId* description,
                                                    std::uint64_t* id) {
  return command_list_get_next_command_id_with_kernels(list, description, 0, nullptr, id);
}

ze_result_t later::command_list_update_commands(ze_command_list_handle_t list,
                                                const CommandChanges* changes) {
  if (list == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (changes == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    ze_result_t result = ZE_RESULT_SUCCESS;
    for_each_extension(changes->pNext, [&](const ExtensionHead& head) {
      if (result == ZE_RESULT_SUCCESS) {
        result = apply_change(list, head);
      }
    });
    return result;
  });
}

ze_result_t later::command_list_update_signal_event(ze_command_list_handle_t list,
                                                    std::uint64_t id, ze_event_handle_t event) {
  if (list == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    return change(list, id, kMutableSignalEvent, [&](Entry& entry) {
      draft_of(entry).signal_event =
          event != nullptr ? object_of<Event>(event)->shared_from_this() : nullptr;
      return ZE_RESULT_SUCCESS;
    });
  });
}

ze_result_t later::command_list_update_wait_events(ze_command_list_handle_t list, std::uint64_t id,
                                                   std::uint32_t count,
                                                   ze_event_handle_t* events) {
  if (list == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] {
    return change(list, id, kMutableWaitEvents, [&](Entry& entry) {
      if (events != nullptr && count != entry.wait_count) {
        return ZE_RESULT_ERROR_INVALID_SIZE;
      }
      auto& waits = draft_of(entry).wait_events;
      waits.clear();
      for (std::uint32_t index = 0; events != nullptr && index < count; ++index) {
        if (events[index] != nullptr && !is_live(events[index])) {
          return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
        }
        if (events[index] != nullptr) {
          waits.push_back(object_of<Event>(events[index])->shared_from_this());
        }
      }
      return ZE_RESULT_SUCCESS;
    });
  });
}

ze_result_t later::command_list_update_kernels(ze_command_list_handle_t list, std::uint32_t count,
                                               std::uint64_t* ids, ze_kernel_handle_t* kernels) {
  if (list == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (ids == nullptr || kernels == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    for (std::uint32_t index = 0; index < count; ++index) {
      if (!is_live(kernels[index])) {
        return later::kInvalidKernelHandle;
      }
      const Kernel* wanted = object_of<Kernel>(kernels[index]);
      const ze_result_t result = change(list, ids[index], kMutableKernel, [&](Entry& entry) {
        const auto found = std::ranges::find(entry.kernels, wanted, &std::shared_ptr<Kernel>::get);
        if (found == entry.kernels.end()) {
          return later::kInvalidKernelHandle;
        }
        const KernelCall* call = call_of(entry);
        if (call == nullptr) {
          return ZE_RESULT_ERROR_INVALID_ARGUMENT;
        }
        set_call(entry, {(*found)->module(), (*found)->builder(), call->groups});
        return ZE_RESULT_SUCCESS;
      });
      if (result != ZE_RESULT_SUCCESS) {
        return result;
      }
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t later::command_list_is_mutable(ze_command_list_handle_t list, ze_bool_t* is_mutable) {
  if (list == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (is_mutable == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *is_mutable = object_of<CommandList>(list)->mutable_commands() != nullptr ? 1 : 0;
  return ZE_RESULT_SUCCESS;
}

}  // namespace xesim::driver
