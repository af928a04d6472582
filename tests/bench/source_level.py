"""Source-level work over a full device: print/w, conditions, next. Each beside the driver calls
that it makes, made by a C client in the same run."""

from __future__ import annotations

import gc
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support.packed_modules import MODULES
from zedbg.commands.catalogue.catalogue import catalogue
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.workitems import WorkItemTable, print_work_items
from zedbg.engine import HardwareThread, Session
from zedbg.engine.sessions import opening
from zedbg.frontends.shared.output import TextOutput
from zedbg.levelzero.debug import ProgramDebug
from zedbg.levelzero.debug_events import ThreadFields
from zedbg.values.formats.formatting import FormatOptions

from .measure import Cell, Table, Timing
from .programs import ENDLESS, MODULE, Programs
from .sides import (
    breakpoint_offset,
    continue_until_all_stopped,
    stopped_session,
    time_c_client,
)

THREADS = 4096
REPETITIONS = 5
STEPS = 200
SECONDS = 8.0
_C_STEPS = 2000
# 8 lanes a thread, variables in memory; 16 lanes, variables in registers.
_MODULES = {"O0": MODULE, "O2": MODULE.parents[1] / "igc2-dg2-O2" / MODULE.name}
# A variable that is in scope and has a place at the first line, and in the loop.
_LOOP_LINE = "mandel.cl:7"
# In memory; computed from the id of each work-item; changed by the loop.
# Values that a loop carries: kernels of carried.cl, and a line in the loop of each.
_CARRIED = {"mixed": 8, "floats": 17, "sums": 38}
_CARRIED_MODULE = MODULES / "carried" / "igc2-dg2-O2" / "carried.zebin"
_CARRIED_LANES = 32  # of a thread
_KERNEL = [sys.executable, "-P", "-m", "zedbg.frontends.main", "kernel"]
_NEVER = (("O0", "i == -1"), ("O2", "x == -1"), ("O2", "i == -1"))


class _CountedDebug:
    """Program debug that counts its calls; everything else is the driver's own."""

    def __init__(self, debug: ProgramDebug) -> None:
        self._debug = debug
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> object:
        self.calls[name] += 1
        return getattr(self._debug, name)

    def read_registers_of(
        self, threads: Sequence[ThreadFields], kind: int, count: int, byte_size: int
    ) -> list[bytes | None]:
        """A call of the driver for each thread."""
        self.calls["read_registers"] += len(threads)
        return self._debug.read_registers_of(threads, kind, count, byte_size)


@contextmanager
def _counted(session: Session) -> Iterator[Counter[str]]:
    device = session.devices[0]
    own, counting = device.debug, _CountedDebug(device.debug)
    device.debug = device.code.debug = counting
    try:
        yield counting.calls
    finally:
        device.debug = device.code.debug = own


def work_items(programs: Programs, threads: int = THREADS, repetitions: int = REPETITIONS) -> Table:
    """``print/w x`` and its text, right after the stop: nothing has been read yet."""
    rows: list[list[Cell]] = []
    for build, module in _MODULES.items():
        seconds, reads, items = [], 0, 0
        with stopped_session(programs, threads, 1, module) as (session, _):
            context = CommandContext(lambda: session, catalogue())
            offset = breakpoint_offset(session)
            sets = len(list(session.devices[0].register_layout))
            output = TextOutput(lambda line: None)
            for _repetition in range(repetitions):
                continue_until_all_stopped(session, threads)
                with _counted(session) as calls:
                    begin = time.perf_counter()
                    found = print_work_items(context, "x", FormatOptions())
                    output.result("print/w x", found)
                    seconds.append(time.perf_counter() - begin)
                reads = calls["read_registers"] + calls["read_memory"]
                table, *_ = found
                assert isinstance(table, WorkItemTable)
                items = len(table)
        theirs = time_c_client(
            programs, threads, 1, offset, "registers", repetitions, module=module
        )
        ours, as_many = Timing(tuple(seconds)), theirs.median / (threads * sets) * reads
        rows.append([build, threads, items, ours, reads, as_many, ours.median / as_many])
    return Table(
        "work_items",
        "print/w of a local in every work-item; C: as many reads",
        ("build", "threads", "work-items", "zedbg", "reads", "C, s", "zedbg / C"),
        rows,
    )


