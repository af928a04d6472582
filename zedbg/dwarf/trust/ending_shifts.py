"""Registers that a loop shifts to the right until a comparison ends it, proved by the machine code.

As :mod:`zedbg.dwarf.trust.shift_counters`, where the code does not say what the register begins
with, or shifts it at another place than the source: compilers shift ahead, into another register,
and compare what they have not shifted yet. What the loop ends by says how the register goes with
what the source compares there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.dwarf.trust.counter_history import added, constant_of, source_of
from zedbg.dwarf.trust.lane_places import LanePlaces
from zedbg.dwarf.trust.loop_counters import (
    SIZES,
    changing_steps,
    compares,
    executes_once,
    is_same,
    passes_any,
    steps_inside,
    steps_of_each_pass,
)
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Step
from zedbg.xe.instruction import Operand
from zedbg.xe.isa.names import Condition, Predicate
from zedbg.xe.isa.opcodes import Opcode

_RIGHT = frozenset({Opcode.SHR, Opcode.ASR})
_BETWEEN_PASSES = frozenset({Opcode.MOV, Opcode.SYNC, Opcode.JMPI, Opcode.GOTO, Opcode.JOIN})
# How far the least number with which a loop goes on, or ends, is from that of a comparison.
_LEAST = {Condition.LT: 0, Condition.GE: 0, Condition.GT: 1, Condition.LE: 1}


@dataclass(frozen=True)
class EndingShift:
    """``places``: where the number of each lane is, of ``size`` bytes; from offset ``changed_at``
    on, without that, it is shifted by ``bits`` for the next pass. The loop ends when what it has,
    shifted before (``is_shifted``) or not, is less than ``least``: so the instruction at offset
    ``compared_at`` says. Lanes leave at offset ``leaves_at``, and if that ``is_last`` nothing but
    copies comes after it in a pass."""

    places: LanePlaces
    size: int
    bits: int
    changed_at: int
    compared_at: int
    least: int
    is_shifted: bool
    leaves_at: int
    is_last: bool


def ending_shifts(flow: RegisterFlow, loop: tuple[int, int]) -> Iterator[EndingShift]:
    """Those of ``loop``: offsets of its head and of its jump back, where lanes leave it in one
    place."""
    inside = steps_inside(flow, loop)
    leaving = [each for each in inside if _leaves(flow, loop, each)]
    if len(leaving) != 1:
        return
    for step, _ in steps_of_each_pass(flow, loop, _RIGHT):
        yield from _of_shift(flow, loop, inside, step, leaving[0])


def _leaves(flow: RegisterFlow, loop: tuple[int, int], step: Step) -> bool:
    following = flow.after(flow.index_at(step.offset))
    return any(not loop[0] <= flow.steps[each].offset <= loop[1] for each in following)


def _of_shift(
    flow: RegisterFlow, loop: tuple[int, int], inside: Sequence[Step], step: Step, leaving: Step
) -> Iterator[EndingShift]:
    decoded, target = step.decoded, step.decoded.destination
    bits = constant_of(decoded.sources[1])
    if target is None or step.writes is None or target.type.size not in SIZES or not bits:
        return
    if decoded.predicate is not Predicate.NONE or decoded.saturate:
        return
    changing = changing_steps(flow, loop, step) or _quotient(flow, loop, step, bits)
    last = changing[0].decoded.destination if changing else None
    if last is None or changing[0].writes is None:
        return
    is_shared = decoded.execution_size == 1
    lanes = 1 if is_shared else decoded.execution_size
    after = [each for each in inside if each.offset > leaving.offset]
    for compare, counter, bound in compares(inside):
        constant = constant_of(bound)
        added = _LEAST.get(compare.decoded.condition)
        if constant is None or added is None or not executes_once(flow, *loop, compare):
            continue
        if not is_shared and compare.decoded.channel_offset != decoded.channel_offset:
            continue
        if is_same(last, counter, lanes):
            is_shifted = compare.offset > changing[0].offset
        elif is_same(target, counter, lanes) and compare.offset > step.offset:
            is_shifted = True
        else:
            continue
        yield EndingShift(
            LanePlaces(
                changing[0].writes.first,
                0 if is_shared else changing[0].writes.stride,
                0 if is_shared else decoded.channel_offset,
                32 if is_shared else decoded.execution_size,
            ),
            target.type.size,
            bits,
            changing[0].offset,
            compare.offset,
            constant + added,
            is_shifted,
            leaving.offset,
            all(each is step or each.decoded.opcode in _BETWEEN_PASSES for each in after),
        )


def _quotient(flow: RegisterFlow, loop: tuple[int, int], step: Step, bits: int) -> list[Step]:
    """The instructions of ``loop`` that put what ``step`` gives into the register that this is a
    quotient of: of signed numbers by a power of two, which compilers shift after they have added to
    those below zero what makes them round towards zero. Empty where it is none."""
    decoded = step.decoded
    assert decoded.destination is not None and step.writes is not None
    size = decoded.destination.type.size
    rounded = source_of(flow, step, step.writes, size)
    if decoded.opcode is not Opcode.ASR or rounded is None:
        return []
    amounts: set[int | None] = set()
    places = set()
    taken: Operand | None = None
    numbers = flow.definitions(rounded, step.offset)
    for number in numbers:
        if number is None:
            return []
        made = flow.steps[number]
        place = source_of(flow, made, rounded, size)
        is_whole = rounded.taken_by(made.writes) == rounded.every and not made.is_conditional
        if place is None or not is_whole or not loop[0] <= made.offset < step.offset:
            return []
        amounts.add(0 if made.decoded.opcode is Opcode.MOV else added(made.decoded))
        places.add((place.first, place.end, place.stride))
        taken = made.decoded.sources[0]
    if amounts != {0, (1 << bits) - 1} or len(places) != 1:
        return []
    if not passes_any(flow, loop[0], step.offset, numbers):
        return []
    return changing_steps(flow, loop, step, taken)
