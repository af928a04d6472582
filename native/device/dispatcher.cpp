#include "device/dispatcher.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

namespace xesim::device {

namespace {

// Shared local memory is given out in steps of this size.
constexpr std::uint32_t kSlmGranule = 1024;

}  // namespace

Dispatcher::Dispatcher(const Topology& topology, Memory& memory, MemoryView& view,
                       const SurfaceHeap& surfaces, const SamplerHeap& samplers)
    : topology_(topology),
      memory_(memory),
      view_(view),
      surfaces_(surfaces),
      samplers_(samplers),
      subslices_(std::size_t{topology.slices} * topology.subslices_per_slice),
      slots_(topology.thread_count()) {
  for (Subslice& subslice : subslices_) {
    subslice.resident.resize((threads_per_subslice() + 63) / 64);
  }
}

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
  const std::uint32_t threads = ThreadPayload::threads_per_group(launch);
  if (threads > empty_room().threads) {
    return name + "a work-group of " + std::to_string(threads) +
           " hardware threads does not fit a subslice of " + std::to_string(empty_room().threads);
  }
  if (launch.slm_size > topology_.group_slm_bytes) {
    return name + std::to_string(launch.slm_size) + " bytes of shared local memory, of " +
           std::to_string(topology_.group_slm_bytes) + " that a work-group may have";
  }
  if (launch.barrier_count > topology_.barriers) {
    return name + std::to_string(launch.barrier_count) + " barriers, of " +
           std::to_string(topology_.barriers);
  }
  auto payload = ThreadPayload::create(memory_, topology_, launch);
  if (payload == nullptr) {
    return name + "no room for its payload in the general state heap";
  }
  start(launch, std::move(payload));
  return std::nullopt;
}

void Dispatcher::begin_again(const KernelLaunch& launch, std::uint64_t payload) {
  launch_ = &launch;
  reset();
  start(launch, ThreadPayload::at(memory_, topology_, launch, payload));
}

void Dispatcher::start(const KernelLaunch& launch, std::unique_ptr<ThreadPayload> payload) {
  payload_ = std::move(payload);
  threads_per_group_ = ThreadPayload::threads_per_group(launch);
  slm_per_group_ = (launch.slm_size + kSlmGranule - 1) / kSlmGranule * kSlmGranule;
  next_group_ = 0;
  group_total_ = std::uint64_t{launch.group_count[0]} * launch.group_count[1] *
                 launch.group_count[2];
  const auto [first, end] = subslices();
  for (std::uint32_t position = first; position < end; ++position) {
    subslices_[position].has_new_room = true;
  }
}

void Dispatcher::abandon() {
  reset();
  group_total_ = next_group_ = 0;
  payload_.reset();
}

void Dispatcher::reset() {
  for (Subslice& subslice : subslices_) {
    subslice.room = empty_room();
    subslice.has_new_room = false;
    std::ranges::fill(subslice.resident, 0);
    subslice.groups.clear();
    subslice.free_groups.clear();
    for (const auto& group : subslice.all_groups) {
      subslice.free_groups.push_back(group.get());
    }
  }
}

Dispatcher::Room Dispatcher::empty_room() const {
  const bool large_grf = launch_ != nullptr && launch_->grf_count > 128;
  return {.threads = large_grf ? threads_per_subslice() / 2 : threads_per_subslice(),
          .slm = topology_.slm_bytes,
          .barriers = topology_.barriers};
}

bool Dispatcher::finished() const {
  return next_group_ == group_total_ && !next_resident(0);
}

std::pair<std::uint32_t, std::uint32_t> Dispatcher::subslices() const {
  const std::uint32_t first = launch_->first_slice * topology_.subslices_per_slice;
  return {first, launch_->slice_count == 0
                     ? static_cast<std::uint32_t>(subslices_.size())
                     : first + launch_->slice_count * topology_.subslices_per_slice};
}

WorkGroup& Dispatcher::take_group(Subslice& subslice) {
  if (subslice.free_groups.empty()) {
    subslice.all_groups.push_back(std::make_unique<WorkGroup>());
    subslice.free_groups.push_back(subslice.all_groups.back().get());
  }
  WorkGroup& group = *subslice.free_groups.back();
  subslice.free_groups.pop_back();
  return group;
}

