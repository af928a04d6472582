"""A terminal without a window: fast enough to press keys, and to close it, at any moment."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Sequence

from tests.support.frontends.terminal import LIMIT_SECONDS, PROMPT, keys_make_signals

_CONTROL_SEQUENCE = re.compile(rb"\x1b\[[?0-9;]*[a-zA-Z]")
_CURSOR_ASKED, _CURSOR_TOLD = b"\x1b[6n", b"\x1b[1;1R"
_BLANKS = " \r\n\b"
_TOOLBAR = re.compile(r"[^\r\n]*scheduler-locking \w+\s*\Z")
# What a terminal runs is a shell's child; Ctrl-C, which reaches the shell too, does not end that.
# setsid and not a fork here: the copy of the tests would take signals as the tests do.
_SHELL = ["setsid", "--ctty", "sh", "-c", 'trap : INT; "$@"; exit', "sh"]


class PseudoTerminal:
    """One command, run by a shell, in a terminal of its own."""

    def __init__(
        self, command: Sequence[str], environment: dict[str, str], kind: str = "xterm"
    ) -> None:
        self._terminal, inner = pty.openpty()
        self._shell = subprocess.Popen(
            [*_SHELL, *command],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment | {"TERM": kind},
        )
        os.close(inner)
        self._shown = b""
        self._is_open = True
        self._owes_answer = False
        self.answers_later = False
        """The terminal says where its cursor is only when :meth:`answer` is called."""

    @property
    def shown(self) -> str:
        """What was shown since the last line was entered, without control sequences."""
        return _CONTROL_SEQUENCE.sub(b"", self._shown).decode(errors="replace")

    @property
    def control_sequences(self) -> list[bytes]:
        """Those that came since then."""
        return _CONTROL_SEQUENCE.findall(self._shown)

    def read(self, seconds: float = 0.0) -> None:
        """Takes in what is shown within ``seconds``."""
        end = time.monotonic() + seconds
        while select.select([self._terminal], [], [], max(0.0, end - time.monotonic()))[0]:
            try:
                data = os.read(self._terminal, 65536)
            except OSError:  # no process has the terminal any more
                return
            self._shown += data
            self._owes_answer |= _CURSOR_ASKED in data
            if self._owes_answer and not self.answers_later:
                self.answer()

    def answer(self) -> None:
        """Says where the cursor is."""
        self._owes_answer = False
        self.type(_CURSOR_TOLD)

    @property
    def runs_command(self) -> bool:
        return keys_make_signals(self._terminal)

    def wait(self, reached: str, seconds: float = LIMIT_SECONDS) -> None:
        """Waits until ``reached`` is shown."""
        deadline = time.monotonic() + seconds
        while reached not in self.shown:
            assert time.monotonic() < deadline, f"never shown: {reached!r} in\n{self.shown}"
            self.read(0.01)

    def wait_for_prompt(self) -> None:
        deadline = time.monotonic() + LIMIT_SECONDS
        while self.runs_command or not self._shows_prompt():
            assert time.monotonic() < deadline, f"no prompt after\n{self.shown}"
            self.read(0.01)

    def _shows_prompt(self) -> bool:
        """Whether the prompt is the last that was shown, but for the toolbar under it."""
        shown = _TOOLBAR.sub("", self.shown.rstrip(_BLANKS))
        return shown.rstrip(_BLANKS).endswith(PROMPT)

    def wait_for_command(self) -> None:
        """Waits, without a pause, until what was entered runs."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while not self.runs_command:
            assert time.monotonic() < deadline, f"no command runs:\n{self.shown}"

    def wait_for_question(self) -> None:
        """Waits until it is asked where the cursor is."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while not self._owes_answer:
            assert time.monotonic() < deadline, f"never asked after\n{self.shown}"
            self.read(0.001)

    def type(self, keys: bytes) -> None:
        """At any moment."""
        os.write(self._terminal, keys)

    def enter(self, line: str) -> None:
        """Types ``line`` at the prompt, and Enter."""
        self.wait_for_prompt()
        self._shown = b""
        self.type(line.encode() + b"\r")

    def press_ctrl_c(self) -> None:
        self.type(b"\x03")

    def close(self) -> None:
        """As if the window was closed."""
        if self._is_open:
            self._is_open = False
            os.close(self._terminal)

    def end(self) -> None:
        """Whatever still runs."""
        self.close()
        self._shell.kill()
        self._shell.wait()
