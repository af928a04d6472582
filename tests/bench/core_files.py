"""How long core files take: to save one of many threads and much memory, and to open it."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from zedbg.cores.opening import open_core, save_core
from zedbg.engine import Session

from .measure import Cell, Table, Timing
from .programs import Programs
from .sides import stopped_session

THREADS = (1, 256, 4096)
REPETITIONS = 5
_LIMIT_BYTES = 100 << 20


def run(
    programs: Programs, counts: Sequence[int] = THREADS, repetitions: int = REPETITIONS
) -> Table:
    """Beside a copy of a file of the same size, through the same file system."""
    rows: list[list[Cell]] = []
    for threads in counts:
        with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as directory:
            path = Path(directory) / "core"
            saving, copying, opening, at_prompt = [], [], [], []
            with stopped_session(programs, threads, 1) as (session, _):
                for _ in range(repetitions):
                    begin = time.perf_counter()
                    save_core(session, path, _LIMIT_BYTES)
                    saving.append(time.perf_counter() - begin)
            data = bytes(path.stat().st_size)
            for _ in range(repetitions):
                begin = time.perf_counter()
                (path.parent / "copy").write_bytes(data)
                copying.append(time.perf_counter() - begin)
                begin = time.perf_counter()
                with Session() as looking:
                    open_core(looking, path)
                    opening.append(time.perf_counter() - begin)
                at_prompt.append(_seconds_of_batch(path))
            rows.append(
                [
                    threads,
                    f"{len(data) / (1 << 20):.1f} MiB",
                    Timing(tuple(saving)),
                    Timing(tuple(copying)),
                    Timing(tuple(opening)),
                    Timing(tuple(at_prompt)),
                ]
            )
    return Table(
        "core_files",
        "a core file of stopped threads: saved, a file of its size written, opened in a session, "
        "opened by zedbg core with CPU time of its process",
        ("threads", "file", "save", "write", "open", "zedbg core"),
        rows,
    )


def _seconds_of_batch(path: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "zedbg.frontends.main", "core", str(path), "--batch"]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
