"""The ways in: launch a program, attach to one, open a module without a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from zedbg.api.session import Session
from zedbg.engine.sessions import opening
from zedbg.engine.sessions.session import Session as EngineSession
from zedbg.levelzero.level_zero_errors import NoDebuggableDevice
from zedbg.xe.devices import DEVICES
from zedbg.zebin import Module


def launch(
    arguments: Sequence[str | Path],
    *,
    sim: str | None = None,
    folder: str | Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: str | Path | None = None,
    output: Callable[[str, str], None] | None = None,
    time_limit: float | None = None,
    non_stop: bool = False,
) -> Session:
    """Starts a program for debugging. It waits before its first kernel until ``session.run()`` or
    ``session.continue_()``.

    ``arguments``: the program and its arguments. ``sim``: a simulated device (``dg2``); without it
    a GPU that can be debugged, or else the simulated one. ``folder``, ``environment`` (additions)
    and ``stdin`` (a file) are where it runs. ``output(stream, text)`` is given the lines that it
    writes, on another thread, in place of our own standard output and error. ``time_limit``: after
    so many seconds it is killed, and the call that waits raises :class:`~zedbg.TimeLimitError` with
    a report of where its threads were. ``non_stop``: a stop is that of the threads that hit; all
    others run on.

    Raises :class:`~zedbg.LaunchError` and :class:`~zedbg.NoDebuggableDevice`.

    >>> with zedbg.launch(blur, sim="dg2", output=ignore) as second:
    ...     _ = second.breakpoints.add("blur.cl:17", condition="i == 4")
    ...     for stop in second.run():
    ...         print(stop.thread.work_group, stop.thread.lanes.hit, stop.thread["value"][4])
    (0, 0, 0) [4] 4.0
    """
    _require_device(sim)
    engine, choice = opening.open_session(sim)
    options = opening.launch_options(
        choice,
        [str(each) for each in arguments],
        folder=folder,
        environment=environment,
        stdin=stdin,
        output=output,
    )
    engine.non_stop = non_stop
    engine.launch(options)
    return Session(engine, time_limit)


def attach(
    pid: int,
    *,
    sim: str | None = None,
    time_limit: float | None = None,
    non_stop: bool = False,
) -> Session:
    """Debugs a running process, and stops what it runs on devices: ``session.stop``.

    ``sim``, ``time_limit`` and ``non_stop`` are as in :func:`launch`; without ``sim``, the driver
    is that of the process. The program must have been started with
    ``ZET_ENABLE_PROGRAM_DEBUGGING=1``. Raises
    :class:`~zedbg.AttachError` and :class:`~zedbg.NoDebuggableDevice`.

    >>> pid = session.pid
    >>> session.detach()
    >>> try:
    ...     zedbg.attach(1, sim="dg2")
    ... except zedbg.AttachError as error:
    ...     print(error)  # doctest: +ELLIPSIS
    Cannot attach to process 1: ...
    """
    _require_device(sim)
    engine = opening.open_session_for(pid, sim)
    engine.non_stop = non_stop
    session = Session(engine, time_limit)
    try:
        session._attach(pid)
    except BaseException:
        session.close()
        raise
    return session


def _require_device(sim: str | None) -> None:
    for name in (sim or "").split(","):
        if name and name not in DEVICES:
            there = ", ".join(DEVICES)
            raise NoDebuggableDevice(f"{name} is no simulated device; there are: {there}")


def open_core(path: str | Path) -> Session:
    """A core file, looked at as the program that it was made of; nothing runs in it.

    It needs no driver and no GPU. Raises :class:`~zedbg.CoreFileError`.

    >>> session.save_core(folder / "core")
    >>> with zedbg.open_core(folder / "core") as core:
    ...     print(core.pid == session.pid, len(core.threads), core.stop.thread["i"][0])
    True 8 0
    """
    session = Session(EngineSession())
    session._open_core(Path(path))
    return session


def open(module: str | Path | bytes) -> Module:
    """A module without a program: a zebin, by its path or its bytes.

    Raises :class:`~zedbg.ZebinError` when it is none, and OSError.

    >>> kernel = zedbg.open(blur_zebin).kernels[0]
    >>> kernel.name, kernel.simd_width
    ('blur', 8)
    """
    if isinstance(module, bytes):
        return Module.from_bytes(module, "module")
    return Module.open(module)
