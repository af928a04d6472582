"""The shell's commands over a session of the Python API."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.events import Event
from zedbg.commands.rows.row import Row
from zedbg.engine.sessions.session import Session
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import CommandLine


class _Silent:
    """Shows nothing: what commands return is the caller's."""

    def result(self, asked: CommandLine, rows: Sequence[Row]) -> None:
        pass

    def error(self, asked: CommandLine, message: str, rows: Sequence[Row] = ()) -> None:
        pass

    def event(self, event: Event) -> None:
        pass


def commands_over(session: Session) -> CommandContext:
    """What carries out command lines over ``session``: ``execute`` gives a command's rows."""
    context = CommandContext(lambda: session, catalogue())
    Interpreter(context, _Silent())
    return context
