"""Parts of an expression that are numbers whatever the thread: computed once, when it is read."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from zedbg.values.expressions import syntax
from zedbg.values.expressions.syntax import Expression, Literal
from zedbg.values.operands.arithmetic import binary, binary_type, converted, unary
from zedbg.values.typed.evaluation_error import EvaluationError

_COMPUTED = frozenset("-+~!")
_LAZY = frozenset({"&&", "||", "@"})


def folded(expression: Expression) -> Expression:
    """``expression`` with numbers in the place of what is made of numbers only.

    What is wrong with them, a division by zero, is left for the evaluation to say.
    """
    changed: dict[str, Any] = {}
    for each in fields(expression):
        part = getattr(expression, each.name)
        if isinstance(part, Expression):
            new: Any = folded(part)
        elif isinstance(part, tuple):
            new = tuple(folded(one) if isinstance(one, Expression) else one for one in part)
        else:
            continue
        if new != part:
            changed[each.name] = new
    if changed:
        expression = replace(expression, **changed)
    try:
        return _number(expression) or expression
    except EvaluationError:
        return expression


def _number(expression: Expression) -> Literal | None:
    """The number that an operator makes of numbers; None for anything else."""
    match expression:
        case syntax.Unary(operator, Literal(number, kind)) if operator in _COMPUTED:
            result, compute = unary(operator, kind)
            return Literal(compute(converted(number, kind)), result)
        case syntax.Binary(operator, Literal(one, left), Literal(other, right)) if (
            operator not in _LAZY
        ):
            compute_both = binary(operator, left, right)
            value = compute_both(converted(one, left), converted(other, right))
            return Literal(value, binary_type(operator, left, right))
    return None
