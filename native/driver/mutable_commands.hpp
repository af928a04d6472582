// Commands of a list that can be changed after the list was closed.
// Source: Core specification, extension ZE_experimental_mutable_command_list.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "driver/command.hpp"
#include "driver/device.hpp"
#include "driver/mutable_api.hpp"

namespace xesim::driver {

class Kernel;

// The changes are drafts until the list is closed again: only then is a launch whole.
class MutableCommands {
 public:
  struct Entry {
    std::uint32_t aspects = 0;                     // later::MutableAspect
    std::vector<std::shared_ptr<Kernel>> kernels;  // that its kernel may be replaced by
    std::size_t position = 0;                      // in the list
    std::size_t wait_count = 0;                    // events that it was appended with
    std::shared_ptr<const Command> command;        // as it was closed last
    std::optional<Command> draft;
    std::shared_ptr<const KernelCall> call;        // of the draft, where that is changed
  };

  // The id of the command that is appended next.
  std::uint64_t expect(std::uint32_t aspects, std::vector<std::shared_ptr<Kernel>> kernels);
  // `command` was appended: the one that was expected, if any was.
  void appended(std::size_t position, const std::shared_ptr<const Command>& command);

  // The command `id`, when `aspect` of it can be changed; else null.
  [[nodiscard]] Entry* find(std::uint64_t id, later::MutableAspect aspect);

  [[nodiscard]] bool changed() const;
  // Puts what was changed into `commands`, those of the list.
  ze_result_t apply(Device& device, CommandSequence& commands);
  void clear();

 private:
  std::uint64_t last_id_ = 0;
  std::optional<std::uint64_t> expected_;
  std::map<std::uint64_t, Entry> entries_;
};

}  // namespace xesim::driver
