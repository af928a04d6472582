"""What is left of an expression to work out in threads that are stopped at one instruction.

What its names mean, its types and what its operators do is the same in each; only numbers differ.
A part of an expression has the steps that find these: for one thread after another, or for a
:class:`ThreadGroup` all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zedbg.dwarf import Variable
from zedbg.dwarf.expressions.machine import SLM_ADDRESS_CLASS
from zedbg.dwarf.types.program_types import (
    INT,
    ArrayType,
    BaseType,
    EnumType,
    PointerType,
    StructType,
    Type,
)
from zedbg.missing import Missing
from zedbg.values.expressions import syntax
from zedbg.values.expressions.evaluator import as_integer
from zedbg.values.operands import dollar
from zedbg.values.operands.arithmetic import (
    COMPARISONS,
    binary,
    binary_type,
    common_type,
    converted,
    unary,
)
from zedbg.values.operands.operand import MAX_VALUE_SIZE
from zedbg.values.recomputed.judgement import computed_again
from zedbg.values.recomputed.variable_reader import VariableReader
from zedbg.values.source.access import Access
from zedbg.values.source.frame_context import visible_variable
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.thread_group import ThreadGroup
from zedbg.values.typed.locate import is_untagged
from zedbg.values.typed.scalars import (
    Number,
    converter,
    decode_each,
    encode_each,
    is_integer,
    is_scalar,
)

_ADDRESS_MASK = (1 << 64) - 1

#: The number of a part of the expression in each lane. Raises NotPlain.
Numbers = Callable[[ThreadContext], Sequence[Number]]
#: The bytes of it in each lane. Raises NotPlain.
Data = Callable[[ThreadContext], Sequence[bytes]]


class NotPlain(Exception):
    """It takes more than this: in this thread, or at all. The evaluation of the whole expression
    gives the value, or says why there is none."""


@dataclass(frozen=True)
class Part:
    """A part of an expression: its type, and what finds it in each lane. ``addresses``: where it
    lies in global memory, of what is pointed to."""

    type: Type
    data: Data
    numbers: Numbers
    addresses: Numbers | None = None


def part_of(expression: syntax.Expression, context: ThreadContext, lanes: Sequence[int]) -> Part:
    """What ``expression`` comes to in ``lanes`` where ``context``, which is no outer frame, is
    stopped; of a :class:`ThreadGroup` they are all that it has. Raises NotPlain, EvaluationError.

    There are literals, variables, ids of work-items, what pointers point to, and arithmetic. A
    missing or doubtful value is not plain.
    """
    match expression:
        case syntax.Literal(value, kind):
            return _literal(value, kind, lanes)
        case syntax.Name(name):
            return _variable(name.removeprefix("::"), context, lanes)
        case syntax.Index(syntax.Dollar(name), syntax.Literal(int(dimension))) if (
            0 <= dimension <= 2
        ):
            return _computed(dollar.ID_TYPE, _ids(name, dimension, lanes))
        case syntax.Index(operand, index):
            whole, number = (part_of(each, context, lanes) for each in (operand, index))
            if not is_integer(number.type) or _is_pointer(number.type):
                raise NotPlain
            if isinstance(whole.type.stripped(), ArrayType):
                return _element(whole, number)
            return _pointed_to(_moved("+", whole, number))
        case syntax.Unary("*", operand):
            return _pointed_to(part_of(operand, context, lanes))
        case syntax.MemberAccess(operand, name, arrow):
            whole = part_of(operand, context, lanes)
            return _member(_pointed_to(whole) if arrow or _is_pointer(whole.type) else whole, name)
        case syntax.Unary("-" | "+" | "~" | "!" as operator, operand):
            inner = part_of(operand, context, lanes)
            result, compute = unary(operator, inner.type)
            return _computed(result, lambda thread: list(map(compute, inner.numbers(thread))))
        case syntax.Binary("&&" | "||" as operator, left, right):
            truths = (part_of(each, context, lanes).numbers for each in (left, right))
            return _computed(INT, _logical(operator == "||", *truths))
        case syntax.Binary(operator, left, right):
            one, other = (part_of(each, context, lanes) for each in (left, right))
            if isinstance(right, syntax.Literal) and operator in COMPARISONS:
                kind = common_type(as_integer(one.type), right.type)
                return _arithmetic(
                    operator, one, _literal(converted(right.value, right.type), kind, lanes)
                )
            return _arithmetic(operator, one, other)
        case syntax.Cast(kind, operand) if is_scalar(kind) and not _is_pointer(kind):
            inner, convert = part_of(operand, context, lanes), converter(kind)
            return _computed(kind, lambda thread: list(map(convert, inner.numbers(thread))))
    raise NotPlain


def _literal(value: Number, kind: Type, lanes: Sequence[int]) -> Part:
    same = [converted(value, kind)] * len(lanes)
    return _computed(kind, lambda thread: same)


def _computed(kind: Type, numbers: Numbers) -> Part:
    return Part(kind, lambda thread: encode_each(kind, numbers(thread)), numbers)


def _stored(kind: Type, data: Data, addresses: Numbers | None = None) -> Part:
    def numbers(thread: ThreadContext) -> Sequence[Number]:
        if not is_scalar(kind):
            raise NotPlain
        return decode_each(kind, data(thread))

    return Part(kind, data, numbers, addresses)


def _variable(name: str, context: ThreadContext, lanes: Sequence[int]) -> Part:
    first, own = context, lanes
    if isinstance(context, ThreadGroup):
        first, own = context.thread, context.own_lanes
    variable = visible_variable(name, context)
    if variable is None:
        raise NotPlain
    reader = VariableReader.of(variable, first, own)
    if reader is not None:
        return _stored(reader.type, _of_each(reader.data))
    if _is_reference(variable.type):
        raise NotPlain
    return _stored(variable.type, _again(variable, lanes, own))


def _again(variable: Variable, lanes: Sequence[int], own: Sequence[int]) -> Data:
    """The bytes of a variable as the module's SPIR-V computes them."""
    of_each = _of_each(lambda thread: computed_again(thread, variable, own))

    def data(thread: ThreadContext) -> Sequence[bytes]:
        if isinstance(thread, ThreadGroup):
            together = computed_again(thread, variable, lanes)
            if together is not None:
                return together
        return of_each(thread)

    return data


