"""Parts of values that have no bytes of their own: bit-fields, and several components of a vector.

They are read out of what they are part of, and written by changing it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from zedbg.dwarf.types.program_types import ArrayType, Member, Type
from zedbg.missing import Missing
from zedbg.values.operands.operand import Operand
from zedbg.values.source.access import Access
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import DataHome, Home
from zedbg.values.typed.value import Value


class _Part(Operand, ABC):
    """``whole`` is what it is part of; its own homes are copies of its bytes."""

    def __init__(self, value_type: Type, whole: Operand, access: Access) -> None:
        super().__init__(value_type, (), whole.is_lvalue)
        self._whole = whole
        self._access = access

    @property
    def homes(self) -> tuple[Home | Missing, ...]:
        return tuple(
            each if isinstance(each, Missing) else DataHome(self._taken(each))
            for each in self._whole.load(self._access)
        )

    def store(self, access: Access, data: Sequence[bytes]) -> None:
        changed = []
        for whole, part in zip(self._whole.load(access), data, strict=True):
            if isinstance(whole, Missing):
                raise EvaluationError(f"cannot assign: {whole.reason}")
            changed.append(self._put(whole, part))
        self._whole.store(access, changed)

    @abstractmethod
    def _taken(self, whole: bytes) -> bytes:
        """The part of ``whole``."""

    @abstractmethod
    def _put(self, whole: bytes, part: bytes) -> bytes:
        """``whole`` with its part replaced by ``part``."""


class BitField(_Part):
    """A bit-field of a structure."""

    def __init__(self, structure: Operand, member: Member, access: Access) -> None:
        first, start = divmod(member.bit_offset, 8)  # other bytes need not be known
        size = -(-(start + member.bit_size) // 8)
        storage = structure.moved(ArrayType(size, member.type, None), member.offset + first)
        super().__init__(member.type, _Bytes(storage, size), access)
        self._member = Member(member.name, member.type, 0, start, member.bit_size)

    def _taken(self, whole: bytes) -> bytes:
        return Value(self.type, whole).member(self._member).data

    def _put(self, whole: bytes, part: bytes) -> bytes:
        member = self._member
        mask = (1 << member.bit_size) - 1
        bits = int.from_bytes(part, "little") & mask
        kept = int.from_bytes(whole, "little") & ~(mask << member.bit_offset)
        return (kept | bits << member.bit_offset).to_bytes(len(whole), "little")


class _Bytes(Operand):
    """The bytes at a place, whatever they mean."""

    def __init__(self, place: Operand, size: int) -> None:
        super().__init__(place.type, place.homes, place.is_lvalue)
        self._size = size

    def load(self, access: Access) -> list[bytes | Missing]:
        return access.load(self.homes, self._size)


class Components(_Part):
    """``v.xz``: several components of a vector, as a vector."""

    def __init__(
        self,
        value_type: Type,
        element: Type,
        vector: Operand,
        indices: Sequence[int],
        access: Access,
    ) -> None:
        """``indices``: which elements of ``vector``, each an ``element``, make it up."""
        super().__init__(value_type, vector, access)
        self._places = [index * element.size for index in indices]
        self._step = element.size

    def _taken(self, whole: bytes) -> bytes:
        picked = b"".join(whole[place : place + self._step] for place in self._places)
        return picked.ljust(self.type.size, b"\0")

    def _put(self, whole: bytes, part: bytes) -> bytes:
        if len(set(self._places)) != len(self._places):
            raise EvaluationError("A component is named twice: it cannot be assigned.")
        changed = bytearray(whole)
        for position, place in enumerate(self._places):
            element = part[position * self._step : (position + 1) * self._step]
            changed[place : place + self._step] = element
        return bytes(changed)
