// Parts of the API that are newer than the oldest headers this driver compiles with (1.4), under
// names of our own, so that they do not clash with newer headers.
// Source: Level Zero specification, the version named at each entry.
#pragma once

#include <level_zero/ze_api.h>
#include <level_zero/zet_api.h>

#include <cstddef>
#include <cstdint>

namespace xesim::driver::later {

constexpr ze_api_version_t version(std::uint32_t major, std::uint32_t minor) {
  return static_cast<ze_api_version_t>(ZE_MAKE_VERSION(major, minor));
}

// What zeDriverGetApiVersion reports. At 1.17 loaders would take handles for dispatch tables.
inline constexpr ze_api_version_t kReportedVersion = version(1, 16);

constexpr ze_structure_type_t structure_type(std::uint32_t value) {
  return static_cast<ze_structure_type_t>(value);
}

// 1.5, extension ZE_extension_device_ip_version
inline constexpr ze_structure_type_t kDeviceIpVersion = structure_type(0x1000f);
struct DeviceIpVersion {
  ze_structure_type_t stype;
  const void* pNext;
  std::uint32_t ip_version;
};

// 1.17: whether read-only memory is enforced
inline constexpr ze_structure_type_t kReadOnlyMemory = structure_type(0x10015);
struct ReadOnlyMemory {
  ze_structure_type_t stype;
  void* pNext;
  std::uint32_t capability;
};
inline constexpr std::uint32_t kReadOnlyIsEnforced = 2;

// 1.6, extension ZE_extension_kernel_max_group_size_properties
inline constexpr ze_structure_type_t kKernelMaxGroupSize = structure_type(0x10013);
struct KernelMaxGroupSize {
  ze_structure_type_t stype;
  void* pNext;
  std::uint32_t max_group_size;
};

// 1.7, extension ZE_experimental_event_pool_counter_based: in pNext of ze_event_pool_desc_t
inline constexpr ze_structure_type_t kCounterBasedEventPool = structure_type(0x20014);

// 1.6: a pool's kernel timestamps are of the host's clock
inline constexpr ze_event_pool_flags_t kMappedTimestamps = 1u << 3;

// 1.10, zeInitDrivers
struct InitDriverTypes {
  ze_structure_type_t stype;
  const void* pNext;
  std::uint32_t flags;
};
inline constexpr std::uint32_t kInitDriverTypeGpu = 1;

// 1.7: where physical memory is
inline constexpr std::uint32_t kPhysicalOnDevice = 1;
inline constexpr std::uint32_t kPhysicalOnHost = 2;

// 1.7, extension ZE_experimental_memory_atomics: whose atomics an allocation is for
using MemoryAtomics = std::uint32_t;

// 1.13, extension ZE_extension_device_vector_sizes
struct VectorWidths {
  ze_structure_type_t stype;
  void* pNext;
  std::uint32_t bytes;
  // Elements of char, short, int, long, float, double and half, as the device prefers and as it has them.
  std::uint32_t preferred[7];
  std::uint32_t native[7];
};

// 1.14
inline constexpr ze_structure_type_t kCooperativeLaunch = structure_type(0x20036);
struct CooperativeLaunch {
  ze_structure_type_t stype;
  const void* pNext;
  ze_bool_t is_cooperative;
};
struct GroupSize {
  std::uint32_t x;
  std::uint32_t y;
  std::uint32_t z;
};

// 1.14, extension ZE_experimental_kernel_allocation_properties
struct KernelAllocation {
  ze_structure_type_t stype;
  void* pNext;
  std::uint64_t base;
  std::size_t size;  // bytes
  ze_memory_type_t type;
  std::uint32_t argument;  // UINT32_MAX: none
};

// 1.15
struct PhysicalMemoryProperties {
  ze_structure_type_t stype;
  void* pNext;
  std::uint64_t id;
  std::uint64_t size;  // bytes
};

// 1.15: an event that counts what signals it, of no pool
struct CounterBasedEvent {
  ze_structure_type_t stype;
  const void* pNext;
  std::uint32_t flags;
  ze_event_scope_flags_t signal;
  ze_event_scope_flags_t wait;
};
struct CounterBasedIpcHandle {
  char data[ZE_MAX_IPC_HANDLE_SIZE];
};
inline constexpr std::uint32_t kCounterIpc = 1u << 3;
inline constexpr std::uint32_t kCounterDeviceTimestamp = 1u << 4;
inline constexpr std::uint32_t kCounterHostTimestamp = 1u << 5;
inline constexpr std::uint32_t kCounterGraph = 1u << 6;
inline constexpr std::uint32_t kLastCounterFlags = 0x7f;
// In its pNext: the program keeps the counter, or sums counters.
inline constexpr ze_structure_type_t kExternalCounter = structure_type(0x2003b);
inline constexpr ze_structure_type_t kSummedCounter = structure_type(0x2003f);

// 1.17
using HostFunction = void (*)(void* user_data);

// 1.10
ze_result_t init_drivers(std::uint32_t* count, ze_driver_handle_t* drivers,
                         InitDriverTypes* description);
// 1.14: the one exception to calls that return a result
ze_context_handle_t driver_get_default_context(ze_driver_handle_t driver);
ze_result_t device_synchronize(ze_device_handle_t device);
// 1.13
ze_result_t device_get_vector_widths(ze_device_handle_t device, std::uint32_t* count,
                                     VectorWidths* widths);
// 1.17
ze_result_t command_queue_get_flags(ze_command_queue_handle_t queue,
                                    ze_command_queue_flags_t* flags);
ze_result_t command_queue_get_mode(ze_command_queue_handle_t queue, ze_command_queue_mode_t* mode);
ze_result_t command_queue_get_priority(ze_command_queue_handle_t queue,
                                       ze_command_queue_priority_t* priority);
ze_result_t command_list_get_flags(ze_command_list_handle_t list, ze_command_list_flags_t* flags);
ze_result_t command_list_immediate_get_flags(ze_command_list_handle_t list,
                                             ze_command_queue_flags_t* flags);
ze_result_t command_list_immediate_get_mode(ze_command_list_handle_t list,
                                            ze_command_queue_mode_t* mode);
ze_result_t command_list_immediate_get_priority(ze_command_list_handle_t list,
                                                ze_command_queue_priority_t* priority);
ze_result_t command_list_append_host_function(ze_command_list_handle_t list, HostFunction function,
                                              void* user_data, const void* extensions,
                                              ze_event_handle_t signal_event,
                                              std::uint32_t wait_count,
                                              ze_event_handle_t* wait_events);
// 1.14
ze_result_t command_list_append_launch_with_parameters(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t* groups,
    const void* extensions, ze_event_handle_t signal_event, std::uint32_t wait_count,
    ze_event_handle_t* wait_events);
ze_result_t command_list_append_launch_with_arguments(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t groups,
    const GroupSize group_size, void** values, const void* extensions,
    ze_event_handle_t signal_event, std::uint32_t wait_count, ze_event_handle_t* wait_events);
// 1.16
ze_result_t command_list_append_memory_copy_with_parameters(
    ze_command_list_handle_t list, void* target, const void* source, std::size_t size,
    const void* extensions, ze_event_handle_t signal_event, std::uint32_t wait_count,
    ze_event_handle_t* wait_events);
ze_result_t command_list_append_memory_fill_with_parameters(
    ze_command_list_handle_t list, void* target, const void* pattern, std::size_t pattern_size,
    std::size_t size, const void* extensions, ze_event_handle_t signal_event,
    std::uint32_t wait_count, ze_event_handle_t* wait_events);
ze_result_t command_list_immediate_append_command_lists_with_parameters(
    ze_command_list_handle_t immediate, std::uint32_t count, ze_command_list_handle_t* lists,
    const void* extensions, ze_event_handle_t signal_event, std::uint32_t wait_count,
    ze_event_handle_t* wait_events);
// 1.9
ze_result_t command_list_create_clone(ze_command_list_handle_t list,
                                      ze_command_list_handle_t* clone);
ze_result_t image_get_device_offset(ze_image_handle_t image, std::uint64_t* offset);
ze_result_t mem_get_pitch_for_2d_image(ze_context_handle_t context, ze_device_handle_t device,
                                       std::size_t width, std::size_t height,
                                       unsigned element_bytes, std::size_t* pitch);
// 1.6
ze_result_t event_pool_put_ipc_handle(ze_context_handle_t context,
                                      ze_ipc_event_pool_handle_t handle);
ze_result_t mem_put_ipc_handle(ze_context_handle_t context, ze_ipc_mem_handle_t handle);
ze_result_t mem_get_ipc_handle_from_file_descriptor(ze_context_handle_t context,
                                                    std::uint64_t descriptor,
                                                    ze_ipc_mem_handle_t* handle);
ze_result_t mem_get_file_descriptor_from_ipc_handle(ze_context_handle_t context,
                                                    ze_ipc_mem_handle_t handle,
                                                    std::uint64_t* descriptor);
// 1.7
ze_result_t mem_set_atomic_access(ze_context_handle_t context, ze_device_handle_t device,
                                  const void* pointer, std::size_t size, MemoryAtomics atomics);
ze_result_t mem_get_atomic_access(ze_context_handle_t context, ze_device_handle_t device,
                                  const void* pointer, std::size_t size, MemoryAtomics* atomics);
// 1.15
ze_result_t event_counter_based_create(ze_context_handle_t context, ze_device_handle_t device,
                                       const CounterBasedEvent* description,
                                       ze_event_handle_t* event);
ze_result_t event_counter_based_get_ipc_handle(ze_event_handle_t event,
                                               CounterBasedIpcHandle* handle);
ze_result_t event_counter_based_open_ipc_handle(ze_context_handle_t context,
                                                CounterBasedIpcHandle handle,
                                                ze_event_handle_t* event);
ze_result_t event_counter_based_close_ipc_handle(ze_event_handle_t event);
ze_result_t event_get_counter_based_flags(ze_event_handle_t event, std::uint32_t* flags);  // 1.17
ze_result_t mem_get_ipc_handle_with_properties(ze_context_handle_t context, const void* pointer,
                                               void* extensions, ze_ipc_mem_handle_t* handle);
ze_result_t physical_mem_get_properties(ze_context_handle_t context,
                                        ze_physical_mem_handle_t memory,
                                        PhysicalMemoryProperties* properties);
// 1.11
ze_result_t kernel_get_binary(ze_kernel_handle_t kernel, std::size_t* size, std::uint8_t* binary);
// 1.14
ze_result_t kernel_get_allocation_properties(ze_kernel_handle_t kernel, std::uint32_t* count,
                                             KernelAllocation* allocations);

// 1.6
ze_result_t driver_get_last_error_description(ze_driver_handle_t driver, const char** text);
// 1.7
ze_result_t device_get_root_device(ze_device_handle_t device, ze_device_handle_t* root);
// 1.9
ze_result_t command_queue_get_ordinal(ze_command_queue_handle_t queue, std::uint32_t* ordinal);
ze_result_t command_queue_get_index(ze_command_queue_handle_t queue, std::uint32_t* index);
ze_result_t command_list_host_synchronize(ze_command_list_handle_t list, std::uint64_t timeout);
ze_result_t command_list_get_device(ze_command_list_handle_t list, ze_device_handle_t* device);
ze_result_t command_list_get_context(ze_command_list_handle_t list, ze_context_handle_t* context);
ze_result_t command_list_get_ordinal(ze_command_list_handle_t list, std::uint32_t* ordinal);
ze_result_t command_list_immediate_get_index(ze_command_list_handle_t list, std::uint32_t* index);
ze_result_t command_list_is_immediate(ze_command_list_handle_t list, ze_bool_t* immediate);
ze_result_t command_list_immediate_append_command_lists(
    ze_command_list_handle_t immediate, std::uint32_t count, ze_command_list_handle_t* lists,
    ze_event_handle_t signal_event, std::uint32_t wait_count, ze_event_handle_t* wait_events);
ze_result_t event_get_event_pool(ze_event_handle_t event, ze_event_pool_handle_t* pool);
ze_result_t event_get_signal_scope(ze_event_handle_t event, ze_event_scope_flags_t* scope);
ze_result_t event_get_wait_scope(ze_event_handle_t event, ze_event_scope_flags_t* scope);
ze_result_t event_pool_get_context(ze_event_pool_handle_t pool, ze_context_handle_t* context);
ze_result_t event_pool_get_flags(ze_event_pool_handle_t pool, ze_event_pool_flags_t* flags);
// 1.5
ze_result_t image_view_create(ze_context_handle_t context, ze_device_handle_t device,
                              const ze_image_desc_t* description, ze_image_handle_t image,
                              ze_image_handle_t* view);
// 1.5; also what zeDriverGetExtensionFunctionAddress gives for
// "zetDebugGetThreadRegisterSetProperties", for clients that use a 1.4 loader.
ze_result_t debug_get_thread_register_set_properties(zet_debug_session_handle_t session,
                                                     ze_device_thread_t thread,
                                                     std::uint32_t* count,
                                                     zet_debug_regset_properties_t* properties);

}  // namespace xesim::driver::later
