"""The places of an operand's elements."""

from __future__ import annotations

import struct

from zedbg.xe.flow.places import ConstantPlace, OtherPlace, Place, RegisterPlace, Role, Source
from zedbg.xe.flow.thread_view import ThreadView
from zedbg.xe.instruction import Operand, RegisterFile
from zedbg.xe.isa.names import Arf
from zedbg.xe.registers import RegisterKind

_KINDS = {
    Arf.ADDRESS: RegisterKind.ADDR,
    Arf.ACCUMULATOR: RegisterKind.ACC,
    Arf.FLAG: RegisterKind.FLAG,
    Arf.CHANNEL_ENABLE: RegisterKind.CE,
    Arf.MESSAGE: RegisterKind.MSG,
    Arf.STACK_POINTER: RegisterKind.SP,
    Arf.STATE: RegisterKind.SR,
    Arf.CONTROL: RegisterKind.CR,
    Arf.THREAD_DEPENDENCY: RegisterKind.TDR,
    Arf.DEBUG: RegisterKind.DBG,
    Arf.MME: RegisterKind.MME,
    Arf.SCALAR: RegisterKind.SCALAR,
}
_FLAG_BYTES = 4
_NIBBLE_VECTORS, _FLOAT_ELEMENT = 2, 4  # bytes of an element, unpacked


def element_offset(operand: Operand, index: int) -> int:
    """Bytes from the first element of a source to its element ``index``."""
    region = operand.region
    row, column = divmod(index, max(region.width, 1))
    return (row * region.vertical + column * region.horizontal) * operand.type.size


def source_element(view: ThreadView, operand: Operand, index: int) -> tuple[Source, ...]:
    """What element ``index`` of a source is taken from: its value, then what says where it is."""
    if operand.file is RegisterFile.IMMEDIATE:
        return (Source(ConstantPlace(operand.type, operand.immediate), type=operand.type),)
    if operand.is_null:
        return ()
    if operand.indirect:
        return _indirect_source(view, operand, index)
    place = register_bytes(view, operand, element_offset(operand, index), operand.type.size)
    return (Source(place, type=operand.type),)


def destination_element(
    view: ThreadView, operand: Operand, index: int
) -> tuple[Place, tuple[Source, ...]]:
    """Where element ``index`` of a destination is, and what says so."""
    offset = index * max(operand.region.horizontal, 1) * operand.type.size
    if not operand.indirect:
        return register_bytes(view, operand, offset, operand.type.size), ()
    address, places = _address(view, operand, 0)
    target = RegisterPlace.of_bytes(RegisterKind.GRF, address + offset, operand.type.size)
    return target, (Source(places, Role.ADDRESS),)


def register_bytes(view: ThreadView, operand: Operand, offset: int, size: int) -> Place:
    """``size`` bytes, ``offset`` bytes into a register operand."""
    first = operand.byte_offset + offset
    if operand.file is RegisterFile.GRF:
        first += operand.register_number * view.platform.grf_bytes
        return RegisterPlace.of_bytes(RegisterKind.GRF, first, size)
    kind = _KINDS.get(operand.arf)
    if kind is None:
        return OtherPlace(f"{operand.arf.value}{operand.register_number}")
    if operand.arf is Arf.FLAG:
        first += operand.register_number * _FLAG_BYTES
    else:
        first += operand.register_number * view.platform.grf_bytes
    return RegisterPlace.of_bytes(kind, first, size)


def whole_registers(view: ThreadView, operand: Operand, offset: int, size: int) -> RegisterPlace:
    """``size`` bytes, ``offset`` bytes into an operand of a message."""
    first = operand.register_number * view.platform.grf_bytes + offset
    return RegisterPlace.of_bytes(RegisterKind.GRF, first, size)


def indexed_element(view: ThreadView, operand: Operand, index: int) -> tuple[Source, ...]:
    """What lane ``index`` of movi takes: all use the register of the first address, and each the
    byte in it of its own."""
    first, _ = _address(view, operand, 0)
    own, place = _address(view, operand, index)
    register, size = view.platform.grf_bytes, operand.type.size
    at = first // register * register + own % register // size * size
    return (
        Source(RegisterPlace.of_bytes(RegisterKind.GRF, at, size), type=operand.type),
        Source(place, Role.ADDRESS),
    )


def _indirect_source(view: ThreadView, operand: Operand, index: int) -> tuple[Source, ...]:
    region = operand.region
    row, column = divmod(index, max(region.width, 1))
    if region.vertical_by_address:
        address, place = _address(view, operand, row)
        offset = column * region.horizontal * operand.type.size
    else:
        address, place = _address(view, operand, 0)
        offset = element_offset(operand, index)
    first, size = address + offset, operand.type.size
    value: Place
    if 0 <= first <= len(view.read_registers(RegisterKind.GRF)) - size:
        value = RegisterPlace.of_bytes(RegisterKind.GRF, first, size)
    else:  # beyond the registers: read as zero
        value = ConstantPlace(operand.type, 0)
    return Source(value, type=operand.type), Source(place, Role.ADDRESS)


def _address(view: ThreadView, operand: Operand, row: int) -> tuple[int, RegisterPlace]:
    """Byte of the register file that row ``row`` starts at, and the register that says so."""
    first = 2 * (operand.address_subregister + row)
    word: int = struct.unpack_from("<H", view.read_registers(RegisterKind.ADDR), first)[0]
    place = RegisterPlace.of_bytes(RegisterKind.ADDR, first, 2)
    return word + operand.address_immediate, place
