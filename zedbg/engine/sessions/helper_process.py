"""Debug sessions that another process of ours holds.

A driver gives a process one debug session on each device, and the loader opens its drivers once. So
a second program on a device, or a program on another simulated device, is debugged through a helper
process: it makes the calls of Level Zero, and this one has the rest. :class:`HelperProcess` starts
it; :mod:`zedbg.engine.sessions.helper_main` is what it runs.

Calls and answers are pickled, over one socket for each thread that calls. The helper ends when the
control socket is closed, which the end of this process does too: its debug sessions end with it,
and the programs go on.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from multiprocessing.connection import Connection
from typing import Any

from zedbg.engine.engine_errors import AttachError
from zedbg.engine.modules.opened_device import OpenedDevice
from zedbg.levelzero.debug import RegsetProperties
from zedbg.levelzero.debug_events import DebugEvent, ThreadFields
from zedbg.levelzero.device_time import DeviceTime, Recording, Search, TimeHit
from zedbg.levelzero.device_watches import DeviceWatches, WatchHit, WatchRequest
from zedbg.levelzero.enums import DebugMemorySpace, Result
from zedbg.levelzero.level_zero_errors import DeviceLost

_PROGRAM = "zedbg.engine.sessions.helper_main"
_END_SECONDS = 5.0
NEW_CALLER = b"c"
"""Sent over the control socket with the socket of a thread that will call."""


class HelperProcess:
    """A process that makes calls of Level Zero for us, with ``environment``, which chooses its
    driver."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        ours, its = socket.socketpair()
        with its:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "zedbg.engine.sessions.helper_main",
                    str(its.fileno()),
                ],
                stdin=subprocess.DEVNULL,
                env=dict(environment),
                pass_fds=[its.fileno()],
                start_new_session=True,  # the terminal's Ctrl-C is for us
            )
        self._control = ours
        self._callers = threading.local()
        self._detached: set[int] = set()
        self._count = 0

    def open_devices(self, pid: int, patience: float) -> list[OpenedDevice]:
        """As :func:`zedbg.engine.sessions.attaching.open_devices`."""
        opened: list[OpenedDevice] = self.call("open_devices", pid, patience)
        self._count = len(opened)
        return [
            replace(each, debug=HelperDebugSession(self, index, pid))
            for index, each in enumerate(opened)
        ]

    def call(self, name: str, *arguments: object) -> Any:  # noqa: ANN401 - what the method gives
        """What the helper's method ``name`` gives; raises what that raises, DeviceLost when the
        helper is gone."""
        try:
            connection = self._connection()
            connection.send((name, arguments))
            succeeded, answer = connection.recv()
        except (EOFError, OSError) as error:
            raise DeviceLost(Result.ERROR_DEVICE_LOST, "reach the process that debugs") from error
        except BaseException:  # Ctrl-C: the answer would be taken for that to the next call
            self._callers.connection.close()
            del self._callers.connection
            raise
        if not succeeded:
            raise answer
        return answer

    def _connection(self) -> Connection:
        """The calling thread's own."""
        found: Connection | None = getattr(self._callers, "connection", None)
        if found is None:
            ours, its = socket.socketpair()
            found = self._callers.connection = Connection(ours.detach())
            with its:
                socket.send_fds(self._control, [NEW_CALLER], [its.fileno()])
        return found

    def detached(self, index: int) -> None:
        """Session ``index`` is detached: with the last one, the helper ends."""
        self._detached.add(index)
        if len(self._detached) == self._count:
            self.close()

    def close(self) -> None:
        """Ends the helper."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)


def open_devices_elsewhere(
    environment: Mapping[str, str], pid: int, patience: float
) -> list[OpenedDevice]:
    """A session for ``pid`` on every device that can debug it, in a helper process with
    ``environment``; at least one, or AttachError."""
    try:
        helper = HelperProcess(environment)
    except OSError as error:
        raise AttachError(
            f"Cannot attach to process {pid}: {sys.executable} cannot be started: {error.strerror}"
        ) from error
    try:
        return helper.open_devices(pid, patience)
    except BaseException:
        helper.close()
        raise


class HelperDebugSession:
    """Session ``index`` of ``helper``; see :class:`zedbg.levelzero.debug.ProgramDebug`."""

    def __init__(self, helper: HelperProcess, index: int, pid: int) -> None:
        self._helper = helper
        self._index = index
        self._is_detached = False
        self.pid = pid

    @cached_property
    def time(self) -> DeviceTime | None:
        return HelperTime(self._call) if self._call("offers_time") else None

    @cached_property
    def watches(self) -> DeviceWatches | None:
        return HelperWatches(self._call) if self._call("offers_watches") else None

    def read_event(self, timeout_milliseconds: int) -> DebugEvent | None:
        found: DebugEvent | None = self._call("read_event", timeout_milliseconds)
        return found

    def acknowledge(self, event: DebugEvent) -> None:
        self._call("acknowledge", event)

    def interrupt(self, thread: ThreadFields) -> None:
        self._call("interrupt", thread)

    def resume(self, thread: ThreadFields) -> None:
        self._call("resume", thread)

    def read_memory(
        self, thread: ThreadFields, space: DebugMemorySpace, address: int, size: int
    ) -> bytes:
        data: bytes = self._call("read_memory", thread, space, address, size)
        return data

    def write_memory(
        self, thread: ThreadFields, space: DebugMemorySpace, address: int, data: bytes
    ) -> None:
        self._call("write_memory", thread, space, address, bytes(data))

    def read_registers(
        self, thread: ThreadFields, kind: int, start: int, count: int, byte_size: int
    ) -> bytes:
        data: bytes = self._call("read_registers", thread, kind, start, count, byte_size)
        return data

    def read_registers_of(
        self, threads: Sequence[ThreadFields], kind: int, count: int, byte_size: int
    ) -> list[bytes | None]:
        found: list[bytes | None] = self._call(
            "read_registers_of", list(threads), kind, count, byte_size
        )
        return found

    def write_registers(
        self, thread: ThreadFields, kind: int, start: int, count: int, data: bytes
    ) -> None:
        self._call("write_registers", thread, kind, start, count, bytes(data))

    def thread_register_sets(self, thread: ThreadFields) -> list[RegsetProperties] | None:
        found: list[RegsetProperties] | None = self._call("thread_register_sets", thread)
        return found

    def exception_reason(self, thread: ThreadFields) -> str | None:
        found: str | None = self._call("exception_reason", thread)
        return found

    def detach(self) -> None:
        if not self._is_detached:
            self._call("detach")
            self._is_detached = True
            self._helper.detached(self._index)

    def _call(self, name: str, *arguments: object) -> Any:  # noqa: ANN401
        return self._helper.call(name, self._index, *arguments)


class HelperTime:
    """The same session's :class:`~zedbg.levelzero.device_time.DeviceTime`; ``call`` makes a call
    of the session."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call

    def recording(self, launch: int = 0) -> Recording:
        found: Recording = self._call("time.recording", launch)
        return found

    def set_recording(self, enabled: bool, budget: int) -> None:
        self._call("time.set_recording", enabled, budget)

    def go_to(self, launch: int, time: int) -> None:
        self._call("time.go_to", launch, time)

    def threads(self) -> list[ThreadFields]:
        found: list[ThreadFields] = self._call("time.threads")
        return found

    def find(self, search: Search) -> tuple[list[TimeHit], int]:
        found: tuple[list[TimeHit], int] = self._call("time.find", search)
        return found


class HelperWatches:
    """The same session's :class:`~zedbg.levelzero.device_watches.DeviceWatches`; ``call`` makes a
    call of the session."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call

    def set(self, watch: WatchRequest) -> int:
        found: int = self._call("watches.set", watch)
        return found

    def clear(self, number: int) -> None:
        self._call("watches.clear", number)

    def hits(self, thread: ThreadFields) -> list[WatchHit]:
        found: list[WatchHit] = self._call("watches.hits", thread)
        return found
