"""What the Python API costs: values over the lanes of all stopped threads against the same reads
from C, values over work-items as an array, a test under pytest, and the import."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from zedbg.api.session import Session
from zedbg.api.stops import Stop

from .measure import Cell, Table, Timing
from .programs import Programs
from .sides import breakpoint_offset, continue_until_all_stopped, stopped_session, time_c_client

THREADS = (1, 256, 4096)
REPETITIONS = 5
_ITERATIONS = 1
_VARIABLE = "cr"


def values(
    programs: Programs, counts: Sequence[int] = THREADS, repetitions: int = REPETITIONS
) -> Table:
    """``for thread in stop.threads: thread["x"].lanes``."""
    rows: list[list[Cell]] = []
    for threads in counts:
        with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as folder:
            places = Path(folder) / "places"
            with stopped_session(programs, threads, _ITERATIONS) as (engine, _):
                offset = breakpoint_offset(engine)
                session = Session(engine)
                places.write_text(_places(_stop(session)))
                ours, grid = [], []
                for _ in range(repetitions):
                    continue_until_all_stopped(engine, threads)
                    ours.append(_seconds_of_lanes(_stop(session)))
                    continue_until_all_stopped(engine, threads)
                    grid.append(_seconds_of_grid(_stop(session)))
            theirs = time_c_client(
                programs, threads, _ITERATIONS, offset, "values", repetitions, places
            )
        lanes = Timing(tuple(ours))
        rows.append([threads, lanes, theirs, lanes.median / theirs.median, Timing(tuple(grid))])
    return Table(
        "values",
        f'thread["{_VARIABLE}"].lanes of all threads, in C their registers and memory; and '
        f'stop["{_VARIABLE}"].over_work_items()',
        ("threads", "zedbg", "C", "zedbg / C", "over work-items"),
        rows,
    )


def _stop(session: Session) -> Stop:
    session._forget_stop()
    found = session.wait()
    if not isinstance(found, Stop):
        raise RuntimeError(f"the debuggee is gone: {found}")
    return found


def _places(stop: Stop) -> str:
    """Where the variable is, for the C client."""
    lines = []
    for thread in stop.threads:
        fields = " ".join(map(str, thread._thread.place.fields))
        addresses = thread[f"&{_VARIABLE}"].lanes
        lines.append(f"{fields} {min(addresses)} {max(addresses) + 4 - min(addresses)}")
    return "\n".join(lines)


def _seconds_of_lanes(stop: Stop) -> float:
    begin = time.perf_counter()
    for thread in stop.threads:
        _ = thread[_VARIABLE].lanes
    return time.perf_counter() - begin


def _seconds_of_grid(stop: Stop) -> float:
    begin = time.perf_counter()
    stop[_VARIABLE].over_work_items()
    return time.perf_counter() - begin


def imports(repetitions: int = REPETITIONS) -> Table:
    """``import zedbg``, beside Python's own start."""

    def seconds(code: str) -> Timing:
        found = []
        for _ in range(repetitions):
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            found.append(time.perf_counter() - begin)
        return Timing(tuple(found))

    plain, with_zedbg = seconds("pass"), seconds("import zedbg")
    with_api = seconds("import zedbg; zedbg.launch")
    return Table(
        "import",
        "a Python that does nothing, imports zedbg, and loads its Python API",
        ("what", "time", "more than nothing"),
        [
            ["nothing", plain, 0.0],
            ["import zedbg", with_zedbg, with_zedbg.median - plain.median],
            ["zedbg.launch", with_api, with_api.median - plain.median],
        ],
    )


_HARNESS = """
import json, sys, time, zedbg
from pathlib import Path

PROGRAM = {program!r}

def debug(launch):
    begin = time.perf_counter()
    session = launch(PROGRAM)
    session.breakpoints.add("blur.cl:15")
    stop = session.continue_()
    assert stop.thread["i"].lanes[1] == 1
    return begin, session

def alone():
    begin, session = debug(lambda words: zedbg.launch(words, sim="dg2", output=lambda *_: None))
    session.kill()
    return time.perf_counter() - begin

def test_loads_the_modules(zedbg_session):
    alone()

def test_alone():
    Path("alone").write_text(str(alone()))

def test_begin():
    Path("begin").write_text(str(time.perf_counter()))

def test_with_the_fixture(zedbg_session):
    debug(zedbg_session)

def test_end():
    Path("end").write_text(str(time.perf_counter()))
"""


def harness(repetitions: int = REPETITIONS) -> Table:
    """A test that launches, inspects and ends a program, by the fixture and by the API alone."""
    module = Path(__file__).resolve().parents[2] / "zedbg" / "tools" / "demo" / "blur.zebin"
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", str(module)]
    program += ["--global", "64", "--local", "16", "f32[64]=iota", "f32[64]", "i32=64"]
    alone, fixture = [], []
    for _ in range(repetitions):
        with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as folder:
            (Path(folder) / "test_it.py").write_text(_HARNESS.format(program=program))
            command = [sys.executable, "-m", "pytest", "-q", "--gpu=dg2", "-p", "no:cacheprovider"]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            read = {each: float((Path(folder) / each).read_text()) for each in _WRITTEN}
        alone.append(read["alone"])
        fixture.append(read["end"] - read["begin"])
    more = statistics.median(one - other for one, other in zip(fixture, alone, strict=True))
    return Table(
        "harness",
        "launch, stop, look, end: by zedbg.launch in a test, and by the fixture zedbg_session",
        ("alone", "with the fixture", "seconds more"),
        [[Timing(tuple(alone)), Timing(tuple(fixture)), more]],
    )


_WRITTEN = ("alone", "begin", "end")
