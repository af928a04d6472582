"""A value in the middle of an evaluation: one type, and something for each lane.

Where values lie is known before they are read, so that ``a[i].x`` reads the member and not the
array, and all lanes are read at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from zedbg.dwarf import Variable
from zedbg.dwarf.types.program_types import ArrayType, StructType, Type
from zedbg.missing import Missing
from zedbg.values.source.access import Access
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import DataHome, Home
from zedbg.values.typed.partly_known import PartlyKnown
from zedbg.values.typed.scalars import Number, converter, decode_all, encode

# As GDB's max-value-size: larger values are an error rather than a long wait.
MAX_VALUE_SIZE = 65536


class Operand:
    """``homes`` has one entry a lane. ``is_lvalue``: it names a place, rather than a result."""

    def __init__(
        self, value_type: Type, homes: Sequence[Home | Missing], is_lvalue: bool = False
    ) -> None:
        self.type = value_type
        self.is_lvalue = is_lvalue
        self._homes = tuple(homes)
        #: Of a variable: why the value in each lane is doubtful, None where it is not.
        self.doubts: tuple[str | None, ...] = ()
        #: The variable that it is, or is a part of.
        self.variable: Variable | None = None

    @property
    def homes(self) -> tuple[Home | Missing, ...]:
        """Where the value lies in each lane."""
        return self._homes

    @staticmethod
    def of_numbers(value_type: Type, numbers: Sequence[Number | Missing]) -> Operand:
        """A result: one number a lane, converted to the type."""
        convert = converter(value_type)
        return _Numbers(
            value_type,
            [each if isinstance(each, Missing) else convert(each) for each in numbers],
        )

    @staticmethod
    def of_converted(value_type: Type, numbers: Sequence[Number | Missing]) -> Operand:
        """A result of numbers that the type holds as they are."""
        return _Numbers(value_type, numbers)

    @classmethod
    def of_data(cls, value_type: Type, data: Sequence[bytes | Missing]) -> Operand:
        """A result: some bytes a lane."""
        return cls(
            value_type,
            tuple(each if isinstance(each, Missing) else DataHome(each) for each in data),
        )

    def load(self, access: Access) -> list[bytes | Missing]:
        """The bytes of the value in each lane. Raises EvaluationError."""
        stripped = self.type.stripped()
        if isinstance(stripped, StructType) and stripped.is_declaration:
            return [Missing("incomplete type")] * len(self.homes)
        if isinstance(stripped, ArrayType) and stripped.count is None:
            return [Missing("its length is not known")] * len(self.homes)
        if self.type.size > MAX_VALUE_SIZE:
            raise EvaluationError(
                f"value requires {self.type.size} bytes, which is more than max-value-size"
            )
        found = access.load(self.homes, self.type.size)
        if PartlyKnown in set(map(type, found)):
            found = [
                replace(each, type=self.type) if isinstance(each, PartlyKnown) else each
                for each in found
            ]
        return found

    def numbers(self, access: Access) -> list[Number | Missing]:
        """The number of a scalar in each lane."""
        return decode_all(self.type, self.load(access))

    def store(self, access: Access, data: Sequence[bytes]) -> None:
        """Writes the bytes of each lane to where its value lies.

        Raises EvaluationError when nothing can be written there.
        """
        for home, written in zip(self.homes, data, strict=True):
            access.store(home, written)

    def moved(self, value_type: Type, offset: int) -> Operand:
        """The part of type ``value_type`` that starts ``offset`` bytes into the value."""
        homes = [home if isinstance(home, Missing) else home.moved(offset) for home in self.homes]
        part = Operand(value_type, homes, self.is_lvalue)
        part.variable = self.variable
        return part


class _Numbers(Operand):
    """A result that is known as numbers; it is made into bytes only if those are asked for."""

    def __init__(self, value_type: Type, numbers: Sequence[Number | Missing]) -> None:
        super().__init__(value_type, ())
        self._numbers = list(numbers)

    @property
    def homes(self) -> tuple[Home | Missing, ...]:
        return self._data_homes

    @cached_property
    def _data_homes(self) -> tuple[Home | Missing, ...]:
        return tuple(
            each if isinstance(each, Missing) else DataHome(encode(self.type, each))
            for each in self._numbers
        )

    def numbers(self, access: Access) -> list[Number | Missing]:
        return self._numbers


def lanewise(
    function: Callable[..., Number], *operands: Sequence[Number | Missing]
) -> list[Number | Missing]:
    """``function`` over the numbers of each lane; a lane with a missing number is missing."""
    if not any(Missing in set(map(type, numbers)) for numbers in operands):
        try:
            return list(map(function, *operands))
        except EvaluationError:
            pass  # in some lane: they are looked at one by one
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
