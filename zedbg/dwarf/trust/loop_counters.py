"""Registers that count the iterations of a loop, proved by the machine code.

A register counts when one instruction of the loop, which every iteration executes once, adds a
constant to it, nothing else in the loop writes to it, and one instruction in front of the loop sets
it. The sum may be in another register first, from which it is copied, maybe more than once: each
iteration does the first of these copies. So it says how often the loop's code has been executed,
whatever the compiler says of variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.xe.instruction import Operand, RegisterFile
from zedbg.xe.isa.names import Predicate
from zedbg.xe.isa.opcodes import Opcode

_SIZES = (4, 8)  # bytes of a counter


@dataclass(frozen=True)
class LoopCounter:
    """``first``: the byte of the general registers, counted from r0, that the counter of lane
    ``first_lane`` begins at; ``stride`` bytes lie between those of two lanes, 0: all share one.

    ``start``: what it is set to in front of the loop, None where that is not a constant;
    ``set_at``: the offset of the instruction that does. ``added_at``: that of the one which adds
    ``step``, ``stepped_at``: that of the one after which the counter is that of the next iteration.
    ``compared``: what the loop compares it with: offsets, and constants.
    """

    first: int
    size: int
    stride: int
    first_lane: int
    lanes: int
    step: int
    start: int | None
    set_at: int
    added_at: int
    stepped_at: int
    compared: tuple[tuple[int, int], ...]

    def place(self, lane: int) -> int | None:
        """The byte that the counter of ``lane`` begins at; None where it has none."""
        if not self.stride:
            return self.first
        index = lane - self.first_lane
        return self.first + index * self.stride if 0 <= index < self.lanes else None


def loop_counters(flow: RegisterFlow, loop: tuple[int, int]) -> list[LoopCounter]:
    """The counters of ``loop``: offsets of its head and of its jump back. Several that one line
    adds to are those of different lanes, or of different things."""
    found = []
    for step in flow.steps:
        if step.decoded.opcode is Opcode.ADD and loop[0] <= step.offset <= loop[1]:
            around = flow.loops_around(step.offset)
            if min(around, key=lambda each: each[1] - each[0]) == loop:
                found.append(_counter(flow, *loop, step))
    return [each for each in found if each is not None]


def _counter(flow: RegisterFlow, head: int, tail: int, step: Step) -> LoopCounter | None:
    decoded = step.decoded
    target = decoded.destination
    if step.writes is None or target is None or decoded.predicate is not Predicate.NONE:
        return None
    if decoded.saturate or target.type.size not in _SIZES or len(decoded.sources) != 2:
        return None
    amount = _constant(decoded.sources[1])
    if amount is None or not _executes_once(flow, head, tail, step):
        return None
    inside = [each for each in flow.steps if head <= each.offset <= tail]
    changing = [step]
    if not _is_same(target, decoded.sources[0], decoded.execution_size):
        changing = [each for each in inside if _copies_back(step, each)]
        if not changing or not _executes_once(flow, head, tail, changing[0]):
            return None
        since = [each for each in inside if step.end <= each.offset < changing[-1].offset]
        if any(flow.may_write(each, step.writes) for each in since):
            return None
    last = changing[0]
    writes = last.writes
    assert writes is not None
    if any(each not in changing and flow.may_write(each, writes) for each in inside):
        return None
    before = [each for each in flow.steps if each.offset < head and flow.may_write(each, writes)]
    if not before or not _sets(before[-1], writes):
        return None
    setting = before[-1]
    # Between the instruction that sets it and the loop no lane may take another way.
    if any(low <= setting.offset <= high < head for low, high in flow.loops):
        return None
    if flow.avoids(head, setting.offset):
        return None
    is_vector = decoded.execution_size > 1
    return LoopCounter(
        first=writes.first,
        size=target.type.size,
        stride=writes.stride if is_vector else 0,
        first_lane=decoded.channel_offset,
        lanes=decoded.execution_size,
        step=amount,
        start=_start(setting),
        set_at=setting.offset,
        added_at=step.offset,
        stepped_at=last.offset,
        compared=tuple(_comparisons(inside, last)),
    )


def _comparisons(inside: Sequence[Step], last: Step) -> Iterator[tuple[int, int]]:
    """Offsets of instructions that compare what ``last`` writes with a constant, and that."""
    target = last.decoded.destination
    assert target is not None
    for step in inside:
        decoded = step.decoded
        if decoded.opcode is not Opcode.CMP or len(decoded.sources) != 2:
            continue
        constant = _constant(decoded.sources[1])
        is_same = _is_same(target, decoded.sources[0], last.decoded.execution_size)
        if constant is not None and is_same:
            yield step.offset, constant


def _copies_back(step: Step, each: Step) -> bool:
    """Whether ``each``, after ``step``, puts what that gave, in another register, into the one that
    it adds to."""
    decoded, target = step.decoded, step.decoded.destination
    copy, made = each.decoded, each.decoded.destination
    if each.offset <= step.offset or copy.opcode is not Opcode.MOV or target is None:
        return False
    if made is None or copy.predicate is not Predicate.NONE or copy.saturate:
        return False
    lanes = copy.execution_size, copy.channel_offset
    if lanes != (decoded.execution_size, decoded.channel_offset):
        return False
    is_plain = made.type.size == target.type.size and made.type is copy.sources[0].type
    return (
        is_plain
        and _is_same(made, decoded.sources[0], lanes[0])
        and _is_same(target, copy.sources[0], lanes[0])
    )


def _is_same(target: Operand, source: Operand, lanes: int) -> bool:
    """Whether ``source`` reads what an instruction writes to ``target``."""
    if source.file is not RegisterFile.GRF or target.file is not RegisterFile.GRF:
        return False
    if source.indirect or target.indirect or source.negate or source.absolute:
        return False
    place = source.register_number, source.byte_offset
    if place != (target.register_number, target.byte_offset):
        return False
    if source.type.size != target.type.size:
        return False
    if lanes == 1:
        return True
    region = source.region
    is_plain = region.horizontal == 1 and region.vertical == region.width
    is_single = region.width == 1 and region.vertical == 1
    return target.region.horizontal == 1 and (is_plain or is_single)


def _constant(source: Operand) -> int | None:
    """The whole number that an operand is, None if it is none."""
    if source.file is not RegisterFile.IMMEDIATE or source.negate or source.absolute:
        return None
    name = source.type.name
    if name not in ("W", "UW", "D", "UD", "Q", "UQ"):
        return None
    bits = 8 * source.type.size
    number = source.immediate & (1 << bits) - 1
    return number - (1 << bits) if not name.startswith("U") and number >> (bits - 1) else number


def _start(setting: Step) -> int | None:
    decoded = setting.decoded
    if decoded.opcode is not Opcode.MOV:
        return None
    return _constant(decoded.sources[0])


def _sets(step: Step, place: Span) -> bool:
    """Whether ``step`` writes all of ``place``, for all lanes that come to it."""
    destination = step.decoded.destination
    if step.writes is None or destination is None or destination.indirect or step.is_conditional:
        return False
    return step.writes.first == place.first and step.writes.end >= place.end


def _executes_once(flow: RegisterFlow, head: int, tail: int, step: Step) -> bool:
    """Whether every iteration of a loop executes ``step``, and no inner loop has it."""
    inner = [each for each in flow.loops if each != (head, tail) and head <= each[0]]
    if any(low <= step.offset <= high and high <= tail for low, high in inner):
        return False
    if any(low == head and high != tail for low, high in flow.loops):
        return False  # it jumps back from several places
    wall, start = flow.index_at(step.offset), flow.index_at(head)
    goal = flow.index_at(tail)
    if goal == wall or start == wall:
        return True
    waiting, seen = [start], {start}
    while waiting:
        index = waiting.pop()
        if index == goal:
            return False
        for following in flow.after(index):
            if following >= len(flow.steps) or following == wall or following in seen:
                continue
            if head <= flow.steps[following].offset <= tail:
                seen.add(following)
                waiting.append(following)
    return True
