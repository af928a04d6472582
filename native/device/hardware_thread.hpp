// A hardware thread that has work, as the device and its debuggers see it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/topology.hpp"
#include "eu/thread/environment.hpp"
#include "eu/thread/thread_state.hpp"

namespace xesim::eu {
struct RunResult;
}

namespace xesim::device {

enum class ThreadRun : std::uint8_t {
  Runnable,
  AtBarrier,
  Stopped,   // took an exception; waits for resume()
};

// A hardware thread that holds a piece of work. Valid while a Pause is held.
struct HardwareThread {
  ThreadId id;
  ThreadRun run = ThreadRun::Runnable;
  eu::ThreadState state;
  std::array<std::uint32_t, 3> group{};      // work-group id
  std::uint32_t index_in_group = 0;
  std::byte* slm = nullptr;                  // the group's shared local memory
  std::uint32_t slm_size = 0;
  std::byte* scratch = nullptr;
  std::uint32_t scratch_size = 0;
  eu::PageFault fault;                       // of the last exception
  std::string report;                        // likewise: why its instruction is not executed
  // The flow control registers as a debugger wrote them, until the thread goes on or is moved: they have
  // bits that no part of its state stands for. Empty: as the state is.
  std::vector<std::byte> written_flow_control;
};

// The thread takes the exception that ended its run.
void stop(HardwareThread& thread, const eu::RunResult& result);
// It stops after an instruction that accessed what is watched, once more.
void stop_after_watched(HardwareThread& thread);
// It takes one that is forced on it, wherever it is.
void halt(HardwareThread& thread);
// A stopped one goes on, with its state as it is.
void resume(HardwareThread& thread);

}  // namespace xesim::device
