#include "device/hardware_thread.hpp"

#include "eu/execution_unit.hpp"

namespace xesim::device {

void stop(HardwareThread& thread, const eu::RunResult& result) {
  // A fault that is taken again at resume keeps what is known of it; another cause has none.
  constexpr std::uint32_t kExplained = eu::cr0::kPageFault | eu::cr0::kIllegalOpcode;
  if (result.raised != 0 || (thread.state.control[1] & kExplained) == 0) {
    thread.fault = result.fault;
    thread.report = result.reason();
  }
  thread.run = ThreadRun::Stopped;
}

void stop_after_watched(HardwareThread& thread) {
  eu::ExecutionUnit::take_breakpoint(thread.state);
  eu::RunResult result;
  result.raised = eu::cr0::kBreakpoint;
  stop(thread, result);
}

void halt(HardwareThread& thread) {
  eu::ExecutionUnit::force_exception(thread.state);
  thread.run = ThreadRun::Stopped;
}

void resume(HardwareThread& thread) {
  thread.run = ThreadRun::Runnable;
  thread.written_flow_control.clear();
}

}  // namespace xesim::device
