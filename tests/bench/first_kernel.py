"""What a program waits for before its first kernel has ended, and what each launch costs."""

from __future__ import annotations

import os
import subprocess

from tests.support.packed_modules import ZEBINS

from .measure import Cell, Table, Timing
from .programs import Programs

ROUNDS = 10
LAUNCHES = 2000
MODULE = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"


def run(programs: Programs, rounds: int = ROUNDS, launches: int = LAUNCHES) -> Table:
    """Runs first_kernel.c ``rounds`` times on the simulated GPU, and as often where the loader
    finds no driver, in turns."""
    program = str(programs.path("first_kernel"))
    driver = os.environ["ZEDBG_SIM_DRIVER"]
    alone: list[float] = []
    simulated: list[list[float]] = []
    for _ in range(rounds):
        alone += _seconds(program, "/nonexistent", launches)
        simulated.append(_seconds(program, driver, launches))
    loader = Timing(tuple(alone))
    first, waited, queued = (Timing(each) for each in zip(*simulated, strict=True))
    rows: list[list[Cell]] = [
        ["loader that finds no driver", loader, 1.0],
        ["start to the end of a first kernel", first, round(first.median / loader.median, 2)],
        ["launch that is waited for", waited, "-"],
        ["launch after another", queued, "-"],
    ]
    return Table(
        "first_kernel",
        f"processor time of all threads, {rounds} rounds; {launches} launches of an empty kernel",
        ("what", "CPU", "ratio"),
        rows,
    )


def _seconds(program: str, driver: str, launches: int) -> list[float]:
    """The numbers that the program writes, as seconds."""
    done = subprocess.run(
        [program, str(MODULE), str(launches)],
        env={**os.environ, "ZE_ENABLE_ALT_DRIVERS": driver},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return [int(word) / 1e9 for word in done.stdout.split()]
