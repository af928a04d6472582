"""Rows of commands that were run for several threads or frames."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.commands.rows.row import Row
from zedbg.commands.rows.session_rows import FrameRow
from zedbg.commands.rows.value_rows import VariableRow


@dataclass(frozen=True)
class AppliedThread(Row):
    """What a command gave in a thread (``thread apply``); ``title`` is the user's name for it."""

    id: str
    name: str
    title: str | None
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class AppliedFrame(Row):
    """What a command gave in a frame (``frame apply``)."""

    frame: FrameRow
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class FullFrame(Row):
    """A frame with its variables (``backtrace full``)."""

    frame: FrameRow
    variables: tuple[VariableRow, ...]
