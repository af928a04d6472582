"""The first moment at which work-items of any threads disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from zedbg.engine.events.engine_state import EngineState
from zedbg.engine.stepping.replay_run import code_ranges
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.time.past import Moment
from zedbg.levelzero.device_time import HitKind, RangeSpace, Recording, Search, SearchRange, TimeHit

WorkGroup = tuple[int, int, int]

_TOGETHER = 1024


class FirstDisagreement:
    """Compares what work-items of the recorded launch have when they come to the same statement:
    each for the first time there, each for the second time, and so on. Threads are not in step, so
    that what they have at one time says nothing.

    The statements are those of the code that ``thread`` of ``device`` is in; where it has no lines,
    each instruction is one. ``values``: those of the active lanes of a thread that has come there.
    Made anew for each command; calls are made with the lock held.
    """

    def __init__(
        self,
        state: EngineState,
        device: Device,
        thread: HardwareThread,
        values: Callable[[HardwareThread], Iterable[bytes]],
    ) -> None:
        self._state = state
        self._past = state.past
        self._device = device
        self._ranges = _statements(thread)
        self._values = values
        self._launch = state.past.moment(device).launch

    def go(self) -> HardwareThread | None:
        """Goes to where a work-item has another value than the first one had that came there;
        its thread. None: there is none, and where the device is then does not matter."""
        first: dict[tuple[int, int], bytes] = {}
        times: Counter[tuple[HardwareThread, WorkGroup, int]] = Counter()
        for thread, group in self._arrivals():
            times[thread, group, thread.pc] += 1
            place = thread.pc, times[thread, group, thread.pc]
            if any(first.setdefault(place, value) != value for value in self._values(thread)):
                return thread
        return None

    def _arrivals(self) -> Iterator[tuple[HardwareThread, WorkGroup]]:
        """Each thread that has come to a statement, and its work-group, when the device shows
        that."""
        recording = self._past.recorded(self._device, self._launch)
        for hit in self._executed(recording):
            self._past.give_up_if(self._state.interrupt_requested)
            self._past.go_to(self._device, Moment(self._launch, hit.time))
            thread = self._device.thread_of(hit.thread)
            if thread is not None and thread.is_stopped:
                yield thread, hit.group
        # Where threads stand at the end they have come to, but it is not executed.
        self._past.go_to(self._device, Moment(self._launch, recording.end))
        for thread in self._device.stopped_threads():
            if any(each.begin <= thread.pc < each.end for each in self._ranges):
                yield thread, thread.workgroup

    def _executed(self, recording: Recording) -> Iterator[TimeHit]:
        search = Search(
            self._launch,
            recording.first,
            recording.end,
            HitKind.EXECUTES,
            self._ranges,
            limit=_TOGETHER,
        )
        return self._past.find(self._device, search, lambda: self._state.interrupt_requested)


def _statements(thread: HardwareThread) -> tuple[SearchRange, ...]:
    """Where statements begin in the code that ``thread`` is in; all of that code when it has no
    lines."""
    module, info = thread.module, thread.debug_info
    bounds = None if module is None else module.code_range_at(thread.pc)
    if module is None or bounds is None:
        return ()
    addresses = (
        set() if info is None else {each.address for each in info.lines.rows_between(*bounds)}
    )
    starts = {each for each in addresses if module.starts_statement(each)}
    return code_ranges(starts) or (SearchRange(RangeSpace.CODE, *bounds),)
