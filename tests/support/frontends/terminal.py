"""A real terminal, by tmux: what is typed goes through a tty, what is read is what is shown."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import termios
import time
from collections.abc import Sequence
from pathlib import Path

PROMPT = "(zedbg)"
LIMIT_SECONDS = 20.0
_COLUMNS, _ROWS = 200, 50
_OPEN_FLAGS = os.O_RDWR | os.O_NOCTTY
_TOOLBAR = re.compile(r"^ [^\n]*scheduler-locking \w+\Z", re.MULTILINE)
_LOCAL_MODES = 3  # of termios.tcgetattr()
# Shows how the command ended; Ctrl-C, which reaches the shell too, does not end that.
_SHELL = ["sh", "-c", 'trap : INT; "$@"; echo "exit code $?"', "sh"]


class Terminal:
    """One command in one terminal of a tmux server of its own, in ``folder``."""

    def __init__(
        self,
        folder: Path,
        command: Sequence[str],
        environment: dict[str, str],
        size: tuple[int, int] = (_COLUMNS, _ROWS),
    ) -> None:
        """``size``: columns and rows."""
        self._socket = str(folder / "tmux")
        self.is_open = True
        configuration = folder / "tmux.conf"
        # Redrawing the first line of the screen would put the old one into the history.
        options = ("history-limit 20000", "remain-on-exit on", "scroll-on-clear off")
        configuration.write_text("".join(f"set -g {option}\n" for option in options))
        columns, rows = map(str, size)
        self._start = ["-f", str(configuration), "new-session", "-d", "-x", columns, "-y", rows]
        self._start += ["-c", str(folder)]
        subprocess.run(
            ["tmux", "-S", self._socket, *self._start, shlex.join([*_SHELL, *command])],
            check=True,
            env=environment,
            timeout=LIMIT_SECONDS,
        )

    def type(self, text: str) -> None:
        """Types ``text``, without Enter."""
        self._tmux("send-keys", "-l", "--", text)

    def key(self, name: str) -> None:
        """Presses a key by tmux's name for it: Enter, Tab, C-c, Up."""
        self._tmux("send-keys", name)

    def text(self) -> str:
        """Everything shown since the beginning, without the toolbar; a line that was too long is
        one line."""
        shown = self._tmux("capture-pane", "-p", "-J", "-S", "-")
        text = "\n".join(line.rstrip() for line in shown.splitlines()).rstrip("\n")
        return _TOOLBAR.sub("", text).rstrip("\n")

    def screen(self) -> str:
        """What the screen shows now, with the toolbar."""
        return self._tmux("capture-pane", "-p").rstrip("\n")

    def paste(self, text: str) -> None:
        """Pastes ``text`` as a window does with what was copied."""
        self._tmux("set-buffer", text)
        self._tmux("paste-buffer", "-p")

    def expect(self, pattern: str, start: int = 0) -> re.Match:
        """Waits until what is shown after character ``start`` matches ``pattern``."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while True:
            text = self.text()
            match = re.compile(pattern, re.MULTILINE).search(text, start)
            if match:
                return match
            assert time.monotonic() < deadline, f"never shown: {pattern!r} in\n{text[start:]}"
            time.sleep(0.03)

    def ready(self) -> None:
        """Waits for an empty prompt at the end of what is shown."""
        self.expect(rf"^{re.escape(PROMPT)}\Z")

    def started(self) -> None:
        """Waits until a command that was entered runs: keys then make signals again."""
        terminal = os.open(self._tmux("display-message", "-p", "#{pane_tty}").strip(), _OPEN_FLAGS)
        try:
            deadline = time.monotonic() + LIMIT_SECONDS
            while not keys_make_signals(terminal):
                assert time.monotonic() < deadline, f"no command runs:\n{self.text()}"
                time.sleep(0.01)
        finally:
            os.close(terminal)

    def command(self, line: str) -> list[str]:
        """Gives a command line to the prompt; the lines that it shows."""
        self.ready()
        self.type(line)
        return self.enter(len(self.text()))

    def enter(self, start: int | None = None) -> list[str]:
        """Presses Enter; the lines that follow, up to the next prompt."""
        before = len(self.text()) if start is None else start
        prompts = _prompts(self.text())
        self.key("Enter")
        deadline = time.monotonic() + LIMIT_SECONDS
        while True:
            text = self.text()
            if _prompts(text) > prompts and text.endswith("\n" + PROMPT):
                break
            assert time.monotonic() < deadline, f"no prompt after\n{text[before:]}"
            time.sleep(0.03)
        lines = text.splitlines()
        last = len(lines) - 1
        first = max(n for n in range(last) if lines[n].startswith(PROMPT))
        return lines[first + 1 : last]

    def exit_code(self) -> int:
        """Waits until the command has ended."""
        return int(self.expect(r"^exit code (\d+)")[1])

    def close(self) -> None:
        """Ends the terminal and what runs in it."""
        if self.is_open:
            self.is_open = False
            self._tmux("kill-server")

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", self._socket, *words],
            check=True,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
        )
        return done.stdout


def keys_make_signals(terminal: int) -> bool:
    """Whether Ctrl-C interrupts what runs in the terminal of that descriptor: not so while a line
    is edited, as it is a key then."""
    return bool(termios.tcgetattr(terminal)[_LOCAL_MODES] & termios.ISIG)


def _prompts(text: str) -> int:
    """How many lines of ``text`` are prompts, with or without a command."""
    return len(re.findall(rf"^{re.escape(PROMPT)}", text, re.MULTILINE))
