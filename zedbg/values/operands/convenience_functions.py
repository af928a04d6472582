"""Functions that expressions call by ``$name(...)``: of the debugger's, not of the program's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zedbg.dwarf.types.program_types import BOOL, CHAR, DOUBLE, INT, LONG, ULONG, ArrayType, Type
from zedbg.missing import Missing
from zedbg.values.operands.operand import Operand
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import Value

Result = Value | Missing | bool | int | float | str
"""What a call gives in one lane."""


@dataclass(frozen=True)
class ConvenienceFunction:
    """``compute`` is called once for each lane, with what the expression sees there, the lane, and
    the arguments."""

    name: str
    compute: Callable[[ThreadContext, int, Sequence[Value]], Result]

    def call(
        self,
        context: ThreadContext,
        lanes: Sequence[int],
        arguments: Sequence[Sequence[Value | Missing]],
    ) -> Operand:
        """The results in ``lanes``; ``arguments``: one sequence for each, one value a lane.

        A lane without an argument has no result. Raises EvaluationError when the results have no
        one type.
        """
        results: list[Result] = []
        for position, lane in enumerate(lanes):
            given = [argument[position] for argument in arguments]
            missing = next((each for each in given if isinstance(each, Missing)), None)
            values = [each for each in given if isinstance(each, Value)]
            results.append(missing or self.compute(context, lane, values))
        return _together(self.name, results)


def _together(name: str, results: Sequence[Result]) -> Operand:
    """Results of several lanes as values of one type."""
    present = [each for each in results if not isinstance(each, Missing)]
    values = [each for each in present if isinstance(each, Value)]
    types = {each.type.name: each.type for each in values}
    if values and len(values) == len(present) and len(types) == 1:
        data = [each.data if isinstance(each, Value) else each for each in results]
        return Operand.of_data(
            values[0].type, [each for each in data if isinstance(each, bytes | Missing)]
        )
    if not all(each.is_scalar for each in values):
        raise EvaluationError(f"${name} returned values of several types.")
    results = [each.number if isinstance(each, Value) else each for each in results]
    present = [each for each in results if not isinstance(each, Missing)]
    if any(isinstance(each, str) for each in present):
        texts = [each.encode() if isinstance(each, str) else None for each in results]
        size = max(len(text) for text in texts if text is not None) + 1
        text_type = ArrayType(size, CHAR, size)
        return Operand.of_data(
            text_type,
            [
                each if isinstance(each, Missing) else str(each).encode().ljust(size, b"\0")
                for each in results
            ],
        )
    numbers = [each for each in results if not isinstance(each, Value | str)]
    return Operand.of_numbers(_number_type(present), numbers)


def _number_type(numbers: Sequence[object]) -> Type:
    if all(isinstance(each, bool) for each in numbers):
        return BOOL
    if any(isinstance(each, float) for each in numbers):
        return DOUBLE
    whole = [each for each in numbers if isinstance(each, int)]
    if all(-(1 << 31) <= each < 1 << 31 for each in whole):
        return INT
    return LONG if all(each < 1 << 63 for each in whole) else ULONG
