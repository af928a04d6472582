"""zedbg as another process: run to its end, or kept running and given commands."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

LIMIT_SECONDS = 60.0


@dataclass(frozen=True)
class Finished:
    """How a zedbg that has ended did."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def objects(self) -> list[dict]:
        """Standard output as JSON: every line has to be an object."""
        objects = [json.loads(line) for line in self.lines]
        assert all(isinstance(each, dict) for each in objects)
        return objects


def assert_no_traceback(*texts: str) -> None:
    """A user never sees one, nor zedbg's own report of something unexpected."""
    for text in texts:
        assert "Traceback" not in text, text
        assert "internal error" not in text, text
        assert "Exception ignored" not in text, text


def eventually(condition: Callable[[], object], what: str, seconds: float = LIMIT_SECONDS) -> None:
    """Waits until ``condition`` is true."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.02)


def children(pid: int) -> list[int]:
    """The child processes of ``pid``."""
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid: int) -> bool:
    """Whether ``pid`` runs: not ended, and no zombie that waits for its parent."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")


def processes_with(state_folder: str) -> list[int]:
    """The processes that keep their state in the folder of one test: it is in their environment."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if f"XDG_STATE_HOME={state_folder}".encode() in entry.read_bytes().split(b"\0"):
                found.append(int(entry.parent.name))
    return found


class RunningDebugger:
    """A zedbg whose standard input is ours: commands go in, lines come out."""

    def __init__(self, process: subprocess.Popen) -> None:
        self.process = process
        self.out: list[str] = []
        self.err: list[str] = []
        self._readers = [
            threading.Thread(target=self._read, args=pair, daemon=True)
            for pair in ((process.stdout, self.out), (process.stderr, self.err))
        ]
        for reader in self._readers:
            reader.start()

    @staticmethod
    def _read(stream, lines: list[str]) -> None:
        lines.extend(iter(stream.readline, ""))

    def __call__(self, command: str) -> None:
        """Gives it a command line."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

    def expect(self, pattern: str, stream: str = "out") -> re.Match:
        """Waits until what it wrote matches ``pattern``."""
        found: list[re.Match] = []

        def matches() -> bool:
            match = re.search(pattern, "".join(getattr(self, stream)), re.MULTILINE)
            if match:
                found.append(match)
            assert match or self.process.poll() is None or self._reading(), (
                f"it ended before {pattern!r}: {self.out} {self.err}"
            )
            return bool(match)

        try:
            eventually(matches, pattern)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{''.join(self.out)}{''.join(self.err)}") from None
        return found[0]

    def send_signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    @property
    def debuggee(self) -> int:
        """The process id of the program that it launched."""
        found = children(self.process.pid)
        assert len(found) == 1, found
        return found[0]

    def finish(self) -> Finished:
        """Ends its input and waits for its end."""
        self.process.stdin.close()
        return self.wait()

    def wait(self) -> Finished:
        """Waits for its end."""
        code = self.process.wait(LIMIT_SECONDS)
        for reader in self._readers:
            reader.join(LIMIT_SECONDS)
        finished = Finished(code, "".join(self.out), "".join(self.err))
        assert_no_traceback(finished.out, finished.err)
        return finished

    def _reading(self) -> bool:
        return any(reader.is_alive() for reader in self._readers)


class Debugger:
    """Starts zedbg in ``folder`` with ``environment``."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self._started: list[subprocess.Popen] = []

    def run(self, *words: str, **environment: str) -> Finished:
        """Runs ``zedbg WORDS`` to its end."""
        done = subprocess.run(
            ["zedbg", *words],
            cwd=self.folder,
            env=self.environment | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
        )
        assert_no_traceback(done.stdout, done.stderr)
        return Finished(done.returncode, done.stdout, done.stderr)

    def batch(
        self,
        commands: Sequence[str],
        program: Sequence[str] = (),
        *options: str,
        **environment: str,
    ) -> Finished:
        """Runs ``commands`` over ``program`` on the simulated GPU."""
        given = [word for command in commands for word in ("-ex", command)]
        return self.run("--batch", "--sim=dg2", *options, *given, "--", *program, **environment)

    def json(self, commands: Sequence[str], program: Sequence[str] = (), *options: str) -> Finished:
        """The same with ``--json``."""
        return self.batch(commands, program, "--json", *options)

    def start(
        self, program: Sequence[str] = (), *options: str, device: str = "dg2", **environment: str
    ):
        """A zedbg on the simulated GPU that takes commands from us."""
        process = self.spawn(
            ["zedbg", f"--sim={device}", *options, "--", *program],
            env=self.environment | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return RunningDebugger(process)

    def spawn(self, words: Sequence[str], **options) -> subprocess.Popen:
        """Any process, in a session of its own; it is killed at the end of the test."""
        options.setdefault("env", self.environment)
        process = subprocess.Popen(words, cwd=self.folder, start_new_session=True, **options)
        self._started.append(process)
        return process

    def close(self) -> None:
        """Kills what still runs: zedbg, and programs that outlived it."""
        for pid in processes_with(self.environment["XDG_STATE_HOME"]):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for process in self._started:
            process.kill()
            process.wait()

    def run_script(self, text: str, *arguments: str | Path) -> object:
        """Runs a Python script that uses zedbg; what it prints in its last line, as JSON."""
        script = self.folder / "script.py"
        script.write_text(text)
        done = subprocess.run(
            [sys.executable, script, *arguments],
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
        )
        assert_no_traceback(done.stdout, done.stderr)
        assert done.returncode == 0, done.stderr
        found: object = json.loads(done.stdout.splitlines()[-1])
        return found
