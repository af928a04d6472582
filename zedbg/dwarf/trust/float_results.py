"""Registers that hold a number of 32 bits that a place of the source makes, proved by the machine
code.

As :mod:`zedbg.dwarf.trust.load_results`, for whatever compilers make of a function or of a sum: the
result is what instructions of the place write, and no other ones of it take. The last of them may
put another number there for some lanes, as for an argument that is too large; or lanes take one way
of several, on each of which one writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from zedbg.dwarf.trust.lane_places import LanePlaces, LaneWriter
from zedbg.dwarf.trust.register_flow import FIRST_ACCUMULATOR, RegisterFlow
from zedbg.dwarf.trust.steps import Step
from zedbg.xe.instruction import RegisterFile
from zedbg.xe.isa.names import DataType
from zedbg.xe.registers import RegisterKind

_SIZE = 4  # bytes of a number
_FEWEST_LANES = 8  # of an instruction that does something for each


@dataclass(frozen=True)
class Execution:
    """Which execution of an instruction is meant: the last one before now. ``loops``: how many
    loops are around both it and the code asked for; ``is_in_this_pass``: in the same pass of all of
    these, otherwise in the one before this of the innermost one. ``is_now``: and of all loops that
    it is in."""

    loops: int
    is_in_this_pass: bool
    is_now: bool


@dataclass(frozen=True)
class FloatWriters:
    """What may write the number that a place of the source makes: ``last`` of its instructions,
    whose result no other one of it takes, and all that do what one of these does, as in copies of
    the place that take each other's results."""

    last: Sequence[LaneWriter]
    alike: Sequence[LaneWriter]


def float_results(
    flow: RegisterFlow, at: int, is_of: Callable[[int], bool], when: Execution
) -> list[LanePlaces]:
    """What the instructions at offsets for which ``is_of`` is true gave to lanes that are at offset
    ``at`` now, in their latest execution. Empty where that is not sure, or was not ``when``."""
    own = {index: step for index, step in enumerate(flow.steps) if is_of(step.offset)}
    last: dict[tuple[int, int], list[Step]] = {}
    for index, step in own.items():
        if step.writes is not None and not _is_taken(flow, index, own):
            last.setdefault((step.writes.first, step.writes.end), []).append(step)
    found, taken = [], set[int]()
    for steps in last.values():
        result = _result(flow, at, steps, when)
        if result is None:
            return []
        lanes = set(range(result.first_lane, result.first_lane + result.lanes))
        if taken & lanes:
            return []
        taken |= lanes
        found.append(result)
    return found


def float_writers(flow: RegisterFlow, is_of: Callable[[int], bool]) -> FloatWriters:
    """Which instructions at offsets for which ``is_of`` is true give what the place makes."""
    steps = flow.steps_with_accumulators
    there = {i: step for i, step in enumerate(steps) if is_of(step.offset)}
    own = {i: step for i, step in there.items() if step.writes}
    last = [
        step
        for i, step in own.items()
        # What is of integers and compared says of what kind another number is.
        if not _is_taken(flow, i, own if _is_floating(step) else there)
    ]
    alike = {step.decoded.opcode for step in last}
    copies = [step for step in own.values() if step.decoded.opcode in alike]
    made = [
        [each for step in steps if (each := float_writer(step, flow.grf_bytes)) is not None]
        for steps in (last, copies)
    ]
    return FloatWriters(*made)


def _is_floating(step: Step) -> bool:
    target = step.decoded.destination
    return target is not None and target.type.is_floating


def _is_taken(flow: RegisterFlow, index: int, own: Collection[int]) -> bool:
    """Whether one of ``own``, numbers of instructions, takes what that of number ``index`` gives,
    on a way of lanes that jumps back to nothing in front of that."""
    steps, until = flow.steps_with_accumulators, max(own)
    written = steps[index].writes
    assert written is not None
    waiting, seen = {each: written.every for each in flow.after(index)}, dict[int, int]()
    while waiting:
        number = min(waiting)
        held = waiting.pop(number)
        if not index < number <= until or not held & ~seen.get(number, 0):
            continue
        seen[number] = seen.get(number, 0) | held
        step = steps[number]
        if number in own and any(held & written.taken_by(each) for each in step.reads):
            return True
        if not step.is_conditional:
            held &= ~written.taken_by(step.writes)
        for each in flow.after(number) if held else ():
            waiting[each] = waiting.get(each, 0) | held
    return False


