"""Stretches of code of one line: which of several an address is in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from zedbg.dwarf.lines.line_table import LineRow


@dataclass(frozen=True)
class LineRun:
    """The stretch number ``index`` of ``count`` that belong together, in the order of addresses."""

    index: int
    count: int


def line_run(
    rows: Iterable[LineRow], address: int, key: Callable[[LineRow], object]
) -> LineRun | None:
    """The stretch that ``address`` is in, of those with the same ``key``; neighbouring rows of one
    key are one stretch. None in front of ``rows``, which are in the order of addresses."""
    keys = [(row.address, key(row)) for row in rows]
    begins = [
        each
        for before, each in zip([None, *keys], keys, strict=False)
        if before is None or before[1] != each[1]
    ]
    here = [each for each in begins if each[0] <= address]
    if not here:
        return None
    same = [each for each in begins if each[1] == here[-1][1]]
    return LineRun(same.index(here[-1]), len(same))
