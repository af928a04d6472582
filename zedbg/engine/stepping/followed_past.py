"""How the value of an expression changed in the past of a launch, wherever it was."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace

from zedbg.engine.breakpoints.expression_sample import ExpressionSample
from zedbg.engine.breakpoints.watch import Change, Watch, changes_between
from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.stepping.replay_run import of_thread, parts_of
from zedbg.engine.threads.device import Device
from zedbg.engine.time.past import Moment
from zedbg.levelzero.device_time import (
    ANY_THREAD,
    HitKind,
    RangeSpace,
    Search,
    SearchRange,
    TimeHit,
)
from zedbg.levelzero.device_watches import WatchRequest

_TOGETHER = 4  # what is searched for is mostly another thing after each hit


@dataclass(frozen=True)
class PastChange:
    """What the instruction ``hit`` did to the value, in the direction of the search; ``shown``: the
    time at which one sees it done, or when going back, undone; ``known``: what each lane had last
    then."""

    hit: TimeHit
    shown: int
    changes: list[Change]
    known: dict[int, str]


class FollowedPast:
    """Looks for the changes of what ``watch`` watches on ``device``, as ``search`` goes; only for
    those that its thread made, if it has one. Whatever the value depends on is searched for, and
    found out again after each hit. Calls are made with the lock held."""

    def __init__(
        self,
        state: EngineState,
        device: Device,
        watch: Watch,
        sample: ExpressionSample,
        search: Search,
    ) -> None:
        self._state = state
        self._device = device
        self._thread = watch.thread
        self._sample = sample
        self._search = search
        self._backward = search.backward
        self._known: dict[int, str] = {}
        # Lanes that are not active where this begins have what they were seen with.
        begin = Moment(search.launch, search.end if search.backward else search.first)
        self._known_before = watch.known if watch.known_at == begin else {}

    def changes(self) -> Iterator[PastChange | int]:
        """In the order of the search, and between them the times up to which there is no other one;
        the device shows any time after each of them."""
        time: int | None = self._search.end if self._backward else self._search.first
        while time is not None:
            requests = self._look(time)
            if requests is None:
                time = self._work(time)
                continue
            hit, went_on = None, self._goes_on_at(requests, time)
            for part in parts_of(self._from(time)):
                hit = next(self._hits(requests, part, went_on), None)
                if hit is not None:
                    break
                yield part.first if self._backward else part.end
            if hit is None or hit.kind & (HitKind.BEGINS | HitKind.ENDS):
                return
            shown, found = self._changes(hit)
            time = shown
            if found and self._search.thread in (ANY_THREAD, hit.thread):
                yield PastChange(hit, shown, found, dict(self._known))

    def _go_to(self, time: int) -> bool:
        """Shows ``time``; whether the thread is at the work that is watched then."""
        self._state.past.go_to(self._device, Moment(self._search.launch, time))
        thread = self._thread
        return thread.is_stopped and thread.workgroup == self._sample.group

    def _look(self, time: int) -> list[WatchRequest] | None:
        """What the value depends on at ``time``; None: the work is not under way then."""
        if not self._go_to(time):
            return None
        if not self._known:
            self._known = {**self._known_before, **self._sample(self._thread)}
        return self._sample.requests(self._thread) or [
            WatchRequest(HitKind.EXECUTES, (), self._thread.place.fields)
        ]

    def _work(self, time: int) -> int | None:
        """The time nearest to ``time``, in the direction, at which the work is under way; None:
        there is none."""
        kind = HitKind.ENDS if self._backward else HitKind.BEGINS
        search = of_thread(replace(self._from(time), kinds=kind, limit=_TOGETHER), self._thread)
        for hit in self._find(search):
            if hit.group == self._sample.group and self._go_to(hit.time):
                return hit.time
        return None

    def _from(self, time: int) -> Search:
        """The rest of the search after ``time``."""
        if self._backward:
            return replace(self._search, end=time)
        return replace(self._search, first=time)

    def _goes_on_at(self, requests: list[WatchRequest], time: int) -> int | None:
        """When the thread has executed its next instruction, where it is at ``time`` already; None
        where that is never, or does not matter."""
        if self._backward or not any(each.kinds & HitKind.EXECUTES for each in requests):
            return None
        after = of_thread(replace(self._from(time), kinds=HitKind.EXECUTES, limit=1), self._thread)
        following = next(self._find(after), None)
        return None if following is None else following.time + 1

    def _hits(
        self, requests: list[WatchRequest], part: Search, went_on: int | None
    ) -> Iterator[TimeHit]:
        found = [self._of_request(each, part, went_on) for each in requests]
        return heapq.merge(*found, key=lambda hit: hit.time, reverse=self._backward)

    def _of_request(
        self, request: WatchRequest, part: Search, went_on: int | None
    ) -> Iterator[TimeHit]:
        if request.thread != self._thread.place.fields:
            return self._of(request, request.kinds, request.ranges, part)
        ends = HitKind.BEGINS if self._backward else HitKind.ENDS
        code = tuple(each for each in request.ranges if each.space is RangeSpace.CODE)
        if self._backward or not request.kinds & HitKind.EXECUTES:
            kinds = request.kinds & ~HitKind.ENDS | ends
            return self._of(request, kinds, request.ranges, part)
        # The thread comes to other code: not with its next instruction, where it is already.
        others = tuple(each for each in request.ranges if each.space is not RangeSpace.CODE)
        kinds = request.kinds & ~(HitKind.ENDS | HitKind.EXECUTES) | ends
        found = [self._of(request, kinds, others, part)]
        if went_on is not None and went_on < part.end:
            rest = replace(part, first=max(part.first, went_on))
            found.append(self._of(request, HitKind.EXECUTES, code, rest))
        return heapq.merge(*found, key=lambda hit: hit.time)

    def _of(
        self,
        request: WatchRequest,
        kinds: HitKind,
        ranges: tuple[SearchRange, ...],
        within: Search,
    ) -> Iterator[TimeHit]:
        search = replace(
            within,
            kinds=kinds,
            ranges=ranges,
            thread=request.thread,
            changes_only=request.changes_only,
            limit=_TOGETHER,
        )
        for hit in self._find(search):
            if request.group in (None, hit.group):
                yield hit

    def _find(self, search: Search) -> Iterator[TimeHit]:
        return self._state.past.find(self._device, search, lambda: self._state.interrupt_requested)

    def _changes(self, hit: TimeHit) -> tuple[int, list[Change]]:
        """The time at which what ``hit`` did is seen, and what that is."""
        stands_before = self._backward or hit.kind == HitKind.EXECUTES
        shown = hit.time if stands_before else hit.time + 1
        is_own = hit.thread == self._thread.place.fields
        found = [] if is_own else self._in_memory(hit)
        if self._go_to(shown) and (now := self._sample(self._thread)):
            return shown, found + changes_between(self._known, now)
        return shown, self._in_memory(hit) if is_own else found

    def _in_memory(self, hit: TimeHit) -> list[Change]:
        """What another thread did, or one that is in a function that it called, in all lanes."""
        samples = []
        for time in (hit.time, hit.time + 1):
            self._go_to(time)
            actor = self._device.thread_of(hit.thread)
            if actor is None or not actor.is_stopped:
                return []
            samples.append(dict(self._sample.in_memory(actor)))
        earlier, later = reversed(samples) if self._backward else samples
        found = changes_between(earlier, later)
        self._known.update({each.lane: each.new for each in found})
        return found
