"""What searches of the past ask of an expression in a thread, at one time after the other."""

from __future__ import annotations

from zedbg.engine.engine_errors import ConditionError
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.values.expressions.api import Expression
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.xe.coordinates import lanes_of


def as_condition(text: str, thread: HardwareThread) -> Expression:
    """``text`` as ``thread`` reads it where it is. EvaluationError when it is no expression,
    ConditionError when it assigns."""
    expression = Expression(text, thread.debug_info)
    if expression.assigns:
        raise ConditionError(f"Condition {text!r} assigns: compare with ==.")
    return expression


def holds_in(condition: Expression, thread: HardwareThread) -> bool:
    """Whether it does in an active lane; not where its variables have no value."""
    try:
        return bool(condition.condition(thread, thread.active_lanes).true)
    except (EvaluationError, LevelZeroError):
        return False


def differs_in(expression: Expression, thread: HardwareThread) -> bool:
    """Whether two active lanes have different values of it."""
    return len(set(values_in(expression, thread))) > 1


def values_in(expression: Expression, thread: HardwareThread) -> list[bytes]:
    """Its values in the active lanes, without those that have none."""
    try:
        found = expression.evaluate(thread, lanes_of(thread.active_lanes))
    except (EvaluationError, LevelZeroError):
        return []
    return [each for each in found.data if isinstance(each, bytes)]
