"""Panes as text: a heading, and what fits below it; in another terminal, a screen of them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import replace

from zedbg.commands.rows.pane_rows import LayoutRow, PaneRow
from zedbg.commands.rows.session_rows import SourceRow
from zedbg.frontends.text import appearance
from zedbg.frontends.text.appearance import Style, appearing, cut, styled, visible_width
from zedbg.frontends.text.fitting import without_tabs
from zedbg.frontends.text.rendering import render, renders
from zedbg.frontends.text.row_text import marked_source

_USUAL_WIDTH, _USUAL_HEIGHT = 80, 24
_CLEARED = "\x1b[H\x1b[2J"


@renders(LayoutRow, one_by_one=True)
def _layout(rows: list[LayoutRow]) -> Iterator[str]:
    for row in rows:
        if row.terminal is None:
            for pane in row.panes:
                yield from pane_lines(pane, appearance.current.columns or _USUAL_WIDTH)
        else:
            _show_elsewhere(row, row.terminal)


def pane_lines(pane: PaneRow, width: int) -> list[str]:
    """The heading and the lines of a pane; what is wider or longer is cut off, with a note."""
    line = "─" if appearance.current.draws else "-"
    title = f"{line * 2} {pane.title} "
    lines = [styled(Style.FAINT, title + line * max(width - visible_width(title), 0))]
    shown = [without_tabs(each) for each in _shown(pane)]
    if len(shown) > pane.height:
        note = f"... {len(shown) - pane.height + 1} more lines (layout {pane.name}:{len(shown)})"
        shown = [*shown[: pane.height - 1], note]
    return lines + [cut(each, width) for each in shown]


def _shown(pane: PaneRow) -> list[str]:
    """All lines; of source code with a mark at the current one."""
    if all(isinstance(row, SourceRow) for row in pane.rows):
        return [marked_source(row) for row in pane.rows if isinstance(row, SourceRow)]
    return render(pane.rows)


def _show_elsewhere(row: LayoutRow, terminal: str) -> None:
    """Draws the panes over what the other terminal shows; one that is gone shows nothing."""
    with contextlib.suppress(OSError):
        descriptor = os.open(terminal, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as screen:
            size = os.get_terminal_size(descriptor)
            width, height = size.columns or _USUAL_WIDTH, size.lines or _USUAL_HEIGHT
            with appearing(replace(appearance.current, columns=width)):
                lines = [line for pane in row.panes for line in pane_lines(pane, width)]
            screen.write(_CLEARED + "\r\n".join(lines[: height - 1]))