def conditions(programs: Programs, threads: int = THREADS, seconds: float = SECONDS) -> Table:
    """A breakpoint in a loop whose condition, on a local, is never true."""
    rows: list[list[Cell]] = []
    for build, never in _NEVER:
        module = _MODULES[build]
        with stopped_session(programs, threads, ENDLESS, module) as (session, _):
            offset = breakpoint_offset(session)
            sets = len(list(session.devices[0].register_layout))
            session.breakpoints.delete(next(iter(session.breakpoints)))
            hits, taken, rates = _tried(session, _LOOP_LINE, never, seconds)
            session.breakpoints.delete(next(iter(session.breakpoints)))
            with _counted(session) as calls:  # which takes time itself
                counted, *_ = _tried(session, _LOOP_LINE, never, seconds / 5)
            session.detach()
        theirs = time_c_client(programs, threads, 1, offset, "registers", 1, module=module)
        made = sum(calls[name] for name in ("read_registers", "read_memory", "write_registers"))
        made = made * hits // counted
        as_many = theirs.median / (threads * sets) * made
        rows.append([f"{build}, {never}", threads, hits, *rates, f"{taken / as_many:.3g}"])
    for kernel, line in _CARRIED.items():
        items = str(threads * _CARRIED_LANES)
        command = [*_KERNEL, f"{_CARRIED_MODULE}:{kernel}", "--global", items, "--local", "64"]
        command += ["u32[1024]", "u32[1024]=iota", "i32=1000000"]
        with opening.launch(command, sim="dg2", output=lambda stream, text: None) as session:
            hits, _, rates = _tried(session, f"carried.cl:{line}", "value == 12345678", seconds)
            session.kill()
        rows.append([f"O2, carried.cl:{kernel}", threads, hits, *rates, ""])
    return Table(
        "conditions",
        "a condition on a local in a loop; C: as many reads and writes of registers",
        (
            *("condition", "threads", "hits", "hits/s", "lanes/s"),
            *("lanes/s of the processor", "zedbg / C"),
        ),
        rows,
    )


def _tried(
    session: Session, line: str, never: str, seconds: float
) -> tuple[int, float, list[float]]:
    """How many threads a condition is tried in, in how many seconds; and threads and lanes in a
    second, and lanes in one of the processor."""
    condition = session.break_at(line, condition=never).condition
    assert condition is not None
    judge, hits, lanes = condition.lanes, 0, 0

    def counted(thread: HardwareThread, mask: int) -> int:
        nonlocal hits, lanes
        hits += 1
        lanes += mask.bit_count()
        return judge(thread, mask)

    condition.lanes = counted  # type: ignore[method-assign]
    gc.collect()  # else the session of the row before would be let go of meanwhile
    begin, used = time.perf_counter(), time.process_time()
    session.continue_(timeout=seconds)
    taken = time.perf_counter() - begin
    used = time.process_time() - used
    return hits, taken, [hits / taken, lanes / taken, lanes / used]


def next_line(programs: Programs, count: int = STEPS, repetitions: int = REPETITIONS) -> Table:
    """``next`` over and over, by ranges and by single instructions; C makes the same calls."""
    rows: list[list[Cell]] = []
    for build, module in _MODULES.items():
        offset, found = _time_next(programs, module, count, repetitions)
        each = {
            name: time_c_client(
                programs, 1, ENDLESS, offset, name, repetitions, _C_STEPS, module=module
            ).median
            / _C_STEPS
            for name in ("steps", "writes", "reads")
        }
        for way, (seconds, calls) in found.items():
            ours, steps = Timing(tuple(seconds)), calls["resume"]
            # A step writes cr and reads it.
            reads = calls["read_registers"] - steps
            writes = calls["write_memory"]
            theirs = each["steps"] * steps + each["writes"] * writes + each["reads"] * reads
            others = calls["read_memory"] + calls["write_registers"] - steps
            rows.append([f"{build}, {way}", ours, ours.median / count * 1e6])
            rows[-1] += [number / count for number in (steps, reads, writes, others)]
            rows[-1] += [theirs / count * 1e6, ours.median / theirs]
    return Table(
        "next",
        f"{count} times next in a loop; C: as many single steps, reads of cr and writes of code",
        (
            *("build", "time", "per next, us", "resumes", "reads", "writes", "not in C"),
            *("C, us", "zedbg / C"),
        ),
        rows,
    )


def _time_next(
    programs: Programs, module: Path, count: int, repetitions: int
) -> tuple[int, dict[str, tuple[list[float], Counter[str]]]]:
    """Where the kernel's breakpoint is; and for each way to step the seconds that ``count`` times
    next take, and the calls of the driver that they are."""
    found: dict[str, tuple[list[float], Counter[str]]] = {}
    with stopped_session(programs, 1, ENDLESS, module) as (session, _):
        offset = breakpoint_offset(session)
        session.breakpoints.delete(next(iter(session.breakpoints)))
        for way in ("ranges", "instructions"):
            session.settings.range_stepping = way == "ranges"
            session.step_line(4 * count, over_calls=True)
            seconds = []
            for _repetition in range(repetitions):
                with _counted(session) as calls:
                    begin = time.perf_counter()
                    for _ in range(count):
                        session.step_line(over_calls=True)
                    seconds.append(time.perf_counter() - begin)
            found[way] = seconds, calls
    return offset, found
