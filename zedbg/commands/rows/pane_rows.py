"""Rows of panes: what is shown together after a stop."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.commands.rows.row import Row


@dataclass(frozen=True)
class PaneRow(Row):
    """A pane: at most ``height`` lines of ``rows``."""

    name: str
    title: str
    height: int
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class LayoutRow(Row):
    """The chosen panes, in their order (``layout``); ``terminal``: where they are shown, None where
    everything is."""

    panes: tuple[PaneRow, ...]
    terminal: str | None
