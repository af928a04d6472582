"""A value in the middle of an evaluation: one type, and something for each lane.

Where values lie is known before they are read, so that ``a[i].x`` reads the member and not the
array, and all lanes are read at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from zedbg.dwarf.machine import Missing
from zedbg.dwarf.types import ArrayType, StructType, Type
from zedbg.values.access import Access
from zedbg.values.errors import EvaluationError
from zedbg.values.homes import DataHome, Home
from zedbg.values.scalars import Number, decode, encode

# As GDB's max-value-size: larger values are an error rather than a long wait.
MAX_VALUE_SIZE = 65536


@dataclass(frozen=True)
class Operand:
    """``homes`` has one entry a lane. ``is_lvalue``: it names a place, rather than a result."""

    type: Type
    homes: tuple[Home | Missing, ...]
    is_lvalue: bool = False

    @classmethod
    def of_numbers(cls, value_type: Type, numbers: Sequence[Number | Missing]) -> Operand:
        """A result: one number a lane."""
        return cls(
            value_type,
            tuple(
                number if isinstance(number, Missing) else DataHome(encode(value_type, number))
                for number in numbers
            ),
        )

    @classmethod
    def of_data(cls, value_type: Type, data: Sequence[bytes | Missing]) -> Operand:
        """A result: some bytes a lane."""
        return cls(
            value_type,
            tuple(each if isinstance(each, Missing) else DataHome(each) for each in data),
        )

    def load(self, access: Access) -> list[bytes | Missing]:
        """The bytes of the value in each lane."""
        stripped = self.type.stripped()
        if isinstance(stripped, StructType) and stripped.is_declaration:
            return [Missing("incomplete type")] * len(self.homes)
        if isinstance(stripped, ArrayType) and stripped.count is None:
            return [Missing("its length is not known")] * len(self.homes)
        if self.type.size > MAX_VALUE_SIZE:
            raise EvaluationError(
                f"value requires {self.type.size} bytes, which is more than max-value-size"
            )
        return access.load(self.homes, self.type.size)

    def numbers(self, access: Access) -> list[Number | Missing]:
        """The number of a scalar in each lane."""
        return [
            each if isinstance(each, Missing) else decode(self.type, each)
            for each in self.load(access)
        ]

    def moved(self, value_type: Type, offset: int) -> Operand:
        """The part of type ``value_type`` that starts ``offset`` bytes into the value."""
        return replace(
            self,
            type=value_type,
            homes=tuple(
                home if isinstance(home, Missing) else home.moved(offset) for home in self.homes
            ),
        )


def lanewise(
    function: Callable[..., Number], *operands: Sequence[Number | Missing]
) -> list[Number | Missing]:
    """``function`` over the numbers of each lane; a lane with a missing number is missing."""
    results: list[Number | Missing] = []
    for numbers in zip(*operands, strict=True):
        missing = next((number for number in numbers if isinstance(number, Missing)), None)
        if missing is not None:
            results.append(missing)
            continue
        try:
            results.append(function(*numbers))
        except EvaluationError as error:
            # One lane's division by zero is that lane's alone.
            results.append(Missing(str(error)))
    return results
