// The calls for mutable command lists, which are newer than the oldest headers; see later_api.hpp.
// Source: Core specification, extension ZE_experimental_mutable_command_list.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>

#include "driver/later_api.hpp"

namespace xesim::driver::later {

inline constexpr ze_structure_type_t kMutableCommandListProperties = structure_type(0x20015);
struct MutableCommandListProperties {
  ze_structure_type_t stype;
  void* pNext;
  std::uint32_t list_flags;
  std::uint32_t command_flags;  // MutableAspect
};

// In pNext of ze_command_list_desc_t.
inline constexpr ze_structure_type_t kMutableCommandList = structure_type(0x20016);

// What of a command can be changed.
enum MutableAspect : std::uint32_t {
  kMutableArguments = 1u << 0,
  kMutableGroupCount = 1u << 1,
  kMutableGroupSize = 1u << 2,
  kMutableGlobalOffset = 1u << 3,
  kMutableSignalEvent = 1u << 4,
  kMutableWaitEvents = 1u << 5,
  kMutableKernel = 1u << 6,
};
inline constexpr std::uint32_t kAllMutableAspects = 0x7f;
// What those are that are asked for by 0.
inline constexpr std::uint32_t kDefaultMutableAspects = kAllMutableAspects & ~kMutableKernel;
inline constexpr std::uint32_t kLastMutableFlags = 0xff;

struct MutableCommandId {
  ze_structure_type_t stype;
  const void* pNext;
  std::uint32_t flags;
};

// Its pNext begins the chain of changes, each with the id of its command.
struct CommandChanges {
  ze_structure_type_t stype;
  const void* pNext;
  std::uint32_t flags;
};
inline constexpr ze_structure_type_t kArgumentChange = structure_type(0x20019);
struct ArgumentChange {
  ze_structure_type_t stype;
  const void* pNext;
  std::uint64_t command;
  std::uint32_t index;
  std::size_t size;
  const void* value;
};
inline constexpr ze_structure_type_t kGroupCountChange = structure_type(0x2001a);
struct GroupCountChange {
  ze_structure_type_t stype;
  const void* pNext;
  std::uint64_t command;
  const ze_group_count_t* groups;
};
inline constexpr ze_structure_type_t kGroupSizeChange = structure_type(0x2001b);
inline constexpr ze_structure_type_t kGlobalOffsetChange = structure_type(0x2001c);
struct DimensionsChange {  // of the group's size or of the global offset
  ze_structure_type_t stype;
  const void* pNext;
  std::uint64_t command;
  std::uint32_t x;
  std::uint32_t y;
  std::uint32_t z;
};

inline constexpr auto kInvalidKernelHandle = static_cast<ze_result_t>(0x7800001c);

// 1.9
ze_result_t command_list_get_next_command_id(ze_command_list_handle_t list,
                                             const MutableCommandId* description,
                                             std::uint64_t* id);
ze_result_t command_list_update_commands(ze_command_list_handle_t list,
                                         const CommandChanges* changes);
ze_result_t command_list_update_signal_event(ze_command_list_handle_t list, std::uint64_t id,
                                             ze_event_handle_t event);
ze_result_t command_list_update_wait_events(ze_command_list_handle_t list, std::uint64_t id,
                                            std::uint32_t count, ze_event_handle_t* events);
// 1.10
ze_result_t command_list_get_next_command_id_with_kernels(ze_command_list_handle_t list,
                                                          const MutableCommandId* description,
                                                          std::uint32_t count,
                                                          ze_kernel_handle_t* kernels,
                                                          std::uint64_t* id);
ze_result_t command_list_update_kernels(ze_command_list_handle_t list, std::uint32_t count,
                                        std::uint64_t* ids, ze_kernel_handle_t* kernels);
// 1.17
ze_result_t command_list_is_mutable(ze_command_list_handle_t list, ze_bool_t* is_mutable);

}  // namespace xesim::driver::later
