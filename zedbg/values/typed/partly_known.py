"""Values of which only a part is known: as arrays that the program has not set all of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zedbg.dwarf.types.program_types import VOID, ArrayType, Member, StructType, Type
from zedbg.missing import Missing
from zedbg.values.typed.value import Plain, Value, member_key


@dataclass(frozen=True)
class PartlyKnown(Missing):
    """A value with the bytes ``data``, of which only those with the numbers ``known`` are known;
    ``reason`` says why the others are not. ``type``: what it is, void where nobody has said it."""

    data: bytes = b""
    known: frozenset[int] = frozenset()
    type: Type = VOID

    def part(self, offset: int, size: int) -> PartlyKnown | None:
        """``size`` bytes of it, from ``offset`` on; None where none of them is known."""
        end = offset + size
        known = frozenset(each - offset for each in self.known if offset <= each < end)
        return PartlyKnown(self.reason, self.data[offset:end], known) if known else None

    def to_json(self) -> dict[str, object]:
        return super().to_json() | {"known": self.plain()}

    @property
    def value(self) -> Value | None:
        """The value, where all of it is known."""
        return Value(self.type, self.data) if len(self.known) == self.type.size else None

    def plain(self) -> Plain:
        """The value as JSON can hold it: null for what is not known."""
        if self.value is not None:
            return self.value.plain()
        stripped = self.type.stripped()
        plains = [None if part is None else part.plain() for part in self.parts()]
        if isinstance(stripped, StructType):
            keys = [member_key(each, at) for at, each in enumerate(stripped.members)]
            return dict(zip(keys, plains, strict=True))
        return list(plains) if isinstance(stripped, ArrayType) else None

    def parts(self) -> Sequence[PartlyKnown | None]:
        """The elements of an array or vector, or the members of a structure, that it is; None of
        each of which nothing is known, and of bit fields that are not known whole."""
        stripped = self.type.stripped()
        if isinstance(stripped, ArrayType):
            size = stripped.element.size
            return [self._of(stripped.element, at * size) for at in range(stripped.count or 0)]
        if isinstance(stripped, StructType):
            return [
                self._field(each) if each.bit_size else self._of(each.type, each.offset)
                for each in stripped.members
            ]
        return []

    def _field(self, member: Member) -> PartlyKnown | None:
        """A bit field: its bits are known where the bytes are that it has bits of."""
        first, end = member.bit_offset, member.bit_offset + member.bit_size
        bytes_ = range(member.offset + first // 8, member.offset - (-end // 8))
        if not self.known.issuperset(bytes_):
            return None
        data = Value(self.type, self.data).member(member).data
        return PartlyKnown(self.reason, data, frozenset(range(len(data))), member.type)

    def _of(self, kind: Type, offset: int) -> PartlyKnown | None:
        part = self.part(offset, kind.size)
        return part and replace(part, type=kind)
