"""Many work-items' values in short: a summary of their numbers, and a picture of a work-group."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zedbg.missing import Missing
from zedbg.values.tables.item_table import Place
from zedbg.values.typed.scalars import Number

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


def summarize(data: Sequence[bytes | Missing], numbers: Sequence[Number | Missing]) -> Summary:
    """The summary of one value for each work-item; ``numbers`` are those that are scalars."""
    present = [each for each in data if not isinstance(each, Missing)]
    have_numbers = [each for each in numbers if not isinstance(each, Missing)]
    known = [number for number in have_numbers if number == number]
    return Summary(
        items=len(data),
        missing=len(data) - len(present),
        minimum=min(known, default=None),
        maximum=max(known, default=None),
        mean=_mean(known),
        nan=len(have_numbers) - len(known),
        distinct=len(set(present)),
    )


def _mean(numbers: Sequence[Number]) -> float | None:
    if not numbers:
        return None
    try:
        return math.fsum(numbers) / len(numbers)
    except (OverflowError, ValueError):  # infinities of both signs, or too large a sum
        return math.nan


def heat_strip(numbers: Mapping[Place, Number | Missing], shape: Place) -> list[str]:
    """A work-group as a picture: a character for each work-item, darker for higher numbers.

    ``numbers`` by local id; ``shape``: the group's size. A line for each Y, Z below each other,
    long rows in several lines; no lines without numbers. ``?`` is no value, ``!`` NaN.
    """
    present = [number for number in numbers.values() if not isinstance(number, Missing)]
    if not present:
        return []
    finite = [number for number in present if math.isfinite(number)]
    low, high = min(finite, default=0), max(finite, default=0)
    lines = []
    for z in range(shape[2]):
        for y in range(shape[1]):
            row = "".join(shade(numbers.get((x, y, z)), low, high) for x in range(shape[0]))
            lines += [row[start : start + _COLUMNS] for start in range(0, len(row), _COLUMNS)]
    return lines[:_LINES]


def shade(number: Number | Missing | None, low: Number, high: Number) -> str:
    """The character for ``number`` between ``low`` and ``high``, darker for higher ones."""
    if number is None or isinstance(number, Missing):
        return _NOTHING
    if number != number:
        return _NOT_A_NUMBER
    if high <= low:
        return _SHADES[len(_SHADES) // 2]
    share = min(max((number - low) / (high - low), 0.0), 1.0)
    return _SHADES[round(share * (len(_SHADES) - 1))]
