"""What one thread prints, taken in place of standard output."""

from __future__ import annotations

import contextlib
import io
import sys
import threading
from collections.abc import Iterator
from typing import TextIO, cast


class DividedOutput(io.TextIOBase):
    """Standard output: what ``thread`` writes is kept, all else goes on to ``output``."""

    def __init__(self, output: TextIO, thread: int) -> None:
        self._output = output
        self._thread = thread
        self._kept = io.StringIO()

    def write(self, text: str) -> int:
        own = threading.get_ident() == self._thread
        return (self._kept if own else self._output).write(text)

    def flush(self) -> None:
        if threading.get_ident() != self._thread:
            self._output.flush()

    def fileno(self) -> int:
        return self._output.fileno()

    def close(self) -> None:
        """Standard output stays open, whoever closes it."""

    def take(self) -> str:
        """What was kept since the last time."""
        text = self._kept.getvalue()
        self._kept = io.StringIO()
        return text

    def whole(self, *, prints_first: bool) -> TextIO:
        """Standard output as it was; with ``prints_first``, what this thread has printed so far
        has gone there."""
        output = self._output
        if isinstance(output, DividedOutput):
            output = output.whole(prints_first=prints_first)
        if prints_first and threading.get_ident() == self._thread:
            output.write(self.take())
        return output


@contextlib.contextmanager
def prints_captured(lines: list[str]) -> Iterator[None]:
    """For the length of the block, what this thread prints becomes ``lines``."""
    before = sys.stdout
    divided = DividedOutput(before, threading.get_ident())
    sys.stdout = cast("TextIO", divided)
    try:
        yield
    finally:
        sys.stdout = before
        lines.extend(divided.take().splitlines())
