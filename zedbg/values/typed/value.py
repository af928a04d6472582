"""Typed values: one, or one for each of some lanes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from zedbg.dwarf.types.program_types import (
    ArrayType,
    BaseType,
    Encoding,
    EnumType,
    Member,
    PointerType,
    StructType,
    Type,
)
from zedbg.missing import Missing
from zedbg.values.typed.homes import Home, Source, source_of
from zedbg.values.typed.scalars import Number, decode, decode_all, is_scalar

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
"""A value as JSON can hold it."""


@dataclass(frozen=True)
class Value:
    """An expression's value in one lane: its type, its bytes, and where it lies, if it does."""

    type: Type
    data: bytes
    home: Home | None = None
    doubt: str | None = None  # why it may be another value, where that is so

    @property
    def source(self) -> Source | None:
        """Where it comes from; None of what an expression gave."""
        return None if self.home is None else source_of(self.home)

    @property
    def number(self) -> Number:
        """The number of a scalar."""
        return decode(self.type, self.data)

    @property
    def is_scalar(self) -> bool:
        """Whether it is a single number."""
        return is_scalar(self.type)

    @property
    def text(self) -> str | None:
        """The string that it is, an array of characters; None when it is none."""
        stripped = self.type.stripped()
        if not isinstance(stripped, ArrayType) or stripped.element.size != 1:
            return None
        return self.data.partition(b"\0")[0].decode(errors="replace")

    def element(self, index: int) -> Value:
        """Element ``index`` of an array or vector."""
        stripped = self.type.stripped()
        assert isinstance(stripped, ArrayType)
        size = stripped.element.size
        home = None if self.home is None else self.home.moved(index * size)
        return Value(stripped.element, self.data[index * size : (index + 1) * size], home)

    def member(self, member: Member) -> Value:
        """Member ``member`` of a structure."""
        data = self.data[member.offset : member.offset + member.type.size]
        home = None if self.home is None else self.home.moved(member.offset)
        if member.bit_size:
            bits = int.from_bytes(data, "little") >> member.bit_offset
            bits &= (1 << member.bit_size) - 1
            stripped = member.type.stripped()
            signed = isinstance(stripped, BaseType) and stripped.is_signed
            if signed and bits >> (member.bit_size - 1):
                bits -= 1 << member.bit_size
            data = (bits & ((1 << member.type.size * 8) - 1)).to_bytes(member.type.size, "little")
            home = None
        return Value(member.type, data, home)

    def plain(self) -> Plain:
        """The value as JSON can hold it: numbers, lists, and objects by member names."""
        stripped = self.type.stripped()
        if isinstance(stripped, ArrayType):
            return [self.element(index).plain() for index in range(stripped.count or 0)]
        if isinstance(stripped, StructType):
            return {
                member_key(member, position): self.member(member).plain()
                for position, member in enumerate(stripped.members)
            }
        if isinstance(stripped, BaseType) and stripped.encoding is Encoding.BOOLEAN:
            return bool(self.number)
        if isinstance(stripped, BaseType | EnumType | PointerType) and self.data:
            return self.number
        return self.data.hex()


def member_key(member: Member, position: int) -> str:
    """What JSON calls member number ``position`` of a structure, which may have no name."""
    return member.name or (member.type.name if member.is_base else f"anonymous_{position}")


class LaneValues:
    """An expression's value in some lanes of a thread, or why a lane has none.

    ``data``: the bytes in each of ``lanes``; ``homes``: where they lie, None for what lies nowhere.
    """

    def __init__(
        self,
        value_type: Type,
        lanes: Sequence[int],
        data: Sequence[bytes | Missing],
        homes: Sequence[Home | Missing] | None = None,
        doubts: Mapping[int, str] | None = None,
    ) -> None:
        self.type = value_type
        self.lanes = tuple(lanes)
        self.data = tuple(data)
        self._homes = homes
        # Why a lane's value is doubtful; None of a lane: it is not.
        self.doubts: tuple[str | None, ...] = (None,) * len(self.data)
        if doubts:
            self.doubts = tuple(
                doubts.get(lane) if isinstance(each, bytes) else None
                for lane, each in zip(self.lanes, self.data, strict=True)
            )

    @cached_property
    def values(self) -> tuple[Value | Missing, ...]:
        """The value in each lane."""
        homes: Sequence[Home | Missing | None] = self._homes or (None,) * len(self.data)
        return tuple(
            each
            if isinstance(each, Missing)
            else Value(self.type, each, None if isinstance(home, Missing) else home, doubt)
            for each, home, doubt in zip(self.data, homes, self.doubts, strict=True)
        )

    @property
    def numbers(self) -> list[Number | Missing]:
        """The numbers of a scalar type."""
        return decode_all(self.type, self.data)

    def __iter__(self) -> Iterator[tuple[int, Value | Missing]]:
        return iter(zip(self.lanes, self.values, strict=True))

    def __len__(self) -> int:
        return len(self.lanes)

    def of(self, lane: int) -> Value | Missing:
        """The value in ``lane``."""
        if lane not in self.lanes:
            return Missing(f"lane {lane} was not asked for")
        return self.values[self.lanes.index(lane)]

    @property
    def first(self) -> Value | Missing:
        """The value in the first lane: the value, when one lane was asked for."""
        return self.values[0]

    @property
    def is_uniform(self) -> bool:
        """Whether every lane has the same bytes."""
        present = set(self.data)
        return len(present) == 1 and not isinstance(self.data[0], Missing)
