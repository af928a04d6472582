// Watches threads run for what a query looks for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "device/hardware_thread.hpp"
#include "device/memory_view.hpp"
#include "time/accesses.hpp"
#include "time/query.hpp"
#include "time/replay.hpp"
#include "time/written_lines.hpp"

namespace xesim::time {

class SearchObserver final : public ReplayObserver {
 public:
  // Everything must outlive it.
  SearchObserver(const Query& query, std::uint64_t instruction_base, device::MemoryView& memory,
                 WrittenLines& written);

  // In the order of execution. Of more than `most_hits` the earlier ones are forgotten, or, where
  // `ends_when_full`, there are no more runs.
  std::vector<Hit> hits;
  std::size_t most_hits = 0;
  bool ends_when_full = true;

  // Whether it notes each write to global memory in `written`.
  [[nodiscard]] bool sees_all_writes() const;

  bool begin_run(device::HardwareThread& thread, std::uint64_t time) override;
  void end_run(std::uint64_t time) override;
  bool goes_on() override;
  [[nodiscard]] eu::Subscriptions subscriptions() const override;
  void thread_end(const eu::ThreadState& state) override;
  void instruction(const eu::ThreadState& state, const eu::Instruction& instruction,
                   std::uint32_t lanes) override;
  void memory(const eu::ThreadState& state, const eu::MemoryAccess& access) override;

 private:
  void begin_registers();
  void complete();
  [[nodiscard]] bool executes_in_range(std::uint64_t address) const;
  void note(std::uint32_t kinds, Space space, std::uint64_t address, std::uint64_t size,
            std::uint32_t lane);

  const Query& query_;
  std::uint64_t instruction_base_;
  device::MemoryView& memory_;
  WrittenLines& written_;
  std::array<std::vector<Range>, 4> ranges_;   // by space
  std::uint32_t memory_kinds_;

  device::HardwareThread* thread_ = nullptr;
  std::uint64_t next_time_ = 0;
  struct Pending {
    std::uint64_t time = 0;
    std::uint64_t instruction = 0;
    std::uint32_t lanes = 0;
    std::uint32_t kinds = 0;
  };
  std::optional<Pending> pending_;             // the instruction that executes
  std::vector<AccessPart> parts_;              // of it
};

}  // namespace xesim::time
