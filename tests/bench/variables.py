"""What the values of a stop's variables take: sixty of them, in optimised code.

CPU time of zedbg: from the set breakpoint to the stop; to read the thread's registers; to read all
variables at the first stop in a module, which makes the model of its SPIR-V; and at a later stop in
the same place. The same where the SPIR-V has a thousand more kernels, if ocloc is installed, which
makes it.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.support.kernels.more_kernels import with_more_kernels
from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS
from zedbg.engine import HardwareThread, Session, Stop
from zedbg.engine.sessions import opening
from zedbg.values.expressions import api
from zedbg.xe.registers import RegisterKind

from .measure import Cell, Table, Timing

REPETITIONS = 7
MORE = 1000
_MODULE = MODULES / "locals" / "locals.zebin"
_SOURCE = KERNELS / "locals" / "locals.cl"
_LINE = "locals.cl:61"  # the last one
_SIZES = ("--global", "16", "--local", "16")
_ARGUMENTS = ("i32[256]=iota", "i32[16]", "i32=5")
_PROGRAM = [sys.executable, "-P", "-m", "zedbg.frontends.main", "kernel", *_SIZES]


def run(repetitions: int = REPETITIONS, more: int = MORE) -> Table:
    """Measures in a new process and module for each repetition."""
    count, columns = _measured(_MODULE, repetitions)
    names = ["what", "CPU time"]
    note = f"CPU time of {count} variables, O2"
    found = [columns]
    if shutil.which("ocloc"):
        with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as directory:
            large = Path(directory, _MODULE.name)
            large.write_bytes(with_more_kernels(_MODULE.read_bytes(), _SOURCE, more))
            found.append(_measured(large, repetitions)[1])
            note += f"; {more} more kernels: {large.stat().st_size / 1e6:.1f} MB"
        names.append(f"{more} more kernels")
    rows: list[list[Cell]] = [[name, *(each[name] for each in found)] for name in columns]
    return Table("locals", note, names, rows)


def _measured(module: Path, repetitions: int) -> tuple[int, dict[str, Timing]]:
    """How many variables there are, and what each thing takes."""
    times: dict[str, list[float]] = {}
    count = 0
    for _ in range(repetitions):
        command = [*_PROGRAM, f"{module}:locals", *_ARGUMENTS]
        with opening.launch(command, sim="dg2", output=lambda stream, text: None) as session:
            session.break_at(_LINE)
            begin = time.process_time()
            thread = _stopped(session)
            times.setdefault("stop", []).append(time.process_time() - begin)
            registers = _cpu(partial(thread.read_registers, RegisterKind.GRF))
            times.setdefault("registers", []).append(registers)
            first = _cpu(partial(_variables, thread))
            times.setdefault("variables, first", []).append(first)
            thread.stop_cache.clear()
            later = _cpu(partial(_variables, thread))
            times.setdefault("variables, later", []).append(later)
            count = _variables(thread)
            session.kill()
    return count, {name: Timing(tuple(seconds)) for name, seconds in times.items()}


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
