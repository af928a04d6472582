"""Messages to the data cache, send.dc0 and send.dc1: the data port that compilers up to about 2023
use on Xe-HPG.

Fields as in the programmer's reference manuals of Gen9 to Gen12, volume "Memory Data Formats".
"""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.xe import data_cache_fields as fields
from zedbg.xe.data_message import (
    Access,
    AddressModel,
    AddressOrder,
    DataMessage,
    MessageError,
    SendWords,
)
from zedbg.xe.isa.names import SharedFunction


def data_cache_message(send: SendWords) -> DataMessage | None:
    """What ``send`` accesses, None for a fence; raises MessageError."""
    kind = send.field(*fields.TYPE)
    if send.function is SharedFunction.DC0:
        if send.field(*fields.SCRATCH_BLOCK):
            return _scratch_block(send)
        if kind == fields.DC0_FENCE:
            return None
        entry = fields.DC0.get(kind)
    else:
        entry = fields.DC1.get(kind)
    if entry is None:
        raise MessageError(f"message {kind} of the data cache is not known")
    return _message(send, *entry)


def _message(send: SendWords, access: Access, layout: fields.Layout) -> DataMessage:
    match layout:
        case fields.Layout.IMAGE:
            return DataMessage(access, AddressModel.IMAGE)
        case fields.Layout.OWORD_BLOCK:
            return _block(send, access, 8, _oword_bytes(send), address_shift=4)
        case fields.Layout.ALIGNED_BLOCK:
            if send.field(*fields.HWORD_BLOCK):
                return _block(send, access, 8, _hword_bytes(send))
            return _block(send, access, 8, _oword_bytes(send), alignment=4)
        case fields.Layout.A64_BLOCK:
            kind = send.field(*fields.A64_BLOCK_KIND)
            extent = _hword_bytes(send) if kind == fields.HWORDS else _oword_bytes(send)
            alignment = fields.A64_BLOCK_ALIGNMENTS[kind]
            return _block(send, access, 0, extent, alignment=alignment, flat=True)
        case fields.Layout.DWORDS:
            return _lanes(send, access, 4, address_shift=2)
        case fields.Layout.QWORDS:
            return _lanes(send, access, 8, address_shift=3)
        case fields.Layout.BYTES:
            return _lanes(send, access, 1 << send.field(*fields.ELEMENTS))
        case fields.Layout.COMPONENTS | fields.Layout.A64_COMPONENTS:
            extent = 4 * (~send.field(*fields.DISABLED_COMPONENTS) & 0xF).bit_length()
            flat = layout is fields.Layout.A64_COMPONENTS
            return _lanes(send, access, extent, alignment=4, flat=flat)
        case fields.Layout.A64_SCATTER:
            unit = (1, 4, 8, 1)[send.field(*fields.A64_SCATTER_KIND)]
            extent = unit << send.field(*fields.ELEMENTS)
            return _lanes(send, access, extent, alignment=unit, flat=True)
        case fields.Layout.ATOMIC:
            return _lanes(send, access, 4)
        case fields.Layout.WORD_ATOMIC | fields.Layout.HALF_ATOMIC:
            return _lanes(send, access, 2)
        case fields.Layout.A64_WORD_ATOMIC | fields.Layout.A64_HALF_ATOMIC:
            return _lanes(send, access, 2, flat=True)
        case fields.Layout.A64_ATOMIC:
            return _lanes(send, access, 8 if send.field(*fields.ATOMIC_64) else 4, flat=True)
        case fields.Layout.FLOAT_ATOMIC | fields.Layout.A64_FLOAT_ATOMIC:
            double = send.field(*fields.FLOAT_OPERATION) >= fields.FIRST_DOUBLE_OPERATION
            flat = layout is fields.Layout.A64_FLOAT_ATOMIC
            return _lanes(send, access, 8 if double else 4, flat=flat)


def _scratch_block(send: SendWords) -> DataMessage:
    return DataMessage(
        Access.WRITE if send.field(*fields.SCRATCH_WRITE) else Access.READ,
        AddressModel.SCRATCH,
        AddressOrder.BLOCK,
        offset=send.field(*fields.SCRATCH_OFFSET) * fields.SCRATCH_UNIT,
        extent=fields.SCRATCH_UNIT << send.field(*fields.SCRATCH_COUNT),
    )


@dataclass(frozen=True)
class _Target:
    model: AddressModel
    surface: int = 0


def _target(send: SendWords, flat: bool) -> _Target:
    if flat:
        return _Target(AddressModel.FLAT)
    index = send.field(*fields.BINDING_TABLE_INDEX)
    if index in fields.STATELESS:
        return _Target(AddressModel.STATELESS)
    if index == fields.LOCAL:
        return _Target(AddressModel.LOCAL)
    if index != fields.BINDLESS:
        return _Target(AddressModel.BINDING_TABLE, index)
    if send.extended_bindless_offset:
        return _Target(AddressModel.HEAP_SURFACE, send.extended & fields.STATE_MASK_FINE)
    units = send.extended >> fields.STATE_UNIT_SHIFT
    return _Target(AddressModel.HEAP_SURFACE, units * fields.STATE_UNIT)


def _lanes(
    send: SendWords,
    access: Access,
    extent: int,
    *,
    address_shift: int = 0,
    alignment: int = 1,
    flat: bool = False,
) -> DataMessage:
    """One address a lane, after a header if there is one."""
    target = _target(send, flat)
    return DataMessage(
        access,
        target.model,
        AddressOrder.PER_LANE,
        target.surface,
        address_bytes=8 if flat else 4,
        address_start=send.platform.grf_bytes * send.field(*fields.HEADER),
        address_shift=address_shift,
        extent=extent,
        alignment=extent if access is Access.ATOMIC else alignment,
    )


def _block(
    send: SendWords,
    access: Access,
    address_start: int,
    extent: int,
    *,
    address_shift: int = 0,
    alignment: int = 1,
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
        alignment=alignment,
    )


def _oword_bytes(send: SendWords) -> int:
    code = send.field(*fields.BLOCK_COUNT)
    if code >= len(fields.OWORDS):
        raise MessageError("its descriptor has a reserved size")
    return 16 * fields.OWORDS[code]


def _hword_bytes(send: SendWords) -> int:
    return 32 << send.field(*fields.BLOCK_COUNT)