bool Dispatcher::fits(const Room& room) const {
  return room.threads >= threads_per_group_ && room.slm >= slm_per_group_ &&
         room.barriers >= launch_->barrier_count;
}

// With 256 registers a thread takes the room of two; the hardware then uses the lower half of each
// EU's slots.
bool Dispatcher::usable(std::uint32_t ordinal) const {
  return launch_->grf_count <= 128 ||
         ordinal % topology_.threads_per_eu < topology_.threads_per_eu / 2;
}

bool Dispatcher::place_next(std::uint32_t position) {
  Subslice& subslice = subslices_[position];
  // Another thread of the host may take the last group first: then the number is beyond the total.
  if (next_group_.load(std::memory_order_relaxed) >= group_total_ || !fits(subslice.room)) {
    return false;
  }
  const std::uint64_t number = next_group_.fetch_add(1, std::memory_order_relaxed);
  if (number >= group_total_) {
    next_group_.store(group_total_, std::memory_order_relaxed);
    return false;
  }
  WorkGroup& group = take_group(subslice);
  const std::uint64_t x = launch_->group_count[0];
  const std::uint64_t y = launch_->group_count[1];
  group.id = {launch_->first_group[0] + static_cast<std::uint32_t>(number % x),
              launch_->first_group[1] + static_cast<std::uint32_t>(number / x % y),
              launch_->first_group[2] + static_cast<std::uint32_t>(number / x / y)};
  group.subslice = position;
  group.threads.assign(threads_per_group_, nullptr);
  group.alive = threads_per_group_;
  group.slm.assign(slm_per_group_, std::byte{0});
  group.arrived.fill({});
  subslice.room.threads -= threads_per_group_;
  subslice.room.slm -= slm_per_group_;
  subslice.room.barriers -= launch_->barrier_count;
  subslice.groups.push_back(&group);

  std::uint32_t place = position * threads_per_subslice();
  for (std::uint32_t index = 0; index < threads_per_group_; ++place) {
    if (usable(place) && !is_resident(place)) {
      place_thread(group, index++, place);
    }
  }
  return true;
}

bool Dispatcher::place(std::uint32_t subslice, std::size_t count) {
  std::size_t placed = 0;
  while (placed < count && place_next(subslice)) {
    ++placed;
  }
  return placed != 0;
}

HardwareThread& Dispatcher::place_thread(WorkGroup& group, std::uint32_t index,
                                         std::uint32_t ordinal) {
  if (slots_[ordinal] == nullptr) {
    slots_[ordinal] = std::make_unique<DispatcherSlot>(memory_, view_, surfaces_, samplers_);
  }
  DispatcherSlot& slot = *slots_[ordinal];
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
  // The registers are filled at the first access: that is mostly when the thread runs, and
  // then finds them in the host's caches. Up to then it waits for no barrier
  // and for no fused thread.
  slot.entered = false;
  thread.state.barrier_pending = 0;
  thread.state.fused = {};
  group.threads[index] = &thread;
  Subslice& subslice = subslices_[group.subslice];
  const std::uint32_t within = ordinal % threads_per_subslice();
  subslice.resident[within / 64] |= std::uint64_t{1} << within % 64;
  ++subslice.placements;
  return thread;
}

std::optional<std::uint32_t> Dispatcher::next_resident(std::uint32_t ordinal) const {
  std::uint32_t within = ordinal % threads_per_subslice();
  for (std::size_t position = ordinal / threads_per_subslice(); position < subslices_.size();
       ++position, within = 0) {
    const std::vector<std::uint64_t>& resident = subslices_[position].resident;
    for (std::size_t word = within / 64; word < resident.size(); ++word, within = 0) {
      const std::uint64_t bits = resident[word] & ~std::uint64_t{0} << within % 64;
      if (bits != 0) {
        return static_cast<std::uint32_t>(position * threads_per_subslice() + word * 64 +
                                          static_cast<unsigned>(std::countr_zero(bits)));
      }
    }
  }
  return std::nullopt;
}

