"""How values flow through the general registers of one function, from instruction to instruction.

A lane goes its own way: where lanes part, each way is looked at by itself, and what an instruction
does to lanes that it is not executed for does not count.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from zedbg.dwarf.trust.indirect_writes import IndirectWrites
from zedbg.xe.decoding import decode
from zedbg.xe.instruction import NATIVE_LENGTH, Decoded, Operand, RegisterFile
from zedbg.xe.isa.names import Predicate
from zedbg.xe.isa.opcodes import Opcode
from zedbg.xe.isa.platform import Platform

_LEAPS = frozenset({Opcode.GOTO, Opcode.JMPI})
# What the compilers do not emit, or seldom: lanes may go any of its ways.
_OTHER_LEAPS = frozenset(
    {
        *(Opcode.IF, Opcode.ELSE, Opcode.WHILE, Opcode.BREAK, Opcode.CONT, Opcode.HALT),
        *(Opcode.BRC, Opcode.BRD),
    }
)
_CALLS = frozenset({Opcode.CALL, Opcode.CALLA})
_SYSTOLIC = frozenset({Opcode.DPAS, Opcode.DPASW})
_ANYWHERE = (0, 1 << 20)


@dataclass(frozen=True)
class Span:
    """Bytes of the general registers that an operand takes, counted from r0. ``stride``: bytes from
    one lane's element to the next one's; 0 for a scalar."""

    first: int
    end: int
    stride: int

    def meets(self, other: Span) -> bool:
        """Whether they have a byte in common."""
        return self.first < other.end and other.first < self.end


@dataclass(frozen=True)
class Step:
    """One instruction: its offset (bytes) in the function, and which general registers it uses."""

    offset: int
    end: int
    decoded: Decoded
    writes: Span | None
    reads: tuple[Span, ...]

    @property
    def is_conditional(self) -> bool:
        """Whether it may leave out lanes that come to it."""
        return (
            self.decoded.predicate is not Predicate.NONE and self.decoded.opcode is not Opcode.SEL
        )


class RegisterFlow:
    """The instructions of a function, in their order, and which follow which."""

    def __init__(self, code: bytes, platform: Platform) -> None:
        self.grf_bytes = platform.grf_bytes
        self.steps = list(_steps(code, platform, self.grf_bytes))
        self._offsets = [step.offset for step in self.steps]
        self._before: list[list[int]] = [[] for _ in self.steps]
        self._successors: list[list[int]] = [[] for _ in self.steps]
        self.loops: list[tuple[int, int]] = []  # offsets of the head and of the jump back
        for index, step in enumerate(self.steps):
            for target in self._targets(index, step):
                if target < len(self.steps):
                    self._before[target].append(index)
                    self._successors[index].append(target)
                    if target <= index:
                        self.loops.append((self.steps[target].offset, step.offset))
        self._block_first: list[int] = []  # of each instruction's block, the first one's number
        for index, before in enumerate(self._before):
            is_first = before != [index - 1]
            self._block_first.append(index if is_first else self._block_first[-1])

    def instruction(self, index: int) -> Step:
        """The instruction of number ``index``."""
        return self.steps[index]

    def source_bytes(self, index: int, source: Operand) -> Span | None:
        """What ``source``, an operand of an instruction that sends nothing, takes."""
        return _span(self.steps[index].decoded, source, None, self.grf_bytes, False)

    def may_write(self, step: Step, place: Span) -> bool:
        """Whether ``step`` may write to a byte of ``place``."""
        decoded = step.decoded
        target = decoded.destination
        if decoded.opcode in _CALLS:
            return True
        if target is None:
            return False
        if decoded.send is not None and decoded.send.response_length is None:
            return target.file is RegisterFile.GRF
        if target.indirect:
            first, end = self._indirect_writes.get(step.offset, _ANYWHERE)
            return first < place.end and place.first < end
        return step.writes is not None and step.writes.meets(place)

    @cached_property
    def _indirect_writes(self) -> dict[int, tuple[int, int]]:
        """By offset, which bytes instructions write that take the register from a0."""
        indices = [
            index
            for index, step in enumerate(self.steps)
            if step.decoded.destination is not None and step.decoded.destination.indirect
        ]
        found = IndirectWrites(self).ranges(indices)
        return {self.steps[index].offset: written for index, written in found.items()}

    def index_at(self, offset: int) -> int:
        """The number of the instruction at ``offset``, or of the next one after it."""
        return bisect_left(self._offsets, offset)

    def before(self, index: int) -> list[int]:
        """Numbers of the instructions that a lane may come from to the one of number ``index``."""
        return self._before[index] if index < len(self.steps) else []

    def after(self, index: int) -> list[int]:
        """Numbers of the instructions that a lane may execute after the one of number ``index``."""
        return self._successors[index] if index < len(self.steps) else []

    def _targets(self, index: int, step: Step) -> set[int]:
        """Numbers of the instructions that a lane may execute next."""
        decoded = step.decoded
        if decoded.is_end_of_thread or decoded.opcode is Opcode.RET:
            return set()
        ways = [self.index_at(step.offset + each) for each in (decoded.jip, decoded.uip) if each]
        if decoded.opcode in _OTHER_LEAPS:
            return {index + 1, *ways}
        if decoded.opcode not in _LEAPS or not ways:
            return {index + 1}
        if decoded.predicate is Predicate.NONE:
            return {ways[-1]}
        # Lanes that do not take a jump back go to where the others will wait.
        return {ways[-1], ways[0] if decoded.branch_control else index + 1}

    def definitions(self, place: Span, at: int) -> frozenset[int | None]:
        """Numbers of the instructions whose results ``place`` may hold in front of the instruction
        at offset ``at``; None: what it held when the function began."""
        found: set[int | None] = set()
        start = self.index_at(at)
        waiting, seen = [start], {start}
        while waiting:
            index = waiting.pop()
            if index == 0:
                found.add(None)
            for before in self.before(index):
                step = self.steps[before]
                if step.writes is not None and step.writes.meets(place):
                    found.add(before)
                    if not step.is_conditional:
                        continue
                if before not in seen:
                    seen.add(before)
                    waiting.append(before)
        return frozenset(found)

    def is_read(self, place: Span, at: int) -> bool:
        """Whether anything from offset ``at`` on reads what ``place`` holds there."""
        start = self.index_at(at)
        waiting, seen = [start], {start}
        while waiting:
            index = waiting.pop()
            if index >= len(self.steps):
                continue
            step = self.steps[index]
            if any(each.meets(place) for each in step.reads):
                return True
            overwrites = step.writes is not None and step.writes.meets(place)
            if overwrites and not step.is_conditional:
                continue
            for successor in self._successors[index]:
                if successor not in seen:
                    seen.add(successor)
                    waiting.append(successor)
        return False

    def keeps(self, place: Span, since: int, at: int) -> bool:
        """Whether ``place`` has at offset ``at`` what it had at offset ``since`` for all lanes,
        whichever way any of them went: nothing in between may have written to it."""
        ends = [tail for head, tail in self.loops if since <= head <= at <= tail]
        last = max([at, *ends])
        for step in self.steps[self.index_at(since) :]:
            if step.offset >= last:
                return True
            if self.may_write(step, place):
                return False
        return True

    def block_before(self, at: int) -> Iterator[Step]:
        """The instructions in front of that at offset ``at``, the last first, as far as lanes come
        to them on one way only."""
        index = self.index_at(at)
        yield from reversed(self.steps[self._block_first_before(index) : index])

    def block_begin(self, at: int) -> int:
        """The offset of the first instruction of :meth:`block_before`; ``at`` if there is none."""
        index = self.index_at(at)
        first = self._block_first_before(index)
        return self.steps[first].offset if first < index else at

    def _block_first_before(self, index: int) -> int:
        return self._block_first[index] if index < len(self.steps) else index

    def avoids(self, at: int, passed: int) -> bool:
        """Whether a lane may come to offset ``at`` without the instruction at ``passed``."""
        start, wall = self.index_at(at), self.index_at(passed)
        if start == wall:
            return False
        waiting, seen = [start], {start}
        while waiting:
            index = waiting.pop()
            if index == 0:
                return True
            for before in self._before[index]:
                if before != wall and before not in seen:
                    seen.add(before)
                    waiting.append(before)
        return False

    def loops_around(self, offset: int) -> frozenset[tuple[int, int]]:
        """The loops that the instruction at ``offset`` is in."""
        return frozenset(each for each in self.loops if each[0] <= offset <= each[1])


def _steps(code: bytes, platform: Platform, grf_bytes: int) -> Iterator[Step]:
    offset = 0
    while offset < len(code):
        decoded = decode(platform, code[offset : offset + NATIVE_LENGTH])
        end = offset + decoded.length
        written = decoded.destination
        length = decoded.send.response_length if decoded.send is not None else None
        writes = None if written is None else _span(decoded, written, length, grf_bytes, True)
        yield Step(offset, end, decoded, writes, tuple(_reads(decoded, grf_bytes)))
        offset = end


def _reads(decoded: Decoded, grf_bytes: int) -> Iterator[Span]:
    send = decoded.send
    lengths = (None, None) if send is None else (send.source0_length, send.source1_length)
    for index, source in enumerate(decoded.sources):
        length = lengths[index] if send is not None and index < 2 else None
        span = _span(decoded, source, length, grf_bytes, False)
        if span is not None:
            yield span


def _span(
    decoded: Decoded, operand: Operand, length: int | None, grf_bytes: int, is_written: bool
) -> Span | None:
    """What ``operand`` takes; ``length``: registers of a message."""
    if operand.file is not RegisterFile.GRF or operand.indirect:
        return None
    lanes, first = decoded.execution_size, operand.register_number * grf_bytes
    if decoded.send is not None:
        size = (length or 0) * grf_bytes
        if not size:
            return None
        return Span(first, first + size, size // lanes if lanes > 1 else 0)
    first += operand.byte_offset
    region, size = operand.region, operand.type.size
    if is_written and decoded.opcode in _SYSTOLIC:
        return Span(first, first + decoded.dpas_repeat * grf_bytes, 0)
    if is_written:
        stride = max(region.horizontal, 1)
        extent = (lanes - 1) * stride + 1
    else:
        stride = region.vertical if region.width <= 1 else region.horizontal
        rows = max(lanes // max(region.width, 1), 1)
        extent = (rows - 1) * region.vertical + (region.width - 1) * region.horizontal + 1
    return Span(first, first + extent * size, stride * size if lanes > 1 else 0)
