#include "driver/build_log.hpp"

#include <algorithm>
#include <cstring>

using namespace xesim::driver;

void xesim::driver::give_log(ze_module_build_log_handle_t* log, std::string text) {
  if (log != nullptr) {
    *log = publish<ze_module_build_log_handle_t>(std::make_shared<BuildLog>(std::move(text)));
  }
}

ze_result_t zeModuleBuildLogDestroy(ze_module_build_log_handle_t hModuleBuildLog) {
  if (hModuleBuildLog == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  withdraw(object_of<BuildLog>(hModuleBuildLog));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleBuildLogGetString(ze_module_build_log_handle_t hModuleBuildLog, size_t* pSize,
                                      char* pBuildLog) {
  if (hModuleBuildLog == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (pSize == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  const std::string& text = object_of<BuildLog>(hModuleBuildLog)->text();
  const std::size_t needed = text.size() + 1;  // with the terminating zero
  if (pBuildLog != nullptr && *pSize > 0) {
    const std::size_t copied = std::min(*pSize, needed) - 1;
    std::memcpy(pBuildLog, text.data(), copied);
    pBuildLog[copied] = '\0';
  }
  *pSize = needed;
  return ZE_RESULT_SUCCESS;
}
