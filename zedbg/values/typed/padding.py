"""Which bytes of a variable mean something, and which are between its members or after them."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

from zedbg.dwarf.types.program_types import ArrayType, StructType, Type


@lru_cache(maxsize=1024)
def meaningful_bytes(kind: Type) -> frozenset[int]:
    """The numbers of those bytes of a value of type ``kind`` that belong to a number in it."""
    kind = kind.stripped()
    if isinstance(kind, StructType) and kind.members:
        return frozenset(
            member.offset + each
            for member in kind.members
            for each in _bytes_of_member(member.type, member.bit_offset + member.bit_size)
        )
    if isinstance(kind, ArrayType) and kind.count is not None:
        size = kind.element.size
        element = meaningful_bytes(kind.element)
        return frozenset(index * size + each for index in range(kind.count) for each in element)
    return frozenset(range(kind.size))


def whole_numbers(kind: Type, known: Set[int]) -> frozenset[int]:
    """Those of the bytes ``known`` of a value of type ``kind`` that belong to a number in it of
    which all bytes are known; of bit fields each byte."""
    kind = kind.stripped()
    if isinstance(kind, StructType) and kind.members:
        parts = [(each.offset, each.type, each.bit_size) for each in kind.members]
    elif isinstance(kind, ArrayType) and kind.count is not None:
        parts = [(at * kind.element.size, kind.element, 0) for at in range(kind.count)]
    else:
        whole = frozenset(range(kind.size))
        return whole if known >= whole else frozenset()
    found: set[int] = set()
    for offset, part, bits in parts:
        within = {at for at in range(part.size) if offset + at in known}
        found.update(offset + at for at in (within if bits else whole_numbers(part, within)))
    return frozenset(found)


def _bytes_of_member(kind: Type, bits: int) -> frozenset[int]:
    """As :func:`meaningful_bytes`; ``bits``: where a bit field ends, 0 for another member."""
    return frozenset(range(-(-bits // 8))) if bits else meaningful_bytes(kind)
