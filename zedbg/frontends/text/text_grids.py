"""Grids as text: aligned values, or a picture of characters or of grey half blocks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from zedbg.commands.rows.grid_rows import GridRow
from zedbg.frontends.text import appearance
from zedbg.frontends.text.rendering import renders
from zedbg.values.tables.summary import shade

# The greys of terminals with 256 colours, from dark to light.
_FIRST_GREY, _GREYS = 232, 24


@renders(GridRow, one_by_one=True)
def _grids(rows: list[GridRow]) -> Iterator[str]:
    for row in rows:
        yield from _picture(row) if row.picture else _table(row)


def _table(row: GridRow) -> Iterator[str]:
    """Values to the right, under the numbers of their columns; in as many parts as the terminal's
    width asks for."""
    width = max(len(text) for line in row.texts for text in line)
    width = max(width, len(str(row.columns - 1)))
    side = len(str(row.rows - 1))
    fitting = row.columns
    if appearance.current.columns:
        fitting = max((appearance.current.columns - side) // (width + 1), 1)
    for start in range(0, row.columns, fitting):
        end = min(start + fitting, row.columns)
        yield " " * side + "".join(f" {column:>{width}}" for column in range(start, end))
        for number, line in enumerate(row.texts):
            yield f"{number:>{side}}" + "".join(f" {text:>{width}}" for text in line[start:end])


def _picture(row: GridRow) -> Iterator[str]:
    numbers = [[_number(value) for value in line] for line in row.values]
    finite = [each for line in numbers for each in line if math.isfinite(each)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    yield f"{row.columns}x{row.rows} {row.type}, {low:.9g} to {high:.9g}"
    current = appearance.current
    width = min(row.columns, current.columns - 2) if current.columns else row.columns
    if current.is_styled and current.draws:
        yield from _greys([line[:width] for line in numbers], low, high)
    else:
        for line in numbers:
            yield f"|{''.join(shade(each, low, high) for each in line[:width])}|"
    if width < row.columns:
        yield f"({row.columns - width} columns more than the terminal has)"


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _greys(lines: Sequence[Sequence[float]], low: float, high: float) -> Iterator[str]:
    """Two lines in each: a half block has the colour of the upper one before that of the lower."""
    for upper, lower in zip_longest(lines[::2], lines[1::2]):
        text = ""
        for column, number in enumerate(upper):
            text += f"\x1b[38;5;{_grey(number, low, high)}m"
            if lower is not None:
                text += f"\x1b[48;5;{_grey(lower[column], low, high)}m"
            text += "▀"
        yield f"{text}\x1b[0m"


def _grey(number: float, low: float, high: float) -> int:
    if not math.isfinite(number) or high <= low:
        return _FIRST_GREY + (_GREYS // 2 if math.isfinite(number) else 0)
    return _FIRST_GREY + round((number - low) / (high - low) * (_GREYS - 1))
