"""Rows about the call stacks of all threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from zedbg.commands.rows.row import Row
from zedbg.missing import Missing


@dataclass(frozen=True, kw_only=True)
class StackFrameRow(Row):
    """A call frame that threads share; what is not known is None."""

    level: int
    function: str | None
    file: str | None
    line: int | None
    pc: int


@dataclass(frozen=True, kw_only=True)
class StackGroupRow(Row):
    """Threads with the same call stack (``stacks``).

    ``frames`` are innermost first; ``incomplete`` says why there are not more. ``lanes``: how many
    are active in all of the threads.
    """

    kernel: str | None
    frames: tuple[StackFrameRow, ...]
    incomplete: str | None
    threads: tuple[str, ...]
    lanes: int
    workgroups: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, kw_only=True)
class LaneVariablesRow(Row):
    """The variables of one lane (``stacks``), as text."""

    thread: str
    lane: int
    global_id: tuple[int, int, int] | Missing
    variables: Mapping[str, str]
