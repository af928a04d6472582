"""What the engine says of a program while it is debugged."""

from __future__ import annotations

import warnings

from zedbg.api.errors import ZedbgWarning
from zedbg.engine.breakpoints.lane_logs import Logged
from zedbg.engine.events.notifications import NotAttached, ProgramExited
from zedbg.engine.ground.notifier import Message, Severity
from zedbg.engine.process.exited import Exited
from zedbg.engine.sessions.session import Session as EngineSession


class Messages:
    """The messages of ``engine`` from now on; warnings among them become Python's.

    ``texts``: all that came. ``refused``: why the program's device could not be debugged, if that
    was so.
    """

    def __init__(self, engine: EngineSession) -> None:
        self._engine = engine
        self._news = engine.subscribe()
        self.texts: list[str] = []
        self.refused: str | None = None

    def hear(self) -> Exited | None:
        """Takes what the engine has said since; how the program ended, where that is part of it."""
        exited = None
        for each in self._news.drain():
            if isinstance(each, ProgramExited):
                exited = each.exited
            if isinstance(each, NotAttached):
                self.refused = each.text
            if isinstance(each, Logged | Message):
                self.texts.append(each.text)
            if isinstance(each, Message) and each.severity is not Severity.INFORMATION:
                _warn(each.text)
        return exited

    def explain_end(self) -> None:
        """A breakpoint that was never in place is probably a mistake."""
        for each in self._engine.breakpoints:
            if each.enabled and each.has_places and not each.resolved:
                for text in self.texts:
                    if text.startswith(f"Breakpoint {each.number} "):
                        _warn(text)


def _warn(text: str) -> None:
    warnings.warn(text, ZedbgWarning, stacklevel=2)
