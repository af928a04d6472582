"""One hardware thread on which tests execute assembly text.

iga64 assembles, the native program `xesim_eu_run_words` executes; what the results ought to be is
computed by numpy or by plain Python in the tests.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np
import numpy.typing as npt
import pytest

from tests.support.native_programs import native_program
from zedbg.xe.devices import DEVICES
from zedbg.xe.isa.platform import Platform

GRF_BYTES = 32  # of dg2
REGISTER_BYTES = {name: device.platform.grf_bytes for name, device in DEVICES.items()}
# The installed iga64 does not know Xe2, whose encodings of what these tests use are Xe-HPC's.
_ASSEMBLED_AS = {Platform.XE2: Platform.XE_HPC}

needs_iga64 = pytest.mark.skipif(
    shutil.which("iga64") is None, reason="iga64 is not installed (Debian: libigc-tools)"
)


@functools.cache
@functools.cache
def assemble(text: str, platform: str = "dg2") -> bytes:
    """The words of a program in iga64's syntax, for the device of that name.

    Raises `ValueError` with iga64's message when it does not assemble.
    """
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory) / "program.asm"
        words = Path(directory) / "program.bin"
        source.write_text(text + "\n")
        own = DEVICES[platform].platform
        assembled_as = _ASSEMBLED_AS.get(own, own)
        command = ["iga64", "-a", f"-p={assembled_as.value}", str(source), "-o", str(words)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0 or not words.exists():
            raise ValueError(f"{run.stderr}\n{text}")
        return words.read_bytes()


@dataclass(frozen=True)
class Ran:
    """How a run ended."""

    outcome: str  # budget, barrier, end or exception
    instructions: int
    ip: int
    report: str


def new_thread(dispatch_mask: int, device: str) -> str:
    """The line that makes a thread of ``device``: its lanes, and its instruction set."""
    return f"new {dispatch_mask:x} {DEVICES[device].platform.name.lower()}"


class Bench:
    """A running `xesim_eu_run_words`; a context manager."""

    def __init__(self) -> None:
        self._register_bytes = GRF_BYTES
        self._process = subprocess.Popen(
            [native_program("xesim_eu_run_words")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        code = self._process.wait(timeout=10)
        assert code == 0 or error is not None, f"the bench ended with {code}"

    def _write_line(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")

    def _ask(self, line: str) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._write_line(line)
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def converse(self, lines: list[str], answers: int) -> list[str]:
        """Writes all of `lines` before it reads their answers, which must fit a pipe (64 KiB)."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._write_line("\n".join(lines))
        self._process.stdin.flush()
        return [self._process.stdout.readline().strip() for _ in range(answers)]

    def start(self, code: bytes, dispatch_mask: int = 0xFF, platform: str = "dg2") -> None:
        """A fresh thread at the first of `code`."""
        self._register_bytes = REGISTER_BYTES[platform]
        self._write_line(new_thread(dispatch_mask, platform))
        self._write_line(f"code {code.hex()}")

    def write(self, file: str, offset: int, data: bytes) -> None:
        self._write_line(f"set {file} {offset:x} {data.hex()}")

    def read(self, file: str, offset: int, size: int) -> bytes:
        return bytes.fromhex(self._ask(f"get {file} {offset:x} {size:x}"))

    def write_grf(self, number: int, values: npt.NDArray[np.generic]) -> None:
        self.write("grf", number * self._register_bytes, values.tobytes())

    def read_grf(self, number: int, dtype: npt.DTypeLike, count: int) -> npt.NDArray[np.generic]:
        data = self.read("grf", number * self._register_bytes, np.dtype(dtype).itemsize * count)
        return np.frombuffer(data, dtype)

    def problems(self) -> str:
        """Which instructions of the code cannot be executed, and why; empty if all can."""
        return self._ask("problems")

    def flag(self, number: int = 0) -> int:
        return int.from_bytes(self.read("flag", 4 * number, 4), "little")

    def control(self, index: int) -> int:
        return int.from_bytes(self.read("control", 4 * index, 4), "little")

    def channels(self) -> int:
        return int(self._ask("channels"), 16)

    def signal_barriers(self, mask: int) -> None:
        self._write_line(f"barrier {mask:x}")

    def run(self, budget: int, *, debugging: bool = False, observed: bool = False) -> Ran:
        """Runs on. With `observed`, the report is what an observer saw: IP:LANES:ENABLED ..."""
        mode = "observed" if observed else "debug" if debugging else "plain"
        answer = self._ask(f"run {budget:x} {mode}")
        outcome, instructions, ip, *report = answer.split(" ", 3)
        return Ran(outcome, int(instructions, 16), int(ip, 16), report[0] if report else "")
