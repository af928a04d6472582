"""Single steps of one thread: zedbg against the loop that a C debugger has to make.

The engine steps as often; at the prompt, each ``stepi`` is typed, from Enter to the next prompt.
"""

from __future__ import annotations

import time

from zedbg.engine import Session

from .measure import Cell, Table, Timing
from .programs import ENDLESS, Programs
from .prompt_terminal import at_breakpoint
from .sides import breakpoint_offset, stopped_session, time_c_client

COUNT = 10_000
TYPED = 50
REPETITIONS = 5


def run(
    programs: Programs, count: int = COUNT, repetitions: int = REPETITIONS, typed: int = TYPED
) -> Table:
    with stopped_session(programs, 1, ENDLESS) as (session, _):
        offset = breakpoint_offset(session)
        session.breakpoints.delete(next(iter(session.breakpoints)))
        singly = _time_zedbg(session, count, 1, repetitions)
        at_once = _time_zedbg(session, 1, count, repetitions)
    theirs = time_c_client(programs, 1, ENDLESS, offset, "steps", repetitions, count)
    c = theirs.median / count
    rows: list[list[Cell]] = []
    for name, ours, steps in (
        ("C: resume, read event, read cr", theirs, count),
        ("zedbg: a stop after each step", singly, count),
        ("zedbg: one command for all steps", at_once, count),
        ("zedbg: stepi at the prompt, one", _time_prompt(programs, typed), 1),
    ):
        each = ours.median / steps
        rows.append([name, ours, each * 1e6, 1 / each, each / c])
    return Table(
        "steps",
        f"{count} instructions of one thread, one by one",
        ("through", "time", "per step, us", "steps/s", "ratio to C"),
        rows,
    )


def _time_prompt(programs: Programs, typed: int) -> Timing:
    with at_breakpoint(programs, 1, ENDLESS) as (terminal, _):
        terminal.enter("delete 1")
        return Timing(tuple(terminal.enter("stepi").seconds for _ in range(typed)))


def _time_zedbg(session: Session, calls: int, count: int, repetitions: int) -> Timing:
    seconds = []
    for _ in range(repetitions):
        begin = time.perf_counter()
        for _ in range(calls):
            session.step_instruction(count)
        seconds.append(time.perf_counter() - begin)
    return Timing(tuple(seconds))
