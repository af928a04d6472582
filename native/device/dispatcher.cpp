#include "device/dispatcher.hpp"

#include <algorithm>
#include <bit>

namespace xesim::device {

namespace {

// Shared local memory is given out in steps of this size.
constexpr std::uint32_t kSlmGranule = 1024;
// Compilers tag addresses of local variables (0x1000'0000 and up, as debuggers do too); only the
// offset below the tag counts.
constexpr std::uint64_t kSlmOffsetMask = 0x0FFF'FFFF;
constexpr std::uint32_t kNotificationBarrier = 1;  // n0.0 bit 0

}  // namespace

// A hardware thread's slot: its state and its view of the device.
struct Dispatcher::Slot final : eu::ThreadEnvironment {
  Slot(Memory& memory_of_device, SurfaceHeap& surfaces_of_device)
      : memory(memory_of_device), surfaces(surfaces_of_device) {}

  eu::MemoryWindow window(eu::MemorySpace space, std::uint64_t address) override {
    switch (space) {
      case eu::MemorySpace::Slm:
        return {address & ~kSlmOffsetMask, thread.slm_size, thread.slm, true};
      case eu::MemorySpace::Scratch: return {0, thread.scratch_size, thread.scratch, true};
      case eu::MemorySpace::Global: break;
    }
    const auto allocation = memory.find(address);
    if (!allocation) {
      return {};
    }
    return {allocation->address, allocation->mapped,
            reinterpret_cast<std::byte*>(allocation->address),
            allocation->kind != AllocationKind::Code};
  }

  std::uint64_t general_state_base() const override { return memory.general_state_base(); }

  eu::BufferSurface bindless_surface(std::uint32_t offset) override {
    return decode_surface_state(surfaces.read(offset));
  }

  eu::BufferSurface binding_table_surface(std::uint32_t index) override {
    return index < launch->binding_table.size() ? launch->binding_table[index]
                                                : eu::BufferSurface{};
  }

  void barrier_signal(std::uint32_t id, std::uint32_t producers,
                      std::uint32_t /*consumers*/) override {
    id %= kBarriersPerGroup;
    const std::uint32_t expected =
        producers != 0 ? producers : static_cast<std::uint32_t>(group->threads.size());
    if (++group->arrived[id] < expected) {
      return;
    }
    group->arrived[id] = 0;
    for (HardwareThread* waiting : group->threads) {
      if (waiting == nullptr || (waiting->state.barrier_pending >> id & 1) == 0) {
        continue;
      }
      waiting->state.barrier_pending &= ~(1u << id);
      waiting->state.notification[0] |= kNotificationBarrier;
      if (waiting->run == ThreadRun::AtBarrier) {
        waiting->run = ThreadRun::Runnable;
      }
    }
  }

