#include "driver/context.hpp"

#include "driver/later_api.hpp"

using namespace xesim::driver;

std::vector<xesim::device::Device::Pause> Context::pause_devices() const {
  std::vector<xesim::device::Device::Pause> held;
  for (const auto& device : driver_.devices()) {
    held.push_back(device->gpu().pause());
  }
  return held;
}

ze_result_t zeContextCreate(ze_driver_handle_t hDriver, const ze_context_desc_t* desc,
                            ze_context_handle_t* phContext) {
  return zeContextCreateEx(hDriver, desc, 0, nullptr, phContext);
}

ze_result_t zeContextCreateEx(ze_driver_handle_t hDriver, const ze_context_desc_t* desc,
                              uint32_t numDevices, ze_device_handle_t* phDevices,
                              ze_context_handle_t* phContext) {
  if (hDriver == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || phContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (phDevices == nullptr && numDevices > 0) {
    return ZE_RESULT_ERROR_INVALID_SIZE;
  }
  return guarded([&] {  // every device is in, whatever is asked for
    auto context = std::make_shared<Context>(*object_of<Driver>(hDriver));
    *phContext = publish<ze_context_handle_t>(std::move(context));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeContextDestroy(ze_context_handle_t hContext) {
  if (hContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  withdraw(object_of<Context>(hContext));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextGetStatus(ze_context_handle_t hContext) {
  if (hContext == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return zeDeviceGetStatus(
      object_of<Context>(hContext)->driver().devices().front()->handle());
}

ze_result_t zeContextSystemBarrier(ze_context_handle_t hContext, ze_device_handle_t hDevice) {
  if (hContext == nullptr || hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return ZE_RESULT_SUCCESS;  // host and device share one coherent memory
}

// Every allocation is resident from the start, so there is nothing to make so, or to evict.
ze_result_t zeContextMakeMemoryResident(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                        void* ptr, size_t /*size*/) {
  if (hContext == nullptr || hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return ptr == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_POINTER : ZE_RESULT_SUCCESS;
}

ze_result_t zeContextEvictMemory(ze_context_handle_t hContext, ze_device_handle_t hDevice,
                                 void* ptr, size_t size) {
  return zeContextMakeMemoryResident(hContext, hDevice, ptr, size);
}

// Made when it is first asked for, and never destroyed: so the API wants it.
ze_context_handle_t later::driver_get_default_context(ze_driver_handle_t driver) {
  if (driver == nullptr) {
    return nullptr;
  }
  static const auto context = publish<ze_context_handle_t>(
      std::make_shared<Context>(*object_of<Driver>(driver)));
  return context;
}
