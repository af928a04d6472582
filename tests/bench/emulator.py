"""How fast the execution unit is: instructions and lane-operations a second, and its time against
oclgrind's and PoCL's for the same source, sizes and inputs."""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .corpus import ALL_CASES, CASES, Case, launch_words, module_of, native_program
from .measure import Cell, Table, Timing
from .opencl_times import LIMIT, MARKER

# Committed native modules, and the options that the others compile the same source with.
CONFIGURATIONS = {"igc2-dg2-O0": "-cl-opt-disable", "igc2-dg2-O2": ""}
REPETITIONS = 9
OCLGRIND = Path("/usr/lib/oclgrind/liboclgrind-rt-icd.so")
POCL = Path("/etc/OpenCL/vendors/pocl.icd")
_REPOSITORY = Path(__file__).resolve().parents[2]
_SIGALRM = -14  # how a process ended


@dataclass(frozen=True)
class Launches:
    """What launches of one kernel took: by the clock, and of the processor."""

    clock: Timing
    processor: Timing


@dataclass(frozen=True)
class Emulated:
    """Launches on the simulated GPU, on one core of the host, and what each executes."""

    instructions: int
    lane_operations: int
    launches: Launches


@dataclass(frozen=True)
class Other:
    """What another implementation did with the cases, by their numbers."""

    name: str
    times: Mapping[int, Launches]
    reasons: Mapping[int, str]  # of those that it cannot run


def run(repetitions: int = REPETITIONS, numbers: Sequence[int] = range(len(CASES))) -> Table:
    """Times the cases ``numbers`` of ALL_CASES as far as the device can run them; those that
    another implementation cannot run have no ratio; their reason goes to stderr."""
    libraries = {"oclgrind": _icd_library(OCLGRIND), "PoCL": _icd_library(POCL)}
    rows: list[list[Cell]] = []
    for configuration, options in CONFIGURATIONS.items():
        modules = {
            number: module
            for number in numbers
            if (module := module_of(ALL_CASES[number], configuration))
        }
        others = [
            _other(name, library, options, repetitions, list(modules))
            for name, library in libraries.items()
            if library
        ]
        rows += _rows(configuration, repetitions, modules, others)
        for other in others:
            _tell_reasons(configuration, other)
    return Table(
        "emulator",
        "committed kernels, on one core; the last columns are how many times as long the others "
        "take with the same optimisation, by the clock and of the processor",
        (
            "kernel",
            "instructions",
            "time",
            "M instructions/s",
            "M lane-operations/s",
            *(
                f"{name} / ours{kind}"
                for name, library in libraries.items()
                if library
                for kind in ("", ", processor")
            ),
        ),
        rows,
    )


def run_all() -> Table:
    """Times all committed kernels."""
    return run(3, range(len(ALL_CASES)))


def _rows(
    configuration: str, repetitions: int, modules: Mapping[int, Path], others: Sequence[Other]
) -> Iterator[list[Cell]]:
    rows: list[list[Cell]] = []
    for number, module in modules.items():
        case = ALL_CASES[number]
        found = _emulated(case, module, repetitions)
        if found is None:
            continue
        ours = found.launches
        row: list[Cell] = [
            f"{case.kernel} {configuration}",
            found.instructions,
            ours.clock,
            found.instructions / ours.clock.median / 1e6,
            found.lane_operations / ours.clock.median / 1e6,
        ]
        for other in others:
            theirs = other.times.get(number)
            row.append(theirs.clock.median / ours.clock.median if theirs else "-")
            row.append(theirs.processor.median / ours.processor.median if theirs else "-")
        rows.append(row)
        yield row
    if rows:
        medians: list[Cell] = [_median(rows, column) for column in range(3, len(rows[0]))]
        yield [f"MEDIAN {configuration}", "-", "-", *medians]
        counts = [cell for other in others for cell in (len(other.times), len(other.times))]
        yield [f"KERNELS {configuration}", "-", "-", len(rows), len(rows), *counts]


def _median(rows: list[list[Cell]], column: int) -> Cell:
    values = [row[column] for row in rows]
    numbers = [value for value in values if isinstance(value, float)]
    return statistics.median(numbers) if numbers else "-"


def _tell_reasons(configuration: str, other: Other) -> None:
    kernels = defaultdict(list)
    for number, reason in other.reasons.items():
        kernels[reason].append(ALL_CASES[number].kernel)
    for reason, names in sorted(kernels.items()):
        print(f"{other.name} cannot run {len(names)} of {configuration}: {reason}", file=sys.stderr)
        print(f"    {' '.join(names)}", file=sys.stderr)


def _emulated(case: Case, module: Path, repetitions: int) -> Emulated | None:
    """None when the simulated GPU refuses the kernel."""
    with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as directory:
        words, _ = launch_words(case, module, Path(directory))
        done = subprocess.run(
            [
                *(str(native_program("xesim_device_run_kernel")), *words),
                *("--repeat", str(repetitions)),
            ],
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        print(f"{case.kernel} {module}: {done.stderr.strip()}", file=sys.stderr)
        return None
    # Among them is what the kernel prints.
    known = ("instructions", "lane-operations", "seconds", "processor-seconds")
    found = defaultdict(list)
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) == 2 and words[0] in known:
            found[words[0]].append(float(words[1]))
    return Emulated(
        int(found["instructions"][0]),
        int(found["lane-operations"][0]),
        Launches(Timing(tuple(found["seconds"])), Timing(tuple(found["processor-seconds"]))),
    )


def _icd_library(installed: Path) -> str | None:
    """The installable client driver: ``installed`` itself, or what that .icd file names."""
    if not installed.exists():
        print(f"{installed} is not installed", file=sys.stderr)
        return None
    return installed.read_text().strip() if installed.suffix == ".icd" else str(installed)


def _other(
    name: str, library: str, options: str, repetitions: int, numbers: Sequence[int]
) -> Other:
    """What the OpenCL implementation ``library`` does with each case."""
    times: dict[int, Launches] = {}
    reasons: dict[int, str] = {}
    remaining = list(numbers)
    while remaining:
        command = [sys.executable, "-m", "tests.bench.opencl_times", library, options]
        done = subprocess.run(
            [str(word) for word in (*command, repetitions, *remaining)],
            capture_output=True,
            text=True,
            errors="replace",
            cwd=_REPOSITORY,
        )
        fatal = _fatal_errors(done.stderr)
        for line in done.stdout.splitlines():
            if line.startswith(MARKER):
                number, *found = json.loads(line.removeprefix(MARKER))
                remaining.remove(number)
                if number in fatal or len(found) != 2:
                    reasons[number] = fatal.get(number, found[0])
                else:
                    times[number] = Launches(*(Timing(tuple(seconds)) for seconds in found))
        if remaining:
            # The first of these took the process with it; the others go on in another one.
            reasons[remaining.pop(0)] = (
                f"takes more than {LIMIT} s"
                if done.returncode == _SIGALRM
                else f"ends the process with {done.returncode}"
            )
    return Other(name, times, reasons)


def _fatal_errors(errors: str) -> Mapping[int, str]:
    """Why oclgrind gave a case up, by its number: it reports success to OpenCL."""
    found: dict[int, str] = {}
    *said, _ = errors.split(f"\n{MARKER}")
    numbers = re.findall(rf"^{MARKER}(\d+)$", errors, re.MULTILINE)
    for number, text in zip(numbers, said, strict=True):
        if fatal := re.search(r"FATAL ERROR.*\n(.*)", text):
            found[int(number)] = fatal[1].strip()
    return found
