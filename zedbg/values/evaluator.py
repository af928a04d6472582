"""Evaluating expressions in one frame for some lanes at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatchmethod

from zedbg.dwarf import Variable
from zedbg.dwarf.machine import MemorySpace, Missing, MissingError
from zedbg.dwarf.types import (
    INT,
    LONG,
    UINT,
    ULONG,
    VOID,
    ArrayType,
    FunctionType,
    Member,
    PointerType,
    StructType,
    Type,
)
from zedbg.values import dollar, syntax, vectors
from zedbg.values.access import Access
from zedbg.values.arithmetic import binary, binary_type, unary
from zedbg.values.context import ThreadContext
from zedbg.values.errors import EvaluationError
from zedbg.values.frame_context import frame_state, lookup_address, visible_variables
from zedbg.values.homes import Home, InterleavedHome, MemoryHome
from zedbg.values.locate import SLM_ADDRESS_CLASS, SLM_POINTER_TAG, locate, memory_home
from zedbg.values.operand import Operand, lanewise
from zedbg.values.scalars import Number, encode, is_float, is_scalar
from zedbg.values.syntax import Expression
from zedbg.values.type_names import TypeNames
from zedbg.values.value import Value


class LaneEvaluator:
    """Evaluates trees for ``lanes`` of ``context``; wrong expressions raise EvaluationError."""

    def __init__(self, context: ThreadContext, lanes: Sequence[int]) -> None:
        self._context = context
        self._lanes = tuple(lanes)
        self._frame = frame_state(context)
        self.access = Access(context, self._frame)

    def evaluate(self, expression: Expression) -> Operand:
        """The operand that ``expression`` comes to."""
        return self._evaluate(expression)

    @singledispatchmethod
    def _evaluate(self, expression: Expression) -> Operand:
        raise EvaluationError(f"{type(expression).__name__} cannot be evaluated.")

    @_evaluate.register
    def _literal(self, expression: syntax.Literal) -> Operand:
        return Operand.of_numbers(expression.type, [expression.value] * len(self._lanes))

    @_evaluate.register
    def _dollar(self, expression: syntax.Dollar) -> Operand:
        return dollar.resolve(expression.name, self._context, self._lanes)

    @_evaluate.register
    def _name(self, expression: syntax.Name) -> Operand:
        info = self._context.debug_info
        if info is None:
            raise EvaluationError(
                f'No symbol "{expression.name}": there is no debug info here, compile with -g.'
            )
        for _scope, variable in visible_variables(self._context):
            if variable.name == expression.name:
                return self.variable(variable)
        for variable in info.globals:
            if variable.name == expression.name:
                return self.variable(variable)
        enumerator = info.enumerator(expression.name)
        if enumerator is not None:
            return Operand.of_numbers(enumerator[0], [enumerator[1]] * len(self._lanes))
        functions = info.functions_named(expression.name)
        if functions:
            home = MemoryHome(MemorySpace.GLOBAL, functions[0].low)
            function_type = FunctionType(1, functions[0].type or VOID)
            return Operand(function_type, (home,) * len(self._lanes), True)
        if TypeNames(info).named(expression.name) is not None:
            raise EvaluationError("Attempt to use a type name as an expression.")
        raise EvaluationError(f'No symbol "{expression.name}" in current context.')

    def variable(self, variable: Variable) -> Operand:
        """A variable of the program that is in scope."""
        info = self._context.debug_info
        assert info is not None
        homes = locate(
            info,
            variable,
            self._frame,
            lookup_address(self._context),
            self._lanes,
            self._context.active_lanes,
        )
        return Operand(variable.type, tuple(homes), True)

    @_evaluate.register
    def _type_only(self, expression: syntax.TypeOnly) -> Operand:
        raise EvaluationError("Attempt to use a type name as an expression.")

    @_evaluate.register
    def _size_of(self, expression: syntax.SizeOf) -> Operand:
        operand = expression.operand
        size = operand.size if isinstance(operand, Type) else self._evaluate(operand).type.size
        return Operand.of_numbers(ULONG, [size] * len(self._lanes))

    @_evaluate.register
    def _unary(self, expression: syntax.Unary) -> Operand:
        operand = self._evaluate(expression.operand)
        if expression.operator == "*":
            return self._dereferenced(operand)
        if expression.operator == "&":
            return self._address_of(operand)
        operand = self._decayed(operand)
        name = expression.operator
        if not is_scalar(operand.type):
            raise EvaluationError("Argument to arithmetic operation not a number or boolean.")
        if name == "!":
            return Operand.of_numbers(INT, lanewise(lambda n: int(not n), self._numbers(operand)))
        result = unary(name, 0, operand.type)[0]
        return Operand.of_numbers(
            result, lanewise(lambda n: unary(name, n, operand.type)[1], self._numbers(operand))
        )

    def _numbers(self, operand: Operand) -> list[Number | Missing]:
        return operand.numbers(self.access)

    def _decayed(self, operand: Operand) -> Operand:
        """An array as a pointer to its first element, where C makes it one."""
        stripped = operand.type.stripped()
        if isinstance(stripped, ArrayType) and not stripped.is_vector:
            if any(isinstance(home, InterleavedHome) for home in operand.homes):
                raise EvaluationError(
                    "It has no one address: the compiler interleaves the arrays of all lanes. "
                    "Name its elements."
                )
            return self._address_of(operand.moved(stripped.element, 0))
        if isinstance(stripped, FunctionType):
            return self._address_of(operand)
        return operand

    def _address_of(self, operand: Operand) -> Operand:
        if not operand.is_lvalue:
            raise EvaluationError("Attempt to take address of value not located in memory.")
        numbers: list[Number | Missing] = []
        address_class = None
        for each in operand.homes:
            home = each
            if isinstance(home, InterleavedHome):
                parts = home.parts(operand.type.size)
                if len(parts) != 1:
                    raise EvaluationError(
                        "It has no one address: the compiler interleaves the arrays of all lanes. "
                        "Name its elements."
                    )
                home = parts[0][0]
            if isinstance(home, MemoryHome):
                tag = 0
                if home.space is MemorySpace.SLM:
                    address_class, tag = SLM_ADDRESS_CLASS, SLM_POINTER_TAG
                numbers.append(home.address | tag)
            elif isinstance(home, Missing):
                numbers.append(home)
            else:
                raise EvaluationError("Attempt to take address of value not located in memory.")
        return Operand.of_numbers(PointerType(8, operand.type, address_class), numbers)

    def _dereferenced(self, operand: Operand) -> Operand:
        stripped = operand.type.stripped()
        if isinstance(stripped, ArrayType) and not stripped.is_vector:
            return operand.moved(stripped.element, 0)
        operand = self._decayed(operand)
        stripped = operand.type.stripped()
        if isinstance(stripped, PointerType):
            target, address_class = stripped.target, stripped.address_class
            if target.stripped() is VOID or target.size == 0:
                raise EvaluationError("Attempt to take contents of a non-pointer value.")
        elif is_scalar(operand.type) and not is_float(operand.type):
            target, address_class = LONG, None  # as GDB: an integer is an address of a long
        else:
            raise EvaluationError("Attempt to take contents of a non-pointer value.")
        homes = [
            number
            if isinstance(number, Missing)
            else memory_home(int(number) & (1 << 64) - 1, address_class)
            for number in self._numbers(operand)
        ]
        return Operand(target, tuple(homes), True)

    @_evaluate.register
    def _binary(self, expression: syntax.Binary) -> Operand:
        name = expression.operator
        if name in ("&&", "||"):
            return self._logical(expression)
        left, right = self._evaluate(expression.left), self._evaluate(expression.right)
        if name == "@":
            return self._repeated(left, right)
        vector = vectors.elementwise(name, left, right, self.access)
        return vector if vector is not None else self._arithmetic(name, left, right)

    def _arithmetic(self, name: str, left: Operand, right: Operand) -> Operand:
        left, right = self._decayed(left), self._decayed(right)
        if not is_scalar(left.type) or not is_scalar(right.type):
            raise EvaluationError("Argument to arithmetic operation not a number or boolean.")
        pointer = self._pointer_arithmetic(name, left, right)
        if pointer is not None:
            return pointer
        left_type, right_type = _as_integer(left.type), _as_integer(right.type)
        numbers = lanewise(
            lambda a, b: binary(name, a, left_type, b, right_type),
            self._numbers(left),
            self._numbers(right),
        )
        return Operand.of_numbers(binary_type(name, left_type, right_type), numbers)

    def _pointer_arithmetic(self, name: str, left: Operand, right: Operand) -> Operand | None:
        """``p + n``, ``n + p``, ``p - n`` and ``p - q``; None for everything else."""
        left_pointer, right_pointer = left.type.stripped(), right.type.stripped()
        if name == "+" and isinstance(right_pointer, PointerType):
            left, right, left_pointer, right_pointer = right, left, right_pointer, left_pointer
        if not isinstance(left_pointer, PointerType) or name not in ("+", "-"):
            return None
        if is_float(right.type):
            raise EvaluationError("Argument to arithmetic operation not a number or boolean.")
        size = left_pointer.target.size or 1
        numbers = (self._numbers(left), self._numbers(right))
        if isinstance(right_pointer, PointerType):
            if name == "+":
                raise EvaluationError("Pointers cannot be added.")
            return Operand.of_numbers(LONG, lanewise(lambda a, b: (a - b) // size, *numbers))
        sign = 1 if name == "+" else -1
        moved = lanewise(lambda a, b: a + sign * int(b) * size & (1 << 64) - 1, *numbers)
        return Operand.of_numbers(left.type, moved)

    def _logical(self, expression: syntax.Binary) -> Operand:
        """``&&`` and ``||``: a lane that the left side decides does not need the right one."""
        left = self._truths(expression.left)
        decided = expression.operator == "||"
        right: list[Number | Missing] = [int(decided)] * len(left)
        if any(not isinstance(truth, Missing) and bool(truth) != decided for truth in left):
            right = self._truths(expression.right)
        results: list[Number | Missing] = []
        for one, other in zip(left, right, strict=True):
            results.append(
                int(decided)
                if not isinstance(one, Missing) and bool(one) == decided
                else one
                if isinstance(one, Missing)
                else other
            )
        return Operand.of_numbers(INT, results)

    def _truths(self, expression: Expression) -> list[Number | Missing]:
        operand = self._decayed(self._evaluate(expression))
        if not is_scalar(operand.type):
            raise EvaluationError("Argument to logical operation not a number or boolean.")
        return lanewise(lambda number: int(bool(number)), self._numbers(operand))

    def _repeated(self, left: Operand, right: Operand) -> Operand:
        if not left.is_lvalue:
            raise EvaluationError("Only values in memory can be extended with '@'.")
        if not is_scalar(right.type) or is_float(right.type):
            raise EvaluationError("Invalid number of repetitions.")
        counts = {number for number in self._numbers(right) if not isinstance(number, Missing)}
        if len(counts) != 1 or min(counts) < 1:
            raise EvaluationError("Invalid number of repetitions.")
        count = int(counts.pop())
        return Operand(ArrayType(left.type.size * count, left.type, count), left.homes, True)

    @_evaluate.register
    def _conditional(self, expression: syntax.Conditional) -> Operand:
        truths = self._truths(expression.condition)
        chosen = self._decayed(self._evaluate(expression.chosen))
        other = self._decayed(self._evaluate(expression.other))
        if is_scalar(chosen.type) and is_scalar(other.type):
            result = binary_type("+", _as_integer(chosen.type), _as_integer(other.type))
            if isinstance(chosen.type.stripped(), PointerType):
                result = chosen.type
            numbers = [
                truth if isinstance(truth, Missing) else one if truth else two
                for truth, one, two in zip(
                    truths, self._numbers(chosen), self._numbers(other), strict=True
                )
            ]
            return Operand.of_numbers(result, numbers)
        homes = [
            truth if isinstance(truth, Missing) else one if truth else two
            for truth, one, two in zip(truths, chosen.homes, other.homes, strict=True)
        ]
        return Operand(chosen.type, tuple(homes))

    @_evaluate.register
    def _member(self, expression: syntax.MemberAccess) -> Operand:
        operand = self._evaluate(expression.operand)
        if expression.arrow or isinstance(operand.type.stripped(), PointerType):
            operand = self._dereferenced(operand)
        view = dollar.viewed(operand, expression.name)
        if view is not None:
            return view
        if vectors.as_vector(operand.type) is not None:
            return vectors.component(operand, expression.name, self.access)
        stripped = operand.type.stripped()
        if not isinstance(stripped, StructType):
            raise EvaluationError(
                "Attempt to extract a component of a value that is not a structure."
            )
        member = stripped.member(expression.name)
        if member is None:
            raise EvaluationError(f"There is no member named {expression.name}.")
        if member.bit_size:
            return self._bit_field(operand, member)
        return operand.moved(member.type, member.offset)

    def _bit_field(self, operand: Operand, member: Member) -> Operand:
        data = [
            each if isinstance(each, Missing) else Value(operand.type, each).member(member).data
            for each in operand.load(self.access)
        ]
        return Operand.of_data(member.type, data)

    @_evaluate.register
    def _index(self, expression: syntax.Index) -> Operand:
        operand = self._evaluate(expression.operand)
        index = self._evaluate(expression.index)
        if not is_scalar(index.type) or is_float(index.type):
            raise EvaluationError("Index is not an integer.")
        stripped = operand.type.stripped()
        if not isinstance(stripped, ArrayType):
            return self._dereferenced(self._arithmetic("+", operand, index))
        homes: list[Home | Missing] = []
        for home, number in zip(operand.homes, self._numbers(index), strict=True):
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

    @_evaluate.register
    def _slice(self, expression: syntax.Slice) -> Operand:
        first = self._index(syntax.Index(expression.operand, expression.first))
        length = syntax.Binary("-", expression.behind, expression.first)
        lengths = self._evaluate(length)
        if not is_scalar(lengths.type) or is_float(lengths.type):
            raise EvaluationError("Index is not an integer.")
        counts = {each for each in self._numbers(lengths) if not isinstance(each, Missing)}
        if len(counts) != 1 or min(counts) < 1:
            raise EvaluationError("A slice is FIRST:BEHIND, of one length in every lane.")
        whole = self._evaluate(expression.operand).type.stripped()
        count = int(counts.pop())
        if isinstance(whole, ArrayType) and whole.count is not None:
            behind = self._numbers(self._evaluate(expression.behind))
            if any(not isinstance(each, Missing) and each > whole.count for each in behind):
                raise EvaluationError(f"The array has {whole.count} elements.")
        sliced = ArrayType(first.type.size * count, first.type, count)
        return Operand(sliced, first.homes, first.is_lvalue)

    @_evaluate.register
    def _in_space(self, expression: syntax.InSpace) -> Operand:
        operand = self._decayed(self._evaluate(expression.operand))
        if not is_scalar(operand.type) or is_float(operand.type):
            raise EvaluationError("An address space takes an address.")
        pointer = operand.type.stripped()
        target = pointer.target if isinstance(pointer, PointerType) else UINT
        address_class = SLM_ADDRESS_CLASS if expression.space is MemorySpace.SLM else None
        return Operand.of_numbers(PointerType(8, target, address_class), self._numbers(operand))

    @_evaluate.register
    def _cast(self, expression: syntax.Cast) -> Operand:
        operand = self._evaluate(expression.operand)
        target = expression.type
        if not is_scalar(target):
            if operand.type.size == target.size and operand.type.size:
                return Operand(target, operand.homes, operand.is_lvalue)
            if target.stripped() is VOID:
                return Operand(VOID, operand.homes)
            raise EvaluationError("Invalid cast.")
        operand = self._decayed(operand)
        if not is_scalar(operand.type):
            raise EvaluationError("Invalid cast.")
        return Operand.of_numbers(_kept_space(target, operand.type), self._numbers(operand))

    @_evaluate.register
    def _assignment(self, expression: syntax.Assignment) -> Operand:
        if expression.target == syntax.Dollar("pc") and not expression.operator:
            return self._move_pc(expression.value)
        target = self._evaluate(expression.target)
        if not target.is_lvalue:
            raise EvaluationError("Left operand of assignment is not an lvalue.")
        value = self._evaluate(expression.value)
        if expression.operator:
            value = self._arithmetic(expression.operator, target, value)
        for home, data in zip(target.homes, self._assigned(target.type, value), strict=True):
            if isinstance(data, Missing):
                raise EvaluationError(f"cannot assign: {data.reason}")
            self.access.store(home, data)
        return target

    def _move_pc(self, value: Expression) -> Operand:
        """``$pc = address``: the IP counts from the instruction base."""
        address = self._decayed(self._evaluate(value))
        if not is_scalar(address.type):
            raise EvaluationError("Invalid cast.")
        number = self._numbers(address)[0]
        if isinstance(number, Missing):
            raise EvaluationError(f"cannot assign: {number.reason}")
        try:
            offset = int(number) - self._frame.isa_base
        except MissingError as error:
            raise EvaluationError(f"cannot assign: {error}") from error
        if not 0 <= offset < 1 << 32:
            raise EvaluationError(f"{int(number):#x} is not within 4 GiB of the instruction base.")
        self.access.store(dollar.INSTRUCTION_POINTER, offset.to_bytes(4, "little"))
        return address

    def _assigned(self, target: Type, value: Operand) -> list[bytes | Missing]:
        """The bytes that assigning ``value`` to a ``target`` writes, for each lane."""
        if not is_scalar(target):
            if value.type.size != target.size:
                raise EvaluationError("Values of different sizes cannot be assigned.")
            return value.load(self.access)
        value = self._decayed(value)
        if not is_scalar(value.type):
            raise EvaluationError("Invalid cast.")
        return [
            number if isinstance(number, Missing) else encode(target, number)
            for number in self._numbers(value)
        ]


def _as_integer(value_type: Type) -> Type:
    """The type for arithmetic: pointers count as addresses."""
    return ULONG if isinstance(value_type.stripped(), PointerType) else value_type


def _kept_space(target: Type, source: Type) -> Type:
    """The type of a cast: it does not move what is pointed to into another memory space."""
    pointer, before = target.stripped(), source.stripped()
    if not isinstance(pointer, PointerType) or not isinstance(before, PointerType):
        return target
    if pointer.address_class is not None or before.address_class is None:
        return target
    return PointerType(pointer.size, pointer.target, before.address_class)
