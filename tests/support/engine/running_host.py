"""A program that runs one kernel for longer than any test, started without a debugger."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import zedbg
from tests.support.devices import ALL
from tests.support.module_command import module_command
from tests.support.packed_modules import ZEBINS
from zedbg.engine import Session, Stop
from zedbg.engine.engine_errors import EngineError

IMPORT_PATH = os.pathsep.join(str(Path(folder).parent) for folder in zedbg.__path__)
BUILDS = {device: f"igc2-{device}-O0" for device in ALL} | {"pvc": "igc1-pvc-O0"}

ENTRY, GROUPS, GROUP_SIZE = "mandel", "1", "8"
SIZES = ["i32:8", "i32:8", "f32:0", "f32:0", "f32:0"]
TURNS = 100_000_000  # as good as endless
START_SECONDS = 60.0


def mandel(device: str = "dg2", turns: int = TURNS) -> list[str]:
    """The command line of a program whose kernel takes that many turns; it exits with 7."""
    module = ZEBINS / BUILDS[device] / "mandel.zebin"
    kernel = [ENTRY, GROUPS, GROUP_SIZE, "buf:64:0", *SIZES, f"i32:{turns}"]
    return module_command("engine.engine_host", module, *kernel)


@contextlib.contextmanager
def running_host(
    command: list[str], environment: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs ``command`` on the simulated device of this process; killed at the end."""
    enabled = {"ZET_ENABLE_PROGRAM_DEBUGGING": "1", "PYTHONPATH": IMPORT_PATH}
    process = subprocess.Popen(command, env=os.environ | enabled | (environment or {}))
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def attach_in_kernel(session: Session, process: subprocess.Popen[bytes]) -> Stop:
    """Attaches as soon as the program's kernel runs; the stop has its threads."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None
        try:
            stop = session.attach(process.pid)
        except EngineError:
            continue  # it did not initialise Level Zero yet; attaching waited for that
        if isinstance(stop, Stop) and stop.threads:
            return stop
        session.detach()
    raise AssertionError("the program's kernel does not run")
