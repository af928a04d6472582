"""What a thread has executed, and what that wrote, where the driver has recorded the launch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

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
from zedbg.values.threads.recorded_write import RecordedWrite, WrittenPlace
from zedbg.xe.registers import RegisterKind

_STRETCHES = (1 << 14, 1 << 17, 1 << 19)  # instructions of all threads: some 0.1 s
_MOST_HITS = 4096
_TOGETHER = 64  # bytes that a driver says of a change
_TOO_MUCH = "the thread has executed too much to search it in a moment"


@dataclass(frozen=True)
class _Part:
    """``size`` bytes of ``place``, from its byte ``at`` on, of which a driver says how they were
    changed."""

    place: WrittenPlace
    at: int
    size: int

    @cached_property
    def range(self) -> SearchRange:
        """The registers."""
        kind, begin = self.place.kind, self.place.first + self.at
        if kind is RegisterKind.GRF:
            return SearchRange(RangeSpace.GRF, begin, begin + self.size)
        return SearchRange(RangeSpace.ARF, kind << 32 | begin, kind << 32 | begin + self.size)

    @property
    def near(self) -> set[tuple[RegisterKind, int]]:
        """What it shares with each part that has a byte in common with it."""
        first = self.place.first + self.at
        stretches = range(first // _TOGETHER, (first + self.size - 1) // _TOGETHER + 1)
        return {(self.place.kind, each) for each in stretches}


class _Group:
    """Parts of which no change may be said to be one of another, of different instructions."""

    def __init__(self) -> None:
        self.parts: list[_Part] = []
        self._instructions: set[int] = set()
        self._ranges: dict[tuple[RegisterKind, int], set[SearchRange]] = {}

    def takes(self, part: _Part) -> bool:
        """Adds ``part`` if it is apart from all others."""
        if part.place.instruction in self._instructions:
            return False
        own, near = part.range, part.near
        around = {each for key in near for each in self._ranges.get(key, ())}
        if any(own != each and own.begin < each.end and each.begin < own.end for each in around):
            return False
        self.parts.append(part)
        self._instructions.add(part.place.instruction)
        for key in near:
            self._ranges.setdefault(key, set()).add(own)
        return True


def _apart(parts: Sequence[_Part]) -> list[list[_Part]]:
    """``parts`` in groups of which no two overlap."""
    groups: list[_Group] = []
    for part in parts:
        if not any(group.takes(part) for group in groups):
            groups.append(_Group())
            groups[-1].takes(part)
    return [group.parts for group in groups]


def _joined(parts: Sequence[Mapping[int, RecordedWrite]]) -> list[RecordedWrite]:
    """The writes to a place, by those to its parts at the same times, the latest first."""
    first, *rest = parts
    return [
        RecordedWrite(
            write.lanes, b"".join([write.data, *(each[time].data for each in rest)]), time
        )
        for time, write in sorted(first.items(), reverse=True)
        if all(time in each for each in rest)
    ]


class ThreadHistory:
    """That of the device which ``debug`` is a session of."""

    def __init__(self, debug: ProgramDebug) -> None:
        self._debug = debug

    def writes(
        self,
        thread: ThreadFields,
        places: Sequence[WrittenPlace],
        read: Callable[[RegisterKind], bytes],
    ) -> Mapping[WrittenPlace, Sequence[RecordedWrite]] | Missing:
        """What ``thread`` has written to each of ``places`` each time that it executed the
        instruction, the latest first; ``read`` gives what registers have now. Of the launch that
        the device shows, in the work that the thread has. Missing where that has been too much to
        search it in a moment."""
        parts = [
            _Part(place, at, min(_TOGETHER, place.size - at))
            for place in dict.fromkeys(places)
            for at in range(0, place.size, _TOGETHER)
        ]
        found: dict[_Part, dict[int, RecordedWrite]] = {}
        try:
            search = self._search(thread, HitKind.EXECUTES | HitKind.WRITES_REGISTERS)
            for batch in _apart(parts):
                found |= self._of(search, batch, read)
        except MissingError as error:
            return error.missing
        except LevelZeroError as error:
            return Missing(f"the recording cannot be searched: {error}")
        by_place: dict[WrittenPlace, list[dict[int, RecordedWrite]]] = {}
        for each in parts:
            by_place.setdefault(each.place, []).append(found[each])
        return {place: _joined(of_parts) for place, of_parts in by_place.items()}

    def _of(
        self, search: Search, parts: Sequence[_Part], read: Callable[[RegisterKind], bytes]
    ) -> dict[_Part, dict[int, RecordedWrite]]:
        """What was written to each of ``parts``, no two of which overlap, by time. Raises
        LevelZeroError."""
        by_instruction = {each.place.instruction: each for each in parts}
        ranges = [SearchRange(RangeSpace.CODE, each, each + 1) for each in by_instruction]
        ranges += dict.fromkeys(each.range for each in parts)
        found: dict[_Part, dict[int, RecordedWrite]] = {each: {} for each in parts}
        unchanged = []
        for hit in self._hits(replace(search, ranges=tuple(ranges))):
            part = by_instruction.get(hit.instruction)
            if part is None or not hit.kind & HitKind.EXECUTES:
                continue
            if hit.kind & HitKind.WRITES_REGISTERS and hit.address == part.range.begin:
                found[part][hit.time] = RecordedWrite(hit.lanes, hit.new, hit.time)
            elif part not in unchanged:
                unchanged.append(part)  # it had the same before: since when?
        for part in unchanged:
            found[part] = self._alone(search, part, read(part.place.kind))
        return found

    def _alone(self, search: Search, part: _Part, registers: bytes) -> dict[int, RecordedWrite]:
        """The same, of one part, where some executions have changed nothing."""
        at, found = part.place.instruction, {}
        first = part.place.first + part.at
        data = registers[first : first + part.size]
        ranges = SearchRange(RangeSpace.CODE, at, at + 1), part.range
        for hit in self._hits(replace(search, ranges=ranges)):
            if hit.kind & HitKind.EXECUTES:
                found[hit.time] = RecordedWrite(hit.lanes, data, hit.time)
            if hit.kind & HitKind.WRITES_REGISTERS:
                data = hit.old
        return found

    def registers_after(
        self, thread: ThreadFields, prologue: range, first: int, size: int, registers: bytes
    ) -> bytes | Missing:
        """What ``size`` bytes, at most 64, from byte ``first`` of the general registers on were
        when ``thread`` had executed the ``prologue``, addresses of the first instructions of the
        work that it has; ``registers``: what these are now. Missing where that is too long ago."""
        if size > _TOGETHER:
            return Missing("a driver says no more of a change")
        found = registers[first : first + size]
        own = SearchRange(RangeSpace.GRF, first, first + size)
        try:
            search = self._search(thread, HitKind.WRITES_REGISTERS)
            for hit in self._hits(replace(search, ranges=(own,))):
                if hit.kind & HitKind.WRITES_REGISTERS:
                    if hit.instruction in prologue:
                        break
                    found = hit.old
        except MissingError as error:
            return error.missing
        except LevelZeroError as error:
            return Missing(f"the recording cannot be searched: {error}")
        return found if len(found) == size else Missing("the recording has not all of it")

    def executions(
        self, thread: ThreadFields, instruction: int, until: Sequence[tuple[int, int]]
    ) -> Sequence[int] | Missing:
        """The lanes (masks) for which ``thread`` has executed the instruction at an address, the
        latest execution first, since it executed one whose address is in one of ``until``: from
        the first up to the second. Missing where it has executed too much since to search it in a
        moment."""
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
        return found

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

    def _hits(self, search: Search) -> Iterator[TimeHit]:
        """What the thread did in the work that it has, the latest first. Raises LevelZeroError, and
        MissingError where that is too much, after what is found in a moment."""
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
        raise MissingError(_TOO_MUCH)
