#include "driver/mutable_commands.hpp"

#include <algorithm>
#include <utility>

#include "driver/kernel.hpp"
#include "driver/kernel_call.hpp"
#include "driver/monitor.hpp"

namespace xesim::driver {

std::uint64_t MutableCommands::expect(std::uint32_t aspects,
                                      std::vector<std::shared_ptr<Kernel>> kernels) {
  const Monitor::Lock lock = Monitor::instance().lock();  // threads may ask at the same time
  const std::uint64_t id = ++last_id_;
  Entry& entry = entries_[id];
  entry.aspects = aspects;
  entry.kernels = std::move(kernels);
  expected_ = id;
  return id;
}

void MutableCommands::appended(std::size_t position,
                               const std::shared_ptr<const Command>& command) {
  if (const auto id = std::exchange(expected_, std::nullopt)) {
    Entry& entry = entries_.at(*id);
    entry.position = position;
    entry.wait_count = command->wait_events.size();
    entry.command = command;
  }
}

MutableCommands::Entry* MutableCommands::find(std::uint64_t id, later::MutableAspect aspect) {
  const auto found = entries_.find(id);
  if (found == entries_.end() || found->second.command == nullptr ||
      (found->second.aspects & aspect) == 0) {
    return nullptr;
  }
  return &found->second;
}

bool MutableCommands::changed() const {
  return std::ranges::any_of(entries_, [](const auto& entry) { return entry.second.draft.has_value(); });
}

ze_result_t MutableCommands::apply(Device& device, CommandSequence& commands) {
  for (auto& [id, entry] : entries_) {
    if (!entry.draft) {
      continue;
    }
    if (entry.call != nullptr) {
      const KernelCall& call = *entry.call;
      auto run = prepare_launch(device, call.module, call.builder, call.groups);
      if (const auto* error = std::get_if<device::PayloadError>(&run)) {
        return refuse(*error);
      }
      entry.draft->run = std::get<std::function<Loss()>>(std::move(run));
      entry.draft->call = std::exchange(entry.call, nullptr);
    }
    entry.command = std::make_shared<const Command>(*std::exchange(entry.draft, std::nullopt));
    commands[entry.position] = entry.command;
  }
  return ZE_RESULT_SUCCESS;
}

void MutableCommands::clear() {
  entries_.clear();
  expected_.reset();
}

}  // namespace xesim::driver
