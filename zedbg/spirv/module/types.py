"""Types of SPIR-V values, and their bytes (SPIR-V specification, 2.2.1; OpenCL C, 6.1.5)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Union


class Kind(Enum):
    """What a type is."""

    VOID = "void"
    BOOLEAN = "boolean"
    INTEGER = "integer"
    FLOAT = "float"
    VECTOR = "vector"
    ARRAY = "array"
    STRUCTURE = "structure"
    POINTER = "pointer"
    OTHER = "other"


class Undefined:
    """The part of a value that the program has not set."""


UNDEFINED = Undefined()

#: Integers without sign, Booleans as 0 and 1, floating-point numbers, addresses; composites.
Value = Union[int, float, Undefined, "tuple[Value, ...]"]

_FLOATS = {2: "<e", 4: "<f", 8: "<d"}


@dataclass(frozen=True)
class Type:
    """A type. ``bits`` of a number; ``members``: one for a vector, array (``count`` of them) or
    pointer, all of a structure, which may be packed; ``storage``: the class of what a pointer
    points to."""

    kind: Kind
    bits: int = 0
    members: tuple[Type, ...] = ()
    count: int = 0
    storage: int = 0
    is_packed: bool = False

    @cached_property
    def is_composite(self) -> bool:
        """Whether its values have parts."""
        return self.kind in (Kind.VECTOR, Kind.ARRAY, Kind.STRUCTURE)

    @property
    def element(self) -> Type:
        """That of the components of a vector; of others, itself."""
        return self.members[0] if self.kind is Kind.VECTOR else self

    @property
    def length(self) -> int:
        """The number of its parts."""
        return len(self.members) if self.kind is Kind.STRUCTURE else self.count

    def part(self, index: int) -> Type:
        """The type of part ``index``; raises IndexError."""
        if not 0 <= index < self.length:
            raise IndexError(index)
        return self.members[index if self.kind is Kind.STRUCTURE else 0]

    @cached_property
    def size(self) -> int:
        """Bytes in memory, with padding; 0 where it has none."""
        match self.kind:
            case Kind.BOOLEAN:
                return 1
            case Kind.INTEGER | Kind.FLOAT:
                return self.bits // 8
            case Kind.POINTER:
                return 8
            case Kind.VECTOR:
                return self.members[0].size * (4 if self.count == 3 else self.count)
            case Kind.ARRAY:
                return self.members[0].size * self.count
            case Kind.STRUCTURE:
                end = (
                    self.offset(len(self.members) - 1) + self.members[-1].size
                    if self.members
                    else 0
                )
                return -(-end // self.alignment) * self.alignment
        return 0

    @cached_property
    def alignment(self) -> int:
        """What its addresses are multiples of."""
        if self.kind is Kind.STRUCTURE:
            if self.is_packed:
                return 1
            return max((each.alignment for each in self.members), default=1)
        if self.kind is Kind.ARRAY:
            return self.members[0].alignment
        return self.size or 1

    def offset(self, index: int) -> int:
        """Bytes in front of part ``index``."""
        if self.kind is not Kind.STRUCTURE:
            return self.members[0].size * index
        at = 0
        for position, member in enumerate(self.members[: index + 1]):
            if not self.is_packed:
                at = -(-at // member.alignment) * member.alignment
            if position < index:
                at += member.size
        return at

    def encode(self, value: Value) -> bytes | None:
        """The bytes of ``value``, None where a part of it is undefined."""
        if isinstance(value, Undefined):
            return None
        if isinstance(value, tuple):
            data = bytearray(self.size)
            for index, part in enumerate(value):
                encoded = self.part(index).encode(part)
                if encoded is None:
                    return None
                data[self.offset(index) : self.offset(index) + len(encoded)] = encoded
            return bytes(data)
        if isinstance(value, float):
            return struct.pack(_FLOATS[self.size], value)
        return value.to_bytes(self.size, "little")

    def encode_parts(self, value: Value) -> list[int | None]:
        """As :meth:`encode`, with None for the bytes of parts that are undefined."""
        if isinstance(value, Undefined):
            return [None] * self.size
        if not isinstance(value, tuple):
            return list(self.encode(value) or b"")
        data: list[int | None] = [0] * self.size
        for index, part in enumerate(value):
            encoded = self.part(index).encode_parts(part)
            data[self.offset(index) : self.offset(index) + len(encoded)] = encoded
        return data

    def decode_parts(self, data: Sequence[int | None]) -> Value:
        """As :meth:`decode`, of bytes some of which nothing has set."""
        known = [each for each in data[: self.size] if each is not None]
        if len(known) == self.size:
            return self.decode(bytes(known))
        if not self.is_composite:
            return UNDEFINED
        parts = ((self.part(i), self.offset(i)) for i in range(self.length))
        return tuple(part.decode_parts(data[at : at + part.size]) for part, at in parts)

    def decode(self, data: bytes) -> Value:
        """The value that ``data``, of at least its size, are the bytes of."""
        if self.is_composite:
            parts = ((self.part(i), self.offset(i)) for i in range(self.length))
            return tuple(part.decode(data[at : at + part.size]) for part, at in parts)
        if self.kind is Kind.FLOAT:
            number: float = struct.unpack(_FLOATS[self.size], data[: self.size])[0]
            return number
        number_bits = int.from_bytes(data[: self.size], "little")
        return number_bits & 1 if self.kind is Kind.BOOLEAN else number_bits

    def zero(self) -> Value:
        """Its value of all zeros."""
        if self.is_composite:
            return tuple(self.part(index).zero() for index in range(self.length))
        return 0.0 if self.kind is Kind.FLOAT else 0

    def undefined(self) -> Value:
        """Its value with no part set."""
        if self.is_composite:
            return tuple(self.part(index).undefined() for index in range(self.length))
        return UNDEFINED
