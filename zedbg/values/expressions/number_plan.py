"""A condition worked out once for all threads that are stopped at one instruction.

It is tried in thread after thread. What is left to do for a thread is to read numbers, and compute
(:mod:`zedbg.values.expressions.plan_parts`).
"""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.values.expressions import syntax
from zedbg.values.expressions.plan_parts import NotPlain, Numbers, part_of
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.scalars import Number
from zedbg.xe.coordinates import lanes_of


class NumberPlan:
    """How the numbers of an expression are found in ``lanes`` of a thread."""

    def __init__(self, lanes: Sequence[int], numbers: Numbers) -> None:
        self.lanes = lanes
        self._numbers = numbers

    @classmethod
    def of(
        cls, expression: syntax.Expression, context: ThreadContext, lane_mask: int
    ) -> NumberPlan | None:
        """A plan for where ``context``, which is no outer frame, is stopped. None where that takes
        more than a plan's parts."""
        lanes = lanes_of(lane_mask)
        try:
            numbers = part_of(expression, context, lanes).numbers
            numbers(context)
        except (NotPlain, EvaluationError):
            return None
        return cls(lanes, numbers)

    def numbers(self, context: ThreadContext) -> Sequence[Number] | None:
        """The number in each of ``lanes``, which are active. None where one is missing or doubtful:
        the evaluation of the whole expression says why."""
        try:
            return self._numbers(context)
        except (NotPlain, EvaluationError):
            return None
