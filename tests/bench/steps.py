"""Single steps of one thread: zedbg's engine against the loop that a C debugger has to make."""

from __future__ import annotations

import time

from zedbg.engine import Session

from .measure import Table, Timing
from .programs import ENDLESS, Programs
from .sides import breakpoint_offset, stopped_session, time_c_client

COUNT = 10_000
REPETITIONS = 5


def run(programs: Programs, count: int = COUNT, repetitions: int = REPETITIONS) -> Table:
    with stopped_session(programs, 1, ENDLESS) as (session, _):
        offset = breakpoint_offset(session)
        session.breakpoints.delete(next(iter(session.breakpoints)))
        singly = _time_zedbg(session, count, 1, repetitions)
        at_once = _time_zedbg(session, 1, count, repetitions)
    theirs = time_c_client(programs, 1, ENDLESS, offset, "steps", repetitions, count)
    return Table(
        "steps",
        f"{count} instructions of one thread, one by one",
        ("through", "time", "per step, us", "ratio to C"),
        [
            ["C: write cr, resume, read event, read cr", theirs, _each(theirs, count), 1.0],
            *(
                [name, ours, _each(ours, count), ours.median / theirs.median]
                for name, ours in (
                    ("zedbg: a stop after each step", singly),
                    ("zedbg: one command for all steps", at_once),
                )
            ),
        ],
    )


def _each(timing: Timing, count: int) -> float:
    return timing.median / count * 1e6


def _time_zedbg(session: Session, calls: int, count: int, repetitions: int) -> Timing:
    seconds = []
    for _ in range(repetitions):
        begin = time.perf_counter()
        for _ in range(calls):
            session.step_instruction(count)
        seconds.append(time.perf_counter() - begin)
    return Timing(tuple(seconds))
