"""Where the body of a function starts: the place for a breakpoint on the function.

The compilers mark the end of a prologue, but not where a user needs it: the newest marks the
copying of arguments into memory (which still belongs to the line of the function's head), an older
one a row of the function's last line. A parameter's location says when it has been stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.dwarf.lines.line_table import LineRow
from zedbg.dwarf.scopes.scopes import Function, LocationEntry


@dataclass(frozen=True)
class FunctionStart:
    """What says where a function's body starts: its code (first address, and after the last), the
    line of its head, and the places of each parameter."""

    low: int
    high: int
    line: int
    parameters: tuple[Sequence[LocationEntry], ...]

    @classmethod
    def of(cls, function: Function) -> FunctionStart:
        """That of a function whose parameters were read."""
        places = tuple(variable.entries for variable in function.parameters)
        return cls(function.low, function.high, function.line, places)


def body_start(function: FunctionStart, rows: Sequence[LineRow]) -> LineRow | None:
    """The row of ``rows`` (those of ``function``, by address) at which its body starts."""
    inside = [row for row in rows if row.line and row.address > function.low]
    marked = next((row for row in rows if row.prologue_end and row.line), None)
    if marked is not None and not _is_head(function, marked, inside):
        return marked
    ready = _parameters_stored(function)
    body = [row for row in inside if row.is_stmt and not _is_head(function, row, inside)]
    row = next((row for row in body if row.address >= ready), None)
    if row is None:
        # All on one line: the first code after the storing of the parameters.
        row = next((row for row in inside if row.address >= ready), None)
    return row if row is not None else marked


def _is_head(function: FunctionStart, row: LineRow, inside: Sequence[LineRow]) -> bool:
    """Whether ``row`` belongs to the head of the function, or to its closing brace too early."""
    if row.line == function.line:
        return True
    later = [other.line for other in inside if other.address > row.address]
    return any(later) and row.line >= max(later) and row.line > min(later)


def _parameters_stored(function: FunctionStart) -> int:
    """The address from which on every parameter with a lasting place has it."""
    lasting = [
        entries[0].low
        for entries in function.parameters
        if len(entries) == 1 and entries[0].high >= function.high
    ]
    return max(lasting, default=function.low)