def float_writer(step: Step, grf_bytes: int) -> LaneWriter | None:
    """Where ``step``, with accumulators as general registers, writes a number of 32 bits for each
    lane; None where it writes something else."""
    decoded, target, writes = step.decoded, step.decoded.destination, step.writes
    if target is None or writes is None or target.file is not RegisterFile.GRF:
        return None
    # Of any type: what puts the sign to a number is of integers.
    if target.type.size != _SIZE or writes.end - writes.first != _SIZE * decoded.execution_size:
        return None
    kind, first = RegisterKind.GRF, writes.first
    if first >= FIRST_ACCUMULATOR * grf_bytes:
        kind, first = RegisterKind.ACC, first - FIRST_ACCUMULATOR * grf_bytes
    places = LanePlaces(first, _SIZE, decoded.channel_offset, decoded.execution_size)
    is_uniform = decoded.no_mask and decoded.execution_size < _FEWEST_LANES
    return LaneWriter(step.offset, kind, places, is_uniform)


def _result(
    flow: RegisterFlow, at: int, steps: Sequence[Step], when: Execution
) -> LanePlaces | None:
    """Where the number is that ``steps``, in their order, write to one place."""
    first, last = steps[0], steps[-1]
    target, writes, decoded = first.decoded.destination, first.writes, first.decoded
    lanes = decoded.execution_size, decoded.channel_offset
    if target is None or writes is None or target.file is not RegisterFile.GRF:
        return None
    if target.type is not DataType.F or writes.end - writes.first != _SIZE * lanes[0]:
        return None
    if lanes[0] < _FEWEST_LANES or any(not _is_like(each, lanes) for each in steps):
        return None
    whole = [step for step in steps if not step.is_conditional]
    if first not in whole or any(flow.leads_to(a.offset, b.offset) for a, b in pairwise(whole)):
        return None
    between = [step for step in flow.steps if first.offset < step.offset < last.offset]
    if any(step not in steps and flow.may_write(step, writes) for step in between):
        return None
    is_left = _is_left(flow, at, steps, when) if len(steps) == 1 else False
    if not is_left and not (when.is_now and _is_kept(flow, at, steps, whole)):
        return None
    return LanePlaces(writes.first, _SIZE, lanes[1], lanes[0])


def _is_like(step: Step, lanes: tuple[int, int]) -> bool:
    decoded = step.decoded
    return (decoded.execution_size, decoded.channel_offset) == lanes and not decoded.no_mask


def _is_kept(flow: RegisterFlow, at: int, steps: Sequence[Step], whole: Sequence[Step]) -> bool:
    """Whether lanes that are at offset ``at`` have come past ``steps``, one of the ``whole`` ones,
    in this pass of all loops around these, and have their result still."""
    last, here = steps[-1], flow.loops_around(at)
    assert last.writes is not None
    return (
        last.offset < at
        and all(flow.loops_around(each.offset) <= here for each in steps)
        and not flow.avoids(at, *(step.offset for step in whole))
        and flow.keeps(last.writes, last.end, at)
    )


def _is_left(flow: RegisterFlow, at: int, steps: Sequence[Step], when: Execution) -> bool:
    """Whether the one of ``steps`` was executed for the last time in front of ``at`` as ``when``
    says, if it was, and nothing that may be executed after that writes to its result."""
    (step,) = steps
    assert step.writes is not None
    heads = [each[0] for each in flow.loops]
    both = flow.loops_around(step.offset) & flow.loops_around(at)
    if len(both) != when.loops or (step.offset < at) != when.is_in_this_pass:
        return False
    if any(heads.count(each[0]) > 1 for each in flow.loops_around(step.offset)):
        return False
    return not any(
        each is not step and flow.may_write(each, step.writes)
        for each in flow.between(step.offset, at)
    )
