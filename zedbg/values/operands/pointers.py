"""Addresses of values and values at addresses: ``&x``, ``*p``, ``p + n``, references."""

from __future__ import annotations

from zedbg.dwarf.expressions.machine import SLM_ADDRESS_CLASS, MemorySpace
from zedbg.dwarf.types.program_types import (
    LONG,
    UINT,
    VOID,
    ArrayType,
    FunctionType,
    PointerType,
    Type,
)
from zedbg.missing import Missing
from zedbg.values.operands.operand import Operand, lanewise
from zedbg.values.source.access import Access
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import InterleavedHome, MemoryHome
from zedbg.values.typed.locate import SLM_POINTER_TAG, memory_home
from zedbg.values.typed.scalars import Number, is_float, is_integer
from zedbg.values.typed.value import Value

_ADDRESS_MASK = (1 << 64) - 1
_SCATTERED = (
    "It has no one address: the compiler interleaves the arrays of all lanes. Name its elements."
)
_NO_ADDRESS = "Attempt to take address of value not located in memory."
_NO_POINTER = "Attempt to take contents of a non-pointer value."


def as_array(value_type: Type) -> ArrayType | None:
    """The array type of ``value_type``; None when it is none, or a vector."""
    stripped = value_type.stripped()
    return stripped if isinstance(stripped, ArrayType) and not stripped.is_vector else None


def decayed(operand: Operand) -> Operand:
    """An array as a pointer to its first element, a function as one to itself, as C makes them.

    Raises EvaluationError.
    """
    array = as_array(operand.type)
    if array is not None:
        if any(isinstance(home, InterleavedHome) for home in operand.homes):
            raise EvaluationError(_SCATTERED)
        return address_of(operand.moved(array.element, 0))
    if isinstance(operand.type.stripped(), FunctionType):
        return address_of(operand)
    return operand


def address_of(operand: Operand) -> Operand:
    """``&x``; EvaluationError for what lies in no memory, or in several places of it."""
    if not operand.is_lvalue:
        raise EvaluationError(_NO_ADDRESS)
    numbers: list[Number | Missing] = []
    address_class = None
    for each in operand.homes:
        home = each
        if isinstance(home, InterleavedHome):
            parts = home.parts(operand.type.size)
            if len(parts) != 1:
                raise EvaluationError(_SCATTERED)
            home = parts[0][0]
        if isinstance(home, MemoryHome):
            tag = 0
            if home.space is MemorySpace.SLM:
                address_class, tag = SLM_ADDRESS_CLASS, SLM_POINTER_TAG
            numbers.append(home.address | tag)
        elif isinstance(home, Missing):
            numbers.append(home)
        else:
            raise EvaluationError(_NO_ADDRESS)
    return Operand.of_numbers(PointerType(8, operand.type, address_class), numbers)


def pointer_to(target: Type, place: MemoryHome) -> Value:
    """The pointer to what of type ``target`` lies at ``place``."""
    is_local = place.space is MemorySpace.SLM
    address = place.address | (SLM_POINTER_TAG if is_local else 0)
    pointer = PointerType(8, target, SLM_ADDRESS_CLASS if is_local else None)
    return Value(pointer, address.to_bytes(8, "little"))


def dereferenced(operand: Operand, access: Access) -> Operand:
    """``*p``; as in GDB an integer is the address of a long. Raises EvaluationError."""
    array = as_array(operand.type)
    if array is not None:
        return operand.moved(array.element, 0)
    operand = decayed(operand)
    stripped = operand.type.stripped()
    if isinstance(stripped, PointerType):
        target, address_class = stripped.target, stripped.address_class
        is_function = isinstance(target.stripped(), FunctionType)
        if not is_function and (target.stripped() is VOID or target.size == 0):
            raise EvaluationError(_NO_POINTER)
    elif is_integer(operand.type):
        target, address_class = LONG, None
    else:
        raise EvaluationError(_NO_POINTER)
    return _at(operand, target, address_class, access)


def referent(operand: Operand, access: Access) -> Operand:
    """What a reference of C++ refers to; every other operand as it is."""
    stripped = operand.type.stripped()
    if not isinstance(stripped, PointerType) or not stripped.reference:
        return operand
    return _at(operand, stripped.target, stripped.address_class, access)


def _at(operand: Operand, target: Type, address_class: int | None, access: Access) -> Operand:
    """What of type ``target`` lies at the addresses that ``operand`` holds."""
    homes = [
        number
        if isinstance(number, Missing)
        else memory_home(int(number) & _ADDRESS_MASK, address_class)
        for number in operand.numbers(access)
    ]
    return Operand(target, tuple(homes), True)


def pointer_arithmetic(name: str, left: Operand, right: Operand, access: Access) -> Operand | None:
    """``p + n``, ``n + p``, ``p - n`` and ``p - q``; None for everything else.

    Raises EvaluationError.
    """
    left_pointer, right_pointer = left.type.stripped(), right.type.stripped()
    if name == "+" and isinstance(right_pointer, PointerType):
        left, right, left_pointer, right_pointer = right, left, right_pointer, left_pointer
    if not isinstance(left_pointer, PointerType) or name not in ("+", "-"):
        return None
    if is_float(right.type):
        raise EvaluationError("Argument to arithmetic operation not a number or boolean.")
    size = left_pointer.target.size or 1
    numbers = (left.numbers(access), right.numbers(access))
    if isinstance(right_pointer, PointerType):
        if name == "+":
            raise EvaluationError("Pointers cannot be added.")
        return Operand.of_numbers(LONG, lanewise(lambda a, b: (a - b) // size, *numbers))
    sign = 1 if name == "+" else -1
    moved = lanewise(lambda a, b: a + sign * int(b) * size & _ADDRESS_MASK, *numbers)
    return Operand.of_numbers(left.type, moved)


def repeated(left: Operand, right: Operand, access: Access) -> Operand:
    """``x @ n``: an array of ``n`` elements that starts with ``x``. Raises EvaluationError."""
    if not left.is_lvalue:
        raise EvaluationError("Only values in memory can be extended with '@'.")
    if not is_integer(right.type):
        raise EvaluationError("Invalid number of repetitions.")
    counts = {number for number in right.numbers(access) if not isinstance(number, Missing)}
    if len(counts) != 1 or min(counts) < 1:
        raise EvaluationError("Invalid number of repetitions.")
    count = int(counts.pop())
    return Operand(ArrayType(left.type.size * count, left.type, count), left.homes, True)


def in_space(space: MemorySpace, operand: Operand, access: Access) -> Operand:
    """``@slm x``: the address ``x`` as one in a memory space. Raises EvaluationError."""
    operand = decayed(operand)
    if not is_integer(operand.type):
        raise EvaluationError("An address space takes an address.")
    pointer = operand.type.stripped()
    target = pointer.target if isinstance(pointer, PointerType) else UINT
    address_class = SLM_ADDRESS_CLASS if space is MemorySpace.SLM else None
    return Operand.of_numbers(PointerType(8, target, address_class), operand.numbers(access))
