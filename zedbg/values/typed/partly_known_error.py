"""What is raised of a value that is computed again, and of which only a part is known."""

from __future__ import annotations

from collections.abc import Sequence, Set

from zedbg.dwarf.types.program_types import Type
from zedbg.spirv.numbers.arithmetic import UnknownValue, UnsetValue
from zedbg.values.typed.padding import meaningful_bytes, whole_numbers

_SEVERAL = "it has several values on this line"


class PartlyKnownError(UnknownValue):
    """Only the bytes of ``data`` with the numbers ``known`` are the value's, and padding."""

    def __init__(self, reason: str, data: bytes, known: frozenset[int]) -> None:
        super().__init__(reason)
        self.data = data
        self.known = known


def partly_known_error(kind: Type, data: bytes, known: Set[int], reason: object) -> UnknownValue:
    """Of a ``kind``, of which only the bytes with the numbers ``known`` are known: those count that
    are a number's whole."""
    known = whole_numbers(kind, known)
    if not known:
        return UnknownValue(str(reason))
    padding = frozenset(range(len(data))) - meaningful_bytes(kind)
    return PartlyKnownError(str(reason), data, padding | known)


def unset_error(kind: Type, data: Sequence[int | None]) -> UnknownValue:
    """Of a ``kind``, of which the program has not set the bytes that are None."""
    known = {at for at, each in enumerate(data) if each is not None}
    if len(data) != kind.size or known.isdisjoint(meaningful_bytes(kind)):
        return UnsetValue()
    why = "the program has not set all of it"
    return partly_known_error(kind, bytes(each or 0 for each in data), known, why)


def in_common(
    kind: Type, one: bytes | PartlyKnownError, other: bytes | PartlyKnownError
) -> bytes | PartlyKnownError:
    """What two values of a ``kind``, either of which may be the one, have in common. Raises
    UnknownValue where that is nothing."""
    if one == other:
        return one
    data, known, reason = _parts(one)
    others, also_known, why = _parts(other)
    same = {at for at in known & also_known if data[at] == others[at]}
    error = partly_known_error(kind, data, same, reason or why or _SEVERAL)
    if not isinstance(error, PartlyKnownError):
        raise error
    return error


def _parts(value: bytes | PartlyKnownError) -> tuple[bytes, frozenset[int], str | None]:
    """The bytes of ``value``, which ones are known, and why the others are not."""
    if isinstance(value, PartlyKnownError):
        return value.data, value.known, str(value)
    return value, frozenset(range(len(value))), None
