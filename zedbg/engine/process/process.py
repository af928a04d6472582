"""The process under debug: a program that zedbg started, or one that was there."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol

from zedbg.engine.engine_errors import LaunchError
from zedbg.engine.process.exited import Exited
from zedbg.engine.process.hold_server import HOLD_SOCKET_VARIABLE
from zedbg.engine.process.program_output import OutputCallback, ProgramOutput
from zedbg.levelzero.newest import newest
from zedbg.levelzero.selection import (
    native_file,
    program_environment,
    uses_simulated_device,
)

HOLD_LIBRARY_NAME = "libzedbg_hold.so"
HOLD_LIBRARY_OVERRIDE = "ZEDBG_HOLD_LIBRARY"  # path of a development build
_AUDIT_VARIABLE = "LD_AUDIT"
_DEBUG_VARIABLE = "ZET_ENABLE_PROGRAM_DEBUGGING"


@dataclass(frozen=True)
class LaunchOptions:
    """A program to start: arguments (the first is the program), and where it runs.

    ``environment``: variables that are added, or (None) taken out. ``stdin`` is a file; without one
    the program reads an empty input, as the terminal is the debugger's. Standard output and error
    are the debugger's own, or the file ``terminal``; with ``output``, what the program writes there
    is given to that function instead, on other threads.
    """

    arguments: Sequence[str]
    folder: Path | None = None
    environment: Mapping[str, str | None] = field(default_factory=dict)
    stdin: Path | None = None
    output: OutputCallback | None = None
    terminal: Path | None = None

    @contextlib.contextmanager
    def standard_input(self) -> Iterator[int | IO[bytes]]:
        """``stdin`` opened, which may take long; LaunchError where it cannot be."""
        if self.stdin is None:
            yield subprocess.DEVNULL
            return
        try:
            opened = self.stdin.open("rb")
        except OSError as error:
            raise LaunchError(f"cannot read {self.stdin}: {error.strerror}") from None
        with opened:
            yield opened


class Process(Protocol):
    """What the session needs of the process under debug."""

    pid: int
    exited: Exited | None
    is_child: bool
    can_run: bool  # not so for that of a core file

    def kill(self) -> None:
        """Ends it (SIGKILL)."""

    def take_output(self, partial: bool = True) -> None:
        """Passes on what it has written so far, where that is captured; ``partial``: also half a
        line."""

    def forget(self) -> None:
        """It goes on alone."""


class LaunchedProcess:
    """A program in a session of its own, so that the terminal's Ctrl-C does not reach it.

    ``changed`` is called when it has ended, on another thread.
    """

    is_child = True
    can_run = True

    def __init__(
        self,
        options: LaunchOptions,
        standard_input: int | IO[bytes],
        hold_socket: Path,
        changed: Callable[[], None],
    ) -> None:
        hold = native_file(HOLD_LIBRARY_NAME, HOLD_LIBRARY_OVERRIDE)
        if hold is None or not hold.exists():
            raise LaunchError(
                f"{HOLD_LIBRARY_NAME} is missing from this installation: reinstall zedbg, or "
                "start the program yourself and attach to it"
            )
        environment = program_environment()
        for name, value in options.environment.items():
            if value is None:
                environment.pop(name, None)
            else:
                environment[name] = value
        if uses_simulated_device(environment):
            environment |= newest().added_to(environment)
        audit = environment.get(_AUDIT_VARIABLE)
        environment |= {
            _DEBUG_VARIABLE: "1",
            _AUDIT_VARIABLE: f"{audit}:{hold}" if audit else str(hold),
            HOLD_SOCKET_VARIABLE: str(hold_socket),
        }
        self.exited: Exited | None = None
        self._changed = changed
        self._output = ProgramOutput(options.output) if options.output is not None else None
        stdout, stderr = self._output.write_ends if self._output is not None else (None, None)
        try:
            terminal = None if options.terminal is None else options.terminal.open("r+b", 0)
        except OSError as error:
            raise LaunchError(f"cannot use {options.terminal}: {error.strerror}") from None
        try:
            self._child = subprocess.Popen(
                list(options.arguments),
                cwd=options.folder,
                env=environment,
                stdin=standard_input,
                stdout=stdout or terminal,
                stderr=stderr or terminal,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            if self._output is not None:
                self._output.cancel()
            reason = error.strerror if isinstance(error, OSError) else error
            raise LaunchError(f"cannot start {options.arguments[0]}: {reason}") from None
        finally:
            if terminal is not None:
                terminal.close()
        self.pid = self._child.pid
        if self._output is not None:
            self._output.start()
        threading.Thread(target=self._wait, name="zedbg-child", daemon=True).start()

    def _wait(self) -> None:
        # Not by wait(2) from the start: that also returns when somebody looks at its registers.
        handle = os.pidfd_open(self.pid)
        select.select([handle], [], [])
        os.close(handle)
        code = self._child.wait()
        self.take_output()  # before anybody hears of the end
        self.exited = Exited(code=code) if code >= 0 else Exited(signal=-code)
        self._changed()

    def kill(self) -> None:
        # Its whole session: what it started must not stay either.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def take_output(self, partial: bool = True) -> None:
        if self._output is not None:
            self._output.take(partial)

    def forget(self) -> None:
        if self._output is not None and self.exited is None:
            self._output.hand_over()


class AttachedProcess:
    """A process that was running before; its exit code is its parent's business."""

    is_child = False
    can_run = True

    def __init__(self, pid: int, changed: Callable[[], None]) -> None:
        self.pid = pid
        self.exited: Exited | None = None
        self._changed = changed
        self._wake_read, self._wake_write = os.pipe()
        self._handle = os.pidfd_open(pid)
        threading.Thread(target=self._wait, name="zedbg-process", daemon=True).start()

    def _wait(self) -> None:
        ready, _, _ = select.select([self._handle, self._wake_read], [], [])
        os.close(self._handle)
        os.close(self._wake_read)
        if self._handle in ready:
            self.exited = Exited()
            self._changed()

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, signal.SIGKILL)

    def take_output(self, partial: bool = True) -> None:
        pass  # it writes where it always did

    def forget(self) -> None:
        if self._wake_write >= 0:
            os.close(self._wake_write)
            self._wake_write = -1
