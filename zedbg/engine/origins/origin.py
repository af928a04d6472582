"""Where a value came from: the instruction that made it, from what, and where that came from."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from zedbg.engine.memory.stored_places import (
    StoredPlace,
    bits_of,
    overlap,
    read_place,
    sub_place,
)
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.origins.beginnings import Beginning, BeginningKind, KnownMemory, beginning_of
from zedbg.engine.origins.last_writes import LastWrites, Owner, Unwritten, Write
from zedbg.engine.origins.moments import Moments
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.xe.disassembly import disassemble_one
from zedbg.xe.flow.places import (
    ConstantPlace,
    MemoryPlace,
    OtherPlace,
    Place,
    RegisterPlace,
    Role,
    Source,
    Space,
)
from zedbg.xe.isa.names import DataType, NumberKind
from zedbg.xe.isa.opcodes import Operation

_MOST_COPIES = 200  # of one value, from place to place
_MOST_NODES = 400


@dataclass(frozen=True)
class Instant:
    """One instruction of one thread: ``time`` is before it. ``work_item``: the global id of
    ``lane``'s; None of what the thread did as a whole."""

    time: int
    location: CodeLocation
    instruction: str
    thread: str
    group: tuple[int, int, int]
    lane: int | None
    work_item: tuple[int, int, int] | None

    @property
    def address(self) -> int:
        """Of the instruction."""
        return self.location.pc


@dataclass
class Origin:
    """A value and where it came from.

    ``place`` had it, as ``bits`` bits with the number ``value``, which ``type`` says how to read.
    ``copies``: the instructions that brought it there without a change, the latest first.
    ``made_by``: the one before them, which computed it; or else ``beginning``: what it was at
    first. ``sources``: what it was made from, and what said where it was taken from or put; only
    named, without an origin of their own, where the depth ends (``is_followed``). ``parts``: the
    origins of its parts, where several instructions wrote it. ``doubt``: why it may be otherwise.
    ``part_of``: the number that ``made_by`` computed, where that has more bits than are looked at.
    """

    place: Place
    role: Role
    value: int
    bits: int
    type: DataType | None
    owner: Owner
    before: int
    is_followed: bool = False
    copies: list[Instant] = field(default_factory=list)
    made_by: Instant | None = None
    beginning: Beginning | None = None
    sources: list[Origin] = field(default_factory=list)
    parts: list[Origin] = field(default_factory=list)
    doubt: str | None = None
    part_of: int | float | None = None

    @property
    def number(self) -> int | float:
        """The value, as its type says; without one an unsigned number."""
        return number_of(self.value, self.bits, self.type)

    def instants(self) -> list[Instant]:
        """The instructions that it went through, the latest first."""
        return [*self.copies, *([] if self.made_by is None else [self.made_by])]


