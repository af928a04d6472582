#include "device/dispatcher.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>
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

std::pair<std::uint32_t, std::uint32_t> Dispatcher::subslices_of(const KernelLaunch& launch) const {
  const std::uint32_t first = launch.first_slice * topology_.subslices_per_slice;
  return {first, launch.slice_count == 0
                     ? static_cast<std::uint32_t>(subslices_.size())
                     : first + launch.slice_count * topology_.subslices_per_slice};
}

bool Dispatcher::has_place_for(const KernelLaunch& launch) const {
  const auto [first, end] = subslices_of(launch);
  return std::ranges::none_of(
      launches_, [first, end](const auto& other) { return other->overlaps(first, end); });
}

std::variant<DispatchedLaunch*, std::string> Dispatcher::begin(const KernelLaunch& launch) {
  const std::string name = "kernel " + launch.kernel_name + ": ";
  for (const std::uint32_t size : launch.group_size) {
    if (size == 0 || size > topology_.group_size) {
      return name + "work-group size " + std::to_string(size) + " is not in 1.." +
             std::to_string(topology_.group_size);
    }
  }
  const std::uint32_t threads = ThreadPayload::threads_per_group(launch);
  const std::uint32_t room = empty_room(launch.grf_count > 128).threads;
  if (threads > room) {
    return name + "a work-group of " + std::to_string(threads) +
           " hardware threads does not fit a subslice of " + std::to_string(room);
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
  return &start(launch, std::move(payload));
}

void Dispatcher::begin_again(const KernelLaunch& launch, std::uint64_t payload) {
  while (!launches_.empty()) {
    end(*launches_.front());
  }
  start(launch, ThreadPayload::at(memory_, topology_, launch, payload));
}

DispatchedLaunch& Dispatcher::start(const KernelLaunch& launch,
                                    std::unique_ptr<ThreadPayload> payload) {
  DispatchedLaunch& started =
      *launches_.emplace_back(std::make_unique<DispatchedLaunch>(launch, std::move(payload)));
  std::tie(started.first_subslice, started.end_subslice) = subslices_of(launch);
  started.threads_per_group = ThreadPayload::threads_per_group(launch);
  started.slm_per_group = (launch.slm_size + kSlmGranule - 1) / kSlmGranule * kSlmGranule;
  started.group_total = std::uint64_t{launch.group_count[0]} * launch.group_count[1] *
                        launch.group_count[2];
  for (auto position = started.first_subslice; position < started.end_subslice; ++position) {
    reset(subslices_[position], &started);
    subslices_[position].has_new_room = true;
  }
  return started;
}

void Dispatcher::abandon(DispatchedLaunch& launch) {
  for (auto position = launch.first_subslice; position < launch.end_subslice; ++position) {
    reset(subslices_[position], &launch);
  }
  launch.group_total = 0;
  launch.next_group = 0;
  launch.ended_groups = 0;
}

void Dispatcher::end(DispatchedLaunch& launch) {
  for (auto position = launch.first_subslice; position < launch.end_subslice; ++position) {
    reset(subslices_[position], nullptr);
  }
  std::erase_if(launches_, [&launch](const auto& each) { return each.get() == &launch; });
}

void Dispatcher::reset(Subslice& subslice, DispatchedLaunch* launch) const {
  subslice.launch = launch;
  subslice.room = empty_room(launch != nullptr && launch->has_large_grf());
  subslice.has_new_room = false;
  std::ranges::fill(subslice.resident, 0);
  subslice.groups.clear();
  subslice.free_groups.clear();
  for (const auto& group : subslice.all_groups) {
    subslice.free_groups.push_back(group.get());
  }
}

Dispatcher::Room Dispatcher::empty_room(bool large_grf) const {
  return {.threads = large_grf ? threads_per_subslice() / 2 : threads_per_subslice(),
          .slm = topology_.slm_bytes,
          .barriers = topology_.barriers};
}

bool Dispatcher::finished(const DispatchedLaunch& launch) const {
  if (launch.next_group != launch.group_total) {
    return false;
  }
  const auto resident = next_resident(launch.first_subslice * threads_per_subslice());
  return !resident || *resident >= launch.end_subslice * threads_per_subslice();
}

bool Dispatcher::ended_before_others(std::uint32_t subslice) const {
  const DispatchedLaunch* const launch = subslices_[subslice].launch;
  return launches_.size() > 1 && launch != nullptr && launch->ended_groups == launch->group_total;
}

std::uint64_t Dispatcher::group_total() const {
  std::uint64_t sum = 0;
  for (const auto& launch : launches_) {
    sum += launch->group_total;
  }
  return sum;
}

std::pair<std::uint32_t, std::uint32_t> Dispatcher::subslices() const {
  auto first = static_cast<std::uint32_t>(subslices_.size());
  std::uint32_t end = 0;
  for (const auto& launch : launches_) {
    first = std::min(first, launch->first_subslice);
    end = std::max(end, launch->end_subslice);
  }
  return {std::min(first, end), end};
}

DispatchedLaunch& Dispatcher::launch_of(const HardwareThread& thread) const {
  return *subslices_[slot_of(thread).group->subslice].launch;
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

bool Dispatcher::fits(const Subslice& subslice) {
  const DispatchedLaunch& launch = *subslice.launch;
  return subslice.room.threads >= launch.threads_per_group &&
         subslice.room.slm >= launch.slm_per_group &&
         subslice.room.barriers >= launch.launch.barrier_count;
}

// With 256 registers the hardware uses the lower half of each EU's slots.
bool Dispatcher::usable(const DispatchedLaunch& launch, std::uint32_t ordinal) const {
  return !launch.has_large_grf() ||
         ordinal % topology_.threads_per_eu < topology_.threads_per_eu / 2;
}

bool Dispatcher::place_next(std::uint32_t position) {
  Subslice& subslice = subslices_[position];
  if (subslice.launch == nullptr) {
    return false;
  }
  DispatchedLaunch& launch = *subslice.launch;
  // Another thread of the host may take the last group first: then the number is beyond the total.
  if (launch.next_group.load(std::memory_order_relaxed) >= launch.group_total || !fits(subslice)) {
    return false;
  }
  const std::uint64_t number = launch.next_group.fetch_add(1, std::memory_order_relaxed);
  if (number >= launch.group_total) {
    launch.next_group.store(launch.group_total, std::memory_order_relaxed);
    return false;
  }
  WorkGroup& group = take_group(subslice);
  const KernelLaunch& asked = launch.launch;
  const std::uint64_t x = asked.group_count[0];
  const std::uint64_t y = asked.group_count[1];
  group.id = {asked.first_group[0] + static_cast<std::uint32_t>(number % x),
              asked.first_group[1] + static_cast<std::uint32_t>(number / x % y),
              asked.first_group[2] + static_cast<std::uint32_t>(number / x / y)};
  group.subslice = position;
  group.threads.assign(launch.threads_per_group, nullptr);
  group.alive = launch.threads_per_group;
  group.slm.assign(launch.slm_per_group, std::byte{0});
  group.arrived.fill({});
  subslice.room.threads -= launch.threads_per_group;
  subslice.room.slm -= launch.slm_per_group;
  subslice.room.barriers -= asked.barrier_count;
  subslice.groups.push_back(&group);

  std::uint32_t place = position * threads_per_subslice();
  for (std::uint32_t index = 0; index < launch.threads_per_group; ++place) {
    if (usable(launch, place) && !is_resident(place)) {
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
  Subslice& subslice = subslices_[group.subslice];
  const KernelLaunch& launch = subslice.launch->launch;
  slot.group = &group;
  slot.launch = &launch;
  HardwareThread& thread = slot.thread;
  thread.id = thread_id(topology_, ordinal);
  thread.run = ThreadRun::Runnable;
  thread.group = group.id;
  thread.index_in_group = index;
  thread.slm = group.slm.data();
  thread.slm_size = subslice.launch->slm_per_group;
  thread.scratch_size = launch.scratch_size;
  thread.scratch = launch.scratch_size == 0
                       ? nullptr
                       : reinterpret_cast<std::byte*>(launch.scratch_base) +
                             std::uint64_t{launch.scratch_size} * ordinal;
  thread.fault = {};
  thread.report.clear();
  // The registers are filled at the first access: that is mostly when the thread runs, and
  // then finds them in the host's caches. Up to then it waits for no barrier
  // and for no fused thread.
  slot.entered = false;
  thread.state.barrier_pending = 0;
  thread.state.fused = {};
  group.threads[index] = &thread;
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
    launch_of(thread).payload->enter(slot.thread);
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
    DispatchedLaunch& launch = *subslice.launch;
    subslice.room.slm += launch.slm_per_group;
    subslice.room.barriers += launch.launch.barrier_count;
    std::erase(subslice.groups, &group);
    subslice.free_groups.push_back(&group);
    launch.ended_groups.fetch_add(1, std::memory_order_relaxed);
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
  state.next_group = alone()->next_group;
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
  const DispatchedLaunch& launch = *alone();
  if (state.next_group > launch.group_total || state.has_new_room.size() != subslices_.size()) {
    return bad("its work is not that of the launch");
  }
  std::vector<Room> room(subslices_.size(), empty_room(launch.has_large_grf()));
  for (const WorkGroupState& group : state.groups) {
    if (group.subslice < launch.first_subslice || group.subslice >= launch.end_subslice ||
        room[group.subslice].slm < launch.slm_per_group ||
        room[group.subslice].barriers < launch.launch.barrier_count) {
      return bad("a work-group is where it has no room");
    }
    room[group.subslice].slm -= launch.slm_per_group;
    room[group.subslice].barriers -= launch.launch.barrier_count;
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      if (group.id[dimension] - launch.launch.first_group[dimension] >=
          launch.launch.group_count[dimension]) {
        return bad("a work-group is outside the launch");
      }
    }
  }
  std::set<std::uint32_t> ordinals;
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  std::set<std::uint32_t> groups;
  for (const ResidentThreadState& thread : state.threads) {
    if (thread.ordinal >= topology_.thread_count() || !usable(launch, thread.ordinal) ||
        thread.group >= state.groups.size() || thread.index_in_group >= launch.threads_per_group ||
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
    complete = contents[i].size() == (i < entered ? sizeof(eu::ThreadState) : launch.slm_per_group);
  }
  if (!complete) {
    return bad("registers or shared local memory are missing");
  }
  return std::nullopt;
}

void Dispatcher::restore(const DispatcherState& state,
                         const std::vector<FrozenBytes>& contents) {
  DispatchedLaunch& launch = *alone();
  for (auto position = launch.first_subslice; position < launch.end_subslice; ++position) {
    reset(subslices_[position], &launch);
  }
  launch.next_group = state.next_group;
  launch.ended_groups = state.next_group - state.groups.size();
  std::vector<WorkGroup*> groups;
  for (const WorkGroupState& saved : state.groups) {
    Subslice& subslice = subslices_[saved.subslice];
    WorkGroup& group = take_group(subslice);
    group.id = saved.id;
    group.subslice = saved.subslice;
    group.threads.assign(launch.threads_per_group, nullptr);
    group.alive = 0;
    group.slm.assign(launch.slm_per_group, std::byte{0});
    group.arrived = saved.arrived;
    subslice.room.slm -= launch.slm_per_group;
    subslice.room.barriers -= launch.launch.barrier_count;
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
