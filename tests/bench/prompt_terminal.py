"""A debugger in a terminal of its own, and when its prompt is there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .programs import SOURCE_LINE, Programs, debuggee

_WATCHED = Path(__file__).with_name("watched_zedbg.py")
_LINES, _COLUMNS = 50, 200
_LIMIT_SECONDS = 300.0  # Intel's GDB takes minutes for thousands of threads that stop
_QUIET_SECONDS = 0.1
_RUNS_SECONDS = 0.1  # what a command takes at most to let threads run
# What a terminal is asked where its cursor is, and what the top left corner is as an answer.
_WHERE, _TOP_LEFT = b"\x1b[6n", b"\x1b[1;1R"
_TYPE = "xterm-256color"
_KEY, _BACKSPACE = b"~", b"\x7f"
# The editor takes pasted lines from here on, and has drawn the prompt.
_PROMPT = re.compile(rb"\x1b\[\?2004h.*?\((?:zedbg|gdb)\)", re.DOTALL)
_SEQUENCES = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]|\r")


class Prompted(NamedTuple):
    """What came up to a prompt: ``shown`` is the text, times are of perf_counter().
    ``first_stops`` are when the driver gave the first stop event after each time that threads
    were let go on. ``key_seconds``: until a key was shown that was typed when the prompt was."""

    begin: float
    end: float
    shown: str
    first_stops: tuple[float, ...]
    key_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        return self.end - self.begin


class PromptTerminal:
    """A running debugger; what it writes is read as soon as it is there."""

    def __init__(self, terminal: int, process: int, events: int | None) -> None:
        self._terminal = terminal
        self._process = process
        self._events = events

    @contextmanager
    def halted(self) -> Iterator[None]:
        """The debugger gets no time of a processor in the block: Intel's GDB takes all of one while
        it waits at its prompt with a stopped device."""
        os.kill(self._process, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._process, signal.SIGCONT)

    def enter(self, line: str) -> Prompted:
        """Types ``line`` and Enter, and waits for the next prompt. It has to take keys: one that is
        typed in the same moment has to be shown after it."""
        prompted = self.prompt(self.type(line))
        begin = time.perf_counter()
        os.write(self._terminal, _KEY)
        shown = b""
        while _KEY not in shown:
            if not (read := self._read(_LIMIT_SECONDS)):
                raise RuntimeError(f"the prompt took no key: {prompted.shown!r} {shown!r}")
            shown += read
        seconds = time.perf_counter() - begin
        os.write(self._terminal, _BACKSPACE)
        return prompted._replace(key_seconds=seconds)

    def type(self, line: str) -> float:
        """Types ``line`` and, when it is drawn, Enter; when that was."""
        self._settle()
        if line:
            os.write(self._terminal, line.encode())
            self._settle()
        begin = time.perf_counter()
        os.write(self._terminal, b"\r")
        return begin

    def prompt(self, begin: float) -> Prompted:
        """Waits for the next prompt; ``begin`` is when the wait for it began."""
        shown = b""
        while (found := _PROMPT.search(shown)) is None:
            if not (read := self._read(_LIMIT_SECONDS)):
                raise RuntimeError(f"no prompt within {_LIMIT_SECONDS} s: {shown!r}")
            shown += read
        end = time.perf_counter()
        text = _SEQUENCES.sub("", shown[: found.start()].decode(errors="replace"))
        return Prompted(begin, end, text, tuple(self._first_stops()))

    def _settle(self) -> None:
        """Waits until it has done what it does after a prompt."""
        while self._read(_QUIET_SECONDS):
            pass

    def _read(self, seconds: float) -> bytes:
        """What it wrote; nothing when it writes nothing for ``seconds``."""
        if not select.select([self._terminal], [], [], seconds)[0]:
            return b""
        read = os.read(self._terminal, 1 << 16)
        if _WHERE in read:
            os.write(self._terminal, _TOP_LEFT)
        return read

    def _first_stops(self) -> Iterator[float]:
        while self._events is not None and select.select([self._events], [], [], 0)[0]:
            yield from map(float, os.read(self._events, 1 << 12).split())


@contextmanager
def zedbg_in_terminal(*arguments: object) -> Iterator[PromptTerminal]:
    """zedbg as it is typed into a shell; killed at the end."""
    events, writer = os.pipe()
    command = [sys.executable, "-P", str(_WATCHED), str(writer), *map(str, arguments)]
    try:
        with _in_terminal(command, os.environ, (writer,)) as (terminal, process):
            yield PromptTerminal(terminal, process, events)
    finally:
        os.close(events)
        os.close(writer)


@contextmanager
def gdb_in_terminal(
    command: Sequence[str], environment: Mapping[str, str]
) -> Iterator[PromptTerminal]:
    """The same for a GDB that ``command`` starts."""
    with _in_terminal(command, environment) as (terminal, process):
        yield PromptTerminal(terminal, process, None)


@contextmanager
def _in_terminal(
    command: Sequence[str], environment: Mapping[str, str], kept: Sequence[int] = ()
) -> Iterator[tuple[int, int]]:
    """A program, which is killed at the end; the descriptor of its terminal, and the number of its
    process. It has the descriptors ``kept``, too."""
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, _COLUMNS, 0, 0))
    process = subprocess.Popen(
        command,
        stdin=inside,
        stdout=inside,
        stderr=inside,
        pass_fds=kept,
        start_new_session=True,
        env={**environment, "TERM": _TYPE},
    )
    os.close(inside)
    with process:
        try:
            yield terminal, process.pid
        finally:
            process.kill()
            os.close(terminal)


@contextmanager
def zedbg_at_prompt() -> Iterator[PromptTerminal]:
    """zedbg that waits for its first command."""
    begin = time.perf_counter()
    with zedbg_in_terminal("--sim=dg2") as terminal:
        terminal.prompt(begin)
        yield terminal


@contextmanager
def at_breakpoint(
    programs: Programs, threads: int, iterations: int
) -> Iterator[tuple[PromptTerminal, Prompted]]:
    """zedbg after the first stop at a breakpoint in a debuggee, and what it showed of that."""
    with debuggee(programs, threads, iterations) as target, zedbg_at_prompt() as terminal:
        terminal.enter(f"attach {target.pid}")
        terminal.enter(f"break {SOURCE_LINE}")
        begin = terminal.type("continue")
        time.sleep(_RUNS_SECONDS)  # else the stop would be there before the command
        target.go()
        yield terminal, terminal.prompt(begin)
