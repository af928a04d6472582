"""The two sides that are compared: zedbg's engine, and the C client, over like debuggees."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from zedbg.engine import Session, Stop
from zedbg.engine.sessions.opening import open_session

from .measure import Timing
from .programs import ENDLESS, MODULE, SOURCE_LINE, Debuggee, Programs, c_client, debuggee

_FULL_SECONDS = 0.1  # what a launch takes at most to fill the device


@contextmanager
def stopped_session(
    programs: Programs, threads: int, iterations: int, module: Path = MODULE
) -> Iterator[tuple[Session, Debuggee]]:
    """zedbg with ``threads`` threads at the breakpoint."""
    with debuggee(programs, threads, iterations, module) as target:
        session, _ = open_session("dg2")
        with session:
            session.attach(target.pid)
            session.break_at(SOURCE_LINE)
            target.go()
            continue_until_all_stopped(session, threads)
            yield session, target


@contextmanager
def running_debuggee(programs: Programs, threads: int) -> Iterator[Debuggee]:
    """One whose only launch runs without end, on ``threads`` hardware threads."""
    with debuggee(programs, threads, ENDLESS) as target:
        target.go()
        target.expect("running")
        time.sleep(_FULL_SECONDS)
        yield target


def continue_until_all_stopped(session: Session, threads: int) -> Stop:
    """Continues to the next stop of a whole launch."""
    while True:
        outcome = session.continue_()
        if not isinstance(outcome, Stop):
            raise RuntimeError(f"the debuggee is gone: {outcome}")
        if len(session.stopped_threads()) == threads:
            return outcome


def breakpoint_offset(session: Session) -> int:
    """Where the session's only breakpoint is, in bytes from its module's load address."""
    (breakpoint_,) = session.breakpoints
    (location,) = breakpoint_.locations
    return location.address - session.devices[0].modules[0].load


def time_c_client(
    programs: Programs,
    threads: int,
    iterations: int,
    offset: int,
    measurement: str,
    *arguments: int | Path,
    module: Path = MODULE,
) -> Timing:
    """The C client's seconds for each repetition of ``measurement``."""
    with (
        debuggee(programs, threads, iterations, module) as target,
        c_client(programs, target, offset, measurement, *arguments) as client,
    ):
        target.go()
        measured = [seconds for name, seconds in _measured(client) if name == measurement]
        return Timing(tuple(measured))


class CAttaching(NamedTuple):
    """The C client's times up to the report of a stop at the attach: from the attach itself,
    from before Level Zero is initialised, and from before the client is started."""

    attach: Timing
    opened: Timing
    started: Timing


def time_c_attaching(programs: Programs, threads: int, repetitions: int) -> CAttaching:
    """The C client attaches to a kernel that runs, ``repetitions`` times."""
    found: dict[str, list[float]] = {"attach": [], "opened": [], "started": []}
    programs.path("c_client")  # built before anything is measured
    for _ in range(repetitions):
        with running_debuggee(programs, threads) as target:
            begin = time.perf_counter()
            with c_client(programs, target, 0, "attach", 1) as client:
                for name, seconds in _measured(client):
                    found[name].append(seconds)
                    if name == "attach":
                        found["started"].append(time.perf_counter() - begin)
    return CAttaching(**{name: Timing(tuple(seconds)) for name, seconds in found.items()})


def _measured(client: subprocess.Popen[str]) -> Iterator[tuple[str, float]]:
    """What the client says, line by line; RuntimeError when it ends otherwise than well."""
    assert client.stdout is not None
    for line in client.stdout:
        name, value = line.split()
        yield name, float(value)
    if client.wait() != 0:
        raise RuntimeError(f"the C client failed with exit status {client.returncode}")
