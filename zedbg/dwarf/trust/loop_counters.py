"""Registers that count the iterations of a loop, proved by the machine code.

A register counts when one instruction of the loop, which every iteration executes once, adds a
constant to it, nothing else in the loop writes to it, and all that it can have in front of the loop
is known: what instructions set, copy, and add constants to. Where constants are added in front of
the loop, it may begin with the sum, too: which of both is for those to prove who know what the
source begins with. The sum may be in another register
first, from which it is copied, maybe more than once: each iteration does the first of these copies.
Or a part of the constant is added before, into another register, on whichever way lanes come.
So it says how often the loop's code has been executed, whatever the compiler says of variables.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from zedbg.dwarf.trust.counter_history import (
    ALL_LANES,
    Origin,
    added,
    constant_of,
    history,
    lanes_of,
    source_of,
)
from zedbg.dwarf.trust.lane_places import LanePlaces
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.xe.instruction import Operand, RegisterFile
from zedbg.xe.isa.names import Predicate
from zedbg.xe.isa.opcodes import Opcode

SIZES = (4, 8)  # bytes of a counter


@dataclass(frozen=True)
class LoopCounter:
    """``first``: the byte of the general registers, counted from r0, that the counter of lane
    ``first_lane`` begins at; ``stride`` bytes lie between those of two lanes, 0: all share one.

    ``origins``: what may have set it in front of the loop; ``additions``: what may have been added
    to it since then: offsets, and constants. ``added_at``: the offset of the instruction which adds
    ``step``, ``stepped_at``: that of the one after which the counter is that of the next iteration.
    ``compared``: what the loop compares it with: offsets, and constants; ``bounds``: offsets, and
    registers.
    """

    first: int
    size: int
    stride: int
    first_lane: int
    lanes: int
    step: int
    origins: tuple[Origin, ...]
    additions: tuple[tuple[int, int], ...]
    added_at: int
    stepped_at: int
    compared: tuple[tuple[int, int], ...]
    bounds: tuple[tuple[int, LanePlaces], ...]

    @property
    def span(self) -> Span:
        """The registers of all lanes."""
        end = self.first + max(self.lanes - 1, 0) * self.stride + self.size
        return Span(self.first, end, self.stride, self.size)

    def place(self, lane: int) -> int | None:
        """The byte that the counter of ``lane`` begins at; None where it has none."""
        if not self.stride:
            return self.first
        index = lane - self.first_lane
        return self.first + index * self.stride if 0 <= index < self.lanes else None


def loop_counters(flow: RegisterFlow, loop: tuple[int, int]) -> list[LoopCounter]:
    """The counters of ``loop``: offsets of its head and of its jump back. Several that one line
    adds to are those of different lanes, or of different things."""
    inside = steps_inside(flow, loop)
    found: list[LoopCounter] = []
    for each in own_steps(flow, loop, {Opcode.ADD}):
        counter = _counter(flow, loop, inside, each)
        if counter is None:
            continue
        found.append(counter)
        if any(not loop[0] <= offset <= loop[1] for offset, _ in counter.additions):
            found += _from_sums(flow, loop, counter)
    return found


def _from_sums(
    flow: RegisterFlow, loop: tuple[int, int], counter: LoopCounter
) -> Iterator[LoopCounter]:
    """``counter``, set by what adds to it in front of ``loop``."""
    lanes = range(counter.first_lane, counter.first_lane + counter.lanes)
    known = history(
        *(flow, counter.span, counter.size, loop[0], lanes if counter.stride else ALL_LANES, loop)
    )
    if known is not None:
        yield replace(counter, origins=known[0], additions=known[1])


def _counter(
    flow: RegisterFlow, loop: tuple[int, int], inside: list[Step], step: Step
) -> LoopCounter | None:
    decoded = step.decoded
    target = decoded.destination
    if step.writes is None or target is None or decoded.predicate is not Predicate.NONE:
        return None
    if decoded.saturate or target.type.size not in SIZES or len(decoded.sources) != 2:
        return None
    amount = constant_of(decoded.sources[1])
    if amount is None or not executes_once(flow, *loop, step):
        return None
    before = _added_before(flow, loop[0], step)
    if before is None:
        changing = changing_steps(flow, loop, step)
    else:
        amount += before
        changing = [step] if _are_alone(flow, inside, [step]) else []
    if not changing:
        return None
    last = changing[0]
    writes = last.writes
    assert writes is not None
    is_vector = decoded.execution_size > 1
    lanes = lanes_of(decoded)
    known = history(flow, writes, target.type.size, loop[0], lanes)
    if known is None:
        return None
    origins, additions = known
    return LoopCounter(
        first=writes.first,
        size=target.type.size,
        stride=writes.stride if is_vector else 0,
        first_lane=decoded.channel_offset,
        lanes=decoded.execution_size,
        step=amount,
        origins=origins,
        additions=additions,
        added_at=step.offset,
        stepped_at=last.offset,
        compared=tuple(_comparisons(inside, last)),
        bounds=tuple(_bounds(flow, inside, last)),
    )


def changing_steps(
    flow: RegisterFlow, loop: tuple[int, int], step: Step, taken: Operand | None = None
) -> list[Step]:
    """The instructions of ``loop`` that put into a register what ``step``, which every iteration
    executes once, makes of it: ``step`` itself, or the copies of what that gives in another
    register. ``taken``: the register, as an operand; None: the first source of ``step``. Empty
    where others may write to it, or to what is copied."""
    target, taken = step.decoded.destination, taken or step.decoded.sources[0]
    assert target is not None and step.writes is not None
    inside = steps_inside(flow, loop)
    changing = [step]
    if not is_same(target, taken, step.decoded.execution_size):
        changing = [each for each in inside if _copies_back(step, each, taken)]
        if not changing or not executes_once(flow, *loop, changing[0]):
            return []
        since = [each for each in inside if step.end <= each.offset < changing[-1].offset]
        if any(flow.may_write(each, step.writes) for each in since):
            return []
    return changing if _are_alone(flow, inside, changing) else []


def _are_alone(flow: RegisterFlow, inside: Sequence[Step], changing: Sequence[Step]) -> bool:
    """Whether nothing else ``inside`` writes where ``changing`` do."""
    writes = changing[0].writes
    assert writes is not None
    return not any(each not in changing and flow.may_write(each, writes) for each in inside)


def _added_before(flow: RegisterFlow, head: int, last: Step) -> int | None:
    """What all instructions that ``last`` may take its number from add to what it writes, in each
    iteration of the loop that begins at ``head``, on every way; None where they do not."""
    place, target = last.writes, last.decoded.destination
    assert place is not None and target is not None
    size = target.type.size
    source = source_of(flow, last, place, size)
    if source is None or source.meets(place):
        return None
    numbers = flow.definitions(source, last.offset)
    amounts: set[int | None] = set()
    for number in numbers:
        if number is None:
            return None
        step = flow.steps[number]
        taken = source_of(flow, step, source, size)
        is_whole = source.taken_by(step.writes) == source.every and not step.is_conditional
        if taken is None or (taken.first, taken.end) != (place.first, place.end) or not is_whole:
            return None
        amounts.add(added(step.decoded) if head <= step.offset < last.offset else None)
    if not passes_any(flow, head, last.offset, numbers):
        return None
    return amounts.pop() if len(amounts) == 1 else None


def passes_any(flow: RegisterFlow, head: int, at: int, numbers: Container[int | None]) -> bool:
    """Whether lanes execute one of the instructions ``numbers`` on each way from offset ``head`` to
    ``at``."""
    goal, waiting = flow.index_at(at), [flow.index_at(head)]
    seen = {*waiting}
    while waiting:
        index = waiting.pop()
        if index == goal:
            return False
        for following in () if index in numbers else flow.after(index):
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return True


def compares(inside: Sequence[Step]) -> Iterator[tuple[Step, Operand, Operand]]:
    """Instructions that compare two operands, with these."""
    for step in inside:
        sources = step.decoded.sources
        if step.decoded.opcode is Opcode.CMP and len(sources) == 2:
            yield step, sources[0], sources[1]


def _comparisons(inside: Sequence[Step], last: Step) -> Iterator[tuple[int, int]]:
    """Offsets of instructions that compare what ``last`` writes with a constant, and that."""
    target = last.decoded.destination
    assert target is not None
    for step, counter, bound in compares(inside):
        constant = constant_of(bound)
        if constant is not None and is_same(target, counter, last.decoded.execution_size):
            yield step.offset, constant


def _bounds(
    flow: RegisterFlow, inside: Sequence[Step], last: Step
) -> Iterator[tuple[int, LanePlaces]]:
    """Offsets of instructions that compare what ``last`` writes with registers which nothing
    ``inside`` writes to, and these."""
    target = last.decoded.destination
    assert target is not None
    for step, counter, bound in compares(inside):
        region = bound.region
        is_shared = region.width <= 1 and not region.vertical and not region.horizontal
        is_single = region.width == 1 and region.vertical == 1
        is_plain = is_single or (region.horizontal == 1 and region.vertical == region.width)
        if bound.file is not RegisterFile.GRF or bound.indirect or bound.negate or bound.absolute:
            continue
        if not (is_shared or is_plain) or bound.type.size != target.type.size:
            continue
        first, size = bound.register_number * flow.grf_bytes + bound.byte_offset, bound.type.size
        count = step.decoded.execution_size
        place = Span(first, first + (size if is_shared else count * size), 0)
        if any(flow.may_write(each, place) for each in inside):
            continue
        # A counter that all lanes share is compared in all of them.
        lanes = 1 if last.decoded.execution_size == 1 else step.decoded.execution_size
        if is_same(target, counter, lanes):
            stride = 0 if is_shared else size
            yield step.offset, LanePlaces(first, stride, step.decoded.channel_offset, count)


def _copies_back(step: Step, each: Step, taken: Operand) -> bool:
    """Whether ``each``, after ``step``, puts what that gave, in another register, into the one that
    it has ``taken`` its number from."""
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
        is_plain and is_same(made, taken, lanes[0]) and is_same(target, copy.sources[0], lanes[0])
    )


def is_same(target: Operand, source: Operand, lanes: int) -> bool:
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


def left_by_loops(
    flow: RegisterFlow, counters: Sequence[LoopCounter], at: int
) -> list[LoopCounter]:
    """Those of ``counters`` whose registers have at offset ``at``, which is not in their loops,
    what was counted: with what may have set them and been added to them on the ways to ``at``."""
    found = []
    for each in counters:
        lanes = range(each.first_lane, each.first_lane + each.lanes) if each.stride else ALL_LANES
        known = history(flow, each.span, each.size, at, lanes)
        if known is not None:
            found.append(replace(each, origins=known[0], additions=known[1]))
    return found


def steps_inside(flow: RegisterFlow, loop: tuple[int, int]) -> list[Step]:
    """All instructions of ``loop``: offsets of its head and of its jump back."""
    return [each for each in flow.steps if loop[0] <= each.offset <= loop[1]]


def own_steps(
    flow: RegisterFlow, loop: tuple[int, int], opcodes: Container[Opcode]
) -> Iterator[Step]:
    """The instructions of ``opcodes`` that ``loop`` has, and no loop in it."""
    for step in steps_inside(flow, loop):
        if step.decoded.opcode in opcodes:
            around = flow.loops_around(step.offset)
            if around and min(around, key=lambda each: each[1] - each[0]) == loop:
                yield step


def steps_of_each_pass(
    flow: RegisterFlow, loop: tuple[int, int], opcodes: Container[Opcode]
) -> Iterator[tuple[Step, list[Step]]]:
    """The instructions of :func:`own_steps` that ``loop`` executes once in each iteration; each
    with all others of the loop."""
    inside = steps_inside(flow, loop)
    for step in own_steps(flow, loop, opcodes):
        if executes_once(flow, *loop, step):
            yield step, [each for each in inside if each is not step]


def executes_once(flow: RegisterFlow, head: int, tail: int, step: Step) -> bool:
    """Whether every iteration of a loop executes ``step``, and no inner loop has it. A shorter loop
    with the same beginning is an inner one. A loop with a longer one of the same beginning jumps
    back from several places: then it is not known which of them are iterations."""
    inner = [each for each in flow.loops if each != (head, tail) and head <= each[0]]
    if any(low <= step.offset <= high and high <= tail for low, high in inner):
        return False
    if any(low == head and high > tail for low, high in flow.loops):
        return False
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
