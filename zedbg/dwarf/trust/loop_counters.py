"""Registers that count the iterations of a loop, proved by the machine code.

A register counts when one instruction of the loop, which every iteration executes once, adds a
constant to it, nothing else in the loop writes to it, and one instruction in front of the loop sets
it. So it says how often the loop's code has been executed, whatever the compiler says of variables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zedbg.dwarf.trust.register_flow import RegisterFlow, Span, Step
from zedbg.xe.instruction import Operand, RegisterFile
from zedbg.xe.isa.names import Predicate
from zedbg.xe.isa.opcodes import Opcode

_SIZES = (4, 8)  # bytes of a counter


@dataclass(frozen=True)
class LoopCounter:
    """``first``: the byte of the general registers, counted from r0, that the counter of lane
    ``first_lane`` begins at; ``stride`` bytes lie between those of two lanes, 0: all share one.

    ``start``: what it is set to in front of the loop, None where that is not a constant;
    ``set_at``: the offset of the instruction that does. ``is_stepped``: whether the iteration that
    executes the code asked for has added ``step`` already.
    """

    first: int
    size: int
    stride: int
    first_lane: int
    lanes: int
    step: int
    start: int | None
    set_at: int
    is_stepped: bool

    def place(self, lane: int) -> int | None:
        """The byte that the counter of ``lane`` begins at; None where it has none."""
        if not self.stride:
            return self.first
        index = lane - self.first_lane
        return self.first + index * self.stride if 0 <= index < self.lanes else None


def loop_counters(
    flow: RegisterFlow, at: int, steps_counter: Callable[[int], bool]
) -> list[LoopCounter]:
    """The counters of a loop around the code at offset ``at``: those that an instruction at an
    offset for which ``steps_counter`` is true adds to. Several are those of different lanes."""
    found = []
    for step in flow.steps:
        if step.decoded.opcode is Opcode.ADD and steps_counter(step.offset):
            counter = _counter(flow, at, step)
            if counter is not None:
                found.append(counter)
    return found


def _counter(flow: RegisterFlow, at: int, step: Step) -> LoopCounter | None:
    decoded, writes = step.decoded, step.writes
    target = decoded.destination
    if writes is None or target is None or decoded.predicate is not Predicate.NONE:
        return None
    if decoded.saturate or target.type.size not in _SIZES or len(decoded.sources) != 2:
        return None
    amount = _constant(decoded.sources[1])
    if amount is None or not _is_same(target, decoded.sources[0], decoded.execution_size):
        return None
    around = [each for each in flow.loops if each[0] <= step.offset <= each[1]]
    if not around:
        return None
    head, tail = min(around, key=lambda each: each[1] - each[0])
    if not head <= at <= tail or not _executes_once(flow, head, tail, step):
        return None
    inside = [s for s in flow.steps if head <= s.offset <= tail]
    if any(s is not step and (_may_write(s, writes)) for s in inside):
        return None
    before = [s for s in flow.steps if s.offset < head and _may_write(s, writes)]
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
        is_stepped=at > step.offset,
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


def _may_write(step: Step, place: Span) -> bool:
    destination = step.decoded.destination
    if step.decoded.opcode in (Opcode.CALL, Opcode.CALLA):
        return True
    if destination is not None and destination.indirect:
        return True
    return step.writes is not None and step.writes.meets(place)


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
