"""The shell's commands over a session of the Python API."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from zedbg.api.errors import ZedbgWarning
from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.rows.events import Event, MessageEvent
from zedbg.commands.rows.row import Row
from zedbg.engine.sessions.session import Session
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import CommandLine
from zedbg.frontends.shared.plugin_loading import load_plugins


class _Quiet:
    """Shows nothing: what commands return is the caller's. What is wrong with the user's plugins is
    a warning."""

    def result(self, asked: CommandLine, rows: Sequence[Row]) -> None:
        pass

    def error(self, asked: CommandLine, message: str, rows: Sequence[Row] = ()) -> None:
        warnings.warn(message, ZedbgWarning, stacklevel=2)

    def event(self, event: Event) -> None:
        if isinstance(event, MessageEvent) and event.warning:
            warnings.warn(event.text, ZedbgWarning, stacklevel=2)


def commands_over(session: Session) -> CommandContext:
    """What carries out command lines over ``session``, with those of plugins: ``execute`` gives a
    command's rows."""
    context = CommandContext(lambda: session, catalogue())
    output = _Quiet()
    Interpreter(context, output)
    context.events_of = lambda notification: ()  # the session's own messages tell of them
    load_plugins(context, output)
    return context
