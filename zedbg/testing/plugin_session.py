"""A session without a program, in which a test runs a plugin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.commands.extending.plugin import Plugin
from zedbg.commands.extending.plugins import Plugins
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.completion import suggest, words
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.vocabulary import SessionVocabulary
from zedbg.commands.rows.events import Event
from zedbg.commands.rows.row import JsonValue, Row
from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.events.notifications import Stopped
from zedbg.engine.events.stops import Stop, StopGroup, StoppedThread
from zedbg.engine.ground.notifier import Notification
from zedbg.engine.ground.session_state import SessionState
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.sessions.session import Session
from zedbg.engine.threads.focus import Focus
from zedbg.engine.threads.thread import HardwareThread
from zedbg.frontends.shared.interpreter import Interpreter
from zedbg.frontends.shared.output import CommandLine
from zedbg.frontends.text.rendering import render
from zedbg.testing.stand_in import StandInThread


class _StandInSession(Session):
    """A session that is stopped with threads that no device has."""

    def __init__(self, threads: Sequence[StandInThread]) -> None:
        super().__init__()
        self.stand_ins = [cast("HardwareThread", thread) for thread in threads]
        self._chosen: Focus | None = None
        for thread in threads:
            thread.names = self.variables

    @property
    def state(self) -> SessionState:
        return SessionState.STOPPED if self.stand_ins else SessionState.NO_PROCESS

    @property
    def focus(self) -> Focus | None:
        if self._chosen is None and self.stand_ins:
            self._chosen = Focus(self.stand_ins[0], self.stand_ins[0].focused_lane)
        return self._chosen

    def require_focus(self) -> Focus:
        if self.focus is None:
            raise NoThreadError("No thread is stopped.")
        return self.focus

    def stopped_threads(self) -> list[HardwareThread]:
        return list(self.stand_ins)

    def tell(self, notification: Notification) -> None:
        """Reports something, as the engine does."""
        self._engine.notifier.notify(notification)


class PluginSession:
    """Loads the plugin in ``file``; ``threads`` are those that its session is stopped with.

    ``messages``: what was said besides results: warnings, what printers and handlers print.
    Raises zedbg.CommandError when the plugin cannot be loaded.

    Example::

        from zedbg.testing import PluginSession, StandInThread

        def test_divergence():
            threads = [StandInThread(line=3), StandInThread(line=3, number=2, active=[0, 1])]
            with PluginSession("divergence.py", threads) as session:
                assert session.rows("divergence")[0]["active"] == "62%"
    """

    def __init__(self, file: str | Path, threads: Sequence[StandInThread] = ()) -> None:
        self.messages: list[str] = []
        session = _StandInSession(threads)
        self.context = CommandContext(lambda: session, catalogue())
        self._interpreter = Interpreter(self.context, _Collected(self))
        self.plugin: Plugin = self.context.kept(Plugins).load_file(Path(file))
        self._session = session

    def __enter__(self) -> PluginSession:
        return self

    def __exit__(self, *_error: object) -> None:
        self._session.close()

    def rows(self, line: str) -> list[dict[str, JsonValue]]:
        """What a command line gives, as scripts see it; CommandError when it fails."""
        return [each for row in self.run(line) for each in row.json_rows()]

    def text(self, line: str) -> str:
        """What a command line gives, as people see it; CommandError when it fails."""
        return "\n".join(render(self.run(line)))

    def run(self, line: str) -> Sequence[Row]:
        """The rows of a command line. Raises CommandError, with the line that users see."""
        self._result: Sequence[Row] | str = ()
        self._interpreter.execute(line)
        if isinstance(self._result, str):
            raise CommandError(self._result)
        return self._result

    def complete(self, line: str) -> list[str]:
        """The words that complete ``line``."""
        return words(suggest(line, self.context.registry), SessionVocabulary(self.context))

    def stop(self, breakpoint_: object = None) -> None:
        """Reports the threads as those of a stop, which handlers of events get."""
        groups = []
        for thread in self._session.stand_ins:
            one = StoppedThread(thread, thread.active_lanes)
            groups.append(
                StopGroup(
                    StopReason.BREAKPOINT,
                    cast("Any", breakpoint_),
                    thread.kernel_name,
                    thread.location,
                    thread.workgroup,
                    (one,),
                )
            )
        focus = groups[0].threads[0] if groups else None
        self.notify(Stopped(Stop(StopReason.BREAKPOINT, tuple(groups), focus)))

    def notify(self, notification: Notification) -> None:
        """Reports anything else, as the engine does."""
        session = cast("_StandInSession", self.context.session)
        session.tell(notification)
        self.context.show_pending_events()


class _Collected:
    """An output that keeps everything for the test."""

    def __init__(self, session: PluginSession) -> None:
        self._session = session

    def result(self, asked: CommandLine, rows: Sequence[Row]) -> None:
        self._session._result = rows

    def error(self, asked: CommandLine, message: str, rows: Sequence[Row] = ()) -> None:
        self._session._result = message

    def event(self, event: Event) -> None:
        text = getattr(event, "text", None)
        self._session.messages.append(text if isinstance(text, str) else str(event.to_json()))
