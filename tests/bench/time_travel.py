"""What recording a launch costs, and going back in it; beside GDB's ``record full`` on the same
computation on the processor."""

from __future__ import annotations

import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.support.gdb_on_amx import gdb_variables

from .corpus import CASES, launch_words, module_of, native_program
from .measure import Cell, Table
from .programs import MODULE, Programs

CONFIGURATION = "igc2-dg2-O2"
SIZE = 320  # rows and columns: some 10 million instructions
ROUNDS = 3
TWIN_TIMES = 20_000
MIB = 500
LAUNCHES = 100
_TILE = 16

_GDB_SCRIPT = """
import gdb, json, time
def seconds(command):
    begin = time.monotonic()
    gdb.execute(command, to_string=True)
    return time.monotonic() - begin
for each in ("set pagination off", "set confirm off", "break matmul", "run"):
    gdb.execute(each, to_string=True)
gdb.execute("delete", to_string=True)
gdb.execute("set record full insn-number-max unlimited")
gdb.execute("record full")
names = ("recorded", "step_back", "step_back_again", "search_back")
commands = ("finish", "reverse-stepi", "reverse-stepi", "reverse-continue")
print("TIMES " + json.dumps(dict(zip(names, map(seconds, commands)))))
gdb.execute("kill")
"""


def run(
    programs: Programs,
    size: int = SIZE,
    rounds: int = ROUNDS,
    mib: int = MIB,
    launches: int = LAUNCHES,
) -> Table:
    """``size``: of the matrices, a multiple of 16; ``mib``: allocated by a program that makes small
    ``launches``."""
    ours, theirs = _ours(size, rounds), _theirs(programs)
    forward, native = ours["forward"], theirs["forward"]
    off, on = (_small_launch(programs, mib, launches, mode) for mode in ("off", "on"))
    rows: list[list[Cell]] = [
        ["recorded / not", ours["recorded"] / forward, theirs["recorded"] / native, 1.15],
        ["first step back, s", ours["step_back"], theirs["step_back"], 0.3],
        ["next step back, s", ours["step_back_again"], theirs["step_back_again"], 0.3],
        [
            "back over all / forward",
            ours["search_back"] / forward,
            theirs["search_back"] / native,
            2.5,
        ],
        ["back over all writes / forward", ours["search_writes_back"] / forward, "-", 2.5],
        ["the same again / forward", ours["search_writes_back_again"] / forward, "-", 2.5],
        [f"small launch beside {mib} MiB, recorded / not", on / off, "-", "-"],
    ]
    return Table(
        "time_travel",
        f"matmul of {int(ours['instructions'])} instructions under a debugger, by the processor's "
        f"time ({forward:.3g} s without recording); a smaller one under GDB's record full, by the "
        "wall clock; small launches by the wall clock (medians)",
        ("what", "simulated GPU", "GDB", "at most"),
        rows,
    )


def _ours(size: int, rounds: int) -> dict[str, float]:
    """What xesim_time_cost says of a matmul."""
    known = next(case for case in CASES if case.kernel == "matmul")
    case = dataclasses.replace(
        known, size=(size, size), group=(_TILE, _TILE), arguments=_arguments(size)
    )
    module = module_of(case, CONFIGURATION)
    assert module is not None
    with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as directory:
        words, _ = launch_words(case, module, Path(directory))
        done = subprocess.run(
            [str(native_program("xesim_time_cost")), *words, "--times", str(rounds)],
            capture_output=True,
            text=True,
            check=True,
        )
    return {name: float(value) for name, value in map(str.split, done.stdout.splitlines())}


def _arguments(size: int) -> list[np.ndarray | np.generic]:
    matrix = np.arange(size * size, dtype=np.float32) % 7
    sizes = [np.int32(size)] * 3
    return [matrix, matrix, np.zeros(size * size, np.float32), *sizes]


def _theirs(programs: Programs) -> dict[str, float]:
    """The same of the processor: without a debugger, and under GDB; in seconds."""
    twin = programs.path("matmul_twin")
    alone = subprocess.run([twin, str(TWIN_TIMES)], capture_output=True, text=True, check=True)
    with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as directory:
        script = Path(directory, "script.py")
        script.write_text(_GDB_SCRIPT)
        done = subprocess.run(
            ["gdb", "-nx", "-q", "-batch", "-x", str(script), str(twin)],
            env=os.environ | gdb_variables(Path(directory)),
            capture_output=True,
            text=True,
            check=True,
        )
    (line,) = (each for each in done.stdout.splitlines() if each.startswith("TIMES "))
    return {"forward": float(alone.stdout), **json.loads(line.removeprefix("TIMES "))}


def _small_launch(programs: Programs, mib: int, launches: int, mode: str) -> float:
    """The median of small launches in seconds; ``mode`` of ``set record``."""
    program = [programs.path("small_launches"), MODULE, mib << 20, launches]
    command = [sys.executable, "-m", "zedbg.frontends.main", "--batch", "--sim=dg2"]
    command += ["-ex", f"set record {mode}", "-ex", "run", "--", *map(str, program)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    times = [int(line) for line in done.stdout.splitlines() if line.isdecimal()]
    assert len(times) == launches, done.stdout
    return statistics.median(times) * 1e-9
