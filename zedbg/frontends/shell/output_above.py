"""What is written while a line is edited appears above it."""

from __future__ import annotations

import io
import sys
import threading
from typing import TextIO, cast

from zedbg.frontends.shell.line_session import LineSession

# Many short writes are shown together: each time the line is drawn anew.
_PAUSE_SECONDS = 0.1


class OutputAbove(io.TextIOBase):
    """Takes the place of standard output and errors for one line after another of ``lines``. Any
    thread may write to it, also later, as what keeps the stream that it found does. What is written
    between :meth:`begin`, in a try statement, and :meth:`end`, in its finally clause, comes out
    above the line."""

    def __init__(self, lines: LineSession) -> None:
        self._lines = lines
        self._stream: TextIO = sys.stdout
        self._before = sys.stdout, sys.stderr
        self._lock = threading.RLock()
        self._is_open = self._is_due = False
        self._pending = ""
        self._not_before = 0.0  # by the loop's clock

    def begin(self) -> None:
        """A line is edited: what is written comes out above it by whole lines."""
        self._before = sys.stdout, sys.stderr
        self._stream = sys.stdout
        self._is_open = True
        sys.stdout = sys.stderr = cast(TextIO, self)

    def end(self) -> None:
        """The line has ended, and all that was written comes out; nothing where none has begun."""
        if not self._is_open:
            return
        sys.stdout, sys.stderr = self._before
        with self._lock:
            self._is_open = self._is_due = False
            rest, self._pending = self._pending, ""
            if rest:
                self._stream.write(rest)
                self._stream.flush()

    def write(self, text: str) -> int:
        with self._lock:
            if not self._is_open:
                return self._stream.write(text)
            self._pending += text
            if "\n" in text and not self._is_due:
                self._is_due = True
                self._lines.loop.call_soon_threadsafe(self._wait)
        return len(text)

    def _wait(self) -> None:
        self._lines.loop.call_at(self._not_before, self._show)

    def _show(self) -> None:
        with self._lock:
            self._is_due = False
            whole, newline, self._pending = self._pending.rpartition("\n")
            if newline:
                self._lines.show_above(whole + newline, self._stream)
        self._not_before = self._lines.loop.time() + _PAUSE_SECONDS

    def flush(self) -> None:
        if not self._is_open:
            self._stream.flush()

    def fileno(self) -> int:
        return self._stream.fileno()

    def isatty(self) -> bool:
        return self._stream.isatty()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self._stream.errors
