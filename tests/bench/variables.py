"""What the values of a stop's variables take: sixty of them, in optimised code.

CPU time of zedbg after the stop: to read the thread's registers; to read all variables at the first
stop in a module, which makes the model of its SPIR-V; and at a later stop in the same place.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

from tests.support.packed_modules import MODULES
from zedbg.engine import HardwareThread, Session, Stop
from zedbg.engine.sessions import opening
from zedbg.values import api
from zedbg.xe.registers import RegisterKind

from .measure import Cell, Table, Timing

REPETITIONS = 7
_MODULE = MODULES / "locals" / "locals.zebin"
_LINE = "locals.cl:61"  # the last one
_SIZES = ("--global", "16", "--local", "16")
_ARGUMENTS = ("i32[256]=iota", "i32[16]", "i32=5")
_PROGRAM = [sys.executable, "-P", "-m", "zedbg.frontends.main", "kernel", *_SIZES]


def run(repetitions: int = REPETITIONS) -> Table:
    """Measures in a new process and module for each repetition."""
    registers, first, later = [], [], []
    count = 0
    for _ in range(repetitions):
        command = [*_PROGRAM, f"{_MODULE}:locals", *_ARGUMENTS]
        with opening.launch(command, sim="dg2", output=lambda stream, text: None) as session:
            session.break_at(_LINE)
            thread = _stopped(session)
            registers.append(_cpu(partial(thread.read_registers, RegisterKind.GRF)))
            first.append(_cpu(partial(_variables, thread)))
            thread.stop_cache.clear()
            later.append(_cpu(partial(_variables, thread)))
            count = _variables(thread)
            session.kill()
    rows: list[list[Cell]] = [
        ["registers", Timing(tuple(registers))],
        ["variables, first", Timing(tuple(first))],
        ["variables, later", Timing(tuple(later))],
    ]
    return Table("locals", f"CPU time of {count} variables, O2", ("what", "CPU time"), rows)


def _stopped(session: Session) -> HardwareThread:
    stop = session.continue_(timeout=60)
    assert isinstance(stop, Stop)
    return next(iter(stop)).thread


def _variables(thread: HardwareThread) -> int:
    return len(list(api.variables(thread)))


def _cpu(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin
