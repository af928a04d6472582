"""An expression worked out once for all threads that are stopped at one instruction.

A condition is tried in thread after thread. What its names mean, its types and what its operators
do is the same in each; only the numbers of the variables differ. A plan has what is left to do for
a thread: read these numbers, and compute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zedbg.dwarf.types.program_types import INT, PointerType, Type
from zedbg.missing import Missing
from zedbg.values import dollar, syntax
from zedbg.values.arithmetic import COMPARISONS, binary, binary_type, converted, unary
from zedbg.values.context import ThreadContext
from zedbg.values.evaluation_error import EvaluationError
from zedbg.values.evaluator import as_integer
from zedbg.values.frame_context import visible_variable
from zedbg.values.judgement import computed_again
from zedbg.values.scalars import Number, decode_each, is_scalar
from zedbg.values.variable_reader import VariableReader
from zedbg.xe.coordinates import lanes_of

#: The numbers of a part of the expression in each lane of a thread. Raises _NotPlain.
_Step = Callable[[ThreadContext], Sequence[Number]]


class _NotPlain(Exception):
    """It takes more than numbers: in this thread, or at all."""


class NumberPlan:
    """How the numbers of an expression are found in ``lanes`` of a thread."""

    def __init__(self, lanes: Sequence[int], step: _Step) -> None:
        self.lanes = lanes
        self._step = step

    @classmethod
    def of(
        cls, expression: syntax.Expression, context: ThreadContext, lane_mask: int
    ) -> NumberPlan | None:
        """A plan for where ``context``, which is no outer frame, is stopped. None where that takes
        more than variables that are numbers, ids of work-items, and arithmetic."""
        lanes = lanes_of(lane_mask)
        try:
            _, step = _planned(expression, context, lanes)
            step(context)
        except (_NotPlain, EvaluationError):
            return None
        return cls(lanes, step)

    def numbers(self, context: ThreadContext) -> Sequence[Number] | None:
        """The number in each of ``lanes``, which are active. None where one is missing or doubtful:
        the evaluation of the whole expression says why."""
        try:
            return self._step(context)
        except (_NotPlain, EvaluationError):
            return None


def _planned(
    expression: syntax.Expression, context: ThreadContext, lanes: Sequence[int]
) -> tuple[Type, _Step]:
    """The type of ``expression``, and what finds its numbers. Raises _NotPlain, EvaluationError."""
    match expression:
        case syntax.Literal(value, kind):
            same = [converted(value, kind)] * len(lanes)
            return kind, lambda thread: same
        case syntax.Name(name):
            return _variable(name.removeprefix("::"), context, lanes)
        case syntax.Index(syntax.Dollar(name), syntax.Literal(int(dimension))) if (
            0 <= dimension <= 2
        ):
            return dollar.ID_TYPE, _ids(name, dimension, lanes)
        case syntax.Unary("-" | "+" | "~" | "!" as operator, operand):
            kind, inner = _planned(operand, context, lanes)
            result, compute = unary(operator, kind)
            return result, lambda thread: list(map(compute, inner(thread)))
        case syntax.Binary("&&" | "||" as operator, left, right):
            (_, one), (_, other) = (_planned(each, context, lanes) for each in (left, right))
            return INT, _logical(operator == "||", one, other)
        case syntax.Binary(operator, left, right):
            sides = [_planned(each, context, lanes) for each in (left, right)]
            return _arithmetic(operator, *sides)
    raise _NotPlain


def _variable(name: str, context: ThreadContext, lanes: Sequence[int]) -> tuple[Type, _Step]:
    reader = VariableReader.of(name, context, lanes)
    if reader is not None:
        return reader.type, _all_known(reader.numbers)
    found = visible_variable(name, context)
    if found is None or not is_scalar(found.type):
        raise _NotPlain
    variable, stripped = found, found.type.stripped()
    if isinstance(stripped, PointerType) and stripped.reference:
        raise _NotPlain

    def again(thread: ThreadContext) -> list[Number] | None:
        data = computed_again(thread, variable, lanes)
        return None if data is None else decode_each(variable.type, data)

    return variable.type, _all_known(again)


def _all_known(numbers: Callable[[ThreadContext], Sequence[Number] | None]) -> _Step:
    def step(thread: ThreadContext) -> Sequence[Number]:
        found = numbers(thread)
        if found is None:
            raise _NotPlain
        return found

    return step


def _ids(name: str, dimension: int, lanes: Sequence[int]) -> _Step:
    def step(thread: ThreadContext) -> list[Number]:
        ids = dollar.ids_of(name, thread)
        if ids is None or isinstance(ids, Missing) or lanes[-1] >= len(ids):
            raise _NotPlain
        return [ids[lane][dimension] for lane in lanes]

    return step


def _logical(is_or: bool, one: _Step, other: _Step) -> _Step:
    def step(thread: ThreadContext) -> list[Number]:
        ones = list(map(bool, one(thread)))
        if (not is_or) not in ones:
            return [int(each) for each in ones]  # the left side decides in every lane
        others = map(bool, other(thread))
        if is_or:
            return [int(a or b) for a, b in zip(ones, others, strict=True)]
        return [int(a and b) for a, b in zip(ones, others, strict=True)]

    return step


def _arithmetic(
    operator: str, left: tuple[Type, _Step], right: tuple[Type, _Step]
) -> tuple[Type, _Step]:
    (one_type, one), (other_type, other) = left, right
    has_pointer = any(isinstance(each[0].stripped(), PointerType) for each in (left, right))
    if operator == "@" or (has_pointer and operator not in COMPARISONS):
        raise _NotPlain
    types = as_integer(one_type), as_integer(other_type)
    compute = binary(operator, *types)
    return (
        binary_type(operator, *types),
        lambda thread: list(map(compute, one(thread), other(thread))),
    )
