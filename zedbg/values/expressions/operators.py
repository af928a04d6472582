"""Operators that every lane evaluates: arithmetic, casts, addresses, assignments."""

from __future__ import annotations

from zedbg.dwarf.types.program_types import INT
from zedbg.missing import Missing
from zedbg.values.expressions import names, syntax
from zedbg.values.expressions.branching import logical
from zedbg.values.expressions.evaluator import LaneEvaluator, operand_of
from zedbg.values.expressions.selection import element_of
from zedbg.values.expressions.syntax import Expression
from zedbg.values.operands import assignment, casts, dollar, pointers, vectors
from zedbg.values.operands.arithmetic import unary
from zedbg.values.operands.operand import Operand, lanewise
from zedbg.values.source.frame_context import frame_state
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.scalars import is_integer, is_scalar


@operand_of.register
def _unary(expression: syntax.Unary, evaluator: LaneEvaluator) -> Operand:
    if expression.operator == "*":
        return _dereferenced(expression.operand, evaluator)
    operand, name = evaluator.evaluate(expression.operand), expression.operator
    if name == "&":
        return pointers.address_of(operand)
    vector = vectors.negated(name, operand, evaluator.access)
    if vector is not None:
        return vector
    operand = pointers.decayed(operand)
    if not is_scalar(operand.type):
        raise EvaluationError("Argument to arithmetic operation not a number or boolean.")
    result, compute = unary(name, operand.type)
    return Operand.of_converted(result, lanewise(compute, evaluator.numbers(operand)))


def _dereferenced(expression: Expression, evaluator: LaneEvaluator) -> Operand:
    """``*x``; ``*(a + n)`` of an array is ``a[n]``, also where it has no one address."""
    if not isinstance(expression, syntax.Binary) or expression.operator != "+":
        return pointers.dereferenced(evaluator.evaluate(expression), evaluator.access)
    left, right = evaluator.evaluate(expression.left), evaluator.evaluate(expression.right)
    for array, index in ((left, right), (right, left)):
        if pointers.as_array(array.type) is not None and is_integer(index.type):
            return element_of(evaluator, array, index)
    return pointers.dereferenced(evaluator.computed("+", left, right), evaluator.access)


@operand_of.register
def _binary(expression: syntax.Binary, evaluator: LaneEvaluator) -> Operand:
    name = expression.operator
    if name in ("&&", "||"):
        return logical(expression, evaluator)
    left, right = evaluator.evaluate(expression.left), evaluator.evaluate(expression.right)
    if name == "@":
        return pointers.repeated(left, right, evaluator.access)
    return evaluator.computed(name, left, right)


@operand_of.register
def _sequence(expression: syntax.Sequence, evaluator: LaneEvaluator) -> Operand:
    first = evaluator.evaluate(expression.first).load(evaluator.access)
    second = evaluator.evaluate(expression.second)
    if not any(isinstance(each, Missing) for each in first):
        return second
    homes = [
        one if isinstance(one, Missing) else other
        for one, other in zip(first, second.homes, strict=True)
    ]
    return Operand(second.type, homes, second.is_lvalue)


@operand_of.register
def _in_space(expression: syntax.InSpace, evaluator: LaneEvaluator) -> Operand:
    return pointers.in_space(
        expression.space, evaluator.evaluate(expression.operand), evaluator.access
    )


@operand_of.register
def _cast(expression: syntax.Cast, evaluator: LaneEvaluator) -> Operand:
    return casts.cast(expression.type, evaluator.evaluate(expression.operand), evaluator.access)


@operand_of.register
def _vector_literal(expression: syntax.VectorLiteral, evaluator: LaneEvaluator) -> Operand:
    parts = [evaluator.evaluate(part) for part in expression.parts]
    return casts.vector_of(expression.type, parts, evaluator.access)


@operand_of.register
def _assignment(expression: syntax.Assignment, evaluator: LaneEvaluator) -> Operand:
    place, value = expression.target, evaluator.evaluate(expression.value)
    if expression.operator:
        value = evaluator.computed(expression.operator, evaluator.evaluate(place), value)
    if not evaluator.writes:
        return evaluator.evaluate(place)
    if isinstance(place, syntax.Dollar):
        if place.name == "pc":
            return assignment.move_pc(value, frame_state(evaluator.context), evaluator.access)
        if dollar.is_users(place.name, evaluator.context):
            return assignment.keep(place.name, value, evaluator.context, evaluator.access)
    target = evaluator.evaluate(place)
    if target.variable is not None:
        names.must_have_home(target.variable, evaluator.context)
    assignment.assign(target, value, evaluator.access)
    return target


@operand_of.register
def _step(expression: syntax.Step, evaluator: LaneEvaluator) -> Operand:
    before = evaluator.evaluate(expression.target)
    kept = Operand.of_data(before.type, before.load(evaluator.access))
    one = syntax.Literal(1, INT)
    after = operand_of(syntax.Assignment(expression.operator, expression.target, one), evaluator)
    return after if expression.before else kept
