"""What the Python API costs: values over the lanes of all stopped threads against the same reads
from C, values over work-items as an array, a test under pytest, and the import."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Sequence
from pathlib import Path

from tests.support.packed_modules import ZEBINS
from zedbg.api.opening import launch
from zedbg.api.session import Session
from zedbg.api.stops import Stop
from zedbg.xe.registers import RegisterKind

from .measure import Cell, Table, Timing
from .programs import Programs
from .sides import breakpoint_offset, continue_until_all_stopped, stopped_session, time_c_client

THREADS = (16, 256, 4096)
WORK_ITEMS = 65_536
REPETITIONS = 5
_ITERATIONS = 1
_VARIABLE = "cr"
_FRAME = 1 << 16  # bytes: the memory of a thread's lanes lies this close to its frame's address


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
                places.write_text("\n".join(_places(_stop(session))))
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
    session._run._forget_stop()
    found = session.wait()
    if not isinstance(found, Stop):
        raise RuntimeError(f"the debuggee is gone: {found}")
    return found


def _places(stop: Stop) -> list[str]:
    """Where the variable is in each thread, for the C client: after which address in the thread's
    registers, and how many bytes. RuntimeError if no register has it in all of the threads, of
    which there must be many: a register of one may hold an address that an earlier launch left."""
    bases: set[tuple[int, int]] = set()  # offset in the registers, distance of the variable
    lines = []
    for number, thread in enumerate(stop.threads):
        words = array("Q", thread._thread.read_registers(RegisterKind.GRF))
        addresses = thread[f"&{_VARIABLE}"].lanes
        lowest = min(addresses)
        looked = range(len(words)) if number == 0 else {offset // 8 for offset, _ in bases}
        found = {(index * 8, lowest - words[index]) for index in looked}
        near = {(offset, distance) for offset, distance in found if 0 <= distance < _FRAME}
        bases = near if number == 0 else bases & near
        fields = " ".join(map(str, thread._thread.place.fields))
        lines.append(f"{fields} {max(addresses) + 4 - lowest}")
    if not bases:
        raise RuntimeError(f"no register holds the address of the frame with {_VARIABLE}")
    return ["{} {}".format(*min(bases)), *lines]


def _seconds_of_lanes(stop: Stop) -> float:
    begin = time.perf_counter()
    for thread in stop.threads:
        _ = thread[_VARIABLE].lanes
    return time.perf_counter() - begin


def _seconds_of_grid(stop: Stop) -> float:
    begin = time.perf_counter()
    stop[_VARIABLE].over_work_items()
    return time.perf_counter() - begin


def grids(work_items: int = WORK_ITEMS, repetitions: int = REPETITIONS) -> Table:
    """``over_work_items()`` in optimised code: a new program for each repetition."""
    buffer = f"f32[{work_items}]"
    command = [sys.executable, "-m", "zedbg.frontends.main", "kernel"]
    command += [str(ZEBINS / "igc2-dg2-O2" / "vadd.zebin"), "--global", str(work_items)]
    command += ["--local", "16", f"{buffer}=iota", f"{buffer}=2", buffer, f"i32={work_items}"]
    taken: dict[str, list[float]] = {"i": [], "a[i]": [], "a[i] + b[i]": []}
    for _ in range(repetitions):
        with launch(command, sim="dg2", output=lambda *_: None) as session:
            session.breakpoints.add("vadd.cl:4")
            for stop in session.run():
                if len(stop.threads) == work_items // 16:
                    break
            for expression, seconds in taken.items():
                begin = time.process_time()
                stop[expression].over_work_items()
                seconds.append(time.process_time() - begin)
            session.kill()
    return Table(
        "grids",
        f"CPU time of stop[EXPRESSION].over_work_items() of {work_items:,} work-items, O2",
        ("expression", "CPU time"),
        [[expression, Timing(tuple(seconds))] for expression, seconds in taken.items()],
    )


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
import json, subprocess, sys, time, pytest, zedbg
from pathlib import Path
from zedbg.testing.devices import find_gpu

PROGRAM, ENDLESS = {program!r}, {endless!r}

def now():
    return time.perf_counter(), time.process_time()

def debug(launch):
    session = launch(PROGRAM)
    session.breakpoints.add("blur.cl:15")
    stop = session.continue_()
    assert stop.thread["i"].lanes[1] == 1
    return session

def look_at(attach, pid):
    session = attach(pid)
    assert session.stop.thread["count"].lanes[1] >= 0
    session.detach()

def write(name, *times):
    Path(name).write_text(json.dumps(times))

@pytest.fixture(scope="module")
def running():
    environment = {{**find_gpu("dg2").environment, "ZET_ENABLE_PROGRAM_DEBUGGING": "1"}}
    with subprocess.Popen(ENDLESS, env=environment, stdout=subprocess.DEVNULL) as program:
        while not attached_to(program.pid):
            time.sleep(0.1)
        yield program.pid
        program.kill()

def attached_to(pid):
    try:
        zedbg.attach(pid, sim="dg2").detach()
    except zedbg.AttachError:
        return False
    return True

def test_loads_the_modules(zedbg_session, running):
    debug(zedbg_session)
    look_at(zedbg_session.attach, running)

def test_launch_alone():
    begin = now()
    debug(lambda words: zedbg.launch(words, sim="dg2", output=lambda *_: None)).kill()
    write("launch_alone", begin, now())

def test_before_launch():
    write("launch_begin", now())

def test_launch(zedbg_session):
    debug(zedbg_session)

def test_after_launch():
    write("launch_end", now())

def test_attach_alone(running):
    begin = now()
    look_at(lambda pid: zedbg.attach(pid, sim="dg2"), running)
    write("attach_alone", begin, now())

def test_before_attach():
    write("attach_begin", now())

def test_attach(zedbg_session, running):
    look_at(zedbg_session.attach, running)

def test_after_attach():
    write("attach_end", now())
"""


