"""Why a message to the data cache is not executed, as far as its descriptor tells, and how many
registers it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.xe import data_cache_fields as fields
from zedbg.xe.data_cache_fields import Layout
from zedbg.xe.data_message import Access, SendWords
from zedbg.xe.isa.names import SharedFunction
from zedbg.xe.message_payload import Payload, registers

_WIDE_ADDRESSES = frozenset(
    {
        Layout.A64_COMPONENTS,
        Layout.A64_SCATTER,
        Layout.A64_BLOCK,
        Layout.A64_ATOMIC,
        Layout.A64_WORD_ATOMIC,
        Layout.A64_FLOAT_ATOMIC,
        Layout.A64_HALF_ATOMIC,
    }
)
_FLOAT_ATOMICS = frozenset({Layout.FLOAT_ATOMIC, Layout.A64_FLOAT_ATOMIC})
_HALF_ATOMICS = frozenset({Layout.HALF_ATOMIC, Layout.A64_HALF_ATOMIC})
_UPPER_HALF = 16  # byte in its register where a block of the second size code lies
_BYTE_SCATTER, _DWORD_SCATTER, _QWORD_SCATTER, _STATUS_SCATTER = range(4)
_DUAL_BLOCK, _HWORDS = 2, 3
_DWORD = 4  # bytes
_BLOCK_ALIGNMENTS = (4, 16, 1, 1)  # bytes, by kind
_SCATTER_ALIGNMENTS = (1, 4, 8, 1)


def data_cache_problems(send: SendWords) -> tuple[str, ...]:
    """What is wrong with the descriptor of a message that is no image's; empty for none."""
    if _is_fence(send) or _is_scratch_block(send):
        return ()
    layout = _layout(send)
    if layout is None:
        kind, is_first = send.field(*fields.TYPE), send.function is SharedFunction.DC0
        rare = fields.DC0_RARE if is_first else fields.DC1_RARE
        return ("message not implemented" if kind in rare else "reserved message type",)
    return tuple(_layout_problems(send, layout))


def _layout_problems(send: SendWords, layout: Layout) -> Iterator[str]:
    stateless = send.field(*fields.BINDING_TABLE_INDEX) in fields.STATELESS
    if layout in _WIDE_ADDRESSES and not stateless:
        yield "64-bit addresses in a surface"
    match layout:
        case Layout.OWORD_BLOCK | Layout.ALIGNED_BLOCK | Layout.A64_BLOCK:
            kind = _a64_kind(send) if layout is Layout.A64_BLOCK else None
            if kind == _DUAL_BLOCK:
                yield "dual block"
            elif not _has_hwords(send, layout) and _size_code(send) >= len(fields.OWORDS):
                yield "reserved block size"
        case Layout.QWORDS:
            pass
        case Layout.DWORDS:
            if send.field(*fields.ELEMENTS):
                yield "several dwords for each offset"
        case Layout.BYTES:
            yield from _byte_problems(send)
        case Layout.COMPONENTS | Layout.A64_COMPONENTS:
            if send.field(*fields.LANES_MODE) not in fields.LANES_OF_MODE:
                yield "SIMD4x2 mode"
            if not _components(send):
                yield "no component is enabled"
        case Layout.A64_SCATTER:
            kind = send.field(*fields.A64_SCATTER_KIND)
            if kind == _STATUS_SCATTER:
                yield "status return"
            elif kind == _BYTE_SCATTER:
                yield from _byte_problems(send)
        case _:
            yield from _atomic_problems(send, layout)


def _byte_problems(send: SendWords) -> Iterator[str]:
    if send.field(*fields.ELEMENTS) > fields.MOST_BYTE_ELEMENTS:
        yield "reserved element size"


def _atomic_problems(send: SendWords, layout: Layout) -> Iterator[str]:
    is_double = send.field(*fields.FLOAT_OPERATION) >= fields.FIRST_DOUBLE_OPERATION
    if layout in _HALF_ATOMICS and is_double:
        yield "reserved atomic operation"
    if not _atomic_operation(send, layout):
        yield "atomic operation not implemented"


@dataclass(frozen=True)
class _Lanes:
    """``slots`` lanes with ``elements`` values of ``register_bytes`` each."""

    slots: int
    register_bytes: int = 4
    elements: int = 1


def data_cache_payload(send: SendWords) -> Payload | None:
    """The registers of a message without problems; None for a fence."""
    if _is_fence(send):
        return None
    if _is_scratch_block(send):
        size = fields.SCRATCH_UNIT << send.field(*fields.SCRATCH_COUNT)
        return _transfer(1, registers(send, size), bool(send.field(*fields.SCRATCH_WRITE)))
    entry = _entry(send)
    assert entry is not None  # else there was a problem
    access, layout = entry
    if layout in (Layout.OWORD_BLOCK, Layout.ALIGNED_BLOCK, Layout.A64_BLOCK):
        return _transfer(1, registers(send, _block_end(send, layout)), access is Access.WRITE)
    lanes = _lanes(send, layout)
    address_bytes = 8 if layout in _WIDE_ADDRESSES else 4
    header = send.field(*fields.HEADER)
    addresses = header + registers(send, lanes.slots * address_bytes)
    block = registers(send, lanes.slots * lanes.register_bytes)
    if access is not Access.ATOMIC:
        return _transfer(addresses, block * lanes.elements, access is Access.WRITE)
    response = block if send.field(*fields.RETURNS_DATA) else 0
    return Payload(addresses, block * _operands(send, layout), response)


