// Command lists: regular ones collect commands for a queue, immediate ones hand each to the
// streamer as it is appended.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <memory>

#include "driver/command.hpp"
#include "driver/command_queue.hpp"
#include "driver/context.hpp"
#include "driver/handle.hpp"
#include "driver/mutable_commands.hpp"

namespace xesim::driver {

class CommandList : public Object<CommandList> {
 public:
  // A regular list for queues of the group `ordinal`.
  CommandList(std::shared_ptr<Context> context, Device& device, std::uint32_t ordinal,
              ze_command_list_flags_t flags, bool is_mutable);
  // An immediate list, with a queue of its own.
  CommandList(std::shared_ptr<Context> context, Device& device,
              const ze_command_queue_desc_t& description);

  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] Device& device() const { return device_; }
  [[nodiscard]] std::uint32_t ordinal() const { return ordinal_; }
  [[nodiscard]] ze_command_list_flags_t flags() const { return flags_; }
  [[nodiscard]] bool is_immediate() const { return queue_ != nullptr; }
  // The queue of an immediate list.
  [[nodiscard]] const CommandQueue* queue() const { return queue_.get(); }
  // Whether it may be executed.
  [[nodiscard]] bool closed() const;
  [[nodiscard]] const CommandSequence& commands() const { return commands_; }

  // A closed list with the same commands.
  [[nodiscard]] std::shared_ptr<CommandList> clone() const;

  // The commands that may be changed; null of other lists.
  [[nodiscard]] MutableCommands* mutable_commands() const { return mutable_.get(); }

  // Ends the list; what was changed since it was closed before takes effect.
  ze_result_t close();
  void reset();

  // Keeps the commands, or with an immediate list submits them.
  ze_result_t append(const CommandSequence& commands);

 private:
  std::shared_ptr<Context> context_;
  Device& device_;
  std::uint32_t ordinal_;
  ze_command_list_flags_t flags_ = 0;
  std::unique_ptr<CommandQueue> queue_;
  CommandSequence commands_;
  std::unique_ptr<MutableCommands> mutable_;
  bool closed_ = false;
};

// What every append call gets besides its own arguments.
struct AppendArguments {
  ze_command_list_handle_t list = nullptr;
  ze_event_handle_t signal_event = nullptr;
  std::uint32_t wait_count = 0;
  ze_event_handle_t* wait_events = nullptr;
};

// Appends a command that does `run` between its wait events and its signal event. `call`: see Command.
ze_result_t append_command(const AppendArguments& arguments, std::function<Loss()> run,
                           std::shared_ptr<const KernelCall> call = nullptr);

}  // namespace xesim::driver
