"""How long the engine takes to a stop: from the driver's first event to the Stop object."""

from __future__ import annotations

import time
from collections.abc import Sequence

from zedbg.engine import Session, Stop
from zedbg.engine.sessions.opening import open_session
from zedbg.levelzero.debug import ProgramDebug
from zedbg.levelzero.debug_events import DebugEvent, ThreadStopped

from .measure import Cell, Table, Timing
from .programs import Programs
from .sides import (
    breakpoint_offset,
    continue_until_all_stopped,
    running_debuggee,
    stopped_session,
    time_c_attaching,
    time_c_client,
)

THREADS = (1, 256, 4096)
REPETITIONS = 5


class _Watch:
    """Notes when a session's first stop event since :meth:`restart` came from the driver."""

    def __init__(self, session: Session) -> None:
        self.first_stop: float | None = None
        self.processor = 0.0  # what this process had used of the processor then
        device = session.devices[0]
        device.debug = _WatchedDebug(device.debug, self)

    def restart(self) -> None:
        self.first_stop = None

    def seen(self, event: DebugEvent | None) -> None:
        if self.first_stop is None and isinstance(event, ThreadStopped):
            self.first_stop = time.perf_counter()
            self.processor = time.process_time()


class _WatchedDebug:
    """Program debug that shows its events to a watch; everything else is the driver's own."""

    def __init__(self, debug: ProgramDebug, watch: _Watch) -> None:
        self._debug = debug
        self._watch = watch

    def read_event(self, timeout_milliseconds: int) -> DebugEvent | None:
        event = self._debug.read_event(timeout_milliseconds)
        self._watch.seen(event)
        return event

    def __getattr__(self, name: str) -> object:
        return getattr(self._debug, name)


def run(
    programs: Programs, counts: Sequence[int] = THREADS, repetitions: int = REPETITIONS
) -> Table:
    rows: list[list[Cell]] = []
    for threads in counts:
        ours, processor, offset = _time_stops(programs, threads, repetitions)
        theirs = time_c_client(programs, threads, 1, offset, "stops", repetitions)
        attaching = _time_attaching(programs, threads, repetitions)
        their_attach = time_c_attaching(programs, threads, repetitions).attach
        rows.append([threads, "breakpoint", ours, theirs, ours.median / theirs.median, processor])
        ratio = attaching.median / their_attach.median
        rows.append([threads, "attach", attaching, their_attach, ratio, "-"])
    return Table(
        "stop",
        "from a breakpoint's first event, and from attaching, to the Stop object; in C to cr, ce "
        "and r0 of all threads",
        ("threads", "from", "to Stop", "C", "ratio to C", "processor"),
        rows,
    )


def _time_stops(programs: Programs, threads: int, repetitions: int) -> tuple[Timing, Timing, int]:
    """Times by the clock and of the processor, and where the breakpoint is in the module."""
    seconds, processor = [], []
    with stopped_session(programs, threads, 1) as (session, _):
        offset = breakpoint_offset(session)
        watch = _Watch(session)
        # A reader that was in the driver already returns from there unwatched.
        continue_until_all_stopped(session, threads)
        while len(seconds) < repetitions:
            watch.restart()
            outcome = session.continue_()
            end, used = time.perf_counter(), time.process_time()
            whole = isinstance(outcome, Stop) and len(session.stopped_threads()) == threads
            if whole and watch.first_stop is not None:
                seconds.append(end - watch.first_stop)
                processor.append(used - watch.processor)
    return Timing(tuple(seconds)), Timing(tuple(processor)), offset


def _time_attaching(programs: Programs, threads: int, repetitions: int) -> Timing:
    seconds = []
    for _ in range(repetitions):
        with running_debuggee(programs, threads) as target:
            session, _ = open_session("dg2")
            with session:
                begin = time.perf_counter()
                outcome = session.attach(target.pid)
                seconds.append(time.perf_counter() - begin)
                if not isinstance(outcome, Stop) or len(session.stopped_threads()) != threads:
                    raise RuntimeError(f"not all threads stopped at the attach: {outcome}")
    return Timing(tuple(seconds))
