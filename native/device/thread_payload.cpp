#include "device/thread_payload.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "device/implicit_arguments.hpp"

namespace xesim::device {

namespace {

// r0.0 carries the payload's offset in bits 31:6.
constexpr std::uint64_t kPayloadAlignment = 64;
constexpr std::uint32_t kLocalIdBytes = 2;
constexpr std::uint32_t kFftidMask = 0x3FF;

std::uint32_t group_items(const KernelLaunch& launch) {
  return launch.group_size[0] * launch.group_size[1] * launch.group_size[2];
}

// Local ids of one dimension, for the lanes of one thread: whole registers.
std::uint32_t dimension_bytes(const Topology& topology, const KernelLaunch& launch) {
  return std::max(launch.simd_width * kLocalIdBytes, topology.grf_bytes());
}

std::uint32_t in_memory_cross_thread_bytes(const KernelLaunch& launch) {
  const auto size = static_cast<std::uint32_t>(launch.cross_thread_data.size());
  return size > launch.inline_data_size ? size - launch.inline_data_size : 0;
}

std::uint32_t low_mask(std::uint32_t lanes) {
  return lanes >= 32 ? 0xFFFFFFFFu : (1u << lanes) - 1;
}

}  // namespace

std::uint32_t ThreadPayload::threads_per_group(const KernelLaunch& launch) {
  return (group_items(launch) + launch.simd_width - 1) / launch.simd_width;
}

std::unique_ptr<ThreadPayload> ThreadPayload::create(Memory& memory, const Topology& topology,
                                                     const KernelLaunch& launch) {
  const std::uint64_t table =
      launch.implicit_arguments.empty() ? 0 : local_id_table(launch).size();
  const std::uint64_t size = launch.implicit_arguments.size() +
                             in_memory_cross_thread_bytes(launch) +
                             std::uint64_t{threads_per_group(launch)} * launch.local_id_size +
                             table;
  // Prologs read whole blocks of four and eight registers, beyond what the kernel uses.
  const auto block = memory.allocate(AllocationKind::Heap, size + 16 * topology.grf_bytes(),
                                     kPayloadAlignment, nullptr);
  if (!block) {
    return nullptr;
  }
  auto payload = at(memory, topology, launch, block->address);
  payload->allocated_ = true;
  payload->write();
  return payload;
}

std::unique_ptr<ThreadPayload> ThreadPayload::at(Memory& memory, const Topology& topology,
                                                 const KernelLaunch& launch,
                                                 std::uint64_t address) {
  return std::unique_ptr<ThreadPayload>(new ThreadPayload(memory, topology, launch, address));
}

ThreadPayload::ThreadPayload(Memory& memory, const Topology& topology, const KernelLaunch& launch,
                             std::uint64_t address)
    : memory_(memory),
      topology_(topology),
      launch_(launch),
      address_(address),
      threads_(threads_per_group(launch)),
      last_lanes_(group_items(launch) - (threads_ - 1) * launch.simd_width) {}

void ThreadPayload::write() const {
  auto* bytes = reinterpret_cast<std::byte*>(address_);
  const std::uint32_t cross_thread = in_memory_cross_thread_bytes(launch_);
  if (!launch_.implicit_arguments.empty()) {
    write_implicit_arguments(bytes + launch_.implicit_arguments.size() + cross_thread +
                             std::uint64_t{threads_} * launch_.local_id_size);
    bytes += launch_.implicit_arguments.size();
  }
  if (cross_thread != 0) {
    std::memcpy(bytes, launch_.cross_thread_data.data() + launch_.inline_data_size, cross_thread);
  }
  for (std::uint32_t thread = 0; thread < threads_ && launch_.local_id_size != 0; ++thread) {
    write_local_ids(bytes + cross_thread + std::uint64_t{thread} * launch_.local_id_size, thread);
  }
}

ThreadPayload::~ThreadPayload() {
  if (allocated_) {
    memory_.release(address_);
  }
}

// The implicit arguments go first, the table of local ids that they point to last.
void ThreadPayload::write_implicit_arguments(std::byte* table_place) const {
  const std::vector<std::byte> table = local_id_table(launch_);
  std::memcpy(table_place, table.data(), table.size());
  auto* const first = reinterpret_cast<std::byte*>(address_);
  std::memcpy(first, launch_.implicit_arguments.data(), launch_.implicit_arguments.size());
  const auto address = reinterpret_cast<std::uintptr_t>(table_place);
  std::memcpy(first + offsetof(ImplicitArguments, local_id_table), &address, sizeof address);
}

void ThreadPayload::write_local_ids(std::byte* destination, std::uint32_t thread) const {
  if (launch_.packed_local_ids) {
    const auto id = local_id(launch_, thread);
    std::memcpy(destination, id.data(), sizeof id);
    return;
  }
  const std::uint32_t stride = dimension_bytes(topology_, launch_);
  const std::uint32_t dimensions = std::min(launch_.local_id_size / stride, 3u);
  const std::uint32_t items = group_items(launch_);
  for (std::uint32_t lane = 0; lane < launch_.simd_width; ++lane) {
    const std::uint32_t item = thread * launch_.simd_width + lane;
    if (item >= items) {
      break;  // lanes that are not dispatched keep zero
    }
    const auto id = local_id(launch_, item);
    for (std::uint32_t dimension = 0; dimension < dimensions; ++dimension) {
      std::memcpy(destination + dimension * stride + lane * kLocalIdBytes, &id[dimension],
                  kLocalIdBytes);
    }
  }
}

void ThreadPayload::enter(HardwareThread& thread) const {
  eu::ThreadState& state = thread.state;
  state = eu::ThreadState{};
  const bool is_last = thread.index_in_group + 1 == threads_;
  // A SIMD1 kernel uses the lanes of its one work-item as it likes.
  const std::uint32_t dispatch_mask = launch_.simd_width == 1
                                          ? low_mask(eu::kMaxLanes)
                                          : low_mask(is_last ? last_lanes_ : launch_.simd_width);

  std::array<std::uint32_t, 8> r0{};
  r0[0] = static_cast<std::uint32_t>(address_ - memory_.general_state_base());
  r0[1] = thread.group[0];
  r0[2] = thread.index_in_group | threads_ << 24;
  r0[3] = launch_.sampler_table;
  r0[4] = launch_.binding_table_offset;
  r0[5] = launch_.scratch_surface << 4 | (ordinal(topology_, thread.id) & kFftidMask);
  r0[6] = thread.group[1];
  r0[7] = thread.group[2];
  std::memcpy(state.grf.data(), r0.data(), sizeof r0);
  const std::size_t inline_bytes =
      std::min<std::size_t>(launch_.inline_data_size, launch_.cross_thread_data.size());
  std::byte* registers = state.grf.data() + topology_.grf_bytes();
  std::uint64_t entry = launch_.code_address;
  if (launch_.local_ids_in_registers) {
    write_local_ids(registers, thread.index_in_group);
    registers += launch_.local_id_size;
    entry += launch_.skip_per_thread_load;
  }
  std::memcpy(registers, launch_.cross_thread_data.data(), inline_bytes);

  state.ip = static_cast<std::uint32_t>(entry - memory_.instruction_base());
  state.state[0] = state_register_identity(topology_, thread.id);
  state.state[2] = dispatch_mask;
  if (topology_.platform == eu::Platform::Xe2) {
    state.message[0] = thread.id.slice * topology_.subslices_per_slice + thread.id.subslice;
    state.state[1] = launch_.grf_count > 128 ? eu::sr0::kLargeGrf : 0;
  }
  state.control[0] = launch_.grf_count > 128 ? eu::cr0::kLargeGrf : 0;
  state.debug[1] = state.ip;
  for (unsigned lane = 0; lane < eu::kMaxLanes; ++lane) {
    state.channel_ip[lane] = (dispatch_mask >> lane & 1) != 0 ? state.ip : eu::kNoInstruction;
  }
}

std::uint32_t state_register_identity(const Topology& topology, const ThreadId& id) {
  switch (topology.platform) {
    case eu::Platform::XeHpg:
      return id.thread | (id.eu & 3) << 4 | (id.eu >> 2) << 7 | id.subslice << 9 | id.slice << 11;
    case eu::Platform::XeHpc:
      return id.thread | (id.eu & 3) << 4 | (id.eu >> 2) << 8 | id.subslice << 9;
    case eu::Platform::Xe2:
      return id.thread | id.eu << 4 | id.subslice << 8 | id.slice << 11;
  }
  return 0;
}

}  // namespace xesim::device
