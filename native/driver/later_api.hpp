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
inline constexpr ze_api_version_t kReportedVersion = version(1, 10);

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

// 1.10
ze_result_t init_drivers(std::uint32_t* count, ze_driver_handle_t* drivers,
                         InitDriverTypes* description);
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
