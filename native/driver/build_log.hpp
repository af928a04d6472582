// What zeModuleCreate and zeModuleDynamicLink say about a module.
#pragma once

#include <level_zero/ze_api.h>

#include <string>
#include <utility>

#include "driver/handle.hpp"

namespace xesim::driver {

class BuildLog : public Object<BuildLog> {
 public:
  explicit BuildLog(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Gives the caller a build log with `text` if it asked for one.
void give_log(ze_module_build_log_handle_t* log, std::string text);

}  // namespace xesim::driver
