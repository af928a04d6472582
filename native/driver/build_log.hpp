// What zeModuleCreate and zeModuleDynamicLink say about a module.
#pragma once

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

}  // namespace xesim::driver
