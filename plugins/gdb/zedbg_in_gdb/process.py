"""The zedbg process beside GDB, and what it is asked."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import pathlib
import queue
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from typing import Any

import gdb

from zedbg_in_gdb.threads import threads

_START_SECONDS = 30.0
_INTERRUPT_SECONDS = 10.0
_SLICE_SECONDS = 0.1  # how long Ctrl-C may wait for an answer
_PACKAGE = pathlib.Path(__file__).resolve().parents[3]  # zedbg, where this is installed


def zedbg_environment() -> dict[str, str]:
    """What zedbg is started with: GDB's environment, without what names the home of GDB's own
    Python, which may be another version."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}


def zedbg_command() -> str:
    """The program zedbg: what the user says, that of the installation of this file, or on PATH.
    GdbError when there is none."""
    chosen = gdb.parameter("zedbg command")
    # The package is PREFIX/lib/python3.x/site-packages/zedbg.
    beside = _PACKAGE / "../../../../bin/zedbg"
    found = chosen or (str(beside.resolve()) if beside.is_file() else shutil.which("zedbg"))
    if not found:
        raise gdb.GdbError("zedbg: no command zedbg on PATH: set zedbg command FILE.")
    return os.path.expanduser(found)  # noqa: PTH111 - of what may be a name on PATH


class Process:
    """zedbg beside GDB, and the connection to it.

    ``happened`` is called with each event, and ``ended`` with the reason when it is there no more.
    """

    def __init__(
        self, folder: str, happened: Callable[[dict], None], ended: Callable[[str], None]
    ) -> None:
        self._happened = happened
        self._ended = ended
        self._messages: queue.SimpleQueue[dict] = queue.SimpleQueue()
        self._waiting: dict[int, Callable[[dict], None]] = {}
        self._numbers = itertools.count(1)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._ready = False
        self._closes = False
        self._why = ""
        self._posted = False
        self.is_over = False  # nothing comes any more
        path = os.path.join(folder, "serve")  # noqa: PTH118
        self._command = command = zedbg_command()
        words = [command, "serve", "-q", "--while-input", "--socket", path]
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=zedbg_environment(),
                start_new_session=True,  # Ctrl-C is not for it
            )
        except OSError as error:
            raise gdb.GdbError(f"zedbg: cannot start {command}: {error.strerror}.") from None
        threads.start(functools.partial(self._read, path))

    def _read(self, path: str) -> None:
        """All that it says, until it has ended; on a thread."""
        said = ""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said = line.decode(errors="replace").strip()
            if said.startswith("Serving at"):
                said = ""
                with contextlib.suppress(OSError, ValueError):
                    self._converse(path)
                break
        self._put({"ended": said})

    def _converse(self, path: str) -> None:
        self._socket.connect(path)
        self._socket.sendall(b'{"view": "both"}\n')
        assert self._process.stdout is not None
        threads.start(functools.partial(self._drop, self._process.stdout))
        self._put({"ready": True})
        with self._socket.makefile("rb") as reader:
            for line in reader:
                self._put(json.loads(line))

    @staticmethod
    def _drop(output: Any) -> None:  # noqa: ANN401 - a pipe; it shows there what it sends us
        with contextlib.suppress(OSError, ValueError):
            for _line in output:
                pass

    def _put(self, message: dict) -> None:
        self._messages.put(message)
        if threads.is_listening and not self._posted:
            self._posted = True
            threads.post(self._take_posted)

    def _take_posted(self) -> None:
        self._posted = False
        self.take()

    def take(self, timeout: float = 0.0) -> None:
        """Handles what has come; waits so long for the first message."""
        with contextlib.suppress(queue.Empty):
            message = self._messages.get(timeout > 0, timeout or None)
            while True:
                self._handle(message)
                message = self._messages.get_nowait()

    def _handle(self, message: dict) -> None:
        if "ready" in message:
            self._ready = True
        elif "ended" in message:
            self.is_over = True
            self._why = message["ended"] or "it was killed"
            if self._ready and not self._closes:
                self._ended(self._why)
            waiting, self._waiting = self._waiting, {}
            for answered in waiting.values():
                answered({"ok": False, "error": "zedbg has ended."})
        elif "event" in message:
            self._happened(message)
        else:
            self._waiting.pop(message.get("id", 0), lambda _answer: None)(message)

    def wait(self, is_done: Callable[[], bool], seconds: float | None = None) -> bool:
        """Waits until it is so; False after ``seconds``, or when zedbg has ended."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while not is_done():
            if self.is_over or (deadline is not None and time.monotonic() > deadline):
                return False
            self.take(_SLICE_SECONDS)
        return True

    def wait_ready(self) -> None:
        """Until it can be asked. GdbError when it cannot."""
        if not self.wait(lambda: self._ready, _START_SECONDS):
            why = self._why or f"nothing within {_START_SECONDS:g} s"
            raise gdb.GdbError(f"zedbg: {self._command} did not start: {why}")

    def ask(self, line: str, answered: Callable[[dict], None] = lambda _answer: None) -> None:
        """Sends a command; ``answered`` gets what it gives. GdbError when zedbg is gone."""
        number = next(self._numbers)
        self._waiting[number] = answered
        self.send({"id": number, "line": line})

    def send(self, message: dict) -> None:
        """Sends it as it is. GdbError when zedbg is gone."""
        try:
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            raise gdb.GdbError("zedbg: the zedbg process is there no more.") from None

    def answer(self, line: str) -> dict:
        """What a command gives, when it has ended; Ctrl-C interrupts it. GdbError when
        none comes."""
        answers: list[dict] = []
        self.ask(line, answers.append)
        try:
            self.wait(lambda: bool(answers))
        except KeyboardInterrupt:
            self.send({"line": "interrupt"})
            self.wait(lambda: bool(answers), _INTERRUPT_SECONDS)
        if not answers:
            raise gdb.GdbError("zedbg: no answer.")
        return answers[0]

    def close(self) -> None:
        """Has it end: the device goes on without a debugger."""
        self._closes = True
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
