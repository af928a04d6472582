"""A line that says that a command still works: how long, and how many breakpoint hits it tried."""

from __future__ import annotations

import _thread
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from zedbg.commands.framework.command_errors import UnknownCommand
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Requirement
from zedbg.engine.ground.session_state import SessionState
from zedbg.frontends.shared.pace import Pace

if TYPE_CHECKING:
    from zedbg.engine.breakpoints.breakpoint import Breakpoint

_FIRST_SECONDS = 0.5  # what takes less needs no words
_EACH_SECONDS = 0.5
_LINGERS_SECONDS = 30.0
_STARTING = ("run", "start", "attach", "print", "find")
_ERASED = "\r\x1b[K"


@dataclass(eq=False)
class _Command:
    """A command ``line`` that is carried out."""

    line: str
    context: CommandContext
    pace: Pace
    begin: float = field(default_factory=time.monotonic)
    is_over: bool = False


class Progress:
    """Shows nothing for what is quick. Other lines are shown in its place: :meth:`erase` first.

    One thread watches one command after another. To start one for each, or to wake it, would take
    longer than most commands: it looks by itself, and ends when none has come for a while.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._command: _Command | None = None
        self._is_watched = False
        self._is_shown = False
        self._is_paused = False

    def begin(self, line: str, context: CommandContext) -> None:
        """The command ``line`` is carried out from now on. In a try statement, with :meth:`end` in
        its finally clause."""
        command = _Command(line, context, Pace(partial(_breakpoints, context)))
        with self._lock:
            self._command = command
            is_watched = self._is_watched
        if not is_watched:
            _thread.start_new_thread(self._watch, ())

    def end(self) -> None:
        """It is over; nothing where none has begun."""
        command, self._command = self._command, None
        if command is not None:
            command.is_over = True  # before any call: that may raise KeyboardInterrupt
            self.erase()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """While the block has the terminal: a question to the user."""
        self._is_paused = True
        self.erase()
        try:
            yield
        finally:
            self._is_paused = False

    def erase(self) -> bool:
        """Takes the line off the screen; whether it was there."""
        with self._lock:
            was_shown, self._is_shown = self._is_shown, False
            if was_shown:
                sys.stdout.write(_ERASED)
                sys.stdout.flush()
            return was_shown

    def _watch(self) -> None:
        with self._lock:
            if self._is_watched:
                return
            self._is_watched = True
        last = time.monotonic()  # when there was a command
        while True:
            command, now = self._command, time.monotonic()
            if command is None:
                with self._lock:
                    if self._command is None and now - last > _LINGERS_SECONDS:
                        self._is_watched = False
                        return
                time.sleep(_FIRST_SECONDS)
                continue
            last = now
            if now < command.begin + _FIRST_SECONDS:
                time.sleep(command.begin + _FIRST_SECONDS - now)
                continue
            name = _looks_at_program(command.line, command.context)
            has_tried = command.pace.has_tried
            if name is None or (not has_tried and _waits_for_program(command.context)):
                self._show("", command)  # the command, or the program, has the terminal
            else:
                self._show(command.pace.text(name), command)
            time.sleep(_EACH_SECONDS)

    def _show(self, text: str, command: _Command) -> None:
        with self._lock:
            if command.is_over or self._is_paused or (not text and not self._is_shown):
                return
            self._is_shown = bool(text)
            sys.stdout.write(_ERASED + (f"[{text}; Ctrl-C stops]" if text else ""))
            sys.stdout.flush()


def _looks_at_program(line: str, context: CommandContext) -> str | None:
    """The name of the command in ``line`` if it needs the program, or starts it; None where it may
    take the terminal, as an editor does."""
    try:
        declaration, _ = context.registry.find(line.split("/")[0].split())
    except UnknownCommand:
        return None
    if declaration.requires is Requirement.NOTHING and declaration.name not in _STARTING:
        return None
    return declaration.name


def _breakpoints(context: CommandContext) -> Iterable[Breakpoint]:
    return context.session.breakpoints if context.has_session else ()


def _waits_for_program(context: CommandContext) -> bool:
    return context.has_session and context.session.state is SessionState.RUNNING