def harness(repetitions: int = REPETITIONS) -> Table:
    """Tests that launch or attach to a program, inspect and leave it, by the fixture and by the API
    alone."""
    module = Path(__file__).resolve().parents[2] / "zedbg" / "tools" / "demo" / "blur.zebin"
    program = [sys.executable, "-m", "zedbg.frontends.main", "kernel", str(module)]
    program += ["--global", "64", "--local", "16", "f32[64]=iota", "f32[64]", "i32=64"]
    endless = [*program[:4], str(ZEBINS / "igc2-dg2-O0" / "endless.zebin"), "--global", "16"]
    endless += ["--local", "16", "i32[1]=0", "i32[16]"]
    found: dict[str, list[tuple[_Times, _Times]]] = {"launch": [], "attach": []}
    for _ in range(repetitions):
        with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as folder:
            text = _HARNESS.format(program=program, endless=endless)
            (Path(folder) / "test_it.py").write_text(text)
            command = [sys.executable, "-m", "pytest", "-q", "--gpu=dg2", "-p", "no:cacheprovider"]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            read = {
                each.name: json.loads(each.read_text())
                for each in Path(folder).iterdir()
                if each.is_file() and not each.suffix
            }
        for what, times in found.items():
            begin, end = read[f"{what}_alone"]
            ((first,), (last,)) = read[f"{what}_begin"], read[f"{what}_end"]
            times.append((_less(end, begin), _less(last, first)))
    return Table(
        "harness",
        "launch or attach, stop, look, end or detach: by the Python API in a test, and by the "
        "fixture zedbg_session; seconds of a clock and of the processor",
        ("what", "alone", "with the fixture", "more", "of the processor"),
        [
            [
                what,
                Timing(tuple(alone[0] for alone, _ in times)),
                Timing(tuple(fixture[0] for _, fixture in times)),
                *(
                    statistics.median(fixture[clock] - alone[clock] for alone, fixture in times)
                    for clock in range(2)
                ),
            ]
            for what, times in found.items()
        ],
    )


_Times = tuple[float, float]
"""Seconds of the clock, and of the processor."""


def _less(one: _Times, other: _Times) -> _Times:
    return one[0] - other[0], one[1] - other[1]
