"""What only some lanes evaluate: ``&&``, ``||`` and ``?:``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from zedbg.dwarf.types.program_types import INT, PointerType
from zedbg.missing import Missing
from zedbg.values.expressions import syntax
from zedbg.values.expressions.evaluator import LaneEvaluator, as_integer, operand_of
from zedbg.values.operands import pointers, vectors
from zedbg.values.operands.arithmetic import binary_type
from zedbg.values.operands.operand import Operand
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.scalars import Number, is_scalar

_Entry = TypeVar("_Entry")


def logical(expression: syntax.Binary, evaluator: LaneEvaluator) -> Operand:
    """``&&`` and ``||``: a lane that the left side decides does not evaluate the right one."""
    left = evaluator.evaluate(expression.left)
    if vectors.as_vector(left.type) is not None:
        right = evaluator.evaluate(expression.right)
        return vectors.logical(expression.operator, left, right, evaluator.access)
    truths = evaluator.truths(left)
    decided = expression.operator == "||"
    open_lanes = [not isinstance(one, Missing) and bool(one) != decided for one in truths]
    others: list[Number | Missing] = [int(decided)] * len(truths)
    if any(open_lanes):
        within = evaluator.within(open_lanes)
        right = within.evaluate(expression.right)
        if vectors.as_vector(right.type) is not None:
            return vectors.logical(expression.operator, left, right, evaluator.access)
        others = _scattered(within.truths(right), open_lanes, int(decided))
    return Operand.of_converted(
        INT,
        [
            one if isinstance(one, Missing) else other
            for one, other in zip(truths, others, strict=True)
        ],
    )


@operand_of.register
def _conditional(expression: syntax.Conditional, evaluator: LaneEvaluator) -> Operand:
    condition = evaluator.evaluate(expression.condition)
    if vectors.as_vector(condition.type) is not None:
        chosen, other = evaluator.evaluate(expression.chosen), evaluator.evaluate(expression.other)
        return vectors.selected(condition, chosen, other, evaluator.access)
    truths = evaluator.truths(condition)
    taken = [not isinstance(truth, Missing) and bool(truth) for truth in truths]
    left = [not isinstance(truth, Missing) and not truth for truth in truths]
    with_chosen, with_other = evaluator.within(taken), evaluator.within(left)
    chosen = pointers.decayed(with_chosen.evaluate(expression.chosen))
    other = pointers.decayed(with_other.evaluate(expression.other))
    unknown = Missing("the condition is not known")
    if is_scalar(chosen.type) and is_scalar(other.type):
        result = binary_type("+", as_integer(chosen.type), as_integer(other.type))
        if isinstance(chosen.type.stripped(), PointerType):
            result = chosen.type
        ones = _scattered(with_chosen.numbers(chosen), taken, unknown)
        twos = _scattered(with_other.numbers(other), left, unknown)
        return Operand.of_numbers(result, _picked(truths, ones, twos))
    if chosen.type.size != other.type.size:
        raise EvaluationError("Both sides of a conditional must have one type.")
    homes = _picked(
        truths,
        _scattered(chosen.homes, taken, unknown),
        _scattered(other.homes, left, unknown),
    )
    return Operand(chosen.type, homes)


def _scattered(values: Sequence[_Entry], wanted: Sequence[bool], other: _Entry) -> list[_Entry]:
    """An entry for every lane: those of ``values`` where ``wanted``, which are that many or one for
    each lane, elsewhere ``other``."""
    if len(values) == len(wanted):
        return list(values)
    following = iter(values)
    return [next(following) if one else other for one in wanted]


def _picked(
    truths: Sequence[Number | Missing], ones: Sequence[_Entry], others: Sequence[_Entry]
) -> list[_Entry | Missing]:
    """Of each lane what its truth chooses; without a truth why there is none."""
    return [
        truth if isinstance(truth, Missing) else one if truth else other
        for truth, one, other in zip(truths, ones, others, strict=True)
    ]
