#include "driver/report.hpp"

#include <unistd.h>

#include <string>

namespace xesim::driver {

void report(std::string_view line) {
  std::string text = "libze_sim_gpu: ";
  text += line;
  text += '\n';
  // One write, so that lines of several threads do not mix; nothing can be done if it fails.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace xesim::driver