def number_of(value: int, bits: int, kind: DataType | None) -> int | float:
    """``value``, of which ``bits`` bits are meant, as a number of ``kind``."""
    if kind is None or kind.is_packed or bits != 8 * kind.element_size:
        return value
    if kind.kind is NumberKind.SIGNED:
        return value - (1 << bits) if value >> (bits - 1) else value
    codes = {DataType.HF: "e", DataType.F: "f", DataType.DF: "d"}
    if kind in codes:
        number: float = struct.unpack(f"<{codes[kind]}", value.to_bytes(bits // 8, "little"))[0]
        return number
    if kind is DataType.BF:
        wide: float = struct.unpack("<f", (value << 16).to_bytes(4, "little"))[0]
        return wide
    return value


class Origins:
    """Follows values back through the moments of one launch, inside ``moments.travelling()``."""

    def __init__(self, moments: Moments, memory: KnownMemory | None = None) -> None:
        """``memory``: what is known of it already."""
        self._moments = moments
        self._writes = LastWrites(moments)
        self._nodes = 0
        self._memory = memory

    @property
    def writes(self) -> LastWrites:
        """What it looks for writes with."""
        return self._writes

    def of(
        self,
        place: StoredPlace,
        value: int,
        before: int,
        owner: Owner,
        depth: int,
        kind: DataType | None = None,
    ) -> Origin:
        """The origin of ``value``, which ``place`` has at time ``before``: ``depth`` computations
        deep. Raises LevelZeroError."""
        root = Origin(place, Role.VALUE, value, bits_of(place), kind, owner, before)
        waiting = [(root, depth)]
        while waiting and self._nodes < _MOST_NODES:
            node, left = waiting.pop(0)
            self._follow(node)
            if left > 1:
                waiting += ((each, left - 1) for each in node.sources if not each.beginning)
                waiting += ((part, left) for part in node.parts)
            elif node.parts:
                waiting += ((part, left) for part in node.parts)
        return root

    # --- one value -----------------------------------------------------------------------------

    def _follow(self, node: Origin) -> None:
        """Back to the instruction that computed it."""
        if node.is_followed or not isinstance(node.place, RegisterPlace | MemoryPlace):
            return
        self._nodes += 1
        node.is_followed = True
        place: StoredPlace = node.place
        before, owner, value = node.before, node.owner, node.value
        for _ in range(_MOST_COPIES):
            found = self._writes.of(place, before, owner)
            if len(found) > 1:
                self._divide(node, place, before, owner, found)
                return
            (only,) = found
            if isinstance(only, Unwritten):
                self._begin(node, place, before, owner)
                return
            self._note_host(node, place, only.time, before)
            thread = self._moments.thread(only.time, only.owner.thread)
            instant = instant_of(only, thread)
            copied = self._copied_from(value, only, thread)
            sources = self._sources(node, only, thread)
            if copied is None:
                node.made_by = instant
                node.part_of = self._whole(only)
                node.sources = [*sources, *node.sources]
                return
            node.copies.append(instant)
            if not self._is_private(only, copied, before, owner):
                node.sources += (each for each in sources if each.role is not Role.VALUE)
            constant = isinstance(copied, ConstantPlace | OtherPlace)
            if constant:
                node.beginning = _outside(copied)
                return
            assert isinstance(copied, RegisterPlace | MemoryPlace)
            place, before, owner = copied, only.time, only.owner
            value = read_place(thread, place)
        node.doubt = f"it was copied more than {_MOST_COPIES} times"

    def _whole(self, write: Write) -> int | float | None:
        """The number that was computed, if ``write`` is about a part of it."""
        target = write.assignment.target
        if isinstance(target, OtherPlace) or bits_of(target) <= bits_of(write.place):
            return None
        after = self._moments.thread(write.time + 1, write.owner.thread)
        return number_of(read_place(after, target), bits_of(target), write.assignment.type)

    def _is_private(self, write: Write, copied: Place, before: int, owner: Owner) -> bool:
        """Whether a copy was to or from private memory: where that is says nothing."""
        places = (write.assignment.target, copied)
        found = [each for each in places if isinstance(each, MemoryPlace)]
        if not found or found[0].space is Space.LOCAL:
            return False
        return self._known_memory(before, owner).is_private(found[0].address)

    def _known_memory(self, before: int, owner: Owner) -> KnownMemory:
        if self._memory is None:
            settled = self._writes.settled(owner, before)
            self._memory = KnownMemory.of(self._moments.thread(settled, owner.thread))
        return self._memory

    def _divide(
        self,
        node: Origin,
        place: StoredPlace,
        before: int,
        owner: Owner,
        found: list[Write | Unwritten],
    ) -> None:
        for each in found:
            value = node.value >> each.first_bit & ((1 << bits_of(each.place)) - 1)
            part = Origin(*(each.place, node.role, value, bits_of(each.place)), None, owner, before)
            node.parts.append(part)

    def _begin(self, node: Origin, place: StoredPlace, before: int, owner: Owner) -> None:
        recording = self._moments.recording
        self._note_host(node, place, recording.first, before)
        if isinstance(place, MemoryPlace) and recording.first > 0:
            node.doubt = f"nothing from before time {recording.first} is kept any more"
        known = self._known_memory(before, owner) if isinstance(place, MemoryPlace) else None
        if known is not None and isinstance(place, MemoryPlace) and place.space is Space.GLOBAL:
            node.beginning = known.beginning_of(place)
        if node.beginning is not None:
            return
        # There the thread is resident, which it need not be any more.
        settled = self._writes.settled(owner, before)
        node.beginning = beginning_of(place, self._moments.thread(settled, owner.thread))

    def _note_host(self, node: Origin, place: StoredPlace, since: int, before: int) -> None:
        """The host may have written it meanwhile."""
        seen = self._moments.recording.host_writes
        is_global = isinstance(place, MemoryPlace) and place.space is Space.GLOBAL
        if seen is not None and is_global and seen[0] < before and since < seen[1]:
            node.doubt = (
                f"the host wrote memory between the times {seen[0]} and {seen[1]}: maybe this"
            )

    def _copied_from(self, value: int, write: Write, thread: HardwareThread) -> Place | None:
        """What the instruction only copied, without a change; None when it computed something.
        ``value``: what it wrote."""
        assignment = write.assignment
        values = list(assignment.values())
        if len(values) != 1:
            return None
        source = values[0].place
        target = assignment.target
        assert isinstance(target, RegisterPlace | MemoryPlace)
        if isinstance(source, ConstantPlace | OtherPlace):
            return source if _only_moves(write) or write.decoded.send is not None else None
        inside = overlap(target, write.place)
        if inside is None:
            return None
        if assignment.is_copy:
            return sub_place(source, inside.first_bit, inside.bits)
        if not _only_moves(write):
            return None
        end = inside.first_bit + inside.bits
        if end <= bits_of(source) < bits_of(target) and _keeps_low_bits(write, values[0]):
            return sub_place(source, inside.first_bit, inside.bits)
        if inside.bits != bits_of(target):
            return None
        before = number_of(read_place(thread, source), bits_of(source), values[0].type)
        after = number_of(value, bits_of(target), assignment.type)
        return source if before == after else None

    def _sources(self, node: Origin, write: Write, thread: HardwareThread) -> list[Origin]:
        """What the instruction was given, with the values then."""
        return [
            self._source(node, source, write, thread)
            for source in write.assignment.sources
            if source.role is not Role.SURFACE
        ]

    def _source(self, node: Origin, source: Source, write: Write, thread: HardwareThread) -> Origin:
        place = source.place
        beginning = None
        if isinstance(place, RegisterPlace | MemoryPlace):
            value, bits = read_place(thread, place), bits_of(place)
        else:
            beginning = _outside(place)
            value = place.value if isinstance(place, ConstantPlace) else 0
            bits = 8 * place.type.size if isinstance(place, ConstantPlace) else 0
        kind = source.type
        if kind is None and source.role is Role.VALUE and bits == node.bits:
            kind = node.type
        return Origin(
            *(place, source.role, value, bits, kind, write.owner, write.time),
            beginning=beginning,
        )


def instant_of(write: Write, thread: HardwareThread) -> Instant:
    """The instruction of ``write``; ``thread`` stands in front of it."""
    device = thread.device
    lane = write.assignment.lane
    ids = thread.global_ids()
    known = lane is not None and not isinstance(ids, Missing) and lane < len(ids)
    bits = device.code.instruction(write.address)
    text = "" if bits is None else disassemble_one(bits.data, write.address, bits.platform).text
    return Instant(
        write.time,
        device.code_place(write.address).location,
        text,
        thread.name,
        thread.workgroup,
        lane,
        ids[lane] if known and lane is not None and not isinstance(ids, Missing) else None,
    )


def _keeps_low_bits(write: Write, source: Source) -> bool:
    """Whether a move or load to more bits leaves the lower ones as they are: of integers."""
    types = (write.assignment.type, source.type)
    if any(each is not None and each.is_floating for each in types):
        return False
    if write.decoded.send is not None:
        return write.assignment.lane is not None and not _is_atomic(write)
    operand = write.decoded.sources[0]
    return not (operand.negate or operand.absolute or write.decoded.saturate)


def _is_atomic(write: Write) -> bool:
    """Whether the message computes something in memory."""
    return isinstance(write.assignment.target, MemoryPlace) and not write.assignment.is_copy


def _only_moves(write: Write) -> bool:
    decoded = write.decoded
    return decoded.opcode.row.operation is Operation.MOVE or decoded.send is not None


def _outside(place: Place) -> Beginning | None:
    if isinstance(place, ConstantPlace):
        return Beginning(BeginningKind.CONSTANT, "a constant in the code")
    if isinstance(place, OtherPlace):
        return Beginning(BeginningKind.OUTSIDE, place.name)
    return None
