"""Results and events in a terminal: colours, short names, and a page at a time."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Callable, Sequence

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
_USUAL_SIZE = 80, 24
MORE = "--Type <RET> for more, q to quit, c to continue without paging--"


class _EnoughSeen(Exception):
    """The user does not want to see the rest."""


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

    @property
    def columns(self) -> int:
        """The width to keep to."""
        return self._size()[0]

    def result(self, asked: CommandLine, rows: Sequence[Row]) -> None:
        if not rows:
            return
        columns, lines = self._size()
        breaks, self._breaks = self._breaks, asked.command not in _AS_IT_IS
        self._lines_left = lines - 1 if self._settings.is_on("pagination") and lines > 1 else None
        try:
            with appearing(self._appearance(columns)):
                super().result(asked, rows)
        except _EnoughSeen:
            pass
        finally:
            self._lines_left = None
            self._breaks = breaks

    def event(self, event: Event) -> None:
        breaks, self._breaks = self._breaks, not isinstance(event, OutputEvent)
        try:
            with appearing(self._appearance(self.columns)):
                super().event(event)
        finally:
            self._breaks = breaks

    def _appearance(self, columns: int) -> Appearance:
        settings = self._settings
        is_plain = settings.is_on("plain")
        return Appearance(
            columns=0 if is_plain else columns,
            symbol_max=0 if is_plain else settings.number("print symbol-max"),
            is_styled=settings.is_on("style enabled") and not is_plain,
            draws=self._draws and not is_plain,
        )

    def _size(self) -> tuple[int, int]:
        """Columns and rows, as set or as the terminal is."""
        columns, rows = self._settings.number("width"), self._settings.number("height")
        try:
            terminal = os.get_terminal_size(sys.stdout.fileno())
        except (OSError, ValueError):
            terminal = os.terminal_size(_USUAL_SIZE)
        return columns or terminal.columns, rows or terminal.lines

    def _show(self, text: str) -> None:
        for line in broken(text, appearance.current.columns if self._breaks else 0):
            self._show_line(line)

    def _show_line(self, line: str) -> None:
        if self._lines_left is not None:
            columns = max(self._size()[0], 1)
            needed = max(-(-visible_width(without_tabs(line)) // columns), 1)
            if needed > self._lines_left:
                pages = self._more()
                if pages is None:
                    raise _EnoughSeen
                self._lines_left = self._size()[1] - 1 if pages else None
            if self._lines_left is not None:
                self._lines_left -= needed
        self.progress.erase()
        write_line(line)

    def _show_warning(self, line: str) -> None:
        self.progress.erase()
        with appearing(self._appearance(self.columns)):
            shown = "\n".join(broken(line, appearance.current.columns))
        print(shown, file=sys.stderr, flush=True)
