// Functions of the API as their tables have them: a call with a handle of something that was destroyed,
// that is of another kind, or that never was, is refused before the function sees it. Null handles are
// the function's own business, since some may be null.
#pragma once

#include <level_zero/ze_api.h>
#include <level_zero/zes_api.h>

#include <type_traits>

#include "driver/handle.hpp"

namespace xesim::driver {

template <class T>
inline constexpr bool kIsHandle = false;
template <>
inline constexpr bool kIsHandle<ze_driver_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_device_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_context_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_command_queue_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_command_list_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_fence_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_event_pool_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_event_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_image_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_module_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_module_build_log_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_kernel_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_sampler_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_physical_mem_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_fabric_vertex_handle_t> = true;
template <>
inline constexpr bool kIsHandle<ze_fabric_edge_handle_t> = true;  // none is live: there are no edges
template <>
inline constexpr bool kIsHandle<zes_mem_handle_t> = true;

template <class Argument>
[[nodiscard]] bool may_be_passed(Argument argument) {
  if constexpr (kIsHandle<Argument>) {
    return argument == nullptr || is_live(argument);
  } else {
    return true;
  }
}

template <auto function>
struct CheckedCall;
template <class Result, class... Arguments, Result (*function)(Arguments...)>
struct CheckedCall<function> {
  static Result call(Arguments... arguments) {
    if ((may_be_passed(arguments) && ...)) {
      return function(arguments...);
    }
    if constexpr (std::is_same_v<Result, ze_result_t>) {
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    } else {
      return Result{};
    }
  }
};

}  // namespace xesim::driver
