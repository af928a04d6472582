"""OpenCL vectors: components by letters and numbers, arithmetic element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zedbg.dwarf.machine import Missing
from zedbg.dwarf.types import ArrayType, Type
from zedbg.values.access import Access
from zedbg.values.arithmetic import binary, binary_type
from zedbg.values.errors import EvaluationError
from zedbg.values.operand import Operand
from zedbg.values.scalars import Number, decode, encode

_LETTERS = "xyzw"
_NUMBERED = "0123456789abcdef"


def as_vector(value_type: Type) -> ArrayType | None:
    """The vector type behind ``value_type``, None when it is no vector."""
    stripped = value_type.stripped()
    return stripped if isinstance(stripped, ArrayType) and stripped.is_vector else None


def component_indices(name: str, count: int) -> list[int] | None:
    """The elements that ``.name`` (``x``, ``xy``, ``s03``, ``lo``, ``even``) picks of ``count``."""
    room = 4 if count == 3 else count
    halves = {
        "lo": range(room // 2),
        "hi": range(room // 2, room),
        "even": range(0, room, 2),
        "odd": range(1, room, 2),
    }
    if name in halves:
        picked = list(halves[name])
    elif all(letter in _LETTERS for letter in name):
        picked = [_LETTERS.index(letter) for letter in name]
    elif name[0] in "sS" and name[1:] and all(c in _NUMBERED for c in name[1:].lower()):
        picked = [_NUMBERED.index(letter) for letter in name[1:].lower()]
    else:
        return None
    return picked if all(index < count for index in picked) else None


def component(operand: Operand, name: str, access: Access) -> Operand:
    """``operand.name`` of a vector: an element that can be assigned, or a new vector."""
    vector = as_vector(operand.type)
    assert vector is not None
    indices = component_indices(name, vector.count or 0)
    if indices is None:
        raise EvaluationError(f"There is no component named {name} in {operand.type.name}.")
    size = vector.element.size
    if len(indices) == 1:
        return operand.moved(vector.element, indices[0] * size)
    picked_type = ArrayType(size * len(indices), vector.element, len(indices), True)
    picked: list[bytes | Missing] = []
    for data in operand.load(access):
        if isinstance(data, Missing):
            picked.append(data)
        else:
            picked.append(b"".join(data[i * size : (i + 1) * size] for i in indices))
    return Operand.of_data(picked_type, picked)


def elementwise(name: str, left: Operand, right: Operand, access: Access) -> Operand | None:
    """``left OP right`` where one is a vector; None when neither is."""
    left_vector, right_vector = as_vector(left.type), as_vector(right.type)
    vector = left_vector or right_vector
    if vector is None:
        return None
    count = vector.count or 0
    if left_vector and right_vector and left_vector.count != right_vector.count:
        raise EvaluationError("Cannot perform operation on vectors with different lengths.")
    left_element = left_vector.element if left_vector else left.type
    right_element = right_vector.element if right_vector else right.type
    result = binary_type(name, left_element, right_element)
    result_type = ArrayType(result.size * (4 if count == 3 else count), result, count, True)

    def compute(left_data: bytes, right_data: bytes) -> bytes:
        numbers = zip(
            _elements(left_data, left_element, count, left_vector is not None),
            _elements(right_data, right_element, count, right_vector is not None),
            strict=True,
        )
        done = b"".join(
            encode(result, binary(name, a, left_element, b, right_element)) for a, b in numbers
        )
        return done.ljust(result_type.size, b"\0")

    return Operand.of_data(result_type, _both(compute, left.load(access), right.load(access)))


def _elements(data: bytes, element: Type, count: int, is_vector: bool) -> list[Number]:
    if not is_vector:
        return [decode(element, data)] * count
    size = element.size
    return [decode(element, data[index * size : (index + 1) * size]) for index in range(count)]


def _both(
    function: Callable[[bytes, bytes], bytes],
    left: Sequence[bytes | Missing],
    right: Sequence[bytes | Missing],
) -> list[bytes | Missing]:
    results: list[bytes | Missing] = []
    for one, other in zip(left, right, strict=True):
        if isinstance(one, Missing):
            results.append(one)
        elif isinstance(other, Missing):
            results.append(other)
        else:
            try:
                results.append(function(one, other))
            except EvaluationError as error:
                results.append(Missing(str(error)))
    return results
