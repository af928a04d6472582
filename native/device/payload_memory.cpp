// Memory that a launch needs beside its arguments: private, scratch, and what functions of the
// compiler's library write to or read from.
#include <algorithm>
#include <bit>
#include <cstring>

#include "device/assert_output.hpp"
#include "device/payload_assembly.hpp"
#include "device/printf_output.hpp"

namespace xesim::device {

using Kind = PayloadError::Kind;
using zebin::ArgumentType;

namespace {

// Scratch space of a thread is a power of two, at least this.
constexpr std::uint32_t kLeastScratchBytes = 64;
constexpr std::uint32_t kMostScratchBytes = 256 * 1024;  // what the surface's pitch can say

// Functions that are called through the stack, or get the buffer of implicit arguments, may use
// everything that those describe, whatever the kernel says of itself.
bool wants(const zebin::Kernel& kernel, ArgumentType type) {
  return kernel.has_stack_calls ||
         std::ranges::any_of(kernel.arguments, [type](const auto& argument) {
           return argument.type == type || argument.type == ArgumentType::ImplicitArgBuffer;
         });
}

}  // namespace

void PayloadBuilder::Assembly::place_memory() {
  const std::uint64_t threads = builder_.device_.topology().thread_count();
  for (const zebin::ThreadMemoryBuffer& buffer : kernel_.memory_buffers) {
    const auto size = static_cast<std::uint32_t>(buffer.size);
    if (size == 0 || error_) {
      continue;
    }
    if (buffer.type == "global") {
      const std::uint64_t lanes = buffer.is_simt_thread ? kernel_.simd_size : 1;
      const auto address = resources_->allocate(lanes * size * threads);
      if (!address) {
        fail(Kind::OutOfMemory, "no room for its private memory");
        return;
      }
      launch_.private_base = *address;
    } else if (buffer.type == "scratch" && buffer.slot == 0) {
      place_scratch(size, static_cast<std::uint32_t>(threads));
    } else {
      fail(Kind::Unsupported, "per-thread memory of type " + buffer.type + ", slot " +
                                  std::to_string(buffer.slot) + ", is not supported");
    }
  }
}

void PayloadBuilder::Assembly::place_scratch(std::uint32_t size, std::uint32_t threads) {
  if (size > kMostScratchBytes) {
    fail(Kind::Unsupported, std::to_string(size) + " bytes of scratch space for each thread, of " +
                                std::to_string(kMostScratchBytes) + " that a surface can say");
    return;
  }
  launch_.scratch_size = std::bit_ceil(std::max(size, kLeastScratchBytes));
  const auto address = resources_->allocate(std::uint64_t{launch_.scratch_size} * threads);
  const auto surface =
      address
          ? resources_->add_surface(scratch_surface_state(*address, launch_.scratch_size, threads))
          : std::nullopt;
  if (!surface) {
    fail(Kind::OutOfMemory, "no room for its scratch space");
    return;
  }
  launch_.scratch_base = *address;
  launch_.scratch_surface = *surface;
}

void PayloadBuilder::Assembly::place_printf_buffer() {
  if (!wants(kernel_, ArgumentType::PrintfBuffer)) {
    return;
  }
  launch_.printf_buffer = reserve(kPrintfBufferBytes, "the buffer of its printf output");
  if (launch_.printf_buffer != 0) {
    begin_printf_buffer(launch_.printf_buffer);
  }
}

void PayloadBuilder::Assembly::place_assert_buffer() {
  if (!wants(kernel_, ArgumentType::AssertBuffer)) {
    return;
  }
  launch_.assert_buffer = reserve(kAssertBufferBytes, "the buffer of its failed assertions");
  if (launch_.assert_buffer != 0) {
    begin_assert_buffer(launch_.assert_buffer);
  }
}

ImplicitArguments PayloadBuilder::Assembly::implicit_arguments() const {
  ImplicitArguments values;
  values.work_dimensions = static_cast<std::uint8_t>(work_dimensions());
  values.simd_width = static_cast<std::uint8_t>(kernel_.simd_size);
  for (unsigned i = 0; i < 3; ++i) {
    values.local_size[i] = launch_.group_size[i];
    values.global_size[i] = std::uint64_t{launch_.group_size[i]} * launch_.group_count[i];
    values.global_offset[i] = builder_.global_offset_[i];
    values.group_count[i] = launch_.group_count[i];
  }
  values.printf_buffer = launch_.printf_buffer;
  values.assert_buffer = launch_.assert_buffer;
  return values;
}

// Implicit arguments that a pointer in the payload points to, with their table of local ids.
void PayloadBuilder::Assembly::put_implicit_buffer(const zebin::PayloadArgument& argument) {
  const std::vector<std::byte> table = local_id_table(launch_);
  const std::uint64_t address =
      reserve(sizeof(ImplicitArguments) + table.size(), "its implicit arguments");
  if (address == 0) {
    return;
  }
  ImplicitArguments values = implicit_arguments();
  values.local_id_table = address + sizeof values;
  std::memcpy(reinterpret_cast<void*>(address), &values, sizeof values);
  std::memcpy(reinterpret_cast<void*>(values.local_id_table), table.data(), table.size());
  put_number(argument, address);
}

// A zeroed dword for each group: what a barrier of all groups counts in.
void PayloadBuilder::Assembly::put_sync_buffer(const zebin::PayloadArgument& argument) {
  constexpr std::uint64_t kLeastBytes = 64;
  const auto& groups = launch_.group_count;
  const std::uint64_t bytes = std::uint64_t{groups[0]} * groups[1] * groups[2] * 4;
  put_number(argument,
             reserve(std::max(bytes, kLeastBytes), "the buffer that its groups synchronise in"));
}

}  // namespace xesim::device
