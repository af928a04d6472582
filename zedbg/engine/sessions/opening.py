"""Sessions with the driver chosen; however this process ends, they end cleanly."""

from __future__ import annotations

import atexit
import signal
import sys
import threading
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType

from zedbg.engine.ground.signals import signals_held
from zedbg.engine.modules.opened_device import OpenedDevice
from zedbg.engine.process.process import LaunchOptions
from zedbg.engine.process.program_output import OutputCallback
from zedbg.engine.sessions.attaching import Opener, open_devices
from zedbg.engine.sessions.helper_process import open_devices_elsewhere
from zedbg.engine.sessions.session import Session
from zedbg.levelzero.debug import debugs_other_process
from zedbg.levelzero.selection import (
    DriverChoice,
    choose_driver,
    driver_of_process,
    helper_environment,
    use_driver,
)

_open_sessions: weakref.WeakSet[Session] = weakref.WeakSet()


def open_session(sim: str | None = None) -> tuple[Session, DriverChoice]:
    """A session without a process yet, and the driver that was chosen for it.

    ``sim`` names a simulated device (``dg2``); None takes a GPU that can be debugged when there is
    one, else the simulated one. However this process ends (but for SIGKILL), the session is closed:
    breakpoints come out and the program goes on. Raises NoDebuggableDevice.
    """
    choice = choose_driver(sim)
    return _session_with(choice), choice


def open_session_for(pid: int, sim: str | None = None) -> Session:
    """A session for attaching to process ``pid``: without ``sim``, with the driver that the process
    was started with. Raises NoDebuggableDevice."""
    return _session_with(choose_driver(sim) if sim else driver_of_process(pid))


def _session_with(choice: DriverChoice) -> Session:
    session = Session(_opener(choice))
    _open_sessions.add(session)
    _end_cleanly()
    return session


_opening = threading.Lock()  # held while this process opens devices, or finds that it cannot
_has_chosen = False  # whether a session of this process uses the driver of its environment


def _opener(choice: DriverChoice) -> Opener:
    """What opens the devices of ``choice``: this process, or a helper process where this one uses
    another driver, or debugs another program already."""
    global _has_chosen
    with _opening:
        suits = choice.is_set_up if _has_chosen else choice.suits_this_process
        if suits:
            _has_chosen = True
            use_driver(choice)

    def open_anywhere(pid: int, patience: float) -> list[OpenedDevice]:
        if suits:
            with _opening:
                if not debugs_other_process(pid):
                    return open_devices(pid, patience)
        return open_devices_elsewhere(helper_environment(choice), pid, patience)

    return open_anywhere


def launch_options(
    choice: DriverChoice,
    arguments: Sequence[str],
    *,
    folder: str | Path | None = None,
    environment: Mapping[str, str | None] | None = None,
    stdin: str | Path | None = None,
    output: OutputCallback | None = None,
) -> LaunchOptions:
    """A program that shall use the driver ``choice``; see :func:`launch`."""
    return LaunchOptions(
        list(arguments),
        Path(folder) if folder is not None else None,
        {**choice.environment, **(environment or {})},
        Path(stdin) if stdin is not None else None,
        output,
    )


def launch(
    arguments: Sequence[str],
    *,
    sim: str | None = None,
    folder: str | Path | None = None,
    environment: Mapping[str, str | None] | None = None,
    stdin: str | Path | None = None,
    output: OutputCallback | None = None,
) -> Session:
    """Starts a program for debugging; :meth:`Session.continue_` lets it run to its first stop.

    ``arguments``: the program and its arguments; ``folder``, ``environment`` (additions; None takes
    a variable out) and ``stdin`` (a file) are where it runs; ``output(stream, text)`` is given the
    lines that it writes, on another thread, in place of our own standard output and error. At the
    end of a ``with`` block the program goes on by itself; :meth:`Session.kill` ends it. Raises
    LaunchError and NoDebuggableDevice.
    """
    session, choice = open_session(sim)
    session.launch(
        launch_options(
            choice,
            arguments,
            folder=folder,
            environment=environment,
            stdin=stdin,
            output=output,
        )
    )
    return session


def attach(pid: int, *, sim: str | None = None) -> Session:
    """Debugs a running process, stopped. Raises AttachError and NoDebuggableDevice."""
    session = open_session_for(pid, sim)
    session.attach(pid)
    return session


def _close_all() -> None:
    with signals_held():
        for session in list(_open_sessions):
            session.close()


_registered = False


def _end_cleanly() -> None:
    """Sessions are closed at the end of the process, also when SIGTERM or SIGHUP ends it."""
    global _registered
    if _registered:
        return
    _registered = True
    atexit.register(_close_all)
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _exit_on_signal)


def _exit_on_signal(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
