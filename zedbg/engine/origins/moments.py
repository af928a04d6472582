"""The moments of one recorded launch, looked at one after the other."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from zedbg.engine.origins.executed import ExecutedInstructions
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.thread import HardwareThread
from zedbg.engine.threads.thread_registers import ThreadState
from zedbg.engine.time.past import Moment
from zedbg.engine.time.recorded_launch import recorded_launch, time_calls
from zedbg.levelzero.debug_events import ThreadFields
from zedbg.levelzero.device_time import (
    ANY_THREAD,
    PRESENT,
    HitKind,
    Search,
    SearchRange,
    TimeHit,
)
from zedbg.xe.coordinates import ThreadId

_FIRST_STRETCH = 1 << 16  # instructions that are searched at once
_GROWTH = 4


class Moments:
    """States of launch ``launch`` of ``device`` (0: the one that runs, or the last one).

    ``shown``: the moment of the past that the device shows, and goes back to; None: the present.
    Raises TimeTravelError where the device records nothing, or not this launch.
    """

    def __init__(self, device: Device, shown: Moment | None = None, launch: int = 0) -> None:
        self.device = device
        self._time = time_calls(device)
        self._shown = shown
        wanted = launch or (0 if shown is None else shown.launch)
        self.recording = recorded_launch(device, wanted)
        self._executed = ExecutedInstructions(self.launch, self._time.find)
        self._now: int | None = None
        self._threads: dict[ThreadFields, HardwareThread] = {}

    @property
    def launch(self) -> int:
        """The launch's number."""
        return self.recording.launch

    @property
    def shown_time(self) -> int:
        """The time at which the user looks at the device."""
        return self.recording.end if self._shown is None else self._shown.time

    @contextlib.contextmanager
    def travelling(self) -> Iterator[None]:
        """Around all looks at other moments: afterwards the device is where it was.

        What Device knows of its threads stays as it is: they are looked at through objects of their
        own.
        """
        shown = self._shown
        back = (0, PRESENT) if shown is None else (shown.launch, shown.time)
        try:
            with self.device.showing_past():
                yield
        finally:
            if self._now is not None:
                self._time.go_to(*back)
            self._now = None
            self._threads.clear()

    def find(
        self,
        kinds: HitKind,
        first: int,
        end: int,
        ranges: Sequence[SearchRange] = (),
        *,
        thread: ThreadFields = ANY_THREAD,
        backward: bool = True,
        limit: int = 1,
    ) -> list[TimeHit]:
        """What happened in the instructions numbered from ``first`` up to ``end``, the latest first
        if ``backward``."""
        earliest = max(first, self.recording.first)
        if earliest >= end:
            return []
        whole = Search(self.launch, earliest, end, kinds, tuple(ranges), backward, thread, 0, limit)
        found: list[TimeHit] = []
        for part in _stretches(whole):  # between two of them Ctrl-C is heard
            wanted = replace(part, limit=limit - len(found))
            known = self._executed.search(wanted) if thread != ANY_THREAD else None
            found += self._time.find(wanted)[0] if known is None else known
            if len(found) >= limit:
                break
        return found

    def show(self, time: int | None = None) -> None:
        """Lets the device show ``time``, or any of the launch; inside :meth:`travelling`."""
        if time is None:
            time = self.recording.end if self._now is None else self._now
        if self._now != time:
            self._time.go_to(self.launch, time)
            self._now = time
            self._threads.clear()

    def thread(self, time: int, fields: ThreadFields) -> HardwareThread:
        """A thread as it is at ``time``; inside :meth:`travelling`."""
        self.show(time)
        found = self._threads.get(fields)
        if found is None:
            found = HardwareThread(
                self.device, ThreadId(*fields), self._all_threads, self.device.hand_writes
            )
            found.mark_stopped(ThreadState.HALTED)
            self._threads[fields] = found
        return found

    def _all_threads(self) -> list[HardwareThread]:
        now = self._now
        return [] if now is None else [self.thread(now, each) for each in self._time.threads()]


def _stretches(search: Search) -> Iterator[Search]:
    """The parts of ``search``, in its order: short ones first, since most is found soon."""
    first, end, size = search.first, search.end, _FIRST_STRETCH
    while first < end:
        if search.backward:
            yield replace(search, first=max(first, end - size), end=end)
            end -= size
        else:
            yield replace(search, first=first, end=min(end, first + size))
            first += size
        size *= _GROWTH
