"""Parts of values: members, elements, slices."""

from __future__ import annotations

from zedbg.dwarf.types.program_types import INT, VOID, ArrayType, Member, PointerType, StructType
from zedbg.missing import Missing
from zedbg.values.expressions import syntax
from zedbg.values.expressions.evaluator import LaneEvaluator, operand_of
from zedbg.values.operands import dollar, pointers, vectors
from zedbg.values.operands.operand import Operand
from zedbg.values.operands.parts import BitField
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import Home, MemoryHome
from zedbg.values.typed.scalars import is_integer


@operand_of.register
def _member(expression: syntax.MemberAccess, evaluator: LaneEvaluator) -> Operand:
    operand = evaluator.evaluate(expression.operand)
    return member_of(evaluator, operand, expression.name, arrow=expression.arrow)


def member_of(
    evaluator: LaneEvaluator, operand: Operand, name: str, *, arrow: bool = False
) -> Operand:
    """``operand.name``, through a pointer as well. Raises EvaluationError."""
    if arrow or isinstance(operand.type.stripped(), PointerType):
        operand = pointers.dereferenced(operand, evaluator.access)
    view = dollar.viewed(operand, name)
    if view is not None:
        return view
    if vectors.as_vector(operand.type) is not None:
        return vectors.component(operand, name, evaluator.access)
    stripped = operand.type.stripped()
    if not isinstance(stripped, StructType):
        raise EvaluationError("Attempt to extract a component of a value that is not a structure.")
    member = stripped.member(name)
    if member is None:
        raise EvaluationError(f"There is no member named {name}.")
    return part_of(evaluator, operand, member)


def part_of(evaluator: LaneEvaluator, operand: Operand, member: Member) -> Operand:
    """The member ``member`` of a structure, a base class too."""
    if member.bit_size:
        return BitField(operand, member, evaluator.access)
    return operand.moved(member.type, member.offset)


@operand_of.register
def _index(expression: syntax.Index, evaluator: LaneEvaluator) -> Operand:
    return element_of(
        evaluator, evaluator.evaluate(expression.operand), evaluator.evaluate(expression.index)
    )


def element_of(evaluator: LaneEvaluator, operand: Operand, index: Operand) -> Operand:
    """``operand[index]``. Raises EvaluationError."""
    if not is_integer(index.type):
        raise EvaluationError("Index is not an integer.")
    stripped = operand.type.stripped()
    if stripped is VOID and all(isinstance(home, Missing) for home in operand.homes):
        return Operand(INT, operand.homes)  # such as $_global_size, where nothing says it
    if not isinstance(stripped, ArrayType):
        return pointers.dereferenced(evaluator.arithmetic("+", operand, index), evaluator.access)
    homes: list[Home | Missing] = []
    for home, number in zip(operand.homes, evaluator.numbers(index), strict=True):
        if isinstance(home, Missing):
            homes.append(home)
            continue
        if isinstance(number, Missing):
            homes.append(number)
            continue
        outside = stripped.count is not None and not 0 <= number < stripped.count
        if outside and not isinstance(home, MemoryHome):
            homes.append(Missing(f"there is no element {number}"))
        else:
            homes.append(home.moved(int(number) * stripped.element.size))
    return Operand(stripped.element, tuple(homes), operand.is_lvalue)


@operand_of.register
def _slice(expression: syntax.Slice, evaluator: LaneEvaluator) -> Operand:
    first = element_of(
        evaluator, evaluator.evaluate(expression.operand), evaluator.evaluate(expression.first)
    )
    length = syntax.Binary("-", expression.end, expression.first)
    lengths = evaluator.evaluate(length)
    if not is_integer(lengths.type):
        raise EvaluationError("Index is not an integer.")
    counts = {each for each in evaluator.numbers(lengths) if not isinstance(each, Missing)}
    if len(counts) != 1 or min(counts) < 1:
        raise EvaluationError("A slice is FIRST:END, of one length in every lane.")
    whole = evaluator.evaluate(expression.operand).type.stripped()
    count = int(counts.pop())
    if isinstance(whole, ArrayType) and whole.count is not None:
        end = evaluator.numbers(evaluator.evaluate(expression.end))
        if any(not isinstance(each, Missing) and each > whole.count for each in end):
            raise EvaluationError(f"The array has {whole.count} elements.")
    sliced = ArrayType(first.type.size * count, first.type, count)
    return Operand(sliced, first.homes, first.is_lvalue)
