"""How fast the execution unit is: instructions and lane-operations a second, and wall-clock time
against oclgrind and PoCL for the same source, sizes and inputs."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .corpus import CASES, KERNELS, Case, launch_words, native_program
from .measure import Cell, Table, Timing
from .opencl_times import MARKER

# Committed native modules, and the options that the others compile the same source with.
CONFIGURATIONS = {
    "igc2-dg2-O0": "-cl-std=CL2.0 -cl-opt-disable",
    "igc2-dg2-O2": "-cl-std=CL2.0",
}
REPETITIONS = 9
OCLGRIND = Path("/usr/lib/oclgrind/liboclgrind-rt-icd.so")
POCL = Path("/etc/OpenCL/vendors/pocl.icd")
_REPOSITORY = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Launch:
    """What one kernel of one configuration took on the simulated GPU."""

    instructions: int
    lane_operations: int
    timing: Timing


def run(repetitions: int = REPETITIONS, numbers: Sequence[int] = range(len(CASES))) -> Table:
    """Times the cases ``numbers`` as far as the compiler makes modules of their sources for the
    device; those that another implementation cannot run have no ratio."""
    libraries = {"oclgrind": _icd_library(OCLGRIND), "PoCL": _icd_library(POCL)}
    rows: list[list[Cell]] = []
    for configuration, options in CONFIGURATIONS.items():
        known = [number for number in numbers if _module(CASES[number], configuration).exists()]
        others = [
            _other_times(library, options, repetitions, known) for library in libraries.values()
        ]
        rows += _rows(configuration, repetitions, known, others)
    return Table(
        "emulator",
        "kernels of the corpus; the last columns are how many times as long the others take "
        "with the same optimisation",
        (
            "kernel",
            "instructions",
            "time",
            "M instructions/s",
            "M lane-operations/s",
            *(f"{name} / ours" for name in libraries),
        ),
        rows,
    )


Times = Mapping[int, Timing]


def _rows(
    configuration: str, repetitions: int, numbers: Sequence[int], others: Sequence[Times]
) -> Iterator[list[Cell]]:
    rows: list[list[Cell]] = []
    for number in numbers:
        case = CASES[number]
        launch = _launch(case, configuration, repetitions)
        if launch is None:
            continue
        seconds = launch.timing.median
        row: list[Cell] = [
            f"{case.kernel} {configuration}",
            launch.instructions,
            launch.timing,
            launch.instructions / seconds / 1e6,
            launch.lane_operations / seconds / 1e6,
        ]
        for times in others:
            row.append(times[number].median / seconds if number in times else "-")
        rows.append(row)
        yield row
    if rows:
        medians: list[Cell] = [_median(rows, column) for column in range(3, len(rows[0]))]
        yield [f"MEDIAN {configuration}", "-", "-", *medians]


def _median(rows: list[list[Cell]], column: int) -> Cell:
    values = [row[column] for row in rows]
    numbers = [value for value in values if isinstance(value, float)]
    return statistics.median(numbers) if numbers else "-"


def _module(case: Case, configuration: str) -> Path:
    return KERNELS / "zebin" / configuration / f"{case.source}.zebin"


def _launch(case: Case, configuration: str, repetitions: int) -> Launch | None:
    """None when the simulated GPU refuses the kernel."""
    with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as directory:
        words, _ = launch_words(case, _module(case, configuration), Path(directory))
        done = subprocess.run(
            [
                *(str(native_program("xesim_device_run_kernel")), *words),
                *("--repeat", str(repetitions)),
            ],
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        print(f"{case.kernel} {configuration}: {done.stderr.strip()}", file=sys.stderr)
        return None
    # Among them is what the kernel prints.
    known = ("instructions", "lane-operations", "seconds")
    words = [line.split() for line in done.stdout.splitlines()]
    lines = [(each[0], each[1]) for each in words if len(each) == 2 and each[0] in known]
    values = {name: int(value) for name, value in lines if name != "seconds"}
    seconds = tuple(float(value) for name, value in lines if name == "seconds")
    return Launch(values["instructions"], values["lane-operations"], Timing(seconds))


def _icd_library(installed: Path) -> str | None:
    """The installable client driver: ``installed`` itself, or what that .icd file names."""
    if not installed.exists():
        print(f"{installed} is not installed", file=sys.stderr)
        return None
    return installed.read_text().strip() if installed.suffix == ".icd" else str(installed)


def _other_times(
    library: str | None, options: str, repetitions: int, numbers: Sequence[int]
) -> Times:
    """Seconds of each case that the OpenCL implementation ``library`` can run."""
    if library is None:
        return {}
    times: dict[int, Timing] = {}
    remaining = list(numbers)
    while remaining:
        command = [sys.executable, "-m", "tests.bench.opencl_times", library, options]
        done = subprocess.run(
            [str(word) for word in (*command, repetitions, *remaining)],
            capture_output=True,
            text=True,
            cwd=_REPOSITORY,
        )
        for line in done.stdout.splitlines():
            if line.startswith(MARKER):
                number, seconds = json.loads(line.removeprefix(MARKER))
                remaining.remove(number)
                if seconds is not None:
                    times[number] = Timing(tuple(seconds))
        # A case may take its process with it; the others go on in another one.
        remaining = remaining[1:]
    return times
