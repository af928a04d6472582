"""The registers of a stopped thread by name, as typed values."""

from __future__ import annotations

from zedbg.missing import Missing
from zedbg.values.expressions.api import evaluate
from zedbg.values.operands.dollar import is_register
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import Value


class RegisterValues:
    """``registers["r10"]``: what ``$r10`` is in an expression, whole. ``registers["r10.f"]``: the
    same as elements of another type."""

    def __init__(self, context: ThreadContext) -> None:
        self._context = context

    def __getitem__(self, name: str) -> Value:
        """Register ``name``; EvaluationError when there is none, or it cannot be read."""
        if not is_register(name.partition(".")[0], self._context):
            raise EvaluationError(f"There is no register {name}.")
        value = evaluate(f"${name}", self._context).first
        if isinstance(value, Missing):
            raise EvaluationError(f"Register {name} has no value: {value.reason}.")
        return value
