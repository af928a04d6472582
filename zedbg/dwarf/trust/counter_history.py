"""What a counter's registers may have in front of its loop: what set them, and was added since.

The registers are followed to where they were set: through copies, and through instructions that add
a constant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from zedbg.dwarf.trust.lane_places import LanePlaces
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Span, Step
from zedbg.xe.instruction import Decoded, Operand, RegisterFile
from zedbg.xe.isa.names import Arf
from zedbg.xe.isa.opcodes import Opcode

_LONGEST_HISTORY = 40  # instructions
ALL_LANES = range(32)
_SECOND_OF_PRODUCT = (Opcode.MACH, Opcode.MACL)


@dataclass(frozen=True)
class Origin:
    """An instruction that sets a counter, or the first of two that do it, is at ``offset``;
    ``constant``: to what, None where that is not a constant; ``made``: the registers that it gave
    a number for each lane; ``written_at``: the offset of the instruction that writes these, for
    the ``lanes``; ``copied``: what the counter was copied from, other registers that have in front
    of the instruction at ``copied_at`` what this one gave."""

    offset: int
    constant: int | None
    made: LanePlaces
    written_at: int
    lanes: range
    copied: LanePlaces | None = None
    copied_at: int = 0


_History = tuple[tuple[Origin, ...], tuple[tuple[int, int], ...]]


def lanes_of(decoded: Decoded) -> range:
    """The lanes whose numbers an instruction makes: one that makes a single one, of all."""
    if decoded.execution_size == 1:
        return ALL_LANES
    return range(decoded.channel_offset, decoded.channel_offset + decoded.execution_size)


def history(
    flow: RegisterFlow,
    place: Span,
    size: int,
    at: int,
    lanes: range,
    inside: tuple[int, int] | None = None,
) -> _History | None:
    """What may have set ``place``, elements of ``size`` bytes for ``lanes``, as it is in front of
    offset ``at``, and what may have been added to it since; None where that is not sure.
    ``inside``: what adds outside of these offsets sets it."""
    origins: dict[tuple[int, Span], Origin] = {}
    additions: dict[int, int] = {}
    waiting, seen = [(place, at)], {(place, at)}

    def places(held: Span) -> LanePlaces:
        return LanePlaces(held.first, held.stride, lanes.start, len(lanes))

    def copied(held: Span) -> LanePlaces | None:
        return None if held.meets(place) else places(held)  # it is counted there

    def origin(index: int, held: Span) -> Origin:
        step = flow.steps[index]
        begun, number = _begun(flow, index), _start(step, size)
        return Origin(begun, number, places(held), step.offset, lanes_of(step.decoded))

    while waiting:
        asked, offset = waiting.pop()
        for index in flow.definitions(asked, offset):
            if index is None or len(seen) > _LONGEST_HISTORY:
                return None
            step = flow.steps[index]
            if step.is_conditional:
                return None
            if asked.taken_by(step.writes) != asked.every:
                if not _makes_elements(step, asked, size):
                    return None
                # Others set the other lanes' elements.
                origins[step.offset, asked] = origin(index, asked)
                continue
            decoded = step.decoded
            is_outside = inside is not None and not inside[0] <= step.offset <= inside[1]
            amount = None if is_outside else added(decoded)
            source = None
            if amount is not None or decoded.opcode is Opcode.MOV:
                source = source_of(flow, step, asked, size)
            is_copy = source is not None and amount is None
            if (
                source is None
                or None in flow.definitions(source, step.offset)
                or (is_copy and not _are_whole(flow, source, step.offset))
            ):
                held, at = (source, step.offset) if source and is_copy else (asked, offset)
                origins[step.offset, asked] = replace(
                    origin(index, asked), copied=copied(held), copied_at=at
                )
                continue
            if amount is not None:
                additions[step.offset] = amount
            if (source, step.offset) not in seen:
                seen.add((source, step.offset))
                waiting.append((source, step.offset))
    return tuple(origins.values()), tuple(additions.items())


def _begun(flow: RegisterFlow, index: int) -> int:
    """The offset of the instruction that begins what number ``index`` gives: a product of whole
    numbers takes two, of which compilers often give the second one another line."""
    last = flow.steps[index]
    if last.decoded.opcode in _SECOND_OF_PRODUCT:
        before = index - 1
        while before > 0 and flow.steps[before].decoded.opcode is Opcode.SYNC:
            before -= 1
        step = flow.steps[before]
        target, lanes = step.decoded.destination, step.decoded.channel_offset
        is_product = step.decoded.opcode is Opcode.MUL and lanes == last.decoded.channel_offset
        if is_product and target is not None and target.arf is Arf.ACCUMULATOR:
            return step.offset
    return last.offset


def _makes_elements(step: Step, place: Span, size: int) -> bool:
    """Whether ``step`` makes whole elements, of ``size`` bytes each, that ``place`` is made of."""
    writes, target = step.writes, step.decoded.destination
    if writes is None or target is None or target.type.size != size or step.decoded.send:
        return False
    strides = {place.stride, writes.stride or place.stride}
    return strides == {size} and not (writes.first - place.first) % size


def _are_whole(flow: RegisterFlow, place: Span, at: int) -> bool:
    """Whether each instruction whose result ``place`` may hold in front of offset ``at`` makes all
    of it, in every lane."""
    steps = [flow.steps[each] for each in flow.definitions(place, at) if each is not None]
    return not any(
        each.is_conditional or place.taken_by(each.writes) != place.every for each in steps
    )


def added(decoded: Decoded) -> int | None:
    """The constant that an instruction adds to something."""
    if decoded.opcode is not Opcode.ADD or len(decoded.sources) != 2:
        return None
    return constant_of(decoded.sources[1])


def source_of(flow: RegisterFlow, step: Step, place: Span, size: int) -> Span | None:
    """The registers that ``step`` takes what it puts into ``place`` from; None where it takes it
    from elsewhere, or changes it."""
    decoded, writes, target = step.decoded, step.writes, step.decoded.destination
    if writes is None or target is None or decoded.saturate or target.type.size != size:
        return None
    if decoded.send is not None or not decoded.sources:
        return None  # what a message gives is no register's
    source = decoded.sources[0]
    if source.file is not RegisterFile.GRF or source.indirect or source.negate or source.absolute:
        return None
    if source.type.size != size or "F" in source.type.name + target.type.name:
        is_copy = decoded.opcode is Opcode.MOV and source.type is target.type
        if source.type.size != size or not is_copy:
            return None
    index, rest = divmod(place.first - writes.first, max(writes.stride, size))
    if rest or (place.stride and (index or place.stride != writes.stride)):
        return None
    first = source.register_number * flow.grf_bytes + source.byte_offset
    region = source.region
    is_single = region.width <= 1 and region.vertical == 0
    if is_single:
        return Span(first, first + size, 0, size)
    is_plain = region.horizontal == 1 and region.vertical == region.width
    if not is_plain and not (region.width <= 1 and region.vertical == 1):
        return None
    first += index * size
    return Span(first, first + place.end - place.first, place.stride, size)


def _start(setting: Step, size: int) -> int | None:
    target = setting.decoded.destination
    if setting.decoded.opcode is not Opcode.MOV or target is None or target.type.size != size:
        return None
    return constant_of(setting.decoded.sources[0])


def constant_of(source: Operand) -> int | None:
    """The whole number that an operand is, None if it is none."""
    if source.file is not RegisterFile.IMMEDIATE or source.negate or source.absolute:
        return None
    name = source.type.name
    if name not in ("W", "UW", "D", "UD", "Q", "UQ"):
        return None
    bits = 8 * source.type.size
    number = source.immediate & (1 << bits) - 1
    return number - (1 << bits) if not name.startswith("U") and number >> (bits - 1) else number
