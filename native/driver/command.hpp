// One command, as appended to a list and executed by the command streamer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/event.hpp"

namespace xesim::driver {

// Why a command lost the device, as a line for the user; nothing when it went well.
using Loss = std::optional<std::string>;

struct KernelCall;

struct Command {
  std::vector<std::shared_ptr<Event>> wait_events;  // all must be signalled before it runs
  std::function<Loss()> run;                        // may be empty; may run many times
  std::shared_ptr<Event> signal_event;              // may be null
  std::shared_ptr<const KernelCall> call;           // what a launch in a mutable list does; else null
};

using CommandSequence = std::vector<std::shared_ptr<const Command>>;

}  // namespace xesim::driver
