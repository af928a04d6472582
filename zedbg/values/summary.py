"""Many work-items' values in short: a summary of their numbers, and a picture of a work-group."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zedbg.dwarf.machine import Missing
from zedbg.values.scalars import Number
from zedbg.values.value import Value

Place = tuple[int, int, int]

# From low to high; a work-item without a value has a sign of its own.
_SHADES = " .:-=+*#%@"
_NOTHING = "?"
_NOT_A_NUMBER = "!"
_COLUMNS = 64
_LINES = 32


@dataclass(frozen=True)
class Summary:
    """``items`` work-items, of which ``missing`` have no value. ``minimum``, ``maximum`` and
    ``mean`` are those of the numbers that are not NaN; None when there are none, or when values are
    no numbers. ``distinct`` counts different values."""

    items: int
    missing: int
    minimum: Number | None
    maximum: Number | None
    mean: float | None
    nan: int
    distinct: int


def summarize(values: Sequence[Value | Missing]) -> Summary:
    """The summary of one value for each work-item."""
    present = [value for value in values if isinstance(value, Value)]
    numbers = [value.number for value in present if value.is_scalar]
    known = [number for number in numbers if not _is_nan(number)]
    return Summary(
        len(values),
        len(values) - len(present),
        min(known, default=None),
        max(known, default=None),
        _mean(known),
        len(numbers) - len(known),
        len({value.data for value in present}),
    )


def _mean(numbers: Sequence[Number]) -> float | None:
    if not numbers:
        return None
    try:
        return math.fsum(numbers) / len(numbers)
    except (OverflowError, ValueError):  # infinities of both signs, or too large a sum
        return math.nan


def _is_nan(number: Number) -> bool:
    return isinstance(number, float) and math.isnan(number)


def heat_strip(values: Mapping[Place, Value | Missing], shape: Place) -> list[str]:
    """A work-group as a picture: a character for each work-item, darker for higher numbers.

    ``values`` by local id; ``shape``: the group's size. A line for each Y, Z below each other, long
    rows in several lines; no lines when the values are no numbers. ``?`` is no value, ``!`` NaN.
    """
    present = [value for value in values.values() if isinstance(value, Value)]
    if not present or not all(value.is_scalar for value in present):
        return []
    finite = [
        value.number
        for value in present
        if not isinstance(value.number, float) or math.isfinite(value.number)
    ]
    low, high = min(finite, default=0), max(finite, default=0)
    lines = []
    for z in range(shape[2]):
        for y in range(shape[1]):
            row = "".join(_shade(values.get((x, y, z)), low, high) for x in range(shape[0]))
            lines += [row[start : start + _COLUMNS] for start in range(0, len(row), _COLUMNS)]
    return lines[:_LINES]


def _shade(value: Value | Missing | None, low: Number, high: Number) -> str:
    if not isinstance(value, Value):
        return _NOTHING
    number = value.number
    if _is_nan(number):
        return _NOT_A_NUMBER
    if high <= low:
        return _SHADES[len(_SHADES) // 2]
    share = min(max((number - low) / (high - low), 0.0), 1.0)
    return _SHADES[round(share * (len(_SHADES) - 1))]
