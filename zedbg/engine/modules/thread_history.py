"""What a thread has executed, and what that wrote, where the driver has recorded the launch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from zedbg.levelzero.debug import ProgramDebug
from zedbg.levelzero.debug_events import ThreadFields
from zedbg.levelzero.device_time import (
    HitKind,
    RangeSpace,
    RecordingState,
    Search,
    SearchRange,
    TimeHit,
)
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing, MissingError
from zedbg.values.recorded_write import RecordedWrite
from zedbg.xe.registers import RegisterKind

_STRETCHES = (1 << 14, 1 << 17, 1 << 19)  # instructions of all threads: some 0.1 s
_MOST_HITS = 1024
_TOGETHER = 64  # bytes that a driver says of a change


class ThreadHistory:
    """That of the device which ``debug`` is a session of."""

    def __init__(self, debug: ProgramDebug) -> None:
        self._debug = debug

    def writes(
        self, thread: ThreadFields, instruction: int, kind: RegisterKind, first: int, data: bytes
    ) -> Sequence[RecordedWrite] | Missing:
        """What the instruction at an address gave each time that ``thread`` executed it, the latest
        first: of as many bytes of the registers of ``kind``, from byte ``first`` on, as ``data``,
        which is what they have now. Of the launch that the device shows, in the work that the
        thread has; not further back than can be searched in a moment."""
        space = RangeSpace.GRF if kind is RegisterKind.GRF else RangeSpace.ARF
        begin = first if kind is RegisterKind.GRF else kind << 32 | first
        try:
            search = self._search(thread, HitKind.EXECUTES | HitKind.WRITES_REGISTERS)
            parts = [
                self._part(
                    replace(
                        search,
                        ranges=(
                            SearchRange(RangeSpace.CODE, instruction, instruction + 1),
                            SearchRange(space, begin + at, begin + at + _TOGETHER),
                        ),
                    ),
                    data[at : at + _TOGETHER],
                )
                for at in range(0, len(data), _TOGETHER)
            ]
        except MissingError as error:
            return error.missing
        except LevelZeroError as error:
            return Missing(f"the recording cannot be searched: {error}")
        return [
            RecordedWrite(together[0].lanes, b"".join(each.data for each in together))
            for together in zip(*parts, strict=False)
        ]

    def executions(
        self, thread: ThreadFields, instruction: int, until: Sequence[tuple[int, int]]
    ) -> Sequence[int] | Missing:
        """The lanes (masks) for which ``thread`` has executed the instruction at an address, the
        latest execution first, since it executed one whose address is in one of ``until``: from
        the first up to the second. Missing where that is not near."""
        ranges = [(instruction, instruction + 1), *until]
        found: list[int] = []
        try:
            search = self._search(thread, HitKind.EXECUTES)
            search = replace(
                search, ranges=tuple(SearchRange(RangeSpace.CODE, *each) for each in ranges)
            )
            for hit in self._hits(search):
                if hit.instruction != instruction:
                    return found
                if hit.kind & HitKind.EXECUTES:
                    found.append(hit.lanes)
        except MissingError as error:
            return error.missing
        except LevelZeroError as error:
            return Missing(f"the recording cannot be searched: {error}")
        return Missing("the thread has executed too much since")

    def _search(self, thread: ThreadFields, kinds: HitKind) -> Search:
        """One for ``kinds`` in what ``thread`` has done in the work that it has. Raises
        MissingError, LevelZeroError."""
        calls = self._debug.time
        if calls is None:
            raise MissingError("the driver records no launches")
        recording = calls.recording(0)
        if recording.state not in (RecordingState.RECORDS, RecordingState.IN_PAST):
            raise MissingError("the driver has not recorded the launch")
        kinds |= HitKind.BEGINS
        stretch = recording.launch, recording.first, recording.now
        return Search(*stretch, kinds, backward=True, thread=thread)

    def _part(self, search: Search, data: bytes) -> list[RecordedWrite]:
        """The same of ``data`` that a driver says of a change. Raises LevelZeroError."""
        begin, end = search.ranges[1].begin, search.ranges[1].begin + len(data)
        ranges = search.ranges[0], replace(search.ranges[1], end=end)
        found = []
        for hit in self._hits(replace(search, ranges=ranges)):
            if hit.kind & HitKind.EXECUTES:
                found.append(RecordedWrite(hit.lanes, data))
            if hit.kind & HitKind.WRITES_REGISTERS and hit.address == begin:
                data = hit.old
        return found

    def _hits(self, search: Search) -> Iterator[TimeHit]:
        """What the thread did in the work that it has, the latest first. Raises LevelZeroError."""
        calls = self._debug.time
        assert calls is not None
        end, left = search.end, _MOST_HITS
        for stretch in _STRETCHES:
            first = max(search.first, end - stretch)
            while first < end and left:
                hits, end = calls.find(replace(search, first=first, end=end, limit=left))
                left -= len(hits)
                for hit in hits:
                    yield hit
                    if hit.kind & HitKind.BEGINS:
                        return
                if not hits:
                    break
