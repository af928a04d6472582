"""What observers of the execution unit cost: launches without one and with one, in turns in one
run, by the processor's time."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.packed_modules import ZEBINS

from .corpus import CASES, Case, launch_words, native_program
from .measure import Cell, Table, Timing

CONFIGURATIONS = ("igc2-dg2-O2", "igc2-pvc-O2")
ROUNDS = 9
# "again" is no observer once more, after the others: what is measured for nothing at all.
OBSERVERS = ("again", "silent", "memory", "everything", "coverage", "profile", "trace")


def run(rounds: int = ROUNDS, numbers: Sequence[int] = range(len(CASES))) -> Table:
    """Times the cases ``numbers`` as far as they have a module and end well without an observer."""
    rows: list[list[Cell]] = []
    for configuration in CONFIGURATIONS:
        found: list[list[float]] = []
        for case in (CASES[number] for number in numbers):
            seconds = _seconds(case, configuration, rounds)
            if seconds:
                found.append([_ratio(seconds, name) for name in OBSERVERS])
                none = Timing(tuple(seconds["none"]))
                rows.append([f"{case.kernel} {configuration}", none, *found[-1]])
        medians = [statistics.median(column) for column in zip(*found, strict=True)]
        rows.append([f"MEDIAN {configuration}", "-", *medians])
    return Table(
        "observer",
        "the processor's time of launches on one core without an observer, and how many times as "
        "long they take: once more without one, with one that subscribes to nothing, with one that "
        "does nothing about memory, with one that does nothing about everything, with a counter of "
        "opcodes and messages, with the profile, with a trace of everything to /dev/null",
        ("kernel", "none", *(f"{name} / none" for name in OBSERVERS)),
        rows,
    )


def _ratio(seconds: Mapping[str, Sequence[float]], name: str) -> float:
    """The median of the rounds."""
    return statistics.median(
        each / none for each, none in zip(seconds[name], seconds["none"], strict=True)
    )


def _seconds(case: Case, configuration: str, rounds: int) -> Mapping[str, list[float]]:
    """Of each round, by the observer; empty without a module, and where the launch ends badly."""
    module = ZEBINS / configuration / f"{case.source}.zebin"
    if not module.exists():
        return {}
    with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as directory:
        words, _ = launch_words(case, module, Path(directory))
        program = str(native_program("xesim_driver_observer_cost"))
        done = subprocess.run(
            [program, *words, "--rounds", str(rounds)], capture_output=True, text=True
        )
    if done.returncode != 0:
        print(f"{case.kernel} {configuration}: {done.stderr.strip()}", file=sys.stderr)
        return {}
    seconds = defaultdict(list)
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) == 2 and words[0] in ("none", *OBSERVERS):  # and not what the kernel prints
            seconds[words[0]].append(float(words[1]))
    return seconds
