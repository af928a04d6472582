"""What instructions without a message write: arithmetic, moves, comparisons, calls."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.xe.flow.operands import destination_element, indexed_element, source_element
from zedbg.xe.flow.places import Assignment, OtherPlace, RegisterPlace, Role, Source
from zedbg.xe.flow.thread_view import (
    ThreadView,
    acting_lanes,
    flag_place,
    lanes_of_instruction,
    predicate_holds,
    predicate_places,
)
from zedbg.xe.instruction import Decoded, RegisterFile
from zedbg.xe.isa.names import Condition, DataType, Predicate
from zedbg.xe.isa.opcodes import Opcode, Operation, Trait
from zedbg.xe.isa.platform import Platform
from zedbg.xe.registers import RegisterKind

_WITHOUT_FLAGS = frozenset({Opcode.SEL, Opcode.CSEL})  # their condition chooses an operand
_CARRIES = frozenset({Opcode.ADDC, Opcode.SUBB})
_LINK_BYTES = 8  # return address and lanes of a call
_LINK = OtherPlace("the address after the call, and the calling lanes")


def arithmetic(decoded: Decoded, view: ThreadView) -> Iterator[Assignment]:
    """What each lane of an arithmetic instruction writes."""
    selects = decoded.opcode is Opcode.SEL and decoded.condition is Condition.NONE
    lanes = lanes_of_instruction(decoded, view) if selects else acting_lanes(decoded, view)
    if decoded.opcode is Opcode.CSEL and decoded.condition is Condition.NONE:
        return  # selects a register from itself
    flags = view.read_registers(RegisterKind.FLAG)
    for lane in lanes:
        sources = _sources(decoded, view, lane, selects, flags)
        yield from _results(decoded, view, lane, sources)


def call(decoded: Decoded, view: ThreadView) -> Iterator[Assignment]:
    """What a call writes: where to return to."""
    if decoded.destination is not None and acting_lanes(decoded, view):
        target, _ = destination_element(view, decoded.destination, 0)
        if isinstance(target, RegisterPlace):
            link = RegisterPlace.of_bytes(target.kind, target.first, _LINK_BYTES)
            yield Assignment(None, link, (Source(_LINK),))


def _sources(
    decoded: Decoded, view: ThreadView, lane: int, selects: bool, flags: bytes
) -> tuple[Source, ...]:
    index = lane - decoded.channel_offset
    operands = list(decoded.sources)
    if selects:
        first = predicate_holds(decoded, lane, flags)
        operands = [operands[0] if first else operands[1]]
    found: list[Source] = []
    for operand in operands:
        element = (
            indexed_element
            if decoded.opcode is Opcode.MOVI and operand.indirect
            else source_element
        )
        found += element(view, operand, index)
    if decoded.opcode.has_trait(Trait.ACCUMULATES):
        found.append(Source(_accumulator_element(decoded, index)))
    conditions = predicate_places(decoded, lane)
    return (*found, *(Source(place, Role.CONDITION) for place in conditions))


def _accumulator_element(decoded: Decoded, index: int) -> RegisterPlace:
    """That of acc0 which a sum is added to: words lie side by side, all else in dwords."""
    kind = DataType.UD if decoded.destination is None else decoded.destination.type
    size = 2 if decoded.opcode is Opcode.MAC and kind.size == 2 else 4
    if decoded.opcode is Opcode.MAC and kind.is_floating:
        size = kind.size
    return RegisterPlace.of_bytes(RegisterKind.ACC, _implicit_start(decoded) + index * size, size)


def _implicit_start(decoded: Decoded) -> int:
    """Bytes into acc0 of the first lane's element, where no accumulator is named: those of the
    destination into its register."""
    destination = decoded.destination
    if destination is None or destination.is_null or destination.indirect:
        return 0
    return destination.byte_offset


def _results(
    decoded: Decoded, view: ThreadView, lane: int, sources: tuple[Source, ...]
) -> Iterator[Assignment]:
    index = lane - decoded.channel_offset
    destination = decoded.destination
    if destination is None:
        return
    if not destination.is_null:
        target, where = destination_element(view, destination, index)
        if isinstance(target, RegisterPlace | OtherPlace):
            copies = _copies(decoded)
            yield Assignment(lane, target, (*sources, *where), copies, destination.type)
    if decoded.condition is not Condition.NONE and decoded.opcode not in _WITHOUT_FLAGS:
        yield Assignment(lane, flag_place(decoded, lane), sources)
    high_product = decoded.opcode is Opcode.MACH and view.platform is not Platform.XE_HPG
    if decoded.accumulator_write or decoded.opcode in _CARRIES or high_product:
        size = destination.type.size
        at = _implicit_start(decoded) + index * size
        element = RegisterPlace.of_bytes(RegisterKind.ACC, at, size)
        yield Assignment(lane, element, sources, type=destination.type)


def _copies(decoded: Decoded) -> bool:
    """Whether the destination gets the bytes of its source as they are."""
    moves = decoded.opcode.row.operation is Operation.MOVE or (
        decoded.opcode is Opcode.SEL
        and decoded.condition is Condition.NONE
        and decoded.predicate is not Predicate.NONE
    )
    if not moves or decoded.saturate or decoded.destination is None:
        return False
    size, kind = decoded.destination.type.size, decoded.destination.type
    return all(
        source.file is not RegisterFile.IMMEDIATE
        and not source.negate
        and not source.absolute
        and source.type.size == size
        and (source.type is kind or not (source.type.is_floating or kind.is_floating))
        for source in decoded.sources
    )