def _of_each(of_thread: Callable[[ThreadContext], Sequence[bytes] | None]) -> Data:
    """The bytes of all lanes of a thread, or of each thread of a group."""

    def data(thread: ThreadContext) -> list[bytes]:
        found: list[bytes] = []
        for each in thread.threads if isinstance(thread, ThreadGroup) else (thread,):
            own = of_thread(each)
            if own is None:
                raise NotPlain
            found += own
        return found

    return data


def _ids(name: str, dimension: int, lanes: Sequence[int]) -> Numbers:
    def numbers(thread: ThreadContext) -> list[Number]:
        ids = dollar.ids_of(name, thread)
        if ids is None or isinstance(ids, Missing) or lanes[-1] >= len(ids):
            raise NotPlain
        return [ids[lane][dimension] for lane in lanes]

    return numbers


def _logical(is_or: bool, one: Numbers, other: Numbers) -> Numbers:
    def numbers(thread: ThreadContext) -> list[Number]:
        ones = list(map(bool, one(thread)))
        if (not is_or) not in ones:
            return [int(each) for each in ones]  # the left side decides in every lane
        others = map(bool, other(thread))
        if is_or:
            return [int(a or b) for a, b in zip(ones, others, strict=True)]
        return [int(a and b) for a, b in zip(ones, others, strict=True)]

    return numbers


def _arithmetic(operator: str, left: Part, right: Part) -> Part:
    pointers = _is_pointer(left.type), _is_pointer(right.type)
    if any(pointers) and operator not in COMPARISONS:
        if operator == "+" and pointers == (False, True):
            return _moved(operator, right, left)
        if operator in ("+", "-") and pointers == (True, False):
            return _moved(operator, left, right)
        raise NotPlain
    if operator == "@":
        raise NotPlain
    types = as_integer(left.type), as_integer(right.type)
    compute = binary(operator, *types)
    return _computed(
        binary_type(operator, *types),
        lambda thread: list(map(compute, left.numbers(thread), right.numbers(thread))),
    )


def _moved(operator: str, pointer: Part, number: Part) -> Part:
    """A pointer so many elements further on, or back."""
    kind = pointer.type.stripped()
    if not isinstance(kind, PointerType) or kind.size != 8 or not is_integer(number.type):
        raise NotPlain
    step = (kind.target.size or 1) * (1 if operator == "+" else -1)

    def numbers(thread: ThreadContext) -> list[Number]:
        pairs = zip(pointer.numbers(thread), number.numbers(thread), strict=True)
        return [int(begin) + int(count) * step & _ADDRESS_MASK for begin, count in pairs]

    return _computed(pointer.type, numbers)


def _pointed_to(pointer: Part) -> Part:
    kind = pointer.type.stripped()
    if not isinstance(kind, PointerType) or kind.address_class == SLM_ADDRESS_CLASS:
        raise NotPlain
    return _in_memory(kind.target, pointer.numbers)


def _in_memory(kind: Type, addresses: Numbers) -> Part:
    """What lies at ``addresses``."""
    stripped = kind.stripped()
    is_whole = (
        isinstance(stripped, BaseType | EnumType | PointerType)
        or (isinstance(stripped, StructType) and not stripped.is_declaration)
        or (isinstance(stripped, ArrayType) and stripped.count is not None)
    )
    if not is_whole or not 0 < kind.size <= MAX_VALUE_SIZE or _is_reference(kind):
        raise NotPlain

    def data(thread: ThreadContext) -> Sequence[bytes]:
        places = [int(each) for each in addresses(thread)]
        if not is_untagged(max(places)):
            raise NotPlain
        found = Access(thread).load_global(places, kind.size)
        if found is None:
            raise NotPlain
        return found

    return _stored(kind, data, addresses)


def _element(whole: Part, index: Part) -> Part:
    """An element of an array that lies in memory."""
    stripped, addresses = whole.type.stripped(), whole.addresses
    if not isinstance(stripped, ArrayType) or addresses is None:
        raise NotPlain
    size = stripped.element.size

    def numbers(thread: ThreadContext) -> list[Number]:
        pairs = zip(addresses(thread), index.numbers(thread), strict=True)
        return [int(begin) + int(number) * size for begin, number in pairs]

    return _in_memory(stripped.element, numbers)


def _member(whole: Part, name: str) -> Part:
    """A member of what lies in memory."""
    stripped = whole.type.stripped()
    member = stripped.member(name) if isinstance(stripped, StructType) else None
    addresses = whole.addresses
    if member is None or member.bit_size or addresses is None:
        raise NotPlain
    offset = member.offset
    return _in_memory(member.type, lambda thread: [each + offset for each in addresses(thread)])


def _is_pointer(kind: Type) -> bool:
    return isinstance(kind.stripped(), PointerType)


def _is_reference(kind: Type) -> bool:
    stripped = kind.stripped()
    return isinstance(stripped, PointerType) and bool(stripped.reference)
