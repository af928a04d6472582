"""Messages to the data cache, send.dc0 and send.dc1: the data port that compilers up to about 2023
use on Xe-HPG.

Fields as in the programmer's reference manuals of Gen9 to Gen12, volume "Memory Data Formats".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from zedbg.xe.data_message import (
    Access,
    AddressModel,
    AddressOrder,
    DataMessage,
    Elements,
    MessageError,
    SendWords,
)
from zedbg.xe.instruction import Send
from zedbg.xe.isa import data_cache
from zedbg.xe.isa.data_cache import A64BlockKind, A64ScatterKind, Layout
from zedbg.xe.isa.messages import DataOperation
from zedbg.xe.isa.names import SharedFunction

_ACCESS = {
    DataOperation.LOAD: Access.READ,
    DataOperation.STORE: Access.WRITE,
    DataOperation.ATOMIC: Access.ATOMIC,
}
_MESSAGES: dict[SharedFunction, tuple[data_cache.Message | None, ...]] = {
    SharedFunction.DC0: data_cache.DC0_MESSAGES,
    SharedFunction.DC1: data_cache.DC1_MESSAGES,
}
_STATELESS = (data_cache.STATELESS_COHERENT, data_cache.STATELESS_NON_COHERENT)
_BLOCK_ALIGNMENTS = {  # bytes; compilers store at dwords
    (A64BlockKind.OWORD, Access.READ): data_cache.OWORD_BYTES,
    (A64BlockKind.OWORD, Access.WRITE): 4,
    (A64BlockKind.OWORD_UNALIGNED, Access.READ): 4,
    (A64BlockKind.OWORD_UNALIGNED, Access.WRITE): 4,
}
_SCATTER_UNITS = {A64ScatterKind.DWORD: 4, A64ScatterKind.QWORD: 8}  # bytes; bytes otherwise


def data_cache_message(send: SendWords) -> DataMessage | None:
    """What ``send`` accesses, None for a fence; raises MessageError."""
    kind = data_cache.TYPE.of(send.descriptor)
    messages = _MESSAGES[send.function]
    if send.function is SharedFunction.DC0 and data_cache.SCRATCH_BLOCK.of(send.descriptor):
        return _scratch_block(send)
    message = messages[kind] if kind < len(messages) else None
    if message is None or message.layout is Layout.UNSUPPORTED:
        raise MessageError(f"message {kind} of the data cache is not known")
    if message.layout is Layout.FENCE:
        return None
    decoded = _message(send, _ACCESS[message.operation], message.layout)
    return replace(decoded, elements=_elements(send.descriptor, message.layout))


def _message(send: SendWords, access: Access, layout: Layout) -> DataMessage:
    descriptor = send.descriptor
    match layout:
        case Layout.OWORD_BLOCK:
            return _block(send, access, 8, _oword_bytes(send), address_shift=4)
        case Layout.ALIGNED_BLOCK:
            if data_cache.HWORD_BLOCK.of(descriptor):
                return _block(send, access, 8, _hword_bytes(send))
            return _block(send, access, 8, _oword_bytes(send), alignment=4)
        case Layout.A64_BLOCK:
            kind = A64BlockKind(data_cache.A64_BLOCK_KIND.of(descriptor))
            extent = _hword_bytes(send) if kind is A64BlockKind.HWORD else _oword_bytes(send)
            alignment = _BLOCK_ALIGNMENTS.get((kind, access), 1)
            return _block(send, access, 0, extent, alignment=alignment, flat=True)
        case Layout.DWORD_SCATTER:
            return _lanes(send, access, 4, address_shift=2)
        case Layout.QWORD_SCATTER:
            return _lanes(send, access, 8, address_shift=3)
        case Layout.BYTE_SCATTER:
            return _lanes(send, access, 1 << data_cache.ELEMENT_COUNT.of(descriptor))
        case Layout.UNTYPED_SURFACE | Layout.A64_UNTYPED_SURFACE:
            extent = 4 * (~data_cache.DISABLED_COMPONENTS.of(descriptor) & 0xF).bit_length()
            flat = layout is Layout.A64_UNTYPED_SURFACE
            return _lanes(send, access, extent, alignment=4, flat=flat)
        case Layout.A64_SCATTER:
            elements = A64ScatterKind(data_cache.A64_SCATTER_KIND.of(descriptor))
            unit = _SCATTER_UNITS.get(elements, 1)
            extent = unit << data_cache.ELEMENT_COUNT.of(descriptor)
            return _lanes(send, access, extent, alignment=unit, flat=True)
        case Layout.INTEGER_ATOMIC:
            return _lanes(send, access, 4)
        case Layout.WORD_ATOMIC | Layout.HALF_ATOMIC:
            return _lanes(send, access, 2)
        case Layout.A64_WORD_ATOMIC | Layout.A64_HALF_ATOMIC:
            return _lanes(send, access, 2, flat=True)
        case Layout.A64_INTEGER_ATOMIC:
            return _lanes(send, access, 8 if data_cache.ATOMIC64.of(descriptor) else 4, flat=True)
        case Layout.FLOAT_ATOMIC | Layout.A64_FLOAT_ATOMIC:
            code = data_cache.FLOAT_ATOMIC_OPERATION.of(descriptor)
            extent = 8 if code >= data_cache.FIRST_DOUBLE_ATOMIC else 4
            return _lanes(send, access, extent, flat=layout is Layout.A64_FLOAT_ATOMIC)
        case _:  # images
            return DataMessage(access, AddressModel.IMAGE)


def response_bytes(send: Send, lanes: int) -> tuple[int, int] | None:
    """The first byte, and the end, of what a load of one oword writes to its destination, or one of
    a dword for each lane where ``lanes`` is one; None for other messages, which write
    whole registers. The rest of the register is left as it was: compilers keep something else
    there."""
    if send.function not in _MESSAGES or send.descriptor is None:
        return None
    if send.function is SharedFunction.DC0 and data_cache.SCRATCH_BLOCK.of(send.descriptor):
        return None
    messages, kind = _MESSAGES[send.function], data_cache.TYPE.of(send.descriptor)
    message = messages[kind] if kind < len(messages) else None
    if message is None or message.operation is not DataOperation.LOAD:
        return None
    if _has_dwords(send.descriptor, message.layout) and lanes == send.response_length == 1:
        return 0, 4
    if message.layout not in _BLOCKS or _has_hwords(send.descriptor, message.layout):
        return None
    block = data_cache.OWORD_BLOCKS[data_cache.BLOCK_COUNT.of(send.descriptor)]
    if block is None or block.owords > 1:
        return None
    return block.register_start, block.register_start + data_cache.OWORD_BYTES


def _has_dwords(descriptor: int, layout: Layout) -> bool:
    """Whether a message of ``layout`` has one dword for each lane."""
    if layout in _UNTYPED:
        return ~data_cache.DISABLED_COMPONENTS.of(descriptor) & 0xF == 1
    return layout in (Layout.BYTE_SCATTER, Layout.DWORD_SCATTER)


_BLOCKS = frozenset({Layout.OWORD_BLOCK, Layout.ALIGNED_BLOCK, Layout.A64_BLOCK})
_SCATTER_BYTES = {Layout.DWORD_SCATTER: 4, Layout.QWORD_SCATTER: 8}
_UNTYPED = frozenset({Layout.UNTYPED_SURFACE, Layout.A64_UNTYPED_SURFACE})
_WORD_ATOMICS = frozenset(
    {Layout.WORD_ATOMIC, Layout.A64_WORD_ATOMIC, Layout.HALF_ATOMIC, Layout.A64_HALF_ATOMIC}
)
_FLOAT_ATOMICS = frozenset(
    {
        *(Layout.FLOAT_ATOMIC, Layout.A64_FLOAT_ATOMIC),
        *(Layout.HALF_ATOMIC, Layout.A64_HALF_ATOMIC),
    }
)
_FLAT_ATOMICS = frozenset(
    {
        *(Layout.A64_INTEGER_ATOMIC, Layout.A64_WORD_ATOMIC),
        *(Layout.A64_FLOAT_ATOMIC, Layout.A64_HALF_ATOMIC),
    }
)
_SIMD16_UNTYPED = 1


def _elements(descriptor: int, layout: Layout) -> Elements:
    """How the data of a message of ``layout`` lie."""
    log2 = data_cache.ELEMENT_COUNT.of(descriptor)
    if layout in _BLOCKS:
        return Elements(register_start=_block_start(descriptor, layout))
    if layout in _UNTYPED:
        simd16 = data_cache.SIMD_MODE_UNTYPED.of(descriptor) == _SIMD16_UNTYPED
        mask = ~data_cache.DISABLED_COMPONENTS.of(descriptor) & 0xF
        return Elements(components=mask, slots=_slots(simd16))
    if layout is Layout.A64_SCATTER:
        slots = _slots(bool(data_cache.SIMD16_A64_SCATTER.of(descriptor)))
        kind = A64ScatterKind(data_cache.A64_SCATTER_KIND.of(descriptor))
        if kind is A64ScatterKind.BYTE:
            return Elements(1 << log2, 4, slots=slots)
        size = _SCATTER_UNITS.get(kind, 1)
        return Elements(size, size, components=(1 << (1 << log2)) - 1, slots=slots)
    if layout in _SCATTER_BYTES or layout is Layout.BYTE_SCATTER:
        slots = _slots(bool(data_cache.SIMD16_SCATTER.of(descriptor)))
        size = _SCATTER_BYTES.get(layout, 1 << log2)
        return Elements(size, max(size, 4), slots=slots)
    return _atomic_elements(descriptor, layout)


def _block_start(descriptor: int, layout: Layout) -> int:
    """Bytes from the start of the first register to the block."""
    if _has_hwords(descriptor, layout):
        return 0
    block = data_cache.OWORD_BLOCKS[data_cache.BLOCK_COUNT.of(descriptor)]
    return 0 if block is None else block.register_start


def _has_hwords(descriptor: int, layout: Layout) -> bool:
    """Whether a message of ``layout``, which is that of blocks, counts hwords instead of owords."""
    if layout is Layout.A64_BLOCK:
        kind = data_cache.A64_BLOCK_KIND.of(descriptor)
        return A64BlockKind(kind) is A64BlockKind.HWORD
    return layout is Layout.ALIGNED_BLOCK and bool(data_cache.HWORD_BLOCK.of(descriptor))


def _atomic_elements(descriptor: int, layout: Layout) -> Elements:
    code = data_cache.ATOMIC_OPERATION.of(descriptor)
    atomic = data_cache.INTEGER_ATOMICS[code]
    size = 2 if layout in _WORD_ATOMICS else 4
    if layout is Layout.A64_INTEGER_ATOMIC and data_cache.ATOMIC64.of(descriptor):
        size = 8
    if layout in _FLOAT_ATOMICS:
        code = data_cache.FLOAT_ATOMIC_OPERATION.of(descriptor)
        atomic = data_cache.FLOAT_ATOMICS[code]
        size = 8 if code >= data_cache.FIRST_DOUBLE_ATOMIC else size
    simd8 = layout in _FLAT_ATOMICS or bool(data_cache.SIMD8_ATOMIC.of(descriptor))
    return Elements(
        size,
        max(size, 4),
        slots=_slots(not simd8),
        atomic=None if atomic is None else atomic.operation,
        returns_data=bool(data_cache.RETURNS_DATA.of(descriptor)),
    )


def _slots(simd16: bool) -> int:
    return 16 if simd16 else 8


def _scratch_block(send: SendWords) -> DataMessage:
    return DataMessage(
        Access.WRITE if data_cache.SCRATCH_WRITE.of(send.descriptor) else Access.READ,
        AddressModel.SCRATCH,
        AddressOrder.BLOCK,
        offset=data_cache.SCRATCH_OFFSET.of(send.descriptor) * data_cache.SCRATCH_UNIT,
        extent=data_cache.SCRATCH_UNIT << data_cache.SCRATCH_BLOCK_COUNT.of(send.descriptor),
    )


@dataclass(frozen=True)
class _Target:
    model: AddressModel
    surface: int = 0


def _target(send: SendWords, flat: bool) -> _Target:
    if flat:
        return _Target(AddressModel.FLAT)
    index = data_cache.BINDING_TABLE_INDEX.of(send.descriptor)
    if index in _STATELESS:
        return _Target(AddressModel.STATELESS)
    if index == data_cache.SHARED_LOCAL_MEMORY:
        return _Target(AddressModel.LOCAL)
    if index != data_cache.BINDLESS:
        return _Target(AddressModel.BINDING_TABLE, index)
    if send.extended_bindless_offset:
        return _Target(AddressModel.HEAP_SURFACE, send.extended & data_cache.BINDLESS_MASK_EX_BSO)
    units = data_cache.BINDLESS_UNIT.of(send.extended)
    return _Target(AddressModel.HEAP_SURFACE, units * data_cache.BINDLESS_UNIT_BYTES)


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
        address_start=send.platform.grf_bytes * data_cache.HEADER_PRESENT.of(send.descriptor),
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
    block = data_cache.OWORD_BLOCKS[data_cache.BLOCK_COUNT.of(send.descriptor)]
    if block is None:
        raise MessageError("its descriptor has a reserved size")
    return data_cache.OWORD_BYTES * block.owords


def _hword_bytes(send: SendWords) -> int:
    return data_cache.HWORD_BYTES << data_cache.BLOCK_COUNT.of(send.descriptor)
