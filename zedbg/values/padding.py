"""Which bytes of a variable mean something, and which are between its members or after them."""

from __future__ import annotations

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


def _bytes_of_member(kind: Type, bits: int) -> frozenset[int]:
    """As :func:`meaningful_bytes`; ``bits``: where a bit field ends, 0 for another member."""
    return frozenset(range(-(-bits // 8))) if bits else meaningful_bytes(kind)
