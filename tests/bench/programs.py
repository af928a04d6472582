"""The C programs of the debugger benchmarks: built once, started on the simulated GPU."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.packed_modules import ZEBINS
from zedbg.levelzero.selection import select_driver
from zedbg.zebin import Module

MODULE = ZEBINS / "igc2-dg2-O0" / "mandel.zebin"
SOURCE_LINE = "mandel.cl:4"
ENDLESS = 2**31 - 1  # iterations
_HERE = Path(__file__).parent


class Programs:
    """Compiled programs in a directory of their own."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def path(self, name: str) -> Path:
        """The program of tests/bench/NAME.c; subprocess.CalledProcessError if it is in error."""
        program = self._directory / name
        if not program.exists():
            source = _HERE / f"{name}.c"
            options = ["-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-Werror"]
            command = ["cc", *options, str(source), "-o", str(program), "-lze_loader"]
            subprocess.run(command, check=True)
        return program


@contextmanager
def built_programs() -> Iterator[Programs]:
    """Programs that are removed at the end."""
    with tempfile.TemporaryDirectory(prefix="zedbg-bench-") as directory:
        yield Programs(Path(directory))


@dataclass(frozen=True)
class Debuggee:
    """A running debuggee.c, held in front of its module until :meth:`go`."""

    process: subprocess.Popen[str]
    thread_count: int

    @property
    def pid(self) -> int:
        return self.process.pid

    def go(self) -> None:
        """Lets it load its module and launch."""
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def expect(self, line: str) -> None:
        """Waits for ``line`` on its standard output."""
        expect(self.process, line)


@contextmanager
def debuggee(
    programs: Programs, threads: int, iterations: int, module: Path = MODULE
) -> Iterator[Debuggee]:
    """One whose launches occupy ``threads`` hardware threads, a work-group each; killed at the
    end."""
    width = Module.from_bytes(module.read_bytes(), module.name).kernels[0].simd_width
    arguments = [module, threads, width, iterations]
    with _started(programs.path("debuggee"), arguments) as process:
        expect(process, "ready")
        yield Debuggee(process, threads)


@contextmanager
def c_client(
    programs: Programs, target: Debuggee, breakpoint_offset: int, *measurement: object
) -> Iterator[subprocess.Popen[str]]:
    """c_client.c, attached to ``target``; see there for the arguments."""
    arguments = [target.pid, breakpoint_offset, target.thread_count, *measurement]
    with _started(programs.path("c_client"), arguments) as process:
        expect(process, "attached")
        yield process


def expect(process: subprocess.Popen[str], line: str) -> None:
    """Waits for ``line`` from ``process``; RuntimeError when it says something else, or ends."""
    assert process.stdout is not None
    found = process.stdout.readline()
    if found.strip() != line:
        raise RuntimeError(f"{process.args}: expected {line!r}, not {found!r}")


@contextmanager
def _started(program: Path, arguments: Sequence[object]) -> Iterator[subprocess.Popen[str]]:
    environment = {
        **os.environ,
        **select_driver("dg2").environment,
        "ZET_ENABLE_PROGRAM_DEBUGGING": "1",
    }
    process = subprocess.Popen(
        [program, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()
