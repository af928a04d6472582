// The memory that a launch uses. It is frozen, block by block, when a thread first asks for it: before
// that it was the same since the launch began, as far as the launch can tell.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "device/executor.hpp"
#include "device/memory_view.hpp"
#include "time/memory_blocks.hpp"
#include "time/recording.hpp"

namespace xesim::time {

// Everything with the device locked. Allocations are read where none can go meanwhile
// (device::Memory::read_at()).
class UsedMemory final : public device::MemoryView {
 public:
  explicit UsedMemory(ByteCount total) : total_(std::move(total)) {}

  // Threads of the launch that `executor` runs find memory here from now on, until end(). What they find
  // elsewhere, as code and surface states, is frozen at once.
  void begin(device::Executor& executor, std::shared_ptr<Recording> recording);
  void end();
  // Forgets what no recording has any more; false: nothing.
  bool forget_dropped();
  // Forgets everything: nothing is shared with earlier copies.
  void forget() { latest_.clear(); }

  eu::MemoryWindow window(std::uint64_t address) override;
  // Somebody else is about to write there.
  void use(std::uint64_t address, std::uint64_t size);

  // One line why the launch cannot be recorded, or empty: a copy of memory would hold pages that are mapped
  // at two addresses twice, and the program's own memory is the program's to change at any time.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

  // What is allocated now.
  [[nodiscard]] const std::shared_ptr<const Allocations>& allocations();
  // What was used so far, as it is now.
  [[nodiscard]] Blocks capture();

 private:
  // Since then, `code` changed so often; means nothing for data.
  struct Latest {
    Block block;
    std::uint64_t code_changes = 0;
  };
  void note_changes();
  bool use_block(std::uint64_t address);
  // Refuses the launch where it uses the program's own memory, and lets it.
  eu::MemoryWindow use_program_memory(std::uint64_t address);
  // Refuses the launch where `used`, which it uses, is mapped elsewhere as well.
  void check_mappings(const device::Allocation& used);
  // The block of `allocation` at `place`, as it is now.
  const Block& look_at(const device::Allocation& allocation, BlockPlace place);

  ByteCount total_;
  device::Executor* executor_ = nullptr;      // null: not between begin() and end()
  std::shared_ptr<Recording> recording_;
  std::shared_ptr<const Allocations> allocations_;
  std::uint64_t generation_ = 0;              // of memory, when they were listed
  std::map<std::uint64_t, std::uint64_t> used_;   // ids of allocations, by the address of a block
  struct Open {
    device::Allocation allocation;
    Stretches stretches;                      // that threads have asked for
  };
  std::map<std::uint64_t, Open> open_;        // by the address of the allocation
  std::string refusal_;
  std::map<std::uint64_t, Latest> latest_;    // by the address of a block; of earlier launches, too
};

}  // namespace xesim::time
