"""Reading every register of N stopped threads: zedbg's engine against the same calls from C."""

from __future__ import annotations

import time
from collections.abc import Sequence

from zedbg.engine import HardwareThread, Session

from .measure import Cell, Table, Timing
from .programs import Programs
from .sides import breakpoint_offset, continue_until_all_stopped, stopped_session, time_c_client

THREADS = (1, 256, 4096)
REPETITIONS = 5
_ITERATIONS = 1


def run(
    programs: Programs, counts: Sequence[int] = THREADS, repetitions: int = REPETITIONS
) -> Table:
    rows: list[list[Cell]] = []
    for threads in counts:
        with stopped_session(programs, threads, _ITERATIONS) as (session, _):
            sets = len(list(session.devices[0].register_layout))
            offset = breakpoint_offset(session)
            ours = _time_zedbg(session, threads, repetitions)
        theirs = time_c_client(programs, threads, _ITERATIONS, offset, "registers", repetitions)
        rows.append([threads, threads * sets, ours, theirs, ours.median / theirs.median])
    return Table(
        "registers",
        "all register sets of all stopped threads",
        ("threads", "reads", "zedbg", "C", "zedbg / C"),
        rows,
    )


def _time_zedbg(session: Session, threads: int, repetitions: int) -> Timing:
    seconds = []
    for repetition in range(repetitions):
        if repetition > 0:  # the driver remembers what was read until the threads run again
            continue_until_all_stopped(session, threads)
        stopped = session.stopped_threads()
        for thread in stopped:
            thread.mark_stopped(thread.state)  # forget what the stop has read of them already
        begin = time.perf_counter()
        for thread in stopped:
            _read_all(thread)
        seconds.append(time.perf_counter() - begin)
    return Timing(tuple(seconds))


def _read_all(thread: HardwareThread) -> None:
    for registers in thread.register_layout:
        thread.read_registers(registers.kind)
