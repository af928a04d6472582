"""What is raised of a value that is computed again, and of which only a part is known."""

from __future__ import annotations

from collections.abc import Set

from zedbg.dwarf.types.program_types import Type
from zedbg.spirv.arithmetic import UnknownValue
from zedbg.values.padding import meaningful_bytes


class PartlyKnownError(UnknownValue):
    """Only the bytes of ``data`` with the numbers ``known`` are the value's, and padding."""

    def __init__(self, reason: str, data: bytes, known: frozenset[int]) -> None:
        super().__init__(reason)
        self.data = data
        self.known = known


def partly_known_error(kind: Type, data: bytes, known: Set[int], reason: object) -> UnknownValue:
    """Of a ``kind``, of which only the bytes with the numbers ``known`` are known."""
    meaningful = meaningful_bytes(kind)
    if meaningful.isdisjoint(known):
        return UnknownValue(str(reason))
    padding = frozenset(range(len(data))) - meaningful
    return PartlyKnownError(str(reason), data, padding.union(known))
