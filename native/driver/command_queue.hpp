// Command queues: where closed command lists are executed.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <memory>

#include "driver/command_streamer.hpp"
#include "driver/context.hpp"
#include "driver/handle.hpp"

namespace xesim::driver {

// What makes a debugger see a process enter and exit: the first queue and the last. Immediate
// lists hold one as well.
class QueuePresence {
 public:
  explicit QueuePresence(Device& device);
  ~QueuePresence();
  QueuePresence(const QueuePresence&) = delete;
  QueuePresence& operator=(const QueuePresence&) = delete;

 private:
  Device& device_;
};

class CommandQueue : public Object<CommandQueue> {
 public:
  CommandQueue(std::shared_ptr<Context> context, Device& device,
               const ze_command_queue_desc_t& description);

  [[nodiscard]] Context& context() const { return *context_; }
  // As it was asked for.
  [[nodiscard]] const ze_command_queue_desc_t& description() const { return description_; }

  // Submits `commands`; with a synchronous queue, also waits for them.
  ze_result_t submit(const CommandSequence& commands);
  ze_result_t synchronize(std::uint64_t timeout) const;

 private:
  std::shared_ptr<Context> context_;
  Device& device_;
  ze_command_queue_desc_t description_;  // without what pNext pointed to
  std::shared_ptr<CommandStream> stream_;
  QueuePresence presence_;
};

// Whether the device has the queue that `description` asks for.
ze_result_t check_queue(const ze_command_queue_desc_t& description);

}  // namespace xesim::driver
