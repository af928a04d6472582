"""What is certain of numbers whose last bits are left to the device: how they compare, and what
whole numbers they are rounded to."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Iterations
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Type, Value
from zedbg.spirv.numbers.arithmetic import CLASSES, FLOAT_COMPARISONS, SMALLEST_NORMAL, UnknownValue
from zedbg.spirv.numbers.bounds import (
    Bounded,
    Bounds,
    compared,
    exactly,
    function,
    may_be_certain,
    operation,
)
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.numbers.device_maths import REARRANGING, operands_of
from zedbg.spirv.work_item.activation import Activation, NeedsIteration, TooMuch, Values
from zedbg.spirv.work_item.unknown_number import UnknownNumber

_CERTAIN = frozenset({Op.CONVERT_F_TO_S, Op.CONVERT_F_TO_U, *FLOAT_COMPARISONS, *CLASSES})


class BoundedNumbers:
    """Those of one work-item, whose ``values`` are computed where they can be."""

    def __init__(self, model: Model, values: Values) -> None:
        self._model = model
        self._code = model.code
        self._values = values

    def certain(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> Value | None:
        """What ``item`` gives, a comparison or what rounds to whole numbers, where that is the same
        for all within the bounds of its operands; None where it is not. Raises NeedsIteration,
        TooMuch."""
        if not self._may_be_certain(item):
            return None
        operands = self._all(call, operands_of(item), label, iterations)
        if operands is None:
            return None
        sizes = {len(each) for each in operands if isinstance(each, tuple)}
        if not sizes:
            return self._certain(item, operands)
        columns = [each if isinstance(each, tuple) else (each,) * max(sizes) for each in operands]
        found = [self._certain(item, each) for each in zip(*columns, strict=True)]
        known = tuple(each for each in found if each is not None)
        return known if len(known) == len(found) else None

    def _may_be_certain(self, item: Instruction) -> bool:
        if not self._model.computes_precisely:
            return False
        if item.opcode == Op.EXT_INST:
            return item.operands[0] in self._code.maths and may_be_certain(item.operands[1])
        return item.opcode in _CERTAIN

    def _certain(self, item: Instruction, operands: Sequence[Bounded]) -> Value | None:
        """The same of numbers."""
        types = self._code.type_of
        kind, source = (types[each].element for each in (item.result, operands_of(item)[0]))
        numbers = [each for each in operands if isinstance(each, Bounds)]
        if item.opcode in FLOAT_COMPARISONS:
            pair = compared(*numbers)
            return None if pair is None else int(FLOAT_COMPARISONS[item.opcode](*pair))
        least = SMALLEST_NORMAL[source.bits]
        if item.opcode in CLASSES:
            is_far = numbers[0].low >= least or numbers[0].high <= -least
            return int(CLASSES[item.opcode](1.0)) if is_far or item.opcode != Op.IS_NORMAL else None
        if item.opcode == Op.EXT_INST:
            made = function(item.operands[1], operands, kind.bits)
            is_one = isinstance(made, Bounds) and made.low == made.high != 0
            return made.low if is_one and isinstance(made, Bounds) else None
        pure = self._model.computation(item)
        ends = [0.0 if abs(each) < least else each for each in numbers[0]]
        try:
            low, high = (pure.compute(each) for each in ends) if pure else (None, 0)
        except UnknownValue:
            return None  # it does not fit
        return low if low == high and not isinstance(low, Place) else None

    def _all(
        self, call: Activation, results: Sequence[int], label: int, iterations: Iterations
    ) -> list[Bounded] | None:
        found = []
        for each in results:
            bounds = self._of(call, each, label, iterations)
            if bounds is None:
                return None
            found.append(bounds)
        return found

    def _of(
        self, call: Activation, result: int, block: int, iterations: Iterations
    ) -> Bounded | None:
        """The bounds of a ``result`` of floating-point numbers that is used in ``block``."""
        self._values.step()
        kind = self._code.type_of.get(result)
        if kind is None:
            return None
        try:
            return _exactly(self._values.of(call, result, block, iterations), kind)
        except (NeedsIteration, TooMuch):
            raise
        except UnknownNumber as error:
            is_same = self._code.type_of[error.item.result] == kind
            return error.bounds_for(self._values) if is_same else None
        except UnknownValue:
            return None

    def of_unknown(self, number: UnknownNumber) -> Bounded | None:
        """The bounds of a ``number`` of this work-item."""
        if number.bounds is None:
            number.bounds = (None,)  # while they are asked for
            number.bounds = (self._made(number),)
        return number.bounds[0]

    def _made(self, number: UnknownNumber) -> Bounded | None:
        item, pure = number.item, self._model.computation(number.item)
        element = self._code.type_of[item.result].element
        if pure is None or element.bits not in SMALLEST_NORMAL:
            return None
        is_rearranged = item.opcode in REARRANGING
        results = pure.operands if is_rearranged else operands_of(item)
        operands = self._all(number.call, results, number.label, number.iterations)
        if operands is None:
            return None
        if is_rearranged:
            return _bounded(pure.compute(*operands))
        if item.opcode == Op.EXT_INST:
            return function(item.operands[1], operands, element.bits)
        return operation(item.opcode, operands, element.bits)


def _bounded(value: object) -> Bounded | None:
    """``value``, that rearranging bounds has made; None where a part of it has none."""
    if isinstance(value, tuple):
        known = tuple(each for each in value if isinstance(each, Bounds))
        return known if len(known) == len(value) else None
    return value if isinstance(value, Bounds) else None


def _exactly(value: Value | Place, kind: Type) -> Bounded | None:
    if isinstance(value, tuple):
        return _bounded(tuple(_exactly(each, kind.members[0]) for each in value))
    return exactly(value, kind.bits) if isinstance(value, float) else None
