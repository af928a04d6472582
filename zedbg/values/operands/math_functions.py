"""Functions of OpenCL C that expressions may call: they are computed here, not by the device.

What they give is stated in the OpenCL C specification, 6.15.2 (math), 6.15.3 (integer), 6.15.4
(common) and 6.15.6 (relational functions).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from zedbg.dwarf.types.program_types import INT, Type
from zedbg.values.operands.arithmetic import common_type, converted, promoted
from zedbg.values.operands.operand import Operand, lanewise
from zedbg.values.source.access import Access
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.scalars import Number


@dataclass(frozen=True)
class MathFunction:
    """``compute`` takes ``count`` numbers, in the type that C computes with them in. ``says``:
    whether it gives an int, 1 or 0, and not a number of that type."""

    count: int
    compute: Callable[..., Number]
    says: bool


#: By name.
MATH_FUNCTIONS: dict[str, MathFunction] = {
    "isnan": MathFunction(1, math.isnan, True),
    "isinf": MathFunction(1, math.isinf, True),
    "isfinite": MathFunction(1, math.isfinite, True),
    "fabs": MathFunction(1, abs, False),
    "abs": MathFunction(1, abs, False),
    "min": MathFunction(2, lambda x, y: y if y < x else x, False),
    "max": MathFunction(2, lambda x, y: y if x < y else x, False),
    "fmin": MathFunction(2, lambda x, y: x if y != y or x < y else y, False),
    "fmax": MathFunction(2, lambda x, y: x if y != y or x > y else y, False),
}


def math_call(name: str, arguments: Sequence[Operand], access: Access) -> Operand:
    """What the function ``name`` of :data:`MATH_FUNCTIONS` gives in each lane. Raises
    EvaluationError for other arguments than its own."""
    function = MATH_FUNCTIONS[name]
    if len(arguments) != function.count:
        plural = "s" if function.count > 1 else ""
        raise EvaluationError(f"{name} takes {function.count} argument{plural}.")
    kind: Type = reduce(common_type, (each.type for each in arguments), promoted(arguments[0].type))

    def computed(*numbers: Number) -> Number:
        return function.compute(*(converted(each, kind) for each in numbers))

    found = lanewise(computed, *(each.numbers(access) for each in arguments))
    return Operand.of_numbers(INT if function.says else kind, found)
