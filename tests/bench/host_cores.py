"""What a second core of the host gives: launches on one core and on two, in turns in one run."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.support.packed_modules import ZEBINS

from .corpus import CASES, Case, Local, launch_words, native_program
from .measure import Cell, Table, Timing

CONFIGURATIONS = ("igc2-dg2-O2", "igc2-pvc-O2")
ROUNDS = 5
LAUNCHES = 3  # of a round, on one core and on two each
MILLION = 1 << 20


def _cases(items: int) -> list[tuple[str, Case]]:
    """What the launch is an example of, and the launch, of about ``items`` work-items."""
    random = np.random.default_rng(3)
    floats = random.uniform(-8, 8, 4 * items).astype(np.float32)
    side = int(items**0.5)
    square, tiles = floats[: side * side], max(side // 8, 16)
    few = items // 64
    return [
        (
            "streams",
            Case(
                *("vadd", "vadd", (items,), (256,)),
                [floats[:items], floats[:items], np.zeros(items, np.float32), np.int32(items)],
            ),
        ),
        (
            "computes",
            Case(
                *("mandel", "mandel", (side, side), (16, 16)),
                [
                    *(np.zeros(4 * side * side, np.uint8), np.int32(side), np.int32(side)),
                    *(np.float32(-2), np.float32(-1), np.float32(2 / side), np.int32(30)),
                ],
            ),
        ),
        (
            "neighbours",
            Case(
                *("stencil", "stencil", (side, side), (16, 16)),
                [square, np.zeros(side * side, np.float32), np.int32(side), np.int32(side)],
            ),
        ),
        (
            "scatters",
            Case(
                *("transpose", "transpose", (side, side), (16, 16)),
                [square, np.zeros(side * side, np.float32), np.int32(side), np.int32(side)],
            ),
        ),
        (
            "barriers",
            Case(
                *("reduce_slm", "reduce", (items // 4,), (128,)),
                [
                    *(floats[: items // 4], np.zeros(items // 512, np.float32)),
                    *(Local(512), np.int32(items // 4)),
                ],
            ),
        ),
        (
            "shares tiles",
            Case(
                *("matmul", "matmul", (tiles,) * 2, (16, 16)),
                [
                    *(floats[: side * side], floats[: side * side]),
                    *(np.zeros(side * side, np.float32),),
                    *(np.int32(tiles),) * 3,
                ],
            ),
        ),
        (
            "integers",
            Case(
                *("sha", "sha", (few,), (32,)),
                [
                    random.integers(0, 1 << 32, 16 * few, dtype=np.uint32),
                    np.zeros(8 * few, np.uint32),
                ],
            ),
        ),
        (
            "meets in atomics",
            Case(
                *("hist", "hist", (items // 16,), (64,)),
                [
                    random.integers(0, 256, items // 2, dtype=np.uint8),
                    *(np.zeros(256, np.uint32), np.int32(items // 2)),
                ],
            ),
        ),
        ("small", next(case for case in CASES if case.kernel == "vadd")),
    ]


def run(rounds: int = ROUNDS, items: int = MILLION) -> Table:
    """Times launches of about ``items`` work-items."""
    rows: list[list[Cell]] = []
    for configuration in CONFIGURATIONS:
        ratios = []
        for example, case in _cases(items):
            one, two = _times(case, configuration, rounds)
            ratio = one.median / two.median
            if example not in ("meets in atomics", "small"):
                ratios.append(ratio)
            rows.append([f"{case.kernel} {configuration}", example, one, two, ratio])
        rows.append([f"MEDIAN {configuration}", "-", "-", "-", statistics.median(ratios)])
    return Table(
        "host_cores",
        "launches on one core of the host and on two; the medians leave out the last two of each",
        ("kernel", "it", "one core", "two cores", "one / two"),
        rows,
    )


def _times(case: Case, configuration: str, rounds: int) -> tuple[Timing, Timing]:
    """Seconds of launches on one core and on two, which take turns."""
    seconds: dict[str, list[float]] = {"1": [], "2": []}
    module = ZEBINS / configuration / f"{case.source}.zebin"
    with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as directory:
        words, _ = launch_words(case, module, Path(directory))
        for _ in range(rounds):
            for cores, found in seconds.items():
                found += _launches([*words, "--host-cores", cores, "--repeat", str(LAUNCHES)])
    return Timing(tuple(seconds["1"])), Timing(tuple(seconds["2"]))


def _launches(words: Sequence[str]) -> list[float]:
    program = str(native_program("xesim_device_run_kernel"))
    done = subprocess.run([program, *words], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{words[1]}: {done.stderr.strip()}", file=sys.stderr)
    done.check_returncode()
    lines = [line.split() for line in done.stdout.splitlines()]
    return [float(line[1]) for line in lines if len(line) == 2 and line[0] == "seconds"]
