// Fingerprints of a launch: of everything that it executed, in order, and of what it left in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernel_run.hpp"

namespace xesim::device::test {

// FNV-1a over 64-bit words.
class Digest {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001B3; }
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(data);
    for (; size >= sizeof(std::uint64_t); size -= sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes, sizeof word);
      add(word);
      bytes += sizeof word;
    }
    for (; size != 0; --size) {
      add(static_cast<std::uint64_t>(*bytes++));
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325;
};

// Which thread executed what for which lanes, and every access to memory.
class TraceDigest : public eu::Observer {
 public:
  void instruction(const eu::ThreadState& thread, const eu::Instruction&,
                   std::uint32_t lanes) override {
    digest_.add(std::uint64_t{thread.state[0]} << 32 | thread.ip);
    digest_.add(thread.message[0] ^ std::uint64_t{lanes} << 32);
  }
  void memory(const eu::ThreadState&, const eu::MemoryAccess& access) override {
    digest_.add(access.address);
    digest_.add(static_cast<std::uint64_t>(access.kind) << 32 | access.size);
  }
  void barrier(const eu::ThreadState&, std::uint32_t id) override { digest_.add(id); }
  void restart() { digest_ = {}; }
  [[nodiscard]] std::uint64_t value() const { return digest_.value(); }

 private:
  Digest digest_;
};

// Of the buffers and of the program's variables as they are now.
inline std::uint64_t digest_of_memory(const KernelRun& run) {
  Digest digest;
  for (const Buffer& buffer : run.buffers()) {
    digest.add(reinterpret_cast<const void*>(buffer.memory.address), buffer.memory.size);
  }
  for (const ModuleData& data : run.module_data()) {
    digest.add(data.address, data.contents.size());
  }
  return digest.value();
}

}  // namespace xesim::device::test