HardwareThread* Dispatcher::at(std::uint32_t ordinal) const {
  return is_resident(ordinal) ? &enter(slots_[ordinal]->thread) : nullptr;
}

HardwareThread& Dispatcher::enter(const HardwareThread& thread) const {
  DispatcherSlot& slot = slot_of(thread);
  if (!slot.entered) {
    payload_->enter(slot.thread);
    slot.entered = true;
  }
  return slot.thread;
}

bool Dispatcher::runnable(std::uint32_t ordinal) const {
  return is_resident(ordinal) && slots_[ordinal]->thread.run == ThreadRun::Runnable;
}

bool Dispatcher::is_resident(std::uint32_t ordinal) const {
  const std::uint32_t within = ordinal % threads_per_subslice();
  const Subslice& subslice = subslices_[ordinal / threads_per_subslice()];
  return (subslice.resident[within / 64] >> within % 64 & 1) != 0;
}

eu::ThreadEnvironment& Dispatcher::environment(const HardwareThread& thread) {
  return slot_of(thread);
}

DispatcherSlot& Dispatcher::slot_of(const HardwareThread& thread) const {
  return *slots_[ordinal(topology_, thread.id)];
}

void Dispatcher::retire(HardwareThread& thread) {
  WorkGroup& group = *slot_of(thread).group;
  group.threads[thread.index_in_group] = nullptr;
  Subslice& subslice = subslices_[group.subslice];
  subslice.has_new_room = true;
  const std::uint32_t within = ordinal(topology_, thread.id) % threads_per_subslice();
  subslice.resident[within / 64] &= ~(std::uint64_t{1} << within % 64);
  ++subslice.room.threads;
  if (--group.alive == 0) {
    subslice.room.slm += slm_per_group_;
    subslice.room.barriers += launch_->barrier_count;
    std::erase(subslice.groups, &group);
    subslice.free_groups.push_back(&group);
  }
}

bool Dispatcher::refill() {
  bool placed = false;
  for (std::uint32_t position = 0; position < subslices_.size(); ++position) {
    if (std::exchange(subslices_[position].has_new_room, false)) {
      placed |= place(position, SIZE_MAX);
    }
  }
  return placed;
}

std::uint64_t Dispatcher::placements() const {
  std::uint64_t sum = 0;
  for (const Subslice& subslice : subslices_) {
    sum += subslice.placements;
  }
  return sum;
}

template <class Visit>
void Dispatcher::for_each_resident(Visit visit) const {
  std::map<const WorkGroup*, std::uint32_t> numbers;
  for (auto place = next_resident(0); place; place = next_resident(*place + 1)) {
    DispatcherSlot& slot = *slots_[*place];
    const auto [number, first] =
        numbers.try_emplace(slot.group, static_cast<std::uint32_t>(numbers.size()));
    visit(slot, number->second, first);
  }
}

DispatcherState Dispatcher::state() const {
  DispatcherState state;
  state.next_group = next_group_;
  for (const Subslice& subslice : subslices_) {
    state.has_new_room.push_back(subslice.has_new_room);
  }
  for_each_resident([&](const DispatcherSlot& slot, std::uint32_t group, bool first) {
    if (first) {
      state.groups.push_back({slot.group->id, slot.group->subslice, slot.group->arrived});
    }
    const HardwareThread& thread = slot.thread;
    state.threads.push_back({.ordinal = ordinal(topology_, thread.id),
                             .group = group,
                             .index_in_group = thread.index_in_group,
                             .entered = slot.entered,
                             .run = thread.run,
                             .fault = thread.fault,
                             .report = thread.report,
                             .written_flow_control = thread.written_flow_control});
  });
  return state;
}

std::vector<std::span<std::byte>> Dispatcher::contents() {
  std::vector<std::span<std::byte>> registers;
  std::vector<std::span<std::byte>> local_memory;
  for_each_resident([&](DispatcherSlot& slot, std::uint32_t, bool first) {
    if (slot.entered) {
      registers.push_back(std::as_writable_bytes(std::span(&slot.thread.state, 1)));
    }
    if (first) {
      local_memory.emplace_back(slot.group->slm);
    }
  });
  registers.insert(registers.end(), local_memory.begin(), local_memory.end());
  return registers;
}