def data_cache_alignment(send: SendWords) -> int:
    """Bytes that each address of a read or write without problems is a multiple of."""
    layout = None if _is_scratch_block(send) else _layout(send)
    match layout:
        case Layout.ALIGNED_BLOCK:
            return 1 if _has_hwords(send, layout) else _DWORD
        case Layout.A64_BLOCK:
            return _BLOCK_ALIGNMENTS[_a64_kind(send)]
        case Layout.COMPONENTS | Layout.A64_COMPONENTS:
            return _DWORD
        case Layout.A64_SCATTER:
            return _SCATTER_ALIGNMENTS[send.field(*fields.A64_SCATTER_KIND)]
    return 1


def _transfer(addresses: int, data: int, is_write: bool) -> Payload:
    return Payload(addresses, data=data) if is_write else Payload(addresses, response=data)


def _lanes(send: SendWords, layout: Layout) -> _Lanes:
    match layout:
        case Layout.DWORDS | Layout.BYTES:
            return _Lanes(16 if send.field(*fields.SIXTEEN_LANES) else 8)
        case Layout.QWORDS:
            return _Lanes(16 if send.field(*fields.SIXTEEN_LANES) else 8, 8)
        case Layout.COMPONENTS | Layout.A64_COMPONENTS:
            slots = fields.LANES_OF_MODE[send.field(*fields.LANES_MODE)]
            return _Lanes(slots, elements=_components(send).bit_count())
        case Layout.A64_SCATTER:
            slots = 16 if send.field(*fields.A64_SIXTEEN_LANES) else 8
            kind, count = send.field(*fields.A64_SCATTER_KIND), 1 << send.field(*fields.ELEMENTS)
            if kind == _BYTE_SCATTER:
                return _Lanes(slots)
            return _Lanes(slots, 8 if kind == _QWORD_SCATTER else 4, count)
        case Layout.A64_ATOMIC:
            return _Lanes(8, 8 if send.field(*fields.ATOMIC_64) else 4)
    slots = 8 if layout in _WIDE_ADDRESSES or send.field(*fields.ATOMIC_EIGHT_LANES) else 16
    is_double = send.field(*fields.FLOAT_OPERATION) >= fields.FIRST_DOUBLE_OPERATION
    return _Lanes(slots, 8 if layout in _FLOAT_ATOMICS and is_double else 4)


def _operands(send: SendWords, layout: Layout) -> int:
    """Values that a lane sends with an atomic operation."""
    operation = _atomic_operation(send, layout)
    if layout in _FLOAT_ATOMICS | _HALF_ATOMICS:
        return 2 if operation == fields.FLOAT_COMPARISON else 1
    if operation in fields.WITHOUT_OPERAND:
        return 0
    return 2 if operation == fields.COMPARISON else 1


def _atomic_operation(send: SendWords, layout: Layout) -> int:
    is_float = layout in _FLOAT_ATOMICS | _HALF_ATOMICS
    return send.field(*(fields.FLOAT_OPERATION if is_float else fields.INTEGER_OPERATION))


def _is_fence(send: SendWords) -> bool:
    if send.function is not SharedFunction.DC0 or send.field(*fields.SCRATCH_BLOCK):
        return False
    return send.field(*fields.TYPE) == fields.DC0_FENCE


def _is_scratch_block(send: SendWords) -> bool:
    return send.function is SharedFunction.DC0 and bool(send.field(*fields.SCRATCH_BLOCK))


def _entry(send: SendWords) -> fields.Entry | None:
    table = fields.DC0 if send.function is SharedFunction.DC0 else fields.DC1
    return table.get(send.field(*fields.TYPE))


def _layout(send: SendWords) -> Layout | None:
    entry = _entry(send)
    return None if entry is None else entry[1]


def _components(send: SendWords) -> int:
    return ~send.field(*fields.DISABLED_COMPONENTS) & 0xF


def _size_code(send: SendWords) -> int:
    return send.field(*fields.BLOCK_COUNT)


def _a64_kind(send: SendWords) -> int:
    return send.field(*fields.A64_BLOCK_KIND)


def _has_hwords(send: SendWords, layout: Layout) -> bool:
    if layout is Layout.A64_BLOCK:
        return _a64_kind(send) == _HWORDS
    return layout is Layout.ALIGNED_BLOCK and bool(send.field(*fields.HWORD_BLOCK))


def _block_end(send: SendWords, layout: Layout) -> int:
    """Bytes from the start of the first register of a block to its end."""
    code = _size_code(send)
    if _has_hwords(send, layout):
        return 32 << code
    return 16 * fields.OWORDS[code] + (_UPPER_HALF if code == 1 else 0)
