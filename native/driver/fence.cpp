#include "driver/fence.hpp"

#include "driver/monitor.hpp"

using namespace xesim::driver;

ze_result_t zeFenceCreate(ze_command_queue_handle_t hCommandQueue, const ze_fence_desc_t* desc,
                          ze_fence_handle_t* phFence) {
  if (hCommandQueue == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (desc == nullptr || phFence == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  return guarded([&] {
    const bool signalled = (desc->flags & ZE_FENCE_FLAG_SIGNALED) != 0;
    *phFence = publish<ze_fence_handle_t>(std::make_shared<Fence>(signalled));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeFenceDestroy(ze_fence_handle_t hFence) {
  if (hFence == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  withdraw(object_of<Fence>(hFence));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeFenceHostSynchronize(ze_fence_handle_t hFence, uint64_t timeout) {
  if (hFence == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  Fence& fence = *object_of<Fence>(hFence);
  return Monitor::instance().wait(timeout, [&] { return fence.signalled(); },
                                  [&]() -> FailureToTell& { return fence.failure(); });
}

ze_result_t zeFenceQueryStatus(ze_fence_handle_t hFence) {
  return zeFenceHostSynchronize(hFence, 0);
}

ze_result_t zeFenceReset(ze_fence_handle_t hFence) {
  if (hFence == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  const Monitor::Lock lock = Monitor::instance().lock();
  object_of<Fence>(hFence)->reset();
  return ZE_RESULT_SUCCESS;
}
