#include "device/dispatcher.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "device/dispatcher_slot.hpp"

namespace xesim::device {

namespace {

// Shared local memory is given out in steps of this size.
constexpr std::uint32_t kSlmGranule = 1024;

}  // namespace

Dispatcher::Dispatcher(const Topology& topology, Memory& memory, SurfaceHeap& surfaces,
                       SamplerHeap& samplers)
    : topology_(topology),
      memory_(memory),
      surfaces_(surfaces),
      samplers_(samplers),
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
  const std::uint32_t first = launch.first_slice * topology_.subslices_per_slice;
  const std::uint32_t end = launch.slice_count == 0
                                ? static_cast<std::uint32_t>(subslices_.size())
                                : first + launch.slice_count * topology_.subslices_per_slice;
  for (std::uint32_t subslice = first; subslice < end; ++subslice) {
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
  for (Subslice& subslice : subslices_) {
    subslice = empty_subslice();
  }
}

Dispatcher::Subslice Dispatcher::empty_subslice() const {
  const bool large_grf = launch_ != nullptr && launch_->grf_count > 128;
  const std::uint32_t threads = topology_.eus_per_subslice * topology_.threads_per_eu;
  return {.free_threads = large_grf ? threads / 2 : threads,
          .free_slm = topology_.slm_bytes,
          .free_barriers = topology_.barriers,
          .has_new_room = false,
          .groups = {}};
}

WorkGroup& Dispatcher::take_group() {
  if (free_groups_.empty()) {
    groups_.push_back(std::make_unique<WorkGroup>());
    free_groups_.push_back(groups_.back().get());
  }
  WorkGroup& group = *free_groups_.back();
  free_groups_.pop_back();
  return group;
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
  WorkGroup& group = take_group();
  const std::uint64_t x = launch_->group_count[0];
  const std::uint64_t y = launch_->group_count[1];
  group.id = {launch_->first_group[0] + static_cast<std::uint32_t>(next_group_ % x),
              launch_->first_group[1] + static_cast<std::uint32_t>(next_group_ / x % y),
              launch_->first_group[2] + static_cast<std::uint32_t>(next_group_ / x / y)};
  group.subslice = position;
  group.threads.assign(threads_per_group_, nullptr);
  group.alive = threads_per_group_;
  group.slm.assign(slm_per_group_, std::byte{0});
  group.arrived.fill({});
  subslice.free_threads -= threads_per_group_;
  subslice.free_slm -= slm_per_group_;
  subslice.free_barriers -= launch_->barrier_count;
  ++next_group_;

  std::uint32_t place = position * topology_.eus_per_subslice * topology_.threads_per_eu;
  for (std::uint32_t index = 0; index < threads_per_group_; ++place) {
    if (usable(place) && !is_resident(place)) {
      place_thread(group, index++, place);
    }
  }
  settle(group, {ordinal(topology_, group.threads.front()->id), place});
  return true;
}

// Its threads are placed.
void Dispatcher::settle(WorkGroup& group, OrdinalRange ordinals) {
  group.ordinals = ordinals;
  std::vector<WorkGroup*>& groups = subslices_[group.subslice].groups;
  const auto behind = std::ranges::upper_bound(
      groups, ordinals.first, {}, [](const WorkGroup* other) { return other->ordinals.first; });
  groups.insert(behind, &group);
}

std::uint32_t Dispatcher::residents(std::uint32_t subslice) const {
  return empty_subslice().free_threads - subslices_[subslice].free_threads;
}

void Dispatcher::add_whole_groups(std::uint32_t subslice,
                                  std::vector<OrdinalRange>& ranges) const {
  const std::size_t before = ranges.size();
  for (const WorkGroup* group : subslices_[subslice].groups) {
    if (ranges.size() == before || ranges.back().end <= group->ordinals.first) {
      ranges.push_back(group->ordinals);
    } else {
      ranges.back().end = std::max(ranges.back().end, group->ordinals.end);
    }
  }
}

HardwareThread& Dispatcher::place_thread(WorkGroup& group, std::uint32_t index,
                                         std::uint32_t ordinal) {
  if (slots_[ordinal] == nullptr) {
    slots_[ordinal] = std::make_unique<Slot>(memory_, surfaces_, samplers_);
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
  // The registers are filled when somebody first looks: that is mostly when the thread runs, and
  // then finds them in the host's caches. Up to then it waits for no barrier
  // and for no fused thread.
  slot.entered = false;
  thread.state.barrier_pending = 0;
  thread.state.fused = {};
  group.threads[index] = &thread;
  resident_[ordinal / 64] |= std::uint64_t{1} << ordinal % 64;
  ++resident_count_;
  ++placements_;
  return thread;
}

std::optional<std::uint32_t> Dispatcher::next_resident(std::uint32_t ordinal) const {
  for (std::size_t word = ordinal / 64; word < resident_.size(); ++word) {
    const std::uint64_t from = word == ordinal / 64 ? ~std::uint64_t{0} << ordinal % 64
                                                    : ~std::uint64_t{0};
    if (const std::uint64_t bits = resident_[word] & from; bits != 0) {
      return static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(bits)));
    }
  }
  return std::nullopt;
}

HardwareThread* Dispatcher::at(std::uint32_t ordinal) const {
  if (!is_resident(ordinal)) {
    return nullptr;
  }
  Slot& slot = *slots_[ordinal];
  if (!slot.entered) {
    payload_->enter(slot.thread);
    slot.entered = true;
  }
  return &slot.thread;
}

bool Dispatcher::runnable(std::uint32_t ordinal) const {
  return is_resident(ordinal) && slots_[ordinal]->thread.run == ThreadRun::Runnable;
}

bool Dispatcher::is_resident(std::uint32_t ordinal) const {
  return (resident_[ordinal / 64] >> ordinal % 64 & 1) != 0;
}

eu::ThreadEnvironment& Dispatcher::environment(const HardwareThread& thread) {
  return slot_of(thread);
}

Dispatcher::Slot& Dispatcher::slot_of(const HardwareThread& thread) const {
  return *slots_[ordinal(topology_, thread.id)];
}

void Dispatcher::leave_group(const HardwareThread& thread) {
  slot_of(thread).group->threads[thread.index_in_group] = nullptr;
}

void Dispatcher::retire(HardwareThread& thread) {
  leave_group(thread);
  const std::uint32_t place = ordinal(topology_, thread.id);
  WorkGroup& group = *slots_[place]->group;
  Subslice& subslice = subslices_[group.subslice];
  subslice.has_new_room = true;
  resident_[place / 64] &= ~(std::uint64_t{1} << place % 64);
  --resident_count_;
  ++subslice.free_threads;
  if (--group.alive == 0) {
    subslice.free_slm += slm_per_group_;
    subslice.free_barriers += launch_->barrier_count;
    std::erase(subslice.groups, &group);
    free_groups_.push_back(&group);
  }
}

bool Dispatcher::refill() {
  const std::uint64_t before = placements_;
  for (std::uint32_t position = 0; position < subslices_.size(); ++position) {
    if (std::exchange(subslices_[position].has_new_room, false)) {
      while (place_next(position)) {
      }
    }
  }
  return placements_ != before;
}

}  // namespace xesim::device
