"""The two sides that are compared: zedbg's engine, and the C client, over like debuggees."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zedbg.api import open_session
from zedbg.engine import Session, Stop

from .measure import Timing
from .programs import MODULE, SOURCE_LINE, Debuggee, Programs, c_client, debuggee


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
    *arguments: int,
    module: Path = MODULE,
) -> Timing:
    """The C client's seconds for each repetition of ``measurement``."""
    with (
        debuggee(programs, threads, iterations, module) as target,
        c_client(programs, target, offset, measurement, *arguments) as client,
    ):
        target.go()
        return Timing(tuple(seconds_of(client, measurement)))


def seconds_of(client: subprocess.Popen[str], measurement: str) -> Iterator[float]:
    """What the client says of each repetition."""
    assert client.stdout is not None
    for line in client.stdout:
        name, value = line.split()
        if name == measurement:
            yield float(value)
    if client.wait() != 0:
        raise RuntimeError(f"the C client failed with exit status {client.returncode}")
