"""What watches of memory cost: launches under a debugger without one, with one and with 1,000, none
of which stops a thread, in one run, by the processor's time."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .corpus import ALL_CASES, CASES, Case, launch_words, module_of, native_program
from .measure import Cell, Table, Timing

CONFIGURATIONS = ("igc2-dg2-O0", "igc2-dg2-O2", "igc2-pvc-O2")
LAUNCHES = 9
WATCHES = ("one_write", "thousand_writes", "one_access", "thousand_accesses")
# Launches that execute fewer instructions are over before their memory matters; and every word of
# the small buffers that they have would be watched.
LEAST_INSTRUCTIONS = 20_000


def run(launches: int = LAUNCHES, numbers: Sequence[int] = range(len(CASES))) -> Table:
    """Times the cases ``numbers`` that are long enough, as far as they have a module."""
    rows: list[list[Cell]] = []
    for configuration in CONFIGURATIONS:
        found: list[list[float]] = []
        for case in (ALL_CASES[number] for number in numbers):
            seconds = _seconds(case, configuration, launches)
            if seconds and (launches == 1 or seconds["instructions"] >= LEAST_INSTRUCTIONS):
                found.append([seconds[name] / seconds["forward"] for name in WATCHES])
                none = Timing((seconds["forward"],))
                rows.append([f"{case.kernel} {configuration}", none, *found[-1]])
        if found:
            medians = [statistics.median(column) for column in zip(*found, strict=True)]
            rows.append([f"MEDIAN {configuration}", "-", *medians])
    return Table(
        "watches",
        "the processor's time of launches under a debugger, the least of some, and how many times "
        "as long they take while words of their buffers are watched, all over them",
        (
            "kernel",
            "no watch",
            "1 for changes",
            "1,000 for changes",
            "1 for accesses",
            "1,000 for accesses",
        ),
        rows,
    )


def _seconds(case: Case, configuration: str, launches: int) -> dict[str, float]:
    """What ``xesim_time_cost`` says, by its words; nothing where the kernel cannot be launched."""
    module = module_of(case, configuration)
    if module is None:
        return {}
    with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as directory:
        words, _ = launch_words(case, module, Path(directory))
        done = subprocess.run(
            [str(native_program("xesim_time_cost")), *words, "--times", str(launches)],
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        print(f"{case.kernel} {configuration}: {done.stderr.strip()}", file=sys.stderr)
        return {}
    lines = (line.split() for line in done.stdout.splitlines())
    return {words[0]: float(words[1]) for words in lines if len(words) == 2}
