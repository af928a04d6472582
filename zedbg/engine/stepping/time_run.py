"""All threads go on or back through the past, to the next breakpoint or watched change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.breakpoints.expression_sample import ExpressionSample
from zedbg.engine.breakpoints.watch import Change, LocationSample, Watch, WatchAccess
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.stop_builder import Hit, breakpoint_hit, watchpoint_hit
from zedbg.engine.events.stops import Stop
from zedbg.engine.ground.scheduler_locking import SchedulerLocking
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.running.run_control import RunControl
from zedbg.engine.stepping.followed_past import FollowedPast, PastChange
from zedbg.engine.stepping.lone_thread import BACK_IN_PRESENT, NO_MORE_HISTORY
from zedbg.engine.stepping.replay_run import code_ranges, of_thread, parts_of
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.focus import Focus
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.time.past import Moment
from zedbg.levelzero.device_time import ANY_THREAD, HitKind, Search, TimeHit

_TOGETHER = 64


@dataclass(frozen=True)
class _Candidate:
    """A time at which there may be a stop; ``go`` goes there, and gives the hit if there is. None:
    there is none up to this time."""

    time: int
    go: Callable[[], Hit | None] | None = None


class TimeRun:
    """Moves ``device`` through its past; made anew for each command. Calls are made with the lock
    held.

    ``focus``: what the user looks at: with scheduler locking, only breakpoints that its thread came
    to count, and only changes that it made.
    """

    def __init__(
        self, state: EngineState, run_control: RunControl, device: Device, focus: Focus | None
    ) -> None:
        self._state = state
        self._past = state.past
        self._run = run_control
        self._device = device
        self._focus = focus

    def back(self) -> Stop:
        """To the last breakpoint that a thread came to, or the last change of a watched value, or
        the first time that is recorded. The stop is of one thread: threads come to a place one
        after the other."""
        moment = self._past.moment(self._device)
        first = self._past.recorded(self._device, moment.launch).first
        search = Search(moment.launch, first, moment.time, HitKind.EXECUTES, backward=True)
        found = self._next_stop(search)
        if found is not None:
            return found
        self._past.go_to(self._device, Moment(moment.launch, first))
        return self.report(StopReason.NO_HISTORY, NO_MORE_HISTORY)

    def on(self) -> Stop:
        """To the next breakpoint or change, or the present; to the end of a launch that has
        ended."""
        moment = self._past.moment(self._device)
        recording = self._past.recorded(self._device, moment.launch)
        search = Search(moment.launch, moment.time, recording.end, HitKind.EXECUTES)
        found = self._next_stop(search)
        if found is not None:
            return found
        self._past.go_to(self._device, Moment(moment.launch, recording.end))
        if self._device.in_past:
            return self.report(StopReason.NO_HISTORY, "End of the recorded history.")
        return self.report(StopReason.NO_HISTORY, BACK_IN_PRESENT)

    def _next_stop(self, search: Search) -> Stop | None:
        """Goes to the first breakpoint or change in the order of ``search``; its stop."""
        is_locked = self._state.settings.scheduler_locking is SchedulerLocking.ON
        if is_locked and self._focus is not None:
            search = of_thread(search, self._focus.thread)
        candidates = [self._at_breakpoints(search)]
        candidates += [
            self._of_watchpoint(each, each.watch, search)
            for each in self._state.breakpoints
            if each.enabled and each.watch is not None and each.watch.thread.device is self._device
        ]
        heads = [(head, rest) for rest in candidates if (head := next(rest, None)) is not None]
        while heads:
            # Where one is known up to a time only, going forward, it may have a stop there, too.
            order = [(each.time, each.go is not None) for each, _ in heads]
            number = order.index(max(order) if search.backward else min(order))
            head, rest = heads[number]
            hit = None if head.go is None else head.go()
            if hit is not None:
                others = [each for each, of in heads if of is not rest and each.time == head.time]
                hits = [hit, *self._at_once(others)]
                return self._run.report(self._run.stop_of(hits))
            following = next(rest, None)
            heads[number : number + 1] = [] if following is None else [(following, rest)]
        return None

    def _at_once(self, others: Sequence[_Candidate]) -> Iterator[Hit]:
        """The hits of ``others`` that show the moment which is shown now: what else one instruction
        changed."""
        shown = self._past.moment(self._device)
        for candidate in others:
            hit = None if candidate.go is None else candidate.go()
            if hit is not None and self._past.moment(self._device) == shown:
                yield hit
        self._past.go_to(self._device, shown)

    def _at_breakpoints(self, search: Search) -> Iterator[_Candidate]:
        """Each time at which a thread comes to a breakpoint."""
        places = {
            place.address
            for each in self._state.breakpoints
            if each.enabled
            for place in each.locations
            if place.device is self._device and place not in each.disabled
        }
        if not places:
            return
        stands_at = None if search.backward else self._stands_at()
        search = replace(search, ranges=code_ranges(places), limit=_TOGETHER)
        for part in parts_of(search):
            for found in self._find(part):
                if (found.thread, found.instruction) == stands_at:
                    stands_at = None  # it was there when this began
                elif self._may_hit(found):
                    yield _Candidate(found.time, partial(self._breakpoint, search.launch, found))
            yield _Candidate(part.first if search.backward else part.end)

    def _breakpoint(self, launch: int, found: TimeHit) -> Hit | None:
        self._past.go_to(self._device, Moment(launch, found.time))
        thread = self._device.thread_of(found.thread)
        return None if thread is None else breakpoint_hit(thread, self._state.breakpoints)

    def _of_watchpoint(
        self, watchpoint: Breakpoint, watch: Watch, search: Search
    ) -> Iterator[_Candidate]:
        """Each time at which the value of ``watchpoint`` may change."""
        if isinstance(watch.sample, LocationSample):
            yield from self._of_memory(watchpoint, watch, watch.sample, search)
        elif isinstance(watch.sample, ExpressionSample):
            followed = FollowedPast(self._state, self._device, watch, watch.sample, search)
            for change in followed.changes():
                if isinstance(change, int):
                    yield _Candidate(change)
                    continue
                hit = partial(self._followed, watchpoint, watch, search, change)
                yield _Candidate(change.hit.time, hit)

    def _of_memory(
        self, watchpoint: Breakpoint, watch: Watch, sample: LocationSample, search: Search
    ) -> Iterator[_Candidate]:
        wanted = sample.request
        search = replace(
            search,
            kinds=wanted.kinds,
            ranges=wanted.ranges,
            lanes=wanted.lanes,
            changes_only=wanted.changes_only,
            limit=_TOGETHER,
        )
        if wanted.thread != ANY_THREAD:
            search = of_thread(search, watch.thread)
        for part in parts_of(search):
            for found in self._find(part):
                if wanted.group in (None, found.group):
                    change = partial(self._change, watchpoint, watch, search, found)
                    yield _Candidate(found.time, change)
            yield _Candidate(part.first if search.backward else part.end)

    def _followed(
        self, watchpoint: Breakpoint, watch: Watch, search: Search, change: PastChange
    ) -> Hit | None:
        """What ``watchpoint`` makes of ``change``: the device shows it done, or when it goes back,
        not done yet."""
        self._past.go_to(self._device, Moment(search.launch, change.shown))
        thread = self._device.thread_of(change.hit.thread)
        if thread is None:
            return None
        lanes = None if thread is watch.thread else change.hit.lanes
        watch.known.update(change.known)
        watch.known_at = Moment(search.launch, change.shown)
        return watchpoint_hit(watchpoint, thread, change.changes, lanes)

    def _change(
        self, watchpoint: Breakpoint, watch: Watch, search: Search, found: TimeHit
    ) -> Hit | None:
        """What ``watchpoint`` makes of the instruction ``found``: the device shows it executed, or
        when it goes back, not executed yet."""
        thread = self._device.thread_of(found.thread)
        if thread is None:
            return None
        times = [found.time, found.time + 1]
        samples = []
        for time in reversed(times) if search.backward else times:
            self._past.go_to(self._device, Moment(search.launch, time))
            samples.append(dict(watch.sample(thread)) if thread.is_stopped else {})
        before, now = samples
        watch.known.update(now)
        # One value, whose lane is not that of the access.
        changes = [Change(found.lane, before[lane], now[lane]) for lane in before if lane in now]
        if watch.access is WatchAccess.READ:
            changes = [replace(each, old=each.new) for each in changes]
        return watchpoint_hit(watchpoint, thread, changes, found.lanes)

    def _find(self, search: Search) -> Iterator[TimeHit]:
        return self._past.find(self._device, search, lambda: self._state.interrupt_requested)

    def _stands_at(self) -> object:
        """The focused thread's place: a breakpoint there has had its say, unless a watched change
        was reported there."""
        if self._focus is None or not self._focus.thread.is_stopped:
            return None
        if self._state.stop is not None and self._state.stop.reason is StopReason.WATCHPOINT:
            return None
        return self._focus.thread.place.fields, self._focus.thread.pc

    def _may_hit(self, found: TimeHit) -> bool:
        """Whether some breakpoint there may be meant for the thread, as far as is known without
        going there."""
        for each in self._state.breakpoints.at(self._device, found.instruction):
            thread = self._device.thread_of(found.thread)
            number = None if thread is None else (self._device.number, thread.number)
            if each.thread in (None, number) and each.workgroup in (None, found.group):
                return True
        return False

    def report(self, reason: StopReason, detail: str, thread: HardwareThread | None = None) -> Stop:
        """A stop where the device is now, of ``thread``; without one of the focused thread if that
        is there, else of the first one."""
        threads = self._device.stopped_threads()
        focus = self._focus
        if thread is None and focus is not None and focus.thread in threads:
            thread = focus.thread
        thread = thread or next(iter(threads), None)
        if thread is None:
            return self._run.report(Stop(reason, detail=detail))
        hit = Hit(thread, reason, thread.active_lanes)
        return self._run.report(replace(self._run.stop_of([hit]), detail=detail))
