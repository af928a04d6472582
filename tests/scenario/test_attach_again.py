"""Detach and attach again, many times: neither process keeps anything of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import zedbg
from zedbg.engine import Stop

TIMES = 1000 if os.environ.get("ZEDBG_FULL_CORPUS") == "1" else 12
HOST = Path(__file__).parent / "engine_host.py"
MANDEL = ["mandel", "1", "8", "buf:64:0", "i32:8", "i32:8", "f32:0", "f32:0", "f32:0"]


def held_by(pid):
    """Open files, threads and resident KiB of a process."""
    process = Path(f"/proc/{pid}")
    status = (process / "status").read_text()
    resident = int(status.partition("VmRSS:")[2].split()[0])
    return len(list((process / "fd").iterdir())), len(list((process / "task").iterdir())), resident


@pytest.fixture
def program():
    module = Path(__file__).parents[1] / "kernels" / "zebin" / "igc2-dg2-O0" / "mandel.zebin"
    _, choice = zedbg.open_session("dg2")
    import_path = [str(Path(folder).parent) for folder in zedbg.__path__]
    environment = {"ZET_ENABLE_PROGRAM_DEBUGGING": "1", "PYTHONPATH": os.pathsep.join(import_path)}
    process = subprocess.Popen(
        [sys.executable, str(HOST), str(module), *MANDEL, "i32:100000000"],
        env=os.environ | choice.environment | environment,
    )
    yield process
    process.kill()
    process.wait()


def test_nothing_is_left_of_a_session_in_either_process(program):
    session, _ = zedbg.open_session("dg2")
    session.break_at("nosuch")
    held = []
    for _ in range(TIMES):
        while True:  # until it has made a context, and runs its kernel
            try:
                stop = session.attach(program.pid)
            except zedbg.engine.EngineError:
                assert not held and program.poll() is None
                continue
            if isinstance(stop, Stop) and stop.threads:
                break
            session.detach()
        session.detach()
        held.append((held_by(os.getpid()), held_by(program.pid)))
    # A descriptor of the last session may be on its way out.
    for process in (0, 1):
        files = [each[process][0] for each in held]
        threads = [each[process][1] for each in held]
        assert max(files[1:]) <= files[0] + 2
        assert max(threads[1:]) <= threads[0] + 1
        # What caches and allocators keep they keep once, however often it is done again.
        resident = [each[process][2] for each in held]
        assert max(resident[TIMES // 2 :]) <= max(resident[: TIMES // 2]) + 4096
        print(f"{['debugger', 'program'][process]}: {held[0][process]} to {held[-1][process]}")
