"""OpenCL vectors: components by letters and numbers, arithmetic element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zedbg.dwarf.types.program_types import CHAR, INT, LONG, SHORT, ArrayType, Type
from zedbg.missing import Missing
from zedbg.values.operands.arithmetic import COMPARISONS, binary, binary_type, unary
from zedbg.values.operands.operand import Operand
from zedbg.values.operands.parts import Components
from zedbg.values.operands.type_names import vector_type
from zedbg.values.source.access import Access
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.scalars import Number, decode, encode, is_float, is_integer, is_scalar

_LETTERS = "xyzw"
_NUMBERED = "0123456789abcdef"


def as_vector(value_type: Type) -> ArrayType | None:
    """The vector type of ``value_type``, None when it is no vector."""
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
    """``operand.name`` of a vector: an element that can be assigned, or a new vector.

    Raises EvaluationError.
    """
    vector = as_vector(operand.type)
    assert vector is not None
    indices = component_indices(name, vector.count or 0)
    if indices is None:
        raise EvaluationError(f"There is no component named {name} in {operand.type.name}.")
    size = vector.element.size
    if len(indices) == 1:
        return operand.moved(vector.element, indices[0] * size)
    result = vector_type(vector.element, len(indices))
    return Components(result, vector.element, operand, indices, access)


def _mask_element(element: Type) -> Type:
    """The element of what comparisons give: a signed integer of the size (OpenCL C 6.3.4)."""
    return {1: CHAR, 2: SHORT, 4: INT}.get(element.size, LONG)


@dataclass(frozen=True)
class _Side:
    """An operand as elements: those of a vector, or a scalar as every one of them."""

    element: Type
    count: int | None  # None for a scalar

    @classmethod
    def of(cls, operand: Operand) -> _Side:
        vector = as_vector(operand.type)
        if vector is not None:
            return cls(vector.element, vector.count or 0)
        if not is_scalar(operand.type):
            raise EvaluationError("Argument to arithmetic operation not a number or boolean.")
        return cls(operand.type, None)

    def elements(self, data: bytes, count: int) -> list[Number]:
        if self.count is None:
            return [decode(self.element, data)] * count
        size = self.element.size
        return [
            decode(self.element, data[index * size : (index + 1) * size]) for index in range(count)
        ]


def _combined(
    result: Type,
    function: Callable[..., Number],
    operands: Sequence[Operand],
    access: Access,
) -> Operand:
    """``function`` of the operands' elements, element by element, as a vector of ``result``."""
    sides = [_Side.of(each) for each in operands]
    counts = {side.count for side in sides if side.count is not None}
    if len(counts) != 1:
        raise EvaluationError("Cannot perform operation on vectors with different lengths.")
    count = counts.pop()
    result_type = vector_type(result, count)

    def compute(lane: Sequence[bytes | Missing]) -> bytes | Missing:
        missing = next((each for each in lane if isinstance(each, Missing)), None)
        if missing is not None:
            return missing
        data = [each for each in lane if isinstance(each, bytes)]
        columns = [side.elements(each, count) for side, each in zip(sides, data, strict=True)]
        try:
            numbers = [function(*row) for row in zip(*columns, strict=True)]
        except EvaluationError as error:
            return Missing(str(error))  # one lane's division by zero is that lane's alone
        packed = b"".join(encode(result, number) for number in numbers)
        return packed.ljust(result_type.size, b"\0")

    loaded = [each.load(access) for each in operands]
    return Operand.of_data(result_type, list(map(compute, zip(*loaded, strict=True))))


def elementwise(name: str, left: Operand, right: Operand, access: Access) -> Operand | None:
    """``left OP right`` where one is a vector; None when neither is. Comparisons give -1 where they
    hold."""
    vector = as_vector(left.type) or as_vector(right.type)
    if vector is None:
        return None
    one, other = _Side.of(left).element, _Side.of(right).element
    combine = binary(name, one, other)
    if name in COMPARISONS:
        mask = _mask_element(vector.element)
        return _combined(mask, lambda a, b: -combine(a, b), (left, right), access)
    result = binary_type(name, one, other)
    if is_float(one) == is_float(other):
        result = vector.element  # elements are not promoted, scalars become elements (6.2.6)
    if name in ("<<", ">>"):
        count_mask = vector.element.size * 8 - 1
        return _combined(
            result, lambda a, b: combine(a, int(b) & count_mask), (left, right), access
        )
    return _combined(result, combine, (left, right), access)


def logical(name: str, left: Operand, right: Operand, access: Access) -> Operand:
    """``v && w`` and ``v || w``, -1 where they hold: both sides are evaluated (OpenCL C 6.3.6)."""
    vector = as_vector(left.type) or as_vector(right.type)
    assert vector is not None
    both = name == "&&"
    return _combined(
        _mask_element(vector.element),
        lambda a, b: -int(bool(a) and bool(b) if both else bool(a) or bool(b)),
        (left, right),
        access,
    )


def selected(condition: Operand, chosen: Operand, other: Operand, access: Access) -> Operand:
    """``c ? x : y`` of vectors: ``x`` where the highest bit of ``c`` is set (OpenCL C 6.3.9).

    Raises EvaluationError.
    """
    mask = as_vector(condition.type)
    assert mask is not None
    if not is_integer(mask.element):
        raise EvaluationError("The condition of a vector is one of integers.")
    one, two = _Side.of(chosen), _Side.of(other)
    result = one.element if one.count is not None else two.element
    top = 1 << mask.element.size * 8 - 1
    return _combined(
        result, lambda c, a, b: a if int(c) & top else b, (condition, chosen, other), access
    )


def negated(name: str, operand: Operand, access: Access) -> Operand | None:
    """``-v``, ``+v``, ``~v`` and ``!v`` of a vector; None when it is none."""
    vector = as_vector(operand.type)
    if vector is None:
        return None
    if name == "!":
        mask = _mask_element(vector.element)
        return _combined(mask, lambda number: -int(not number), (operand,), access)
    return _combined(vector.element, unary(name, vector.element)[1], (operand,), access)
