"""What a module of many kernels costs the programs that people start: ``zedbg inspect``, and a
launch to the first stop in one of its kernels.

CPU time (user and system, of all processes), beside readelf and GDB on the same file in the same
run. ``ratio``: of a page, to GDB listing the functions; of a launch, to one with a small module.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.kernels.many_kernels import many_kernels, names
from tests.support.packed_modules import ZEBINS

from .measure import Cell, Table, Timing

KERNELS = 1000
REPETITIONS = 7
_PAGES = ZEBINS / "igc2-dg2-O0" / "stencil.zebin"  # a thousand of it are 9.9 MB
_LAUNCHED = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"
_ARGUMENTS = ("--global", "64", "f32[64]=iota", "f32[64]=2", "f32[64]", "i32=64")
_ZEDBG = (sys.executable, "-P", "-m", "zedbg.frontends.main")


def run(kernels: int = KERNELS, repetitions: int = REPETITIONS) -> Table:
    """Measures each command; the last row says how much more a launch of the large module takes."""
    with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as directory:
        pages, large, small = (Path(directory) / name for name in ("pages", "large", "small"))
        pages.write_bytes(many_kernels(_PAGES.read_bytes(), kernels))
        large.write_bytes(many_kernels(_LAUNCHED.read_bytes(), kernels))
        small.write_bytes(_LAUNCHED.read_bytes())
        middle = names("vadd", kernels)[kernels // 2]
        tools = {
            "readelf -aW": ("readelf", "-aW", str(pages)),
            "gdb: info functions": ("gdb", "-nx", "-batch", "-ex", "info functions", str(pages)),
        }
        times = {
            name: _cpu(command, repetitions)
            for name, command in {
                **{name: each for name, each in tools.items() if shutil.which(each[0])},
                "zedbg inspect": (*_ZEDBG, "inspect", str(pages)),
                "zedbg inspect --json": (*_ZEDBG, "inspect", str(pages), "--json"),
                "launch to a stop, one kernel": _launch(small, "vadd"),
                "launch to a stop, many kernels": _launch(large, middle),
            }.items()
        }
        size = pages.stat().st_size
    of_pages = times.get("gdb: info functions")
    of_launches = times["launch to a stop, one kernel"]
    rows: list[list[Cell]] = []
    for name, timing in times.items():
        base = of_launches if name.startswith("launch") else of_pages
        rows.append([name, timing, "-" if base is None else timing.median / base.median])
    more = times["launch to a stop, many kernels"].median - of_launches.median
    rows.append(["  more for many kernels (s)", more, "-"])
    note = f"CPU time with {kernels} kernels, {size / 1e6:.1f} MB"
    return Table("module_commands", note, ("command", "CPU time", "ratio"), rows)


def _launch(module: Path, kernel: str) -> tuple[str, ...]:
    debugger = (*_ZEDBG, "--sim", "--batch", "-ex", f"break {kernel}", "-ex", "run", "-ex", "kill")
    return (*debugger, "--", *_ZEDBG, "kernel", f"{module}:{kernel}", *_ARGUMENTS)


def _cpu(command: tuple[str, ...], repetitions: int) -> Timing:
    """CPU seconds of ``command`` and of all that it waits for; the first run is left out."""
    seconds = []
    for _ in range(repetitions + 1):
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            _pid, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, f"{command} ended with {process.returncode}"
        seconds.append(usage.ru_utime + usage.ru_stime)
    return Timing(tuple(seconds[1:]))
