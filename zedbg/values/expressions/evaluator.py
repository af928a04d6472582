"""Evaluating expressions in one frame for some lanes at once.

How each kind of expression is evaluated is in ``terms``, ``operators``, ``selection`` and
``branching``, which add their rules to :func:`operand_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from zedbg.dwarf import Variable
from zedbg.dwarf.types.program_types import ULONG, PointerType, Type
from zedbg.missing import Missing
from zedbg.values.expressions import names
from zedbg.values.expressions.syntax import Expression
from zedbg.values.operands import pointers, vectors
from zedbg.values.operands.arithmetic import binary, binary_type
from zedbg.values.operands.operand import Operand, lanewise
from zedbg.values.source.access import Access
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.scalars import Number, is_scalar


@singledispatch
def operand_of(expression: Expression, evaluator: LaneEvaluator) -> Operand:
    """The operand of ``expression`` as it was declared: a reference is one still.

    Raises EvaluationError.
    """
    raise EvaluationError(f"{type(expression).__name__} cannot be evaluated.")


class LaneEvaluator:
    """Evaluates trees for ``lanes`` of ``context``; wrong expressions raise EvaluationError.

    ``access`` reads and writes where their values lie.
    Without ``writes`` assignments do not take place: they are asked for their type only.
    """

    def __init__(
        self, context: ThreadContext, lanes: Sequence[int], *, writes: bool = True
    ) -> None:
        self.writes = writes
        self.context = context
        self.lanes = tuple(lanes)
        self.access = Access(context)
        #: Why a value that was used is doubtful, by lane.
        self.doubts: dict[int, str] = {}

    def evaluate(self, expression: Expression) -> Operand:
        """The operand that ``expression`` comes to; what it refers to, when it is a reference."""
        return pointers.referent(operand_of(expression, self), self.access)

    def variable(self, variable: Variable) -> Operand:
        """A variable of the program that is in scope; what it refers to, when it is a reference."""
        operand = names.variable_operand(variable, self.context, self.lanes)
        self.note_doubts(operand)
        return pointers.referent(operand, self.access)

    def note_doubts(self, operand: Operand) -> None:
        """What depends on ``operand`` is as doubtful as it is."""
        for lane, doubt in zip(self.lanes, operand.doubts, strict=False):
            if doubt is not None:
                self.doubts.setdefault(lane, doubt)

    def numbers(self, operand: Operand) -> list[Number | Missing]:
        """The number in each lane, or why it has none. EvaluationError for what is no number."""
        return operand.numbers(self.access)

    def computed(self, name: str, left: Operand, right: Operand) -> Operand:
        """``left OP right``, of vectors element by element."""
        vector = vectors.elementwise(name, left, right, self.access)
        return vector if vector is not None else self.arithmetic(name, left, right)

    def arithmetic(self, name: str, left: Operand, right: Operand) -> Operand:
        """``left OP right``, of numbers and pointers. EvaluationError for what is neither."""
        left, right = pointers.decayed(left), pointers.decayed(right)
        if not is_scalar(left.type) or not is_scalar(right.type):
            raise EvaluationError("Argument to arithmetic operation not a number or boolean.")
        moved = pointers.pointer_arithmetic(name, left, right, self.access)
        if moved is not None:
            return moved
        left_type, right_type = as_integer(left.type), as_integer(right.type)
        numbers = lanewise(
            binary(name, left_type, right_type), self.numbers(left), self.numbers(right)
        )
        return Operand.of_converted(binary_type(name, left_type, right_type), numbers)

    def truths(self, operand: Operand) -> list[Number | Missing]:
        """Whether C takes it for true, 1 or 0 in each lane. EvaluationError for no number."""
        operand = pointers.decayed(operand)
        if not is_scalar(operand.type):
            raise EvaluationError("Argument to logical operation not a number or boolean.")
        return lanewise(lambda number: int(bool(number)), self.numbers(operand))

    def within(self, wanted: Sequence[bool]) -> LaneEvaluator:
        """An evaluator for the lanes that are ``wanted``; for all, without effects, if none is."""
        if all(wanted):
            return self
        lanes = [lane for lane, one in zip(self.lanes, wanted, strict=True) if one]
        if not lanes:
            return LaneEvaluator(self.context, self.lanes, writes=False)
        inner = LaneEvaluator(self.context, lanes, writes=self.writes)
        inner.doubts = self.doubts
        inner.access = self.access
        return inner


def as_integer(value_type: Type) -> Type:
    """The type for arithmetic: pointers count as addresses."""
    return ULONG if isinstance(value_type.stripped(), PointerType) else value_type
