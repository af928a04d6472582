// The dispatcher's state to and from plain data.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "device/dispatcher.hpp"
#include "device/dispatcher_slot.hpp"

namespace xesim::device {

DispatcherState Dispatcher::state() const {
  DispatcherState state;
  state.next_group = next_group_;
  for (const Subslice& subslice : subslices_) {
    state.has_new_room.push_back(subslice.has_new_room);
  }
  std::map<const WorkGroup*, std::uint32_t> indices;
  for (auto place = next_resident(0); place; place = next_resident(*place + 1)) {
    const HardwareThread& thread = *at(*place);
    const Slot& slot = *slots_[*place];
    const auto [index, added] =
        indices.try_emplace(slot.group, static_cast<std::uint32_t>(state.groups.size()));
    if (added) {
      const WorkGroup& group = *slot.group;
      state.groups.push_back({group.id, group.subslice, group.slm, group.arrived});
    }
    state.threads.push_back({.ordinal = *place,
                             .group = index->second,
                             .index_in_group = thread.index_in_group,
                             .run = thread.run,
                             .fault = thread.fault,
                             .report = thread.report,
                             .state = thread.state});
  }
  return state;
}

std::optional<std::string> Dispatcher::check(const DispatcherState& state) const {
  const auto bad = [](const char* what) { return std::string("a damaged snapshot: ") + what; };
  if (state.next_group > group_total_ || state.has_new_room.size() != subslices_.size()) {
    return bad("its work is not that of the launch");
  }
  std::vector<Room> room(subslices_.size(), empty_room());
  for (const WorkGroupState& group : state.groups) {
    if (group.subslice >= room.size() || group.slm.size() != slm_per_group_ ||
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
  return std::nullopt;
}

void Dispatcher::restore(const DispatcherState& state) {
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
    group.slm = saved.slm;
    group.arrived = saved.arrived;
    subslice.room.slm -= slm_per_group_;
    subslice.room.barriers -= launch_->barrier_count;
    subslice.groups.push_back(&group);
    groups.push_back(&group);
  }
  for (const ResidentThreadState& saved : state.threads) {
    WorkGroup& group = *groups[saved.group];
    HardwareThread& thread = place_thread(group, saved.index_in_group, saved.ordinal);
    slots_[saved.ordinal]->entered = true;
    thread.run = saved.run;
    thread.fault = saved.fault;
    thread.report = saved.report;
    thread.state = saved.state;
    ++group.alive;
    --subslices_[group.subslice].room.threads;
  }
  for (std::size_t i = 0; i < subslices_.size(); ++i) {
    subslices_[i].has_new_room = state.has_new_room[i] != 0;
  }
}

}  // namespace xesim::device
