"""Which instructions wrote a place last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from zedbg.engine.memory.flow_view import FlowView
from zedbg.engine.memory.stored_places import StoredPlace, bits_of, overlap, sub_place
from zedbg.engine.modules.instruction_bits import InstructionBits
from zedbg.engine.origins.moments import Moments
from zedbg.engine.origins.writing_code import WritingCode
from zedbg.levelzero.debug_events import ThreadFields
from zedbg.levelzero.device_time import ANY_THREAD, HitKind, RangeSpace, SearchRange, TimeHit
from zedbg.xe.data_message import MessageError
from zedbg.xe.flow.instruction_flow import assignments
from zedbg.xe.flow.places import Assignment, MemoryPlace, OtherPlace, RegisterPlace, Space
from zedbg.xe.instruction import Decoded

Group = tuple[int, int, int]
_BATCH = 64  # hits that are asked for together, after the first ones
_GROWTH = 4
_MOST_LOOKED_AT = 4096  # hits that turn out to write something else


@dataclass(frozen=True)
class Owner:
    """The thread whose registers are meant, and its work-group, whose local memory is."""

    thread: ThreadFields
    group: Group


@dataclass(frozen=True)
class Write:
    """The instruction at ``address`` wrote ``place`` at ``time``, in ``owner``'s thread, by
    ``assignment``. ``first_bit``: of ``place``, in what was asked for."""

    time: int
    address: int
    owner: Owner
    decoded: Decoded
    assignment: Assignment
    place: StoredPlace
    first_bit: int


@dataclass(frozen=True)
class Unwritten:
    """Nothing wrote ``place`` since its thread, or the record, began."""

    place: StoredPlace
    first_bit: int


class LastWrites:
    """Looks for writes in the moments of one launch; to be used inside ``moments.travelling()``."""

    def __init__(self, moments: Moments) -> None:
        self._moments = moments
        self._begins: dict[ThreadFields, list[tuple[int, int]]] = {}
        self._settled: dict[tuple[int, ThreadFields], int] = {}
        self._flows: dict[tuple[int, ThreadFields], list[Assignment]] = {}

    def of(self, place: StoredPlace, before: int, owner: Owner) -> list[Write | Unwritten]:
        """Who wrote the bits of ``place`` that it has at time ``before``: the parts of it by their
        position. Raises LevelZeroError, MessageError."""
        found: list[Write | Unwritten] = []
        missing = [(0, bits_of(place))]
        for write in self._writes(place, before, owner):
            target = write.assignment.target
            if isinstance(target, OtherPlace):
                continue
            common = overlap(place, target)
            if common is None:
                continue
            end = common.first_bit + common.bits
            for begin, last in missing:
                low, high = max(begin, common.first_bit), min(last, end)
                if low < high:
                    part = sub_place(place, low, high - low)
                    found.append(replace(write, place=part, first_bit=low))
            missing = [
                rest
                for begin, last in missing
                for rest in ((begin, min(last, common.first_bit)), (max(begin, end), last))
                if rest[0] < rest[1]
            ]
            if not missing:
                break
        found += (
            Unwritten(sub_place(place, begin, last - begin), begin) for begin, last in missing
        )
        return sorted(found, key=lambda each: each.first_bit)

    def all_of(self, place: StoredPlace, before: int, owner: Owner) -> Iterator[Write]:
        """Every write to ``place``, the latest first: of an instruction that of each lane which
        wrote all of it, the last lane first."""
        last_time = None
        for write in self._writes(place, before, owner):
            if write.time != last_time or _covers(write, place):
                yield write
            last_time = write.time

    def begin_of(self, owner: Owner, before: int) -> int:
        """The time at which the work of a thread began that is under way at ``before``."""
        for begin, end in self._begins.get(owner.thread, ()):
            if begin <= before <= end:
                return begin
        first = self._moments.recording.first
        hits = self._moments.find(HitKind.BEGINS, first, before + 1, thread=owner.thread)
        begin = hits[0].time if hits else first
        self._begins.setdefault(owner.thread, []).append((begin, before))
        return begin

    def settled(self, owner: Owner, before: int) -> int:
        """A time at which the thread of the work that is under way at ``before`` has its payload in
        registers: its kernel's first instruction after the prologue, or the thread's begin."""
        begin = self.begin_of(owner, before)
        if (begin, owner.thread) not in self._settled:
            kernel = self._moments.thread(begin, owner.thread).kernel
            entry = None if kernel is None else kernel.entry
            hits = []
            if entry is not None:
                ranges = (SearchRange(RangeSpace.CODE, entry, entry + 1),)
                hits = self._moments.find(
                    *(HitKind.EXECUTES, begin, self._moments.recording.end, ranges),
                    thread=owner.thread,
                    backward=False,
                )
            self._settled[begin, owner.thread] = hits[0].time if hits else begin
        return self._settled[begin, owner.thread]

    def _writes(self, place: StoredPlace, before: int, owner: Owner) -> Iterator[Write]:
        """Assignments that meet ``place``, the latest first; of an instruction the last lane's."""
        for hit in self._hits(place, before, owner):
            is_local = isinstance(place, MemoryPlace) and place.space is Space.LOCAL
            if is_local and hit.group != owner.group:
                continue
            instruction = self._instruction(hit)
            if instruction is None:
                continue
            writer = Owner(hit.thread, hit.group)
            if isinstance(place, RegisterPlace):
                writer = owner
            for each in reversed(self.flow(hit.time, hit.thread, instruction.decoded)):
                if place.meets(each.target):
                    yield Write(
                        hit.time, hit.instruction, writer, instruction.decoded, each, place, 0
                    )

    def flow(self, time: int, thread: ThreadFields, decoded: Decoded) -> list[Assignment]:
        """What the instruction that is next at ``time`` writes."""
        key = time, thread
        if key not in self._flows:
            view = FlowView(self._moments.thread(time, thread))
            try:
                self._flows[key] = assignments(decoded, view)
            except MessageError:
                self._flows[key] = []
        return self._flows[key]

    def _instruction(self, hit: TimeHit) -> InstructionBits | None:
        return self._moments.device.code.instruction(hit.instruction)

    def _hits(self, place: StoredPlace, before: int, owner: Owner) -> Iterator[TimeHit]:
        """What may have written to ``place``, as far back as its thread, or the record, began."""
        kinds, ranges, thread = self._search_for(place, owner)
        if not ranges:
            return
        first, asked_at = self._moments.recording.first, before
        looked_at, limit = 0, 1
        while first < before and looked_at < _MOST_LOOKED_AT:
            hits = self._moments.find(kinds, first, before, ranges, thread=thread, limit=limit)
            for hit in hits:
                if hit.kind & ~HitKind.BEGINS:
                    yield hit
                if hit.kind & HitKind.BEGINS:
                    self._begins.setdefault(thread, []).append((hit.time, asked_at))
                    return
            looked_at += len(hits)
            if len(hits) < limit:
                return
            before, limit = hits[-1].time, min(limit * _GROWTH, _BATCH)

    def _search_for(
        self, place: StoredPlace, owner: Owner
    ) -> tuple[HitKind, tuple[SearchRange, ...], ThreadFields]:
        if isinstance(place, MemoryPlace):
            end = place.address + place.size
            is_local = place.space is Space.LOCAL
            space = RangeSpace.SLM if is_local else RangeSpace.MEMORY
            ranges = (SearchRange(space, place.address, end),)
            if is_local:  # a work-group is on one subslice: others are not looked at
                group = (*owner.thread[:2], *ANY_THREAD[2:])
                return HitKind.WRITES_SLM, ranges, group
            return HitKind.WRITES_MEMORY, ranges, ANY_THREAD
        # Of registers a driver may report changes only, and a write of the same value is a write.
        kinds = HitKind.EXECUTES | HitKind.BEGINS
        return kinds, self._code.ranges(place), owner.thread

    @cached_property
    def _code(self) -> WritingCode:
        self._moments.show()  # where its module is still there
        return WritingCode(self._moments.device, self._moments.recording.text)


def _covers(write: Write, place: StoredPlace) -> bool:
    """Whether ``write`` is one to all of ``place``."""
    target = write.assignment.target
    common = None if isinstance(target, OtherPlace) else overlap(place, target)
    return common is not None and common.bits == bits_of(place)
