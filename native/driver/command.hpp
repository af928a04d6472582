// One command, as appended to a list and executed by the command streamer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/event.hpp"
#include "driver/fence.hpp"

namespace xesim::driver {

// Why a command failed.
struct CommandError {
  CommandError(std::string line) : reason(std::move(line)) {}
  CommandError(const char* line) : reason(line) {}

  std::string reason;        // a line for the user
  bool loses_device = true;  // false: the device goes on, see failure.hpp
};

// Nothing when it went well.
using Loss = std::optional<CommandError>;

struct KernelCall;

struct Command {
  std::vector<std::shared_ptr<Event>> wait_events;  // all must be signalled before it runs
  std::function<Loss()> run;                        // may be empty; may run many times
  std::shared_ptr<Event> signal_event;              // may be null
  std::shared_ptr<Fence> signal_fence;              // may be null
  std::shared_ptr<const KernelCall> call;           // what a launch in a mutable list does; else null
};

using CommandSequence = std::vector<std::shared_ptr<const Command>>;

}  // namespace xesim::driver
