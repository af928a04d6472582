"""Numbers in their order as a small picture of text."""

from __future__ import annotations

import math
from collections.abc import Sequence

_LINES = 8
_COLUMNS = 64
_MARK, _NOT_FINITE = "*", "!"


def plot(numbers: Sequence[int | float]) -> list[str]:
    """A line of text for each step from the highest number down to the lowest, each number a ``*``;
    those that are not finite are ``!`` in the lowest line. With more numbers than columns, a column
    has several. No lines of fewer than two numbers.
    """
    finite = [number for number in numbers if math.isfinite(number)]
    if len(numbers) < 2 or not finite:
        return []
    low, high = min(finite), max(finite)
    columns = min(len(numbers), _COLUMNS)
    lines = 1 if low == high else _LINES
    grid = [[" "] * columns for _ in range(lines)]
    for position, number in enumerate(numbers):
        column = position * columns // len(numbers)
        if not math.isfinite(number):
            grid[-1][column] = _NOT_FINITE
            continue
        share = 0.0 if low == high else (number - low) / (high - low)
        grid[lines - 1 - round(share * (lines - 1))][column] = _MARK
    labels = [""] * lines
    labels[0], labels[-1] = f"{high:.6g}", f"{low:.6g}"
    width = max(map(len, labels))
    return [
        f"{label:>{width}} |{''.join(row)}".rstrip()
        for label, row in zip(labels, grid, strict=True)
    ]
