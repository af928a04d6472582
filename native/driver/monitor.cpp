#include "driver/monitor.hpp"

#include "driver/never_destroyed.hpp"

namespace xesim::driver {

Monitor& Monitor::instance() {
  static NeverDestroyed<Monitor> monitor;
  return monitor.get();
}

}  // namespace xesim::driver