std::optional<std::string> Dispatcher::check(const DispatcherState& state,
                                             const std::vector<FrozenBytes>& contents) const {
  const auto bad = [](const char* what) { return std::string("a damaged snapshot: ") + what; };
  if (state.next_group > group_total_ || state.has_new_room.size() != subslices_.size()) {
    return bad("its work is not that of the launch");
  }
  std::vector<Room> room(subslices_.size(), empty_room());
  for (const WorkGroupState& group : state.groups) {
    if (group.subslice >= room.size() ||
        room[group.subslice].slm < slm_per_group_ ||
        room[group.subslice].barriers < launch_->barrier_count) {
      return bad("a work-group is where it has no room");
    }
    room[group.subslice].slm -= slm_per_group_;
    room[group.subslice].barriers -= launch_->barrier_count;
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      if (group.id[dimension] - launch_->first_group[dimension] >=
          launch_->group_count[dimension]) {
        return bad("a work-group is outside the launch");
      }
    }
  }
  std::set<std::uint32_t> ordinals;
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  std::set<std::uint32_t> groups;
  for (const ResidentThreadState& thread : state.threads) {
    if (thread.ordinal >= topology_.thread_count() || !usable(thread.ordinal) ||
        thread.group >= state.groups.size() || thread.index_in_group >= threads_per_group_ ||
        state.groups[thread.group].subslice != thread.ordinal / threads_per_subslice() ||
        thread.run > ThreadRun::Stopped || !ordinals.insert(thread.ordinal).second ||
        !places.emplace(thread.group, thread.index_in_group).second) {
      return bad("a thread is where none can be");
    }
    groups.insert(thread.group);
  }
  if (groups.size() != state.groups.size()) {
    return bad("a work-group has no thread");
  }
  const auto entered = static_cast<std::size_t>(
      std::ranges::count_if(state.threads, &ResidentThreadState::entered));
  bool complete = contents.size() == entered + state.groups.size();
  for (std::size_t i = 0; complete && i < contents.size(); ++i) {
    complete = contents[i].size() == (i < entered ? sizeof(eu::ThreadState) : slm_per_group_);
  }
  if (!complete) {
    return bad("registers or shared local memory are missing");
  }
  return std::nullopt;
}

void Dispatcher::restore(const DispatcherState& state,
                         const std::vector<FrozenBytes>& contents) {
  reset();
  next_group_ = state.next_group;
  std::vector<WorkGroup*> groups;
  for (const WorkGroupState& saved : state.groups) {
    Subslice& subslice = subslices_[saved.subslice];
    WorkGroup& group = take_group(subslice);
    group.id = saved.id;
    group.subslice = saved.subslice;
    group.threads.assign(threads_per_group_, nullptr);
    group.alive = 0;
    group.slm.assign(slm_per_group_, std::byte{0});
    group.arrived = saved.arrived;
    subslice.room.slm -= slm_per_group_;
    subslice.room.barriers -= launch_->barrier_count;
    subslice.groups.push_back(&group);
    groups.push_back(&group);
  }
  for (const ResidentThreadState& saved : state.threads) {
    WorkGroup& group = *groups[saved.group];
    HardwareThread& thread = place_thread(group, saved.index_in_group, saved.ordinal);
    slots_[saved.ordinal]->entered = saved.entered;
    thread.run = saved.run;
    thread.fault = saved.fault;
    thread.report = saved.report;
    thread.written_flow_control = saved.written_flow_control;
    ++group.alive;
    --subslices_[group.subslice].room.threads;
  }
  for (std::size_t i = 0; i < subslices_.size(); ++i) {
    subslices_[i].has_new_room = state.has_new_room[i] != 0;
  }
  const std::vector<std::span<std::byte>> places = this->contents();
  for (std::size_t i = 0; i < places.size(); ++i) {
    contents[i].copy_to(places[i].data());
  }
}

}  // namespace xesim::device
