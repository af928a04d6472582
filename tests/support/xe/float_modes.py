"""Floating-point numbers as every rounding and denormal mode leaves them, from exact rationals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

LANES = 8
Array = npt.NDArray[Any]
DTYPES: dict[str, Any] = {"hf": np.float16, "f": np.float32, "df": np.float64}
PRECISION = {"hf": 11, "f": 24, "df": 53}
SMALLEST_EXPONENT = {"hf": -24, "f": -149, "df": -1074}  # of the lowest bit of any number
KEEPS_DENORMALS = {"df": 1 << 6, "f": 1 << 7, "hf": 1 << 10}  # bits of cr0.0
MODES = range(4)  # nearest even, up, down, towards zero


def rounded(value: Fraction, kind: str, mode: int) -> float:
    """The number of the type that the rounding mode chooses for a value that is not zero."""
    sign, magnitude = (-1 if value < 0 else 1), abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - PRECISION[kind] + 1, SMALLEST_EXPONENT[kind])
    steps, rest = divmod(magnitude, unit)
    up = {
        0: 2 * rest > unit or (2 * rest == unit and steps % 2 == 1),
        1: rest != 0 and sign > 0,
        2: rest != 0 and sign < 0,
        3: False,
    }[mode]
    result = (steps + int(up)) * unit
    largest = Fraction(float(np.finfo(DTYPES[kind]).max))
    if result > largest:
        finite = mode == 3 or (mode == 1 and sign < 0) or (mode == 2 and sign > 0)
        return sign * (float(largest) if finite else float("inf"))
    return sign * float(result)


def flushed(values: Array, kind: str, *, keep: bool) -> Array:
    tiny = np.abs(values) < np.finfo(DTYPES[kind]).tiny
    return values if keep else np.where(tiny, np.copysign(0, values), values)
