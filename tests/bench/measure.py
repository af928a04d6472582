"""Times of repeated runs, and tables of results."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))


@dataclass(frozen=True)
class Timing:
    """The wall-clock seconds of each repetition of one measurement; at least one."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def __str__(self) -> str:
        """``12.3 ms (11.9-14.0)``: the median, and the fastest and slowest repetition."""
        scale, unit = next((pair for pair in _UNITS if self.median >= pair[0]), _UNITS[-1])
        low, high = min(self.seconds) / scale, max(self.seconds) / scale
        return f"{self.median / scale:.3g} {unit} ({low:.3g}-{high:.3g})"


Cell = str | int | float | Timing


@dataclass(frozen=True)
class Table:
    """One benchmark's results: ``rows`` in the order of ``columns``; ``note`` explains them."""

    name: str
    note: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def text(self) -> str:
        """For people: aligned columns, numbers to the right."""
        cells = [[_shown(cell) for cell in row] for row in self.rows]
        widths = [
            max(len(line[index]) for line in [list(self.columns), *cells])
            for index in range(len(self.columns))
        ]
        lines = [f"{self.name}: {self.note}"]
        for line in [list(self.columns), *cells]:
            first = line[0].ljust(widths[0])
            rest = [text.rjust(width) for text, width in zip(line[1:], widths[1:], strict=True)]
            lines.append("  " + "  ".join([first, *rest]).rstrip())
        return "\n".join(lines)

    def json(self) -> str:
        """For programs: one object on one line; a timing is the list of its seconds."""
        rows = [
            {
                column: list(cell.seconds) if isinstance(cell, Timing) else cell
                for column, cell in zip(self.columns, row, strict=True)
            }
            for row in self.rows
        ]
        return json.dumps({"benchmark": self.name, "note": self.note, "rows": rows})


def _shown(cell: Cell) -> str:
    return f"{cell:.3g}" if isinstance(cell, float) else str(cell)
