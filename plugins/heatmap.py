"""The ``heatmap`` command: a value over the ND-range as a picture, in the terminal or as PNG.

A plugin for zedbg (docs/plugins.md).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import zedbg

_SHADES = " .:-=+*#%@"
_NOTHING, _NOT_A_NUMBER = "?", "!"
_COLUMNS, _LINES = 64, 32
# Low to high: dark blue, green, yellow; what has no value is grey.
_COLOURS = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))
_GREY = (128, 128, 128)

Grid = list[list[float | None]]


class HeatMap(zedbg.Command):
    """Show a value over all stopped work-items as a picture

    Usage: heatmap EXPRESSION [--png FILE]
    X goes right and Y down; the slices of Z stand below each other. In the terminal, darker signs
    are higher values, one sign for several work-items where there are many; ? is no value. --png
    writes a picture with a pixel for each work-item.
    """

    def __init__(self) -> None:
        super().__init__("heatmap", zedbg.COMMAND_DATA, zedbg.COMPLETE_EXPRESSION)

    def invoke(self, argument: str, from_tty: bool) -> Iterator[object]:
        expression, option, file = argument.partition(" --png ")
        if not expression.strip():
            raise zedbg.CommandError("Usage: heatmap EXPRESSION [--png FILE]")
        grid = self._grid(expression)
        known = [each for row in grid for each in row if each is not None and each == each]
        if not known:
            raise zedbg.CommandError(f"{expression} is a number in no stopped work-item.")
        low, high = min(known), max(known)
        if option:
            path = Path(file.strip()).expanduser()
            path.write_bytes(png([[colour(each, low, high) for each in row] for row in grid]))
            yield f"{len(grid[0])}x{len(grid)} pixels, {low:g} to {high:g}, in {path}"
            return
        yield f"{expression.strip()}: {low:g} to {high:g}"
        for row in coarser(grid):
            yield "|" + "".join(shade(each, low, high) for each in row) + "|"

    def _grid(self, expression: str) -> Grid:
        table = self.context.execute(f"print/w {expression}")[0]
        values: dict[tuple[int, int], float | None] = {}
        places = [(row["global_id"], row["value"]) for row in table.json_rows()]
        known = [(place, value) for place, value in places if place is not None]
        height = max((place[1] for place, _ in known), default=0) + 1
        for (x, y, z), value in known:
            number = float(value) if isinstance(value, int | float) else None
            values[x, y + z * height] = float("nan") if value == "nan" else number
        if not values:
            raise zedbg.CommandError("The global ids of the work-items are not known.")
        width, lines = (max(place[axis] for place in values) + 1 for axis in (0, 1))
        return [[values.get((x, y)) for x in range(width)] for y in range(lines)]


def coarser(grid: Grid) -> Grid:
    """The grid with as many cells as a terminal has room for, each the highest of several."""
    across, down = -(-len(grid[0]) // _COLUMNS), -(-len(grid) // _LINES)
    if across == down == 1:
        return grid
    return [
        [_highest(grid[y : y + down], x, x + across) for x in range(0, len(grid[0]), across)]
        for y in range(0, len(grid), down)
    ]


def _highest(rows: Grid, first: int, end: int) -> float | None:
    known = [each for row in rows for each in row[first:end] if each is not None]
    return max(known, default=None)


def share(value: float, low: float, high: float) -> float:
    """Where a value is between the lowest and the highest: 0 to 1."""
    if high <= low:
        return 0.5
    return min(max((value - low) / (high - low), 0.0), 1.0)


def shade(value: float | None, low: float, high: float) -> str:
    if value is None:
        return _NOTHING
    if value != value:
        return _NOT_A_NUMBER
    return _SHADES[round(share(value, low, high) * (len(_SHADES) - 1))]


def colour(value: float | None, low: float, high: float) -> tuple[int, int, int]:
    if value is None or value != value:
        return _GREY
    position = share(value, low, high) * (len(_COLOURS) - 1)
    index = min(int(position), len(_COLOURS) - 2)
    part = position - index
    below, above = _COLOURS[index], _COLOURS[index + 1]
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(below, above, strict=True))
    return red, green, blue


def png(rows: Sequence[Sequence[tuple[int, int, int]]]) -> bytes:
    """A PNG file of 8-bit RGB (PNG, third edition, 5 and 11)."""
    lines = b"".join(b"\0" + bytes(part for pixel in row for part in pixel) for row in rows)
    header = struct.pack(">2I5B", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
