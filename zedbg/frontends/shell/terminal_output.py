"""Results and events in a terminal: colours, short names, and a page at a time."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from zedbg.commands.framework.settings import Settings
from zedbg.commands.rows.events import Event, OutputEvent
from zedbg.commands.rows.row import Row
from zedbg.frontends.shared.output import CommandLine, TextOutput, write_line
from zedbg.frontends.shell.progress import Progress
from zedbg.frontends.text import appearance
from zedbg.frontends.text.appearance import Appearance, appearing, visible_width
from zedbg.frontends.text.fitting import broken, without_tabs

# What the user, or a source, has laid out.
_AS_IT_IS = frozenset({"echo", "list", "output", "printf", "search", "shell"})
_USUAL_SIZE = os.terminal_size((80, 24))
MORE = "--Type <RET> for more, q to quit, c to continue without paging--"


class _EnoughSeen(Exception):
    """The user does not want to see the rest."""


@dataclass(frozen=True)
class _Page:
    """What the settings and the size of the terminal come to; ``lines``: None without pages."""

    columns: int
    lines: int | None
    appearance: Appearance


class TerminalOutput(TextOutput):
    """The human view, as ``settings`` and the terminal are.

    ``more`` asks whether to go on after each page: None when the output shall end there, else
    whether further pages are asked for.
    """

    def __init__(self, settings: Settings, more: Callable[[], bool | None]) -> None:
        super().__init__(write=self._show, warn=self._show_warning)
        self._settings = settings
        self._more = more
        self.progress = Progress()
        self._draws = locale.getpreferredencoding(False).upper() in ("UTF-8", "UTF8")
        self._breaks = True  # lines that are too long
        self._lines_left: int | None = None  # until the page is full; None: no pages
        # What it is made of, and what counts its changes.
        self._page_once = lru_cache(1)(lambda terminal, _changes: self._made(terminal))

    @property
    def columns(self) -> int:
        """The width to keep to."""
        return self._page().columns

    def result(self, asked: CommandLine, rows: Sequence[Row]) -> None:
        if not rows:
            return
        page = self._page()
        breaks, self._breaks = self._breaks, asked.command not in _AS_IT_IS
        self._lines_left = page.lines
        try:
            with appearing(page.appearance):
                super().result(asked, rows)
        except _EnoughSeen:
            pass
        finally:
            self._lines_left = None
            self._breaks = breaks

    def event(self, event: Event) -> None:
        breaks, self._breaks = self._breaks, not isinstance(event, OutputEvent)
        try:
            with appearing(self._page().appearance):
                super().event(event)
        finally:
            self._breaks = breaks

    def _page(self) -> _Page:
        try:
            terminal = os.get_terminal_size(sys.stdout.fileno())
        except (OSError, ValueError):
            terminal = _USUAL_SIZE
        return self._page_once(terminal, self._settings.changes)

    def _made(self, terminal: os.terminal_size) -> _Page:
        settings = self._settings
        columns = settings.number("width") or terminal.columns
        lines = settings.number("height") or terminal.lines
        is_plain = settings.is_on("plain")
        appearance = Appearance(
            columns=0 if is_plain else columns,
            symbol_max=0 if is_plain else settings.number("print symbol-max"),
            is_styled=settings.is_on("style enabled") and not is_plain,
            draws=self._draws and not is_plain,
        )
        has_pages = settings.is_on("pagination") and lines > 1
        return _Page(columns, lines - 1 if has_pages else None, appearance)

    def _show(self, text: str) -> None:
        for line in broken(text, appearance.current.columns if self._breaks else 0):
            self._show_line(line)

    def _show_line(self, line: str) -> None:
        if self._lines_left is not None:
            columns = max(self.columns, 1)
            needed = max(-(-visible_width(without_tabs(line)) // columns), 1)
            if needed > self._lines_left:
                pages = self._more()
                if pages is None:
                    raise _EnoughSeen
                self._lines_left = self._page().lines if pages else None
            if self._lines_left is not None:
                self._lines_left -= needed
        self.progress.erase()
        write_line(line)

    def _show_warning(self, line: str) -> None:
        self.progress.erase()
        with appearing(self._page().appearance):
            shown = "\n".join(broken(line, appearance.current.columns))
        print(shown, file=sys.stderr, flush=True)
