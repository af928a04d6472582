// Program debug, the debugger's side of the API. The session does the work; here are the checks of
// handles and pointers.
#include <level_zero/zet_api.h>

#include "driver/device.hpp"
#include "driver/handle.hpp"
#include "driver/later_api.hpp"
#include "driver/open_sessions.hpp"
#include "driver/xesim_debug_extension.h"

using namespace xesim::driver;

ze_result_t zetDeviceGetDebugProperties(zet_device_handle_t hDevice,
                                        zet_device_debug_properties_t* pDebugProperties) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pDebugProperties == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  pDebugProperties->flags = ZET_DEVICE_DEBUG_PROPERTY_FLAG_ATTACH;  // tiles as well
  return ZE_RESULT_SUCCESS;
}

ze_result_t zetDebugAttach(zet_device_handle_t hDevice, const zet_debug_config_t* config,
                           zet_debug_session_handle_t* phDebug) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (config == nullptr || phDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    return OpenSessions::instance().attach(*object_of<Device>(hDevice), config->pid, phDebug);
  });
}

ze_result_t zetDebugDetach(zet_debug_session_handle_t hDebug) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return guarded([&] { return OpenSessions::instance().detach(hDebug); });
}

ze_result_t zetDebugReadEvent(zet_debug_session_handle_t hDebug, uint64_t timeout,
                              zet_debug_event_t* event) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (event == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return with_session(hDebug, [&](auto& session) { return session.read_event(timeout, event); });
}

ze_result_t zetDebugAcknowledgeEvent(zet_debug_session_handle_t hDebug,
                                     const zet_debug_event_t* event) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (event == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return with_session(hDebug, [&](auto& session) { return session.acknowledge(event); });
}

ze_result_t zetDebugInterrupt(zet_debug_session_handle_t hDebug, ze_device_thread_t thread) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return with_session(hDebug, [&](auto& session) { return session.interrupt(thread); });
}

ze_result_t zetDebugResume(zet_debug_session_handle_t hDebug, ze_device_thread_t thread) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return with_session(hDebug, [&](auto& session) { return session.resume(thread); });
}

ze_result_t zetDebugReadMemory(zet_debug_session_handle_t hDebug, ze_device_thread_t thread,
                               const zet_debug_memory_space_desc_t* desc, size_t size,
                               void* buffer) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || buffer == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return with_session(hDebug, [&](auto& session) {
    return session.read_memory(thread, desc, size, buffer);
  });
}

ze_result_t zetDebugWriteMemory(zet_debug_session_handle_t hDebug, ze_device_thread_t thread,
                                const zet_debug_memory_space_desc_t* desc, size_t size,
                                const void* buffer) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || buffer == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return with_session(hDebug, [&](auto& session) {
    return session.write_memory(thread, desc, size, buffer);
  });
}

ze_result_t zetDebugGetRegisterSetProperties(
    zet_device_handle_t hDevice, uint32_t* pCount,
    zet_debug_regset_properties_t* pRegisterSetProperties) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pCount == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    return xesim::debug::register_set_properties(object_of<Device>(hDevice)->topology(), pCount,
                                                 pRegisterSetProperties);
  });
}

ze_result_t later::debug_get_thread_register_set_properties(
    zet_debug_session_handle_t session, ze_device_thread_t thread, std::uint32_t* count,
    zet_debug_regset_properties_t* properties) {
  if (session == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (count == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return with_session(session, [&](auto& open) {
    return open.thread_register_set_properties(thread, count, properties);
  });
}

ze_result_t zetDebugReadRegisters(zet_debug_session_handle_t hDebug, ze_device_thread_t thread,
                                  uint32_t type, uint32_t start, uint32_t count,
                                  void* pRegisterValues) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pRegisterValues == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return with_session(hDebug, [&](auto& session) {
    return session.read_registers(thread, type, start, count, pRegisterValues);
  });
}

ze_result_t zetDebugWriteRegisters(zet_debug_session_handle_t hDebug, ze_device_thread_t thread,
                                   uint32_t type, uint32_t start, uint32_t count,
                                   void* pRegisterValues) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pRegisterValues == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return with_session(hDebug, [&](auto& session) {
    return session.write_registers(thread, type, start, count, pRegisterValues);
  });
}

ze_result_t xesimDebugGetExceptionReason(zet_debug_session_handle_t hDebug,
                                         ze_device_thread_t thread, size_t* pSize, char* pReason) {
  if (hDebug == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pSize == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return with_session(hDebug,
                      [&](auto& session) { return session.exception_reason(thread, pSize, pReason); });
}
