"""Where results and events go: text for people, one JSON object a line for scripts."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from zedbg.commands.framework.captured_prints import DividedOutput
from zedbg.commands.framework.permanence import permanent
from zedbg.commands.rows.events import Event
from zedbg.commands.rows.row import Nothing, Row
from zedbg.frontends.shared.ending import complain, discard_output
from zedbg.frontends.shared.logged_output import Log
from zedbg.frontends.text.rendering import render

PROMPT = "(zedbg) "
BLOCK_PROMPT = ">"


@dataclass(frozen=True)
class CommandLine:
    """A ``line`` as it was typed, and the full name of the ``command`` that it asks for.

    ``place``: where the line is in a file, if it is there; ``reported``: its error was shown, as
    that of a command inside of it.
    """

    command: str
    line: str
    place: str | None = None
    reported: bool = False

    def located(self, message: str) -> str:
        """An error's text, with the place that it is about in front."""
        return message if self.place is None else f"{self.place}: {message}"


class Output(Protocol):
    """Shows what commands return and what happens."""

    def result(self, asked: CommandLine, rows: Sequence[Row]) -> None:
        """The command ended well with ``rows``."""

    def error(self, asked: CommandLine, message: str, rows: Sequence[Row] = ()) -> None:
        """The command ended with an error, after the ``rows`` that it got as far as."""

    def event(self, event: Event) -> None:
        """Something happened."""


_writing = threading.Lock()


def write_line(line: str, *, prints_first: bool = True) -> None:
    """Prints at once, so that our lines and the debuggee's keep their order.

    Lines of several threads do not mix. What a plugin has printed so far, which may have taken the
    place of standard output, comes before it, unless it is to become rows of the plugin's command.
    BrokenPipeError: nobody reads any more.
    """
    with _writing:
        output = sys.stdout
        if type(output) is DividedOutput:  # isinstance() of a stream takes several times longer
            output = output.whole(prints_first=prints_first)
        try:
            output.write(line + "\n")
            output.flush()
        except BrokenPipeError:
            raise
        except OSError as error:  # a full disk, a terminal that is gone
            discard_output()
            complain(error)
            raise BrokenPipeError from None


def _write_object(line: str) -> None:
    write_line(line, prints_first=False)


class TextOutput:
    """The human view; ``warn`` shows errors, ``write`` all else; ``log`` gets all of it too."""

    def __init__(
        self,
        write: Callable[[str], None] = write_line,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self._screen = write
        self._warnings = warn or (lambda line: print(line, file=sys.stderr, flush=True))
        self.log: Log | None = None

    def _write(self, line: str) -> None:
        if self.log is None or not self.log.takes(line):
            self._screen(line)

    def _warn(self, line: str) -> None:
        if self.log is None or not self.log.takes(line):
            self._warnings(line)

    def result(self, asked: CommandLine, rows: Sequence[Row]) -> None:
        for line in render(rows):
            self._write(line)

    def error(self, asked: CommandLine, message: str, rows: Sequence[Row] = ()) -> None:
        self.result(asked, rows)
        if not asked.reported:  # one line for one error is enough
            self._warn(asked.located(message))

    def event(self, event: Event) -> None:
        with permanent():  # loaded with the first event
            from zedbg.frontends.text.text_events import render_event

        for line in render_event(event):
            self._write(line)


class JsonOutput:
    """The machine's view: every line is one JSON object."""

    def __init__(self, write: Callable[[str], None] = _write_object) -> None:
        self._write = write

    def result(self, asked: CommandLine, rows: Sequence[Row]) -> None:
        self._object(self._answer(asked) | {"ok": True} | self._shown(rows))

    def error(self, asked: CommandLine, message: str, rows: Sequence[Row] = ()) -> None:
        shown = self._shown(rows) if rows else {}
        self._object(self._answer(asked) | {"ok": False, "error": asked.located(message)} | shown)

    def event(self, event: Event) -> None:
        self._object(event.to_json())

    def _answer(self, asked: CommandLine) -> dict[str, object]:
        """What an answer begins with."""
        return {"command": asked.command, "line": asked.line}

    def _shown(self, rows: Sequence[Row]) -> dict[str, object]:
        """What an answer has of ``rows``."""
        return {"rows": _objects(rows)}

    def _object(self, value: object) -> None:
        self._write(json.dumps(value, allow_nan=False))


def _objects(rows: Sequence[Row]) -> list[object]:
    shown = (row for row in rows if not isinstance(row, Nothing))
    return [each for row in shown for each in row.json_rows()]
