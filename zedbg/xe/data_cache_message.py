"""Messages to the data cache, send.dc0 and send.dc1: the data port that compilers up to about 2023
use on Xe-HPG.

Fields as in the programmer's reference manuals of Gen9 to Gen12, volume "Memory Data Formats".
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from zedbg.xe.data_message import (
    Access,
    AddressModel,
    AddressOrder,
    DataMessage,
    MessageError,
    SendWords,
)
from zedbg.xe.isa.names import SharedFunction

_BINDING_TABLE_INDEX = (0, 8)
_TYPE = (14, 5)
_HEADER = (19, 1)
_SCRATCH_BLOCK, _SCRATCH_WRITE = (18, 1), (17, 1)
_SCRATCH_COUNT, _SCRATCH_OFFSET, _SCRATCH_UNIT = (12, 2), (0, 12), 32
_BLOCK_COUNT, _HWORD_BLOCK, _A64_BLOCK_KIND = (8, 3), (13, 1), (11, 2)
_OWORDS = (1, 1, 2, 4, 8, 16)
_ELEMENTS, _A64_SCATTER_KIND = (10, 2), (8, 2)
_DISABLED_COMPONENTS = (8, 4)
_ATOMIC_64 = (12, 1)
_FLOAT_OPERATION, _FIRST_DOUBLE_OPERATION = (8, 3), 6

_STATELESS = frozenset({0xFD, 0xFF})
_LOCAL, _BINDLESS = 0xFE, 0xFC
_STATE_MASK_FINE = 0xFFFF_FFC0
_STATE_UNIT_SHIFT, _STATE_UNIT = 12, 64


class _Layout(Enum):
    """How to read the rest of the descriptor."""

    OWORD_BLOCK = auto()
    ALIGNED_BLOCK = auto()
    DWORDS = auto()
    QWORDS = auto()
    BYTES = auto()
    COMPONENTS = auto()
    A64_COMPONENTS = auto()
    A64_SCATTER = auto()
    A64_BLOCK = auto()
    ATOMIC = auto()
    WORD_ATOMIC = auto()
    A64_ATOMIC = auto()
    A64_WORD_ATOMIC = auto()
    FLOAT_ATOMIC = auto()
    A64_FLOAT_ATOMIC = auto()
    IMAGE = auto()


_Entry = tuple[Access, _Layout]
_DC0_FENCE = 7
_DC0: dict[int, _Entry] = {
    0: (Access.READ, _Layout.OWORD_BLOCK),
    1: (Access.READ, _Layout.ALIGNED_BLOCK),
    3: (Access.READ, _Layout.DWORDS),
    4: (Access.READ, _Layout.BYTES),
    5: (Access.READ, _Layout.QWORDS),
    8: (Access.WRITE, _Layout.OWORD_BLOCK),
    11: (Access.WRITE, _Layout.DWORDS),
    12: (Access.WRITE, _Layout.BYTES),
    13: (Access.WRITE, _Layout.QWORDS),
}
_DC1: dict[int, _Entry] = {
    1: (Access.READ, _Layout.COMPONENTS),
    2: (Access.ATOMIC, _Layout.ATOMIC),
    3: (Access.ATOMIC, _Layout.WORD_ATOMIC),
    4: (Access.READ, _Layout.IMAGE),
    5: (Access.READ, _Layout.IMAGE),
    6: (Access.ATOMIC, _Layout.IMAGE),
    9: (Access.WRITE, _Layout.COMPONENTS),
    10: (Access.WRITE, _Layout.IMAGE),
    13: (Access.WRITE, _Layout.IMAGE),
    16: (Access.READ, _Layout.A64_SCATTER),
    17: (Access.READ, _Layout.A64_COMPONENTS),
    18: (Access.ATOMIC, _Layout.A64_ATOMIC),
    19: (Access.ATOMIC, _Layout.A64_WORD_ATOMIC),
    20: (Access.READ, _Layout.A64_BLOCK),
    21: (Access.WRITE, _Layout.A64_BLOCK),
    25: (Access.WRITE, _Layout.A64_COMPONENTS),
    26: (Access.WRITE, _Layout.A64_SCATTER),
    27: (Access.ATOMIC, _Layout.FLOAT_ATOMIC),
    28: (Access.ATOMIC, _Layout.WORD_ATOMIC),
    29: (Access.ATOMIC, _Layout.A64_FLOAT_ATOMIC),
    30: (Access.ATOMIC, _Layout.A64_WORD_ATOMIC),
}


def data_cache_message(send: SendWords) -> DataMessage | None:
    """What ``send`` accesses, None for a fence; raises MessageError."""
    kind = send.field(*_TYPE)
    if send.function is SharedFunction.DC0:
        if send.field(*_SCRATCH_BLOCK):
            return _scratch_block(send)
        if kind == _DC0_FENCE:
            return None
        entry = _DC0.get(kind)
    else:
        entry = _DC1.get(kind)
    if entry is None:
        raise MessageError(f"message {kind} of the data cache is not known")
    return _message(send, *entry)


def _message(send: SendWords, access: Access, layout: _Layout) -> DataMessage:
    match layout:
        case _Layout.IMAGE:
            return DataMessage(access, AddressModel.IMAGE)
        case _Layout.OWORD_BLOCK:
            return _block(send, access, 8, _oword_bytes(send), address_shift=4)
        case _Layout.ALIGNED_BLOCK:
            hwords = send.field(*_HWORD_BLOCK)
            return _block(send, access, 8, _hword_bytes(send) if hwords else _oword_bytes(send))
        case _Layout.A64_BLOCK:
            hwords = send.field(*_A64_BLOCK_KIND) == 3
            return _block(
                send, access, 0, _hword_bytes(send) if hwords else _oword_bytes(send), flat=True
            )
        case _Layout.DWORDS:
            return _lanes(send, access, 4, address_shift=2)
        case _Layout.QWORDS:
            return _lanes(send, access, 8, address_shift=3)
        case _Layout.BYTES:
            return _lanes(send, access, 1 << send.field(*_ELEMENTS))
        case _Layout.COMPONENTS | _Layout.A64_COMPONENTS:
            extent = 4 * (~send.field(*_DISABLED_COMPONENTS) & 0xF).bit_length()
            return _lanes(send, access, extent, flat=layout is _Layout.A64_COMPONENTS)
        case _Layout.A64_SCATTER:
            unit = (1, 4, 8, 1)[send.field(*_A64_SCATTER_KIND)]
            return _lanes(send, access, unit << send.field(*_ELEMENTS), flat=True)
        case _Layout.ATOMIC:
            return _lanes(send, access, 4)
        case _Layout.WORD_ATOMIC | _Layout.A64_WORD_ATOMIC:
            return _lanes(send, access, 2, flat=layout is _Layout.A64_WORD_ATOMIC)
        case _Layout.A64_ATOMIC:
            return _lanes(send, access, 8 if send.field(*_ATOMIC_64) else 4, flat=True)
        case _Layout.FLOAT_ATOMIC | _Layout.A64_FLOAT_ATOMIC:
            double = send.field(*_FLOAT_OPERATION) >= _FIRST_DOUBLE_OPERATION
            flat = layout is _Layout.A64_FLOAT_ATOMIC
            return _lanes(send, access, 8 if double else 4, flat=flat)


def _scratch_block(send: SendWords) -> DataMessage:
    return DataMessage(
        Access.WRITE if send.field(*_SCRATCH_WRITE) else Access.READ,
        AddressModel.SCRATCH,
        AddressOrder.BLOCK,
        offset=send.field(*_SCRATCH_OFFSET) * _SCRATCH_UNIT,
        extent=_SCRATCH_UNIT << send.field(*_SCRATCH_COUNT),
    )


@dataclass(frozen=True)
class _Target:
    model: AddressModel
    surface: int = 0


def _target(send: SendWords, flat: bool) -> _Target:
    if flat:
        return _Target(AddressModel.FLAT)
    index = send.field(*_BINDING_TABLE_INDEX)
    if index in _STATELESS:
        return _Target(AddressModel.STATELESS)
    if index == _LOCAL:
        return _Target(AddressModel.LOCAL)
    if index != _BINDLESS:
        return _Target(AddressModel.BINDING_TABLE, index)
    if send.extended_bindless_offset:
        return _Target(AddressModel.HEAP_SURFACE, send.extended & _STATE_MASK_FINE)
    units = send.extended >> _STATE_UNIT_SHIFT
    return _Target(AddressModel.HEAP_SURFACE, units * _STATE_UNIT)


def _lanes(
    send: SendWords, access: Access, extent: int, *, address_shift: int = 0, flat: bool = False
) -> DataMessage:
    """One address a lane, behind a header if there is one."""
    target = _target(send, flat)
    return DataMessage(
        access,
        target.model,
        AddressOrder.PER_LANE,
        target.surface,
        address_bytes=8 if flat else 4,
        address_start=send.platform.grf_bytes * send.field(*_HEADER),
        address_shift=address_shift,
        extent=extent,
    )


def _block(
    send: SendWords,
    access: Access,
    address_start: int,
    extent: int,
    *,
    address_shift: int = 0,
    flat: bool = False,
) -> DataMessage:
    """One address in a header."""
    target = _target(send, flat)
    return DataMessage(
        access,
        target.model,
        AddressOrder.BLOCK,
        target.surface,
        address_bytes=8 if flat else 4,
        address_start=address_start,
        address_shift=address_shift,
        extent=extent,
    )


def _oword_bytes(send: SendWords) -> int:
    code = send.field(*_BLOCK_COUNT)
    if code >= len(_OWORDS):
        raise MessageError("its descriptor has a reserved size")
    return 16 * _OWORDS[code]


def _hword_bytes(send: SendWords) -> int:
    return 32 << send.field(*_BLOCK_COUNT)
