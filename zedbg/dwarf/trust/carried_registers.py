"""Registers that a loop of the machine code carries from pass to pass, and what they begin with.

A loop carries a register that it writes, and that has in the next pass what was written in this
one. What it has in the first pass an instruction in front of the loop puts there, from registers
that often still have what they had then, or were made of such.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.dwarf.trust.lane_places import LanePlaces
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.xe.flow.operands import element_offset
from zedbg.xe.instruction import RegisterFile
from zedbg.xe.lane_results import lane_result

_SIZE = 4  # bytes of a lane's element
_LEAST_LANES = 8  # of an instruction
_DEEPEST = 8  # instructions, one made of the other


@dataclass(frozen=True)
class CarriedRegister:
    """``places``: where it is, four bytes for each lane; ``setting``: the only instruction in front
    of the loop that sets it."""

    places: LanePlaces
    setting: Step


def carried_registers(
    flow: RegisterFlow, loop: tuple[int, int], at: int, *, is_next: bool
) -> Iterator[CarriedRegister]:
    """Those which ``loop`` carries that have at offset ``at`` what they had where this pass of it
    began; ``is_next``: what they will have where the next one begins."""
    seen = set()
    for step in flow.steps:
        place = step.writes
        if not loop[0] <= step.offset <= loop[1] or place is None or place in seen:
            continue
        seen.add(place)
        decoded, lanes = step.decoded, step.decoded.execution_size
        if place.element != _SIZE or place.stride != _SIZE or lanes < _LEAST_LANES:
            continue
        if decoded.no_mask or not flow.carries([place], loop, at, is_next=is_next):
            continue
        setting = _setting(flow, loop, place)
        if setting is not None:
            places = LanePlaces(place.first, _SIZE, decoded.channel_offset, lanes)
            yield CarriedRegister(places, setting)


def _setting(flow: RegisterFlow, loop: tuple[int, int], place: Span) -> Step | None:
    """The only instruction in front of ``loop`` whose result ``place`` has where the loop begins,
    if that is in all of it."""
    numbers = flow.definitions(place, loop[0])
    if None in numbers:
        return None
    steps = [flow.steps[each] for each in numbers if each is not None]
    setting = [each for each in steps if not loop[0] <= each.offset <= loop[1]]
    if len(setting) != 1 or setting[0].is_conditional:
        return None
    return setting[0] if place.taken_by(setting[0].writes) == place.every else None


def first_number(
    flow: RegisterFlow, carried: CarriedRegister, lane: int, at: int, registers: bytes
) -> int | None:
    """What the register had for ``lane`` in the first pass, from what all ``registers`` have now,
    in front of offset ``at``; None where that does not tell it."""
    first = carried.places.place(lane)
    if first is None:
        return None
    return _result(flow, carried.setting, Span(first, first + _SIZE, 0), at, registers, _DEEPEST)


def _result(
    flow: RegisterFlow, step: Step, place: Span, at: int, registers: bytes, depth: int
) -> int | None:
    """What ``step`` left in ``place``, an element that it writes."""
    decoded, target, writes = step.decoded, step.decoded.destination, step.writes
    if not depth or decoded.send is not None or target is None or writes is None:
        return None
    if target.indirect or target.type.size != place.end - place.first:
        return None
    index, rest = divmod(place.first - writes.first, max(writes.stride, target.type.size))
    if rest or not 0 <= index < decoded.execution_size:
        return None
    numbers = []
    for source in decoded.sources:
        size = source.type.size
        if source.file is RegisterFile.IMMEDIATE:
            numbers.append(source.immediate & (1 << 8 * size) - 1)
            continue
        if source.file is not RegisterFile.GRF or source.indirect:
            return None
        begin = source.register_number * flow.grf_bytes + source.byte_offset
        first = begin + element_offset(source, index)
        number = _before(flow, step, Span(first, first + size, 0), at, registers, depth)
        if number is None:
            return None
        numbers.append(number)
    return lane_result(decoded, numbers)


def _before(
    flow: RegisterFlow, step: Step, place: Span, at: int, registers: bytes, depth: int
) -> int | None:
    """What ``place`` had in front of ``step``."""
    if flow.keeps(place, step.offset, at):
        return int.from_bytes(registers[place.first : place.end], "little")
    numbers = flow.definitions(place, step.offset)
    number = numbers.pop() if len(numbers) == 1 else None
    if number is None:
        return None
    made = flow.steps[number]
    is_whole = place.taken_by(made.writes) == place.every and not made.is_conditional
    return _result(flow, made, place, at, registers, depth - 1) if is_whole else None
