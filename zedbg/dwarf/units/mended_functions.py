"""Functions whose places the compiler says wrongly: see :mod:`zedbg.dwarf.scopes.routines`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zedbg.dwarf.lines.line_table import LineRow, LineSequence, SourceFile
from zedbg.dwarf.scopes.routines import Range
from zedbg.dwarf.scopes.scopes import Function


@dataclass(frozen=True)
class MendedFunctions:
    """``ranges``: where their code is, by the offsets of their DIEs. ``described_at``: where all
    but the kernel begin as the compiler says. ``calls``: where each is, where it goes on, and what
    it calls."""

    ranges: Mapping[int, Range]
    described_at: int
    calls: Sequence[tuple[int, int, int]]

    def rows(self, sequence: LineSequence) -> LineSequence:
        """``sequence`` without the lines that the compiler gives to code of other functions: those
        of the function that it describes last, for what lies in front of it."""
        inside = [row for row in sequence.rows if row.address != self.described_at]
        starts = {row.address for row in inside}
        none = [
            LineRow(at, sequence.rows[0].file, 0, 0, False, False, False)
            for at in (self.described_at, *(low for low, _ in self.ranges.values()))
            if at not in starts and sequence.start < at < sequence.end
        ]
        return LineSequence(sorted([*inside, *none], key=lambda row: row.address))

    def calls_of(self, functions: Sequence[Function]) -> dict[Function, list[tuple[int, int, str]]]:
        """The calls of each function whose lines the compiler left out: where each is, where it
        goes on, and the name of what it calls."""
        ordered = sorted(functions, key=lambda function: function.low)
        lows = [function.low for function in ordered]
        found: dict[Function, list[tuple[int, int, str]]] = {}
        for at, after, target in self.calls:
            caller = ordered[bisect_right(lows, at) - 1]
            callee = ordered[bisect_right(lows, target) - 1]
            if caller is not ordered[-1]:  # which has its lines
                found.setdefault(caller, []).append((at, after, callee.name))
        return found


def add_line(
    sequence: LineSequence, at: int, after: int, file: SourceFile, place: tuple[int, int]
) -> LineSequence:
    """``sequence`` with code from ``at`` up to ``after``, which has no line there, of the line and
    column ``place``."""
    if not sequence.start <= at < sequence.end:
        return sequence
    line, column = place
    rows = [
        *(row for row in sequence.rows if row.address not in (at, after) or row.end or row.line),
        LineRow(at, file, line, column, True, False, False),
    ]
    if all(row.address != after for row in rows):
        rows.append(LineRow(after, file, 0, 0, False, False, False))
    return LineSequence(sorted(rows, key=lambda row: row.address))