  Memory& memory;
  SurfaceHeap& surfaces;
  HardwareThread thread;
  WorkGroup* group = nullptr;
  const KernelLaunch* launch = nullptr;
};

Dispatcher::Dispatcher(const Topology& topology, Memory& memory, SurfaceHeap& surfaces)
    : topology_(topology),
      memory_(memory),
      surfaces_(surfaces),
      subslices_(std::size_t{topology.slices} * topology.subslices_per_slice),
      slots_(topology.thread_count()),
      resident_((topology.thread_count() + 63) / 64) {}

Dispatcher::~Dispatcher() = default;

std::optional<std::string> Dispatcher::begin(const KernelLaunch& launch) {
  launch_ = &launch;
  reset();
  const std::string name = "kernel " + launch.kernel_name + ": ";
  for (const std::uint32_t size : launch.group_size) {
    if (size == 0 || size > topology_.group_size) {
      return name + "work-group size " + std::to_string(size) + " is not in 1.." +
             std::to_string(topology_.group_size);
    }
  }
  threads_per_group_ = ThreadPayload::threads_per_group(launch);
  slm_per_group_ = (launch.slm_size + kSlmGranule - 1) / kSlmGranule * kSlmGranule;
  if (threads_per_group_ > subslices_[0].free_threads) {
    return name + "a work-group of " + std::to_string(threads_per_group_) +
           " hardware threads does not fit a subslice of " +
           std::to_string(subslices_[0].free_threads);
  }
  if (launch.slm_size > topology_.group_slm_bytes) {
    return name + std::to_string(launch.slm_size) + " bytes of shared local memory, of " +
           std::to_string(topology_.group_slm_bytes) + " that a work-group may have";
  }
  if (launch.barrier_count > topology_.barriers) {
    return name + std::to_string(launch.barrier_count) + " barriers, of " +
           std::to_string(topology_.barriers);
  }
  payload_ = ThreadPayload::create(memory_, topology_, launch);
  if (payload_ == nullptr) {
    return name + "no room for its payload in the general state heap";
  }
  next_group_ = 0;
  group_total_ = std::uint64_t{launch.group_count[0]} * launch.group_count[1] *
                 launch.group_count[2];
  for (std::uint32_t subslice = 0; subslice < subslices_.size(); ++subslice) {
    while (place_next(subslice)) {
    }
  }
  return std::nullopt;
}

void Dispatcher::abandon() {
  reset();
  group_total_ = next_group_ = 0;
  payload_.reset();
}

void Dispatcher::reset() {
  std::ranges::fill(resident_, 0);
  resident_count_ = 0;
  free_groups_.clear();
  for (const auto& group : groups_) {
    free_groups_.push_back(group.get());
  }
  const bool large_grf = launch_ != nullptr && launch_->grf_count > 128;
  const std::uint32_t threads = topology_.eus_per_subslice * topology_.threads_per_eu;
  for (Subslice& subslice : subslices_) {
    subslice = {large_grf ? threads / 2 : threads, topology_.slm_bytes, topology_.barriers};
  }
}

// With 256 registers a thread takes the room of two; the hardware then uses the lower half of each
// EU's slots.
bool Dispatcher::usable(std::uint32_t ordinal) const {
  return launch_->grf_count <= 128 ||
         ordinal % topology_.threads_per_eu < topology_.threads_per_eu / 2;
}

bool Dispatcher::place_next(std::uint32_t position) {
  Subslice& subslice = subslices_[position];
  if (next_group_ == group_total_ || subslice.free_threads < threads_per_group_ ||
      subslice.free_slm < slm_per_group_ || subslice.free_barriers < launch_->barrier_count) {
    return false;
  }
  if (free_groups_.empty()) {
    groups_.push_back(std::make_unique<WorkGroup>());
    free_groups_.push_back(groups_.back().get());
  }
  WorkGroup& group = *free_groups_.back();
  free_groups_.pop_back();
  const std::uint64_t x = launch_->group_count[0];
  const std::uint64_t y = launch_->group_count[1];
  group.id = {launch_->first_group[0] + static_cast<std::uint32_t>(next_group_ % x),
              launch_->first_group[1] + static_cast<std::uint32_t>(next_group_ / x % y),
              launch_->first_group[2] + static_cast<std::uint32_t>(next_group_ / x / y)};
  group.subslice = position;
  group.threads.assign(threads_per_group_, nullptr);
  group.alive = threads_per_group_;
  group.slm.assign(slm_per_group_, std::byte{0});
  group.arrived.fill(0);
  subslice.free_threads -= threads_per_group_;
  subslice.free_slm -= slm_per_group_;
  subslice.free_barriers -= launch_->barrier_count;
  ++next_group_;

  std::uint32_t ordinal = position * topology_.eus_per_subslice * topology_.threads_per_eu;
  for (std::uint32_t index = 0; index < threads_per_group_; ++ordinal) {
    if (usable(ordinal) && (resident_[ordinal / 64] >> ordinal % 64 & 1) == 0) {
      place_thread(group, index++, ordinal);
    }
  }
  return true;
}

void Dispatcher::place_thread(WorkGroup& group, std::uint32_t index, std::uint32_t ordinal) {
  if (slots_[ordinal] == nullptr) {
    slots_[ordinal] = std::make_unique<Slot>(memory_, surfaces_);
  }
  Slot& slot = *slots_[ordinal];
  slot.group = &group;
  slot.launch = launch_;
  HardwareThread& thread = slot.thread;
  thread.id = thread_id(topology_, ordinal);
  thread.run = ThreadRun::Runnable;
  thread.group = group.id;
  thread.index_in_group = index;
  thread.slm = group.slm.data();
  thread.slm_size = slm_per_group_;
  thread.scratch_size = launch_->scratch_size;
  thread.scratch = launch_->scratch_size == 0
                       ? nullptr
                       : reinterpret_cast<std::byte*>(launch_->scratch_base) +
                             std::uint64_t{launch_->scratch_size} * ordinal;
  thread.fault = {};
  thread.report.clear();
  payload_->enter(thread);
  group.threads[index] = &thread;
  resident_[ordinal / 64] |= std::uint64_t{1} << ordinal % 64;
  ++resident_count_;
}

HardwareThread* Dispatcher::next_resident(std::uint32_t ordinal) const {
  for (std::size_t word = ordinal / 64; word < resident_.size(); ++word) {
    const std::uint64_t from = word == ordinal / 64 ? ~std::uint64_t{0} << ordinal % 64
                                                    : ~std::uint64_t{0};
    if (const std::uint64_t bits = resident_[word] & from; bits != 0) {
      return &slots_[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))]->thread;
    }
  }
  return nullptr;
}

HardwareThread* Dispatcher::at(std::uint32_t ordinal) const {
  return (resident_[ordinal / 64] >> ordinal % 64 & 1) == 0 ? nullptr : &slots_[ordinal]->thread;
}

eu::ThreadEnvironment& Dispatcher::environment(const HardwareThread& thread) {
  return *slots_[ordinal(topology_, thread.id)];
}

void Dispatcher::retire(HardwareThread& thread) {
  const std::uint32_t place = ordinal(topology_, thread.id);
  WorkGroup& group = *slots_[place]->group;
  const std::uint32_t position = group.subslice;  // the group may be reused below
  Subslice& subslice = subslices_[position];
  group.threads[thread.index_in_group] = nullptr;
  resident_[place / 64] &= ~(std::uint64_t{1} << place % 64);
  --resident_count_;
  ++subslice.free_threads;
  if (--group.alive == 0) {
    subslice.free_slm += slm_per_group_;
    subslice.free_barriers += launch_->barrier_count;
    free_groups_.push_back(&group);
  }
  while (place_next(position)) {
  }
}

}  // namespace xesim::device
