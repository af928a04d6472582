"""A line that says that a command still works: how long, and how many breakpoint hits it tried."""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from zedbg.commands.framework.command_errors import UnknownCommand
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Requirement
from zedbg.frontends.shared.pace import Pace

_FIRST_SECONDS = 0.5  # what takes less needs no words
_EACH_SECONDS = 0.5
_STARTING = ("run", "start", "attach", "print", "find")
_ERASED = "\r\x1b[K"


@dataclass
class _Command:
    """A command that is carried out; ``over`` wakes who waits for its end."""

    name: str
    is_over: bool = False
    over: threading.Event = field(default_factory=threading.Event)


class Progress:
    """Shows nothing for what is quick. Other lines are shown in its place: :meth:`erase` first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_shown = False
        self._is_paused = False

    @contextmanager
    def of(self, line: str, context: CommandContext) -> Iterator[None]:
        """While the block carries out the command ``line``."""
        name = _looks_at_program(line, context)
        if name is None:
            yield
            return
        command = _Command(name)
        arguments = command, context, Pace(name, context)
        try:
            # Not threading's own start, which waits for it: most commands take no longer than that.
            _thread.start_new_thread(self._watch, arguments)
            yield
        finally:
            command.is_over = True  # before any call: that may raise KeyboardInterrupt
            command.over.set()
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

    def _watch(self, command: _Command, context: CommandContext, pace: Pace) -> None:
        if command.over.wait(_FIRST_SECONDS):
            return
        while not command.is_over:
            if not pace.has_tried and _waits_for_program(context):
                self._show("", command)  # the program has the terminal
            else:
                self._show(pace.text(), command)
            command.over.wait(_EACH_SECONDS)

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


def _waits_for_program(context: CommandContext) -> bool:
    return context.session.state.value == "running"
