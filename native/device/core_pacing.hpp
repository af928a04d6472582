// When it pays to run turns on two cores of the host, and how many at once. The answer has no effect on
// results, only on time: it may depend on anything.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace xesim::device {

class CorePacing {
 public:
  static constexpr std::uint64_t kMostTurns = 1024;  // of a batch: their states are kept meanwhile

  // A launch of the kernel whose code is at `code_address` begins.
  void begin_launch(std::uint64_t code_address);

  // A turn was executed on one core.
  void executed(std::uint64_t instructions) {
    ++turns_;
    instructions_ += instructions;
    alone_ -= instructions < alone_ ? instructions : alone_;
  }

  // Turns that a batch on two cores may have now; nothing while one core is better.
  [[nodiscard]] std::optional<std::uint64_t> batch_turns() const;
  // Whether a batch of so many turns is work enough for two.
  [[nodiscard]] bool pays(std::uint64_t turns) const;

  // What became of a batch.
  void completed(std::uint64_t turns, std::uint64_t instructions);
  // It was for nothing, and its turns are to be run again.
  void abandoned();

 private:
  [[nodiscard]] std::uint64_t turn_instructions() const;

  std::uint64_t turns_ = 0;          // in this launch
  std::uint64_t instructions_ = 0;
  std::uint64_t batch_ = 0;          // instructions that the next batch should have
  std::uint64_t alone_ = 0;          // instructions until the next batch
  std::uint64_t* patience_ = nullptr;  // of the kernel
  // By the address of a kernel's code: instructions on one core after its next abandoned batch.
  std::map<std::uint64_t, std::uint64_t> patience_of_;
};

}  // namespace xesim::device
