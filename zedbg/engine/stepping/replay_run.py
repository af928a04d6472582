"""One thread is resumed in the past: the device goes on to the time at which it would stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.events.stop_builder import Hit, breakpoint_hit
from zedbg.engine.running.run_control import Others
from zedbg.engine.stepping.thread_run import Advance
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.time.past import Moment
from zedbg.levelzero.device_time import HitKind, RangeSpace, Search, SearchRange, TimeHit

_TOGETHER = 64
_SOON = 1 << 19  # instructions, of all threads


class ReplayRun:
    """Does what :class:`zedbg.engine.stepping.thread_run.ThreadRun` does, for a ``device`` that
    shows the past. Calls are made with the lock held.

    ``others``: where these go too, a breakpoint that one of them comes to ends the run: ``hit``.
    """

    def __init__(
        self, state: EngineState, thread: HardwareThread, device: Device, others: Others
    ) -> None:
        self._state = state
        self._past = state.past
        self._thread = thread
        self._device = device
        self._others = others
        self.hit: Hit | None = None

    def advance(self, step: bool, in_context: bool = False) -> Advance:
        """Goes on to where the thread has executed one instruction (``step``), or comes to one with
        a breakpoint bit. ``in_context`` makes no difference."""
        moment = self._past.moment(self._device)
        executed = next(self._executed(moment.time, ()), None)
        if executed is None:
            return self._arrive(None)
        if step:
            instruction = self._device.code.instruction(executed.instruction)
            ended = instruction is not None and instruction.ends_thread
            advance = self._arrive(executed.time + 1)
            return Advance.ENDED if ended and advance is Advance.STOPPED else advance
        ranges = code_ranges(self._device.code.breakpoints)
        reached = next(self._executed(executed.time + 1, ranges), None) if ranges else None
        return self._arrive(None if reached is None else reached.time)

    def wait_on(self) -> Advance:
        """Nothing is left to wait for."""
        return Advance.STOPPED

    def _executed(self, first: int, ranges: tuple[SearchRange, ...]) -> Iterator[TimeHit]:
        """What the thread executes from time ``first`` on, in ``ranges`` if there are any."""
        return self._find(first, self._end, ranges, self._thread, 1)

    @property
    def _end(self) -> int:
        return self._past.recording(self._device).end

    def _find(
        self,
        first: int,
        end: int,
        ranges: tuple[SearchRange, ...],
        thread: HardwareThread | None,
        limit: int,
    ) -> Iterator[TimeHit]:
        search = Search(
            self._past.moment(self._device).launch,
            first,
            end,
            HitKind.EXECUTES,
            ranges,
            limit=limit,
        )
        if thread is not None:
            search = of_thread(search, thread)
        return self._past.find(self._device, search, lambda: self._state.interrupt_requested)

    def _arrive(self, time: int | None) -> Advance:
        """Goes to ``time``, or (None) to the end, unless another thread's breakpoint is before."""
        moment = self._past.moment(self._device)
        if self._others is Others.GO_TOO and self._met_on_the_way(moment, time):
            return Advance.ELSEWHERE
        recording = self._past.recording(self._device)
        self._past.go_to(
            self._device, Moment(moment.launch, recording.end if time is None else time)
        )
        if time is None and not self._past.is_shown_by(self._device):
            return Advance.PRESENT
        return Advance.STOPPED if self._thread.is_stopped else Advance.ENDED

    def _met_on_the_way(self, moment: Moment, time: int | None) -> bool:
        """Whether another thread comes to a breakpoint before ``time``; then that is shown."""
        code = self._device.code
        ranges = code_ranges(
            {place.address for each in self._state.breakpoints for place in each.locations}
            & set(code.breakpoints)
        )
        if not ranges:
            return False
        end = self._end if time is None else time
        for found in self._find(moment.time + 1, end, ranges, None, _TOGETHER):
            thread = self._device.thread_of(found.thread)
            if thread is None or thread is self._thread:
                continue
            self._past.go_to(self._device, Moment(moment.launch, found.time))
            self.hit = breakpoint_hit(thread, self._state.breakpoints)
            if self.hit is not None:
                return True
        return False


def code_ranges(addresses: Iterable[int]) -> tuple[SearchRange, ...]:
    """The instructions at ``addresses``, ascending."""
    return tuple(SearchRange(RangeSpace.CODE, each, each + 1) for each in sorted(addresses))


def parts_of(search: Search) -> Iterator[Search]:
    """The beginning of ``search``, and the rest: several that go on together need not look at all
    when one of them finds something soon."""
    if search.first + _SOON >= search.end:
        yield search
        return
    edge = search.end - _SOON if search.backward else search.first + _SOON
    parts = (replace(search, end=edge), replace(search, first=edge))
    yield from reversed(parts) if search.backward else parts


def of_thread(search: Search, thread: HardwareThread) -> Search:
    """What ``search`` finds of ``thread``."""
    return replace(search, thread=thread.place.fields)
