"""The iteration of a loop that halves or doubles what it counts by, from a register it shifts."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.dwarf.trust.ending_shifts import EndingShift
from zedbg.dwarf.trust.shift_counters import ShiftCounter
from zedbg.spirv.analysis.inductions import Shifting
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.instructions import Instruction, Line
from zedbg.spirv.module.operations import Op
from zedbg.values.counters.lane_numbers import LaneNumbers
from zedbg.values.counters.proved_counters import LoopPlace
from zedbg.xe.isa.opcodes import Opcode

_OPCODES: dict[int, Opcode] = {
    Op.SHIFT_LEFT_LOGICAL: Opcode.SHL,
    Op.SHIFT_RIGHT_LOGICAL: Opcode.SHR,
    Op.SHIFT_RIGHT_ARITHMETIC: Opcode.ASR,
    Op.S_DIV: Opcode.ASR,
}


def shifted_iterations(of: LaneNumbers) -> Iterator[int]:
    """What registers that the loop shifts say of the iteration that the lane is in."""
    place = of.place
    for shifting in of.model.shiftings(place.function, place.loop):
        line = shifting.line
        for counter in of.info.code.shift_counters(
            place.address, line.line, line.column, place.calls
        ):
            now, begin = of.now(counter.places, counter.size), of.first(shifting.result)
            if begin is None or now is None or not _is_its(shifting, counter):
                continue
            if of.is_between_making_and_copy(counter.shifted_at, counter.stepped_at):
                continue
            if of.is_set_to(counter, shifting.start, begin):
                number = _shifts(shifting, begin, now)
                if number is not None:
                    yield number - of.is_ahead(counter.stepped_at)


def _is_its(shifting: Shifting, counter: ShiftCounter) -> bool:
    """Whether ``counter`` is shifted as ``shifting``."""
    is_same = (counter.opcode, counter.bits) == (_OPCODES[shifting.opcode], shifting.amount)
    return is_same and 8 * counter.size == shifting.bits


def _shifts(shifting: Shifting, begin: int, now: int) -> int | None:
    """How often ``begin`` was shifted to ``now``; None where that is not said, as of a number that
    all bits were shifted out of, or of a negative one."""
    if not begin or not now or (begin | now) >> shifting.bits - 1:
        return None
    distance = now.bit_length() - begin.bit_length()
    if shifting.opcode == Op.SHIFT_LEFT_LOGICAL:
        shifted = begin << distance if distance >= 0 else 0
    else:
        distance = -distance
        shifted = begin >> distance if distance >= 0 else 0
    number, rest = divmod(distance, shifting.amount)
    return number if not rest and shifted == now else None


def ended_iterations(of: LaneNumbers) -> Iterator[int]:
    """As :func:`shifted_iterations`, by registers with which the loop ends when they are too small:
    there the source ends it by what it shifts, so both have as many bits, but for a fixed
    number of them, whatever the register begins with."""
    place = of.place
    for shifting in of.model.shiftings(place.function, place.loop):
        ends = _end(of.model, place, shifting)
        begin = None if ends is None else of.first(shifting.result)
        if ends is None or begin is None or not 0 < begin < 1 << shifting.bits - 1:
            continue
        line, least = ends
        for counter in of.info.code.ending_shifts(
            place.address, line.line, line.column, place.calls
        ):
            now = of.now(counter.places, counter.size)
            if (counter.bits, 8 * counter.size) != (shifting.amount, shifting.bits) or not now:
                continue
            factor, rest = divmod(counter.least, least)
            if rest or factor.bit_count() != 1 or not _shares_bits(begin, now):
                continue
            length = now.bit_length() - factor.bit_length() + 1
            length += counter.bits * (of.address(counter.changed_at) < place.address)
            length -= counter.bits * counter.is_shifted
            number, rest = divmod(begin.bit_length() - length, shifting.amount)
            before = _passes_before_end(of, counter)
            if not rest and before is not None:
                yield number - before


def _end(model: Model, place: LoopPlace, shifting: Shifting) -> tuple[Line, int] | None:
    """Where the first block of the loop compares what it shifts with a constant, to go on; and the
    least number with which it does."""
    header = place.function.blocks[place.loop.header]
    jump = header.terminator
    if jump is None or jump.opcode != Op.BRANCH_CONDITIONAL:
        return None
    condition, going_on, leaving = jump.operands[:3]
    if going_on not in place.loop.blocks or leaving in place.loop.blocks:
        return None
    for item in header.items:
        if not isinstance(item, Instruction) or item.line is None or item.result != condition:
            continue
        if len(item.operands) != 2 or item.operands[0] != shifting.result:
            return None
        constant = model.code.constants.get(item.operands[1])
        if not isinstance(constant, int) or constant >> shifting.bits - 1:
            return None
        if item.opcode in (Op.S_GREATER_THAN, Op.U_GREATER_THAN):
            return item.line, constant + 1
        if item.opcode in (Op.S_GREATER_THAN_EQUAL, Op.U_GREATER_THAN_EQUAL) and constant:
            return item.line, constant
        return (item.line, 1) if item.opcode == Op.I_NOT_EQUAL and not constant else None
    return None


def _shares_bits(a: int, b: int) -> bool:
    """Whether one number is the other one, shifted to the right."""
    distance = a.bit_length() - b.bit_length()
    return (a >> distance == b) if distance >= 0 else (b >> -distance == a)


def _passes_before_end(of: LaneNumbers, counter: EndingShift) -> int | None:
    """How many iterations before that which the comparison decides on the lane is; None where that
    is not sure."""
    place, at = of.place, of.place.address
    if place.block == place.loop.header:
        if at >= of.address(counter.compared_at):
            return 0
        around = [each for each in of.info.code.loops(at) if each[0] <= at <= each[1]]
        head = max((each[0] for each in around), default=at)
        if len(of.info.code.line_places_between(head, at)) > 1:
            return None  # it may be of the iteration that this pass makes, or of the next one
    elif not counter.is_last and at > of.address(counter.leaves_at):
        return 0
    return 1 if counter.is_last else None
