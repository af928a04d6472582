"""Whether a module's SPIR-V is damaged: what it says does not fit together.

What computes values takes for granted that operands are there and are what their instruction takes;
of damaged code that raises many kinds of exceptions, which a slip of zedbg's own raises as well. So
the code is looked through once something was raised. See the SPIR-V specification, section 3.42.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.flow import targets
from zedbg.spirv.module.instructions import Assignment, Function, Instruction
from zedbg.spirv.module.opencl_std import Std
from zedbg.spirv.module.operations import ATOMICS, Op
from zedbg.spirv.module.types import Kind, Type, Value
from zedbg.spirv.numbers.arithmetic import BINARY, CLASSES, FLOAT_COMPARISONS, UNARY
from zedbg.spirv.numbers.computations import CHAINS, OF_PARTS, SAME
from zedbg.spirv.numbers.conversions import SATURATING
from zedbg.spirv.numbers.device_maths import FUNCTIONS
from zedbg.spirv.numbers.functions import (
    FLOAT_FUNCTIONS,
    INTEGER_FUNCTIONS,
    INTEGERS_OF_FLOATS,
    TAKING_INTEGERS,
)

#: What reading parts that are not there, or are of another kind than expected, raises.
DAMAGES = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, struct.error)

_PTR_ELEMENTS = frozenset({Op.PTR_ACCESS_CHAIN, Op.IN_BOUNDS_PTR_ACCESS_CHAIN})
_SHIFTS = frozenset({Op.SHIFT_LEFT_LOGICAL, Op.SHIFT_RIGHT_LOGICAL, Op.SHIFT_RIGHT_ARITHMETIC})
_OF_FLOATS = frozenset(
    {
        *(each for each in Op if each.name.startswith("F_")),
        *(Op.CONVERT_F_TO_S, Op.CONVERT_F_TO_U, Op.SIGN_BIT_SET, *CLASSES, *FLOAT_COMPARISONS),
    }
)
_TO_FLOATS = frozenset({Op.CONVERT_S_TO_F, Op.CONVERT_U_TO_F, Op.F_CONVERT, Op.F_NEGATE})
#: How many of the first operands are results, of instructions that have others, too.
_RESULTS: dict[int, int] = {
    **dict.fromkeys((Op.LOAD, Op.BRANCH_CONDITIONAL, Op.SWITCH, Op.RETURN_VALUE), 1),
    **dict.fromkeys((Op.COMPOSITE_EXTRACT, Op.LIFETIME_START, Op.LIFETIME_STOP), 1),
    **dict.fromkeys((Op.STORE, Op.COPY_MEMORY, Op.COMPOSITE_INSERT, Op.VECTOR_SHUFFLE), 2),
    Op.COPY_MEMORY_SIZED: 3,
}
_OF_RESULTS = frozenset(
    {
        *BINARY,
        *UNARY,
        *CLASSES,
        *SATURATING,
        *CHAINS,
        *SAME,
        *ATOMICS,
        Op.BITCAST,
        Op.SELECT,
        Op.DOT,
    }
    | {Op.VECTOR_TIMES_SCALAR, Op.COMPOSITE_CONSTRUCT, Op.ANY, Op.ALL}
    | {Op.VECTOR_EXTRACT_DYNAMIC, Op.VECTOR_INSERT_DYNAMIC}
)
_LEAST: dict[int, int] = {Op.BRANCH: 1, Op.BRANCH_CONDITIONAL: 3, Op.SWITCH: 2}  # operands
_NOWHERE = 0xFFFFFFFF  # the component of OpVectorShuffle that is not set


def is_damaged(code: SpirvCode) -> bool:
    """Whether something in ``code`` cannot be as it is in a module that a compiler wrote."""
    try:
        return not _Check(code).fits()
    except DAMAGES:
        return True


class _Check:
    """Each question raises one of DAMAGES, or is false, where something does not fit."""

    def __init__(self, code: SpirvCode) -> None:
        self._code = code
        self._type_of = code.type_of
        self._made: set[int] = set()

    def fits(self) -> bool:
        code = self._code
        constants = all(_is_of(self._type_of[id], each) for id, each in code.constants.items())
        pointers = all(self._type_of[each].members for each in code.storage)
        return constants and pointers and all(map(self._has_function, code.functions.numbers))

    def _has_function(self, result: int) -> bool:
        function = self._code.functions[result]
        self._made.update(self._code.constants, self._code.storage)
        own = [*function.parameters]
        own += [
            item.result
            for block in function.blocks.values()
            for item in block.items
            if isinstance(item, Instruction) and item.result
        ]
        is_once = len(own) == len({*own}) and self._made.isdisjoint(own)
        self._made.update(own)
        return is_once and all(self._has_block(function, each) for each in function.blocks)

    def _has_block(self, function: Function, label: int) -> bool:
        block = function.blocks[label]
        last = block.terminator
        if last is None or len(last.operands) < _LEAST.get(last.opcode, 0):
            return False
        if not all(each in function.blocks for each in targets(last)):
            return False
        return all(
            self._has(function, label, item)
            if isinstance(item, Instruction)
            else self._assigns(item)
            for item in block.items
        )

    def _assigns(self, item: Assignment) -> bool:
        if item.value is None:
            return True
        kind = self._type_of[item.value]
        return not item.in_memory or bool(kind.members)

    def _has(self, function: Function, label: int, item: Instruction) -> bool:
        kinds = [self._type_of[each] for each in _results(item)]
        result, operands = self._type_of.get(item.result), item.operands
        opcode = item.opcode
        if opcode == Op.PHI:
            came = [
                each
                for each, block in function.blocks.items()
                if label in targets(block.terminator)
            ]
            return (
                result is not None
                and sorted(operands[1::2]) == sorted(came)
                and len(operands) % 2 == 0
                and all(_alike(result, each) for each in kinds)
            )
        if opcode == Op.FUNCTION_CALL:
            return self._calls(item, result, kinds)
        if opcode == Op.RETURN_VALUE:
            return _alike(self._type_of[function.result], kinds[0])
        if opcode == Op.BRANCH_CONDITIONAL:
            return kinds[0].kind is Kind.BOOLEAN
        if opcode == Op.SWITCH:
            return kinds[0].kind is Kind.INTEGER and len(operands) % 2 == 0
        if opcode == Op.VARIABLE:
            return result is not None and bool(result.members)
        if opcode == Op.LOAD:
            return result is not None and _alike(kinds[0].members[0], result)
        if opcode == Op.STORE:
            return _alike(kinds[0].members[0], kinds[1])
        if opcode in (Op.COPY_MEMORY, Op.COPY_MEMORY_SIZED):
            return all(each.kind is Kind.POINTER and each.members for each in kinds[:2])
        return result is None or self._makes(item, result, kinds)

    def _calls(self, item: Instruction, result: Type | None, kinds: Sequence[Type]) -> bool:
        called = self._code.functions.get(item.operands[0])
        if called is None:
            return True  # it has no body
        returned = self._type_of[called.result]
        passed = zip(called.parameters, kinds, strict=True)
        return (
            result is not None
            and _alike(returned, result)
            and all(_alike(self._type_of[one], other) for one, other in passed)
        )

    def _makes(self, item: Instruction, result: Type, kinds: Sequence[Type]) -> bool:
        """Whether a result of the type ``result`` is made of such of the types ``kinds``."""
        opcode = item.opcode
        if opcode in BINARY:
            return len(kinds) == 2 and _is_arithmetic(opcode, result, kinds)
        if opcode in UNARY or opcode in SATURATING:
            return len(kinds) == 1 and _is_arithmetic(opcode, result, kinds)
        if opcode == Op.BITCAST:
            return 0 < kinds[0].size == result.size
        if opcode in CHAINS:
            return self._leads(item, kinds)
        if opcode in SAME:
            return kinds[0].kind is result.kind
        if opcode in OF_PARTS:
            return _is_of_parts(item, result, kinds)
        if opcode == Op.SELECT:
            which, *chosen = kinds
            return (
                len(kinds) == 3
                and _element(which).kind is Kind.BOOLEAN
                and _count(which) in (1, _count(result))
                and all(_alike(result, each) for each in chosen)
            )
        if opcode in (Op.DOT, Op.VECTOR_TIMES_SCALAR):
            of = [_element(each) for each in (*kinds, result)]
            counts = (kinds[0].count, kinds[1].count, result.count)
            expected = (counts[0], counts[0], 0) if opcode == Op.DOT else (counts[0], 0, counts[0])
            return counts == expected and all(each.kind is Kind.FLOAT == of[0].kind for each in of)
        if opcode in ATOMICS:
            return bool(kinds[0].members) and result.bits > 0
        if opcode == Op.EXT_INST and item.operands[0] in self._code.maths:
            return _is_function(item.operands[1], result, kinds)
        return True

    def _leads(self, item: Instruction, kinds: Sequence[Type]) -> bool:
        """Whether there is an address for all indices of an access chain."""
        kind, indices = kinds[0].members[0], list(zip(item.operands, kinds, strict=True))[1:]
        if not all(each.kind is Kind.INTEGER for _, each in indices):
            return False
        if item.opcode in _PTR_ELEMENTS:
            del indices[0]
        for index, _ in indices:
            if kind.kind is Kind.STRUCTURE:
                member = self._code.constants[index]
                kind = kind.members[member] if isinstance(member, int) else kind.members[-1]
            elif kind.is_composite:
                kind = kind.members[0]
        return True


def _results(item: Instruction) -> Sequence[int]:
    """The operands that are results of others."""
    operands = item.operands
    if item.opcode == Op.PHI:
        return operands[0::2]
    if item.opcode == Op.EXT_INST:
        return operands[2:]
    if item.opcode in (Op.FUNCTION_CALL, Op.VARIABLE):
        return operands[1:]
    if item.opcode in _RESULTS:
        count = _RESULTS[item.opcode]
        if len(operands) < count:
            raise ValueError("an operand is missing")
        return operands[:count]
    return operands if item.opcode in _OF_RESULTS else ()


def _element(kind: Type) -> Type:
    return kind.members[0] if kind.kind is Kind.VECTOR else kind


def _count(kind: Type) -> int:
    return kind.count if kind.kind is Kind.VECTOR else 1


def _alike(one: Type, other: Type) -> bool:
    """Whether values of both have the same form. What structures that point to themselves point to
    is not known."""
    if one.kind is not other.kind or one.bits != other.bits or one.count != other.count:
        return False
    if one.kind is Kind.POINTER:
        return True
    members = zip(one.members, other.members, strict=True)
    return all(_alike(first, second) for first, second in members)


def _is_of(kind: Type, value: Value) -> bool:
    """Whether ``value`` has the form of a ``kind``."""
    if isinstance(value, tuple):
        return len(value) == kind.length and all(
            _is_of(kind.part(index), each) for index, each in enumerate(value)
        )
    return not kind.is_composite and kind.kind is not Kind.VOID


def _is_arithmetic(opcode: int, result: Type, kinds: Sequence[Type]) -> bool:
    elements = [_element(each) for each in kinds]
    is_float = opcode in _OF_FLOATS
    makes_float = opcode in _TO_FLOATS or (is_float and result.kind is Kind.FLOAT)
    return (
        {_count(each) for each in kinds} == {_count(result)}
        and all((each.kind is Kind.FLOAT) is is_float for each in elements)
        and (_element(result).kind is Kind.FLOAT or not makes_float)
        and all(each.bits > 0 for each in (*elements, _element(result)))
        and (opcode in _SHIFTS or len({each.bits for each in elements}) == 1)
    )


def _is_of_parts(item: Instruction, result: Type, kinds: Sequence[Type]) -> bool:
    match item.opcode:
        case Op.COMPOSITE_CONSTRUCT if result.kind is Kind.VECTOR:
            same = all(_alike(_element(each), result.members[0]) for each in kinds)
            return same and sum(map(_count, kinds)) == result.count
        case Op.COMPOSITE_CONSTRUCT:
            whole = len(kinds) == result.length and result.is_composite
            return whole and all(_alike(result.part(i), each) for i, each in enumerate(kinds))
        case Op.COMPOSITE_EXTRACT:
            return _alike(_part(kinds[0], item.operands[1:]), result)
        case Op.COMPOSITE_INSERT:
            return _alike(_part(kinds[1], item.operands[2:]), kinds[0]) and _alike(kinds[1], result)
        case Op.VECTOR_EXTRACT_DYNAMIC | Op.VECTOR_INSERT_DYNAMIC:
            part = result if item.opcode == Op.VECTOR_EXTRACT_DYNAMIC else kinds[1]
            is_vector = kinds[0].kind is Kind.VECTOR and _alike(kinds[0].members[0], part)
            return is_vector and kinds[-1].kind is Kind.INTEGER
        case Op.VECTOR_SHUFFLE:
            which, count = item.operands[2:], sum(each.count for each in kinds)
            return (
                all(each.kind is Kind.VECTOR for each in (*kinds, result))
                and all(_alike(each.members[0], result.members[0]) for each in kinds)
                and len(which) == result.count
                and all(each < count or each == _NOWHERE for each in which)
            )
    return len(kinds) == 1 and _element(kinds[0]).kind is Kind.BOOLEAN is result.kind


def _part(kind: Type, path: Sequence[int]) -> Type:
    for index in path:
        if not kind.is_composite or index >= kind.length:
            raise IndexError(index)
        kind = kind.part(index)
    return kind


def _takes(compute: Callable[..., float], count: int) -> bool:
    try:
        compute(*(0.5,) * count)
    except TypeError:
        return False
    except (ValueError, ArithmeticError):
        pass  # of that number
    return True


def _is_function(number: int, result: Type, kinds: Sequence[Type]) -> bool:
    """Whether such a function of OpenCL.std is there; of those that are not computed, true."""
    if number == Std.CROSS:
        return len(kinds) == 2 and all(_alike(each, result) for each in kinds)
    if number == Std.SELECT:
        return len(kinds) == 3 and all(_count(each) == _count(result) for each in kinds)
    if number in FUNCTIONS and not _takes(FUNCTIONS[number], len(kinds)):
        return False
    kind = _element(result).kind
    compute: Callable[..., int] | Callable[..., float] | None = None
    if kind is Kind.INTEGER:
        compute = INTEGER_FUNCTIONS.get(number)
    elif kind is Kind.FLOAT:
        compute = FLOAT_FUNCTIONS.get(number)
    if number in INTEGERS_OF_FLOATS and kind is Kind.INTEGER:
        of_kinds, count = [Kind.FLOAT], 1
    elif compute is None:
        if number == Std.REMQUO:
            return True  # the quotient, which is not computed
        return number not in INTEGER_FUNCTIONS and number not in FLOAT_FUNCTIONS
    else:
        count = compute.__code__.co_argcount - 1
        of_kinds = [kind] * count
        of_kinds[-1] = Kind.INTEGER if number in TAKING_INTEGERS else kind
    elements = [_element(each) for each in kinds]
    return (
        len(kinds) == count
        and all(_count(each) == _count(result) for each in kinds)
        and all(each.bits > 0 for each in elements)
        and [each.kind for each in elements] == of_kinds
    )
