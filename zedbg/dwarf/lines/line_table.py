"""The line table: which source line an instruction belongs to, and where to stop for a line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple


@dataclass(frozen=True)
class SourceFile:
    """A source file as the compiler named it."""

    name: str
    directory: str = ""

    @property
    def path(self) -> str:
        """The whole path, as far as the compiler gave it."""
        return str(PurePosixPath(self.directory) / self.name) if self.directory else self.name

    def matches(self, wanted: str) -> bool:
        """Whether ``wanted`` may name this file: whole parts of its path, counted from the end."""
        wanted_parts = PurePosixPath(wanted).parts
        parts = PurePosixPath(self.path).parts
        return len(wanted_parts) > 0 and parts[-len(wanted_parts) :] == wanted_parts


class LineRow(NamedTuple):  # one is made three times as fast as one of a frozen dataclass
    """The code from ``address`` on belongs to ``line`` of ``file``; line 0 belongs to no line."""

    address: int
    file: SourceFile
    line: int
    column: int
    is_stmt: bool  # a place to stop for the line
    prologue_end: bool  # after a function's prologue
    end: bool  # the first address after a sequence: it belongs to nothing


class LineSequence:
    """Rows that follow each other in memory, as one line program emits them for one kernel."""

    def __init__(self, rows: Sequence[LineRow]) -> None:
        """``rows`` end with an ``end`` row; their addresses ascend."""
        self.rows = list(rows)
        self._addresses = [row.address for row in self.rows]

    @property
    def start(self) -> int:
        """First address."""
        return self._addresses[0]

    @property
    def end(self) -> int:
        """Address after the last instruction."""
        return self._addresses[-1]

    def index_at(self, address: int) -> int:
        """The index of the row that covers ``address``, which must lie inside."""
        return bisect_right(self._addresses, address) - 1

    def rows_between(self, low: int, high: int) -> list[LineRow]:
        """The rows at addresses from ``low`` up to but without ``high``, without the end."""
        found = self.rows[bisect_left(self._addresses, low) : bisect_left(self._addresses, high)]
        return [row for row in found if not row.end]


class LineTable:
    """The line rows of a module, by address and by file and line.

    Questions about an address read the line program of one unit; those about lines read all.
    """

    def __init__(
        self,
        sequences: Callable[[], Iterable[LineSequence]],
        near: Callable[[int], Sequence[LineSequence]] | None = None,
    ) -> None:
        """``sequences`` gives all of them, ``near`` those of the unit that has an address."""
        self._read = sequences
        self._near = near
        self._last: LineSequence | None = None  # that had an address

    @cached_property
    def sequences(self) -> list[LineSequence]:
        """Every sequence, by address."""
        return sorted(self._read(), key=lambda sequence: sequence.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [sequence.start for sequence in self.sequences]

    @cached_property
    def rows(self) -> list[LineRow]:
        """Every row, by sequence and address."""
        return [row for sequence in self.sequences for row in sequence.rows]

    @cached_property
    def files(self) -> list[SourceFile]:
        """Every file that has code, each once, in the order of its first row."""
        return list(dict.fromkeys(row.file for row in self.rows if not row.end))

    def files_matching(self, wanted: str) -> list[SourceFile]:
        """The files that ``wanted`` may name."""
        return [file for file in self.files if file.matches(wanted)]

    def _sequence_at(self, address: int) -> LineSequence | None:
        last = self._last
        if last is None or not last.start <= address < last.end:
            last = self._find_sequence(address)
            self._last = last or self._last
        return last

    def _find_sequence(self, address: int) -> LineSequence | None:
        if self._near is not None and "sequences" not in vars(self):
            near = self._near(address)
            return next((each for each in near if each.start <= address < each.end), None)
        index = bisect_right(self._starts, address) - 1
        if index < 0 or address >= self.sequences[index].end:
            return None
        return self.sequences[index]

    def row_at(self, address: int) -> LineRow | None:
        """The row that covers ``address``; None when no code of the table lies there."""
        sequence = self._sequence_at(address)
        if sequence is None:
            return None
        row = sequence.rows[sequence.index_at(address)]
        return row if row.line else None

    def rows_between(self, low: int, high: int) -> list[LineRow]:
        """The rows in the code from ``low`` up to but without ``high``."""
        sequence = self._sequence_at(low)
        return [] if sequence is None else sequence.rows_between(low, high)

    def line_range_at(self, address: int) -> tuple[int, int] | None:
        """The addresses around ``address`` that belong to its line: first, and after the last.

        Rows of the same line that follow each other count as one range, as stepping needs it.
        """
        sequence = self._sequence_at(address)
        if sequence is None:
            return None
        rows = sequence.rows
        index = sequence.index_at(address)
        first = last = index
        while first > 0 and _same_line(rows[first - 1], rows[index]):
            first -= 1
        while not rows[last + 1].end and _same_line(rows[last + 1], rows[index]):
            last += 1
        return rows[first].address, rows[last + 1].address

    def lines_with_code(self, file: SourceFile) -> list[int]:
        """The lines of ``file`` at which a breakpoint can stop, ascending."""
        return sorted(self._statements.get(file, {}))

    @cached_property
    def _statements(self) -> dict[SourceFile, dict[int, list[LineRow]]]:
        """Statement rows by file and line. Tables without any statement mark count all rows."""
        marked = any(row.is_stmt for row in self.rows if not row.end)
        found: dict[SourceFile, dict[int, list[LineRow]]] = {}
        for row in self.rows:
            if row.line and not row.end and (row.is_stmt or not marked):
                found.setdefault(row.file, {}).setdefault(row.line, []).append(row)
        return found

    def statements(self, file: SourceFile, line: int) -> list[LineRow]:
        """The statement rows of ``line``, or of the next line of ``file`` that has any."""
        by_line = self._statements.get(file, {})
        later = [candidate for candidate in by_line if candidate >= line]
        return by_line[min(later)] if later else []


def _same_line(row: LineRow, other: LineRow) -> bool:
    return row.line == other.line and row.file == other.file
