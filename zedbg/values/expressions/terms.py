"""What stands by itself in an expression: numbers, strings, names, registers, types."""

from __future__ import annotations

from zedbg.dwarf.types.program_types import CHAR, ULONG, ArrayType, Type
from zedbg.values.expressions import functions, names, syntax
from zedbg.values.expressions.evaluator import LaneEvaluator, operand_of
from zedbg.values.operands import dollar
from zedbg.values.operands.arithmetic import converted
from zedbg.values.operands.convenience_functions import ConvenienceFunction
from zedbg.values.operands.math_functions import math_call
from zedbg.values.operands.operand import Operand
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.value import LaneValues


@operand_of.register
def _literal(expression: syntax.Literal, evaluator: LaneEvaluator) -> Operand:
    number = converted(expression.value, expression.type)
    return Operand.of_converted(expression.type, [number] * len(evaluator.lanes))


@operand_of.register
def _text(expression: syntax.Text, evaluator: LaneEvaluator) -> Operand:
    size = len(expression.data)
    return Operand.of_data(ArrayType(size, CHAR, size), [expression.data] * len(evaluator.lanes))


@operand_of.register
def _dollar(expression: syntax.Dollar, evaluator: LaneEvaluator) -> Operand:
    return dollar.resolve(expression.name, evaluator.context, evaluator.lanes)


@operand_of.register
def _call(expression: syntax.DollarCall, evaluator: LaneEvaluator) -> Operand:
    if expression.name in functions.FUNCTIONS:
        operands = [evaluator.evaluate(each) for each in expression.arguments]
        return functions.called(expression.name, operands, evaluator)
    function = evaluator.context.convenience(expression.name)
    if not isinstance(function, ConvenienceFunction):
        raise EvaluationError(f"There is no function ${expression.name}.")
    arguments = []
    for each in expression.arguments:
        operand = evaluator.evaluate(each)
        homes = operand.homes if operand.is_lvalue else None
        loaded = LaneValues(operand.type, evaluator.lanes, operand.load(evaluator.access), homes)
        arguments.append(loaded.values)
    return function.call(evaluator.context, evaluator.lanes, arguments)


@operand_of.register
def _math(expression: syntax.MathCall, evaluator: LaneEvaluator) -> Operand:
    operands = [evaluator.evaluate(each) for each in expression.arguments]
    return math_call(expression.name, operands, evaluator.access)


@operand_of.register
def _name(expression: syntax.Name, evaluator: LaneEvaluator) -> Operand:
    found = names.resolve(expression.name, evaluator.context, evaluator.lanes)
    if found is not None:
        evaluator.note_doubts(found)
        return found
    this = syntax.Name("this")
    return operand_of(syntax.MemberAccess(this, expression.name, arrow=True), evaluator)


@operand_of.register
def _type_only(expression: syntax.TypeOnly, evaluator: LaneEvaluator) -> Operand:
    raise EvaluationError("Attempt to use a type name as an expression.")


@operand_of.register
def _size_of(expression: syntax.SizeOf, evaluator: LaneEvaluator) -> Operand:
    operand = expression.operand
    size = operand.size if isinstance(operand, Type) else evaluator.evaluate(operand).type.size
    return Operand.of_numbers(ULONG, [size] * len(evaluator.lanes))
