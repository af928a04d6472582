"""What starting zedbg costs, in processor time, against GDB.

zedbg is the installed one: its modules are compiled to bytecode. A round runs every command line
once, so that what else the machine does falls on all of them alike.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

from .measure import Cell, Table, Timing

ROUNDS = 10
_ZEDBG = Path(sys.executable).with_name("zedbg")
_GDB = ("gdb", "-nx", "-batch")
_COMMAND_LINES = (
    _GDB,
    (sys.executable, "-c", "pass"),
    (str(_ZEDBG), "--version"),
    (str(_ZEDBG), "--sim", "-ex", "quit"),
    (str(_ZEDBG), "--sim", "--batch", "-ex", "break vadd.cl:3"),
)


def run(rounds: int = ROUNDS) -> Table:
    """Measures each command line ``rounds`` times; user and system time of all its processes."""
    seconds: dict[tuple[str, ...], list[float]] = {line: [] for line in _COMMAND_LINES}
    for _ in range(rounds):
        for line in _COMMAND_LINES:
            seconds[line].append(_processor_seconds(line))
    timings = {line: Timing(tuple(each)) for line, each in seconds.items()}
    rows: list[list[Cell]] = [
        [
            " ".join([Path(line[0]).name, *line[1:]]),
            timing,
            round(timing.median / timings[_GDB].median, 2),
        ]
        for line, timing in timings.items()
    ]
    return Table(
        "start",
        f"processor time of a whole run, {rounds} rounds",
        ("command line", "CPU", "ratio to GDB"),
        rows,
    )


def _processor_seconds(line: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
