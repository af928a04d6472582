"""Conversions that an expression asks for: ``(type) x``, and vectors made of their elements."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.dwarf.types.program_types import VOID, PointerType, Type
from zedbg.missing import Missing
from zedbg.values.operands.operand import Operand
from zedbg.values.operands.pointers import decayed
from zedbg.values.operands.vectors import as_vector
from zedbg.values.source.access import Access
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.scalars import encode, is_scalar


def cast(target: Type, operand: Operand, access: Access) -> Operand:
    """``operand`` as a ``target``; EvaluationError where C has no such cast."""
    if not is_scalar(target):
        if operand.type.size == target.size and operand.type.size:
            return Operand(target, operand.homes, operand.is_lvalue)
        if target.stripped() is VOID:
            return Operand(VOID, operand.homes)
        vector = as_vector(target)
        if vector is not None and is_scalar(operand.type):
            return vector_of(target, [operand], access)
        raise EvaluationError("Invalid cast.")
    operand = decayed(operand)
    if not is_scalar(operand.type):
        raise EvaluationError("Invalid cast.")
    return Operand.of_numbers(_kept_space(target, operand.type), operand.numbers(access))


def vector_of(target: Type, parts: Sequence[Operand], access: Access) -> Operand:
    """``(float4)(x, v.yz, w)``: the elements of all parts, or one scalar for every element.

    Raises EvaluationError.
    """
    vector = as_vector(target)
    if vector is None:
        raise EvaluationError(f"{target.name} is not a vector.")
    count = vector.count or 0
    columns = [_elements(vector.element, part, access) for part in parts]
    lanes: list[bytes | Missing] = []
    for each in zip(*columns, strict=True):
        missing = next((part for part in each if isinstance(part, Missing)), None)
        elements = [element for part in each if isinstance(part, list) for element in part]
        if missing is None and len(elements) == 1:
            elements *= count
        if missing is None and len(elements) != count:
            raise EvaluationError(f"{target.name} has {count} elements, not {len(elements)}.")
        lanes.append(missing or b"".join(elements).ljust(target.size, b"\0"))
    return Operand.of_data(target, lanes)


def _elements(element: Type, part: Operand, access: Access) -> list[list[bytes] | Missing]:
    """The elements of a scalar or vector in each lane, converted to the type ``element``."""
    vector = as_vector(part.type)
    if vector is None and not is_scalar(part.type):
        raise EvaluationError("A vector is made of numbers and vectors.")
    count = 1 if vector is None else vector.count or 0
    own = part.type if vector is None else vector.element
    singles = [part.moved(own, index * own.size).numbers(access) for index in range(count)]
    found: list[list[bytes] | Missing] = []
    for lane in zip(*singles, strict=True):
        missing = next((number for number in lane if isinstance(number, Missing)), None)
        known = [number for number in lane if not isinstance(number, Missing)]
        found.append(missing or [encode(element, number) for number in known])
    return found


def _kept_space(target: Type, source: Type) -> Type:
    """The type of a cast: it does not move what is pointed to into another memory space."""
    pointer, before = target.stripped(), source.stripped()
    if not isinstance(pointer, PointerType) or not isinstance(before, PointerType):
        return target
    if pointer.address_class is not None or before.address_class is None:
        return target
    return PointerType(pointer.size, pointer.target, before.address_class)
