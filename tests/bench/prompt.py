"""How long a user waits for the prompt: zedbg in a terminal, from its start, from an attach and
from a stop's first event, until the stop's text stands there with the prompt under it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence

from .measure import Cell, Table, Timing
from .programs import Programs
from .prompt_terminal import Prompted, at_breakpoint, zedbg_at_prompt, zedbg_in_terminal
from .sides import (
    breakpoint_offset,
    running_debuggee,
    stopped_session,
    time_c_attaching,
    time_c_client,
)

THREADS = (1, 256, 4096)
REPETITIONS = 5
_STOPPED = re.compile(r"^Thread .*?(?:  \[(\d+) threads.*\])?$", re.MULTILINE)


def run(
    programs: Programs, counts: Sequence[int] = THREADS, repetitions: int = REPETITIONS
) -> Table:
    rows: list[list[Cell]] = [["-", "start of zedbg", _time_starts(repetitions), "-", "-"]]
    with stopped_session(programs, 1, 1) as (session, _):
        offset = breakpoint_offset(session)
    for threads in counts:
        c = time_c_attaching(programs, threads, repetitions)
        started = Timing(tuple(_started(programs, threads, repetitions)))
        attached = Timing(tuple(_attached(programs, threads, repetitions)))
        first = Timing(tuple(_first_stopped(programs, threads, repetitions)))
        stopped = Timing(tuple(_stopped(programs, threads, repetitions)))
        c_stops = time_c_client(programs, threads, 1, offset, "stops", repetitions)
        for name, ours, theirs in (
            ("start of zedbg -p", started, c.started),
            ("attach", attached, c.opened),
            ("first breakpoint", first, c_stops),
            ("breakpoint", stopped, c_stops),
        ):
            rows.append([threads, name, ours, theirs, ours.median / theirs.median])
    return Table(
        "prompt",
        "in a terminal, to the prompt under the text of the stop: from the start of the process, "
        "from the entered command, and from a breakpoint's first event; in C to cr, ce and r0 of "
        "all threads, from the start of the process, from before zeInit, and from the first event",
        ("threads", "from", "to prompt", "C", "ratio to C"),
        rows,
    )


def _time_starts(repetitions: int) -> Timing:
    """Of zedbg without a program; the first time, which reads all files anew, is left out."""
    seconds = []
    for _ in range(repetitions + 1):
        begin = time.perf_counter()
        with zedbg_in_terminal("--sim=dg2") as terminal:
            seconds.append(terminal.prompt(begin).seconds)
    return Timing(tuple(seconds[1:]))


def _started(programs: Programs, threads: int, repetitions: int) -> Iterator[float]:
    """Starts of a zedbg that attaches."""
    for _ in range(repetitions):
        with running_debuggee(programs, threads) as target:
            begin = time.perf_counter()
            with zedbg_in_terminal("--sim=dg2", "-p", target.pid) as terminal:
                yield _whole_stop(terminal.prompt(begin), threads).seconds


def _attached(programs: Programs, threads: int, repetitions: int) -> Iterator[float]:
    """The first attach of a zedbg."""
    for _ in range(repetitions):
        with running_debuggee(programs, threads) as target, zedbg_at_prompt() as terminal:
            yield _whole_stop(terminal.enter(f"attach {target.pid}"), threads).seconds


def _first_stopped(programs: Programs, threads: int, repetitions: int) -> Iterator[float]:
    """The first stops in a module, of whole launches."""
    while repetitions:
        with at_breakpoint(programs, threads, 1) as (_, prompted):
            if _stopped_threads(prompted) == threads:
                repetitions -= 1
                yield prompted.end - prompted.first_stops[0]


def _stopped(programs: Programs, threads: int, repetitions: int) -> Iterator[float]:
    """Later stops of whole launches."""
    with at_breakpoint(programs, threads, 1) as (terminal, _):
        while repetitions:
            prompted = terminal.enter("continue")
            if _stopped_threads(prompted) == threads:
                repetitions -= 1
                yield prompted.end - prompted.first_stops[0]


def _whole_stop(prompted: Prompted, threads: int) -> Prompted:
    """RuntimeError when not all ``threads`` have stopped."""
    if _stopped_threads(prompted) != threads:
        raise RuntimeError(f"not {threads} threads stopped: {prompted.shown}")
    return prompted


def _stopped_threads(prompted: Prompted) -> int:
    """How many threads the text speaks of, each place of them in a line of its own."""
    return sum(int(line[1] or 1) for line in _STOPPED.finditer(prompted.shown))
