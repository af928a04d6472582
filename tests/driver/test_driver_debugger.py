"""A debugger that is not zedbg, written in C against the API, on the simulated driver."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.driver.driver_loaders import Loader, named
from tests.support.packed_modules import ZEBINS

SECONDS = 60
# vadd launches 16 groups of 64 work-items twice; one hardware thread runs `simd` of them.
WORK_ITEMS = 2 * 16 * 64
SIMD = {"igc2-dg2-O0": 8, "igc1-dg2-O2": 32}
# The module comes before the first queue; the immediate list is a second one, on its own.
EVENTS = [
    "module load",
    "process entry",
    "process exit",
    "process entry",
    "process exit",
    "module unload",
]


@contextmanager
def waiting_vadd(
    program: Path, module: Path, environment: dict[str, str]
) -> Iterator[subprocess.Popen[str]]:
    """vadd before it loads its module; a line of input lets it go on, another one leave."""
    with subprocess.Popen(
        [str(program), str(module), "wait"],
        env=environment | {"ZET_ENABLE_PROGRAM_DEBUGGING": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("configuration", SIMD)
@pytest.mark.parametrize(
    "loader", ["plain", "intercept", "validation", "newest-plain", "newest-validation"]
)
def test_it_stops_every_thread_of_a_kernel_once_and_lets_it_go_on(
    configuration: str,
    loader: str,
    host_program: Callable[[str], Path],
    simulator_environment: dict[str, str],
) -> None:
    way: Loader = named(loader)
    module = ZEBINS / configuration / "vadd.zebin"
    with waiting_vadd(host_program("vadd"), module, simulator_environment) as debuggee:
        debugger = subprocess.Popen(
            [*way.prefix, str(host_program("debugger")), str(debuggee.pid)],
            env=simulator_environment | way.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert debugger.stdout is not None
        assert debuggee.stdin is not None and debuggee.stdout is not None
        attached = debugger.stdout.readline()
        debuggee.stdin.write("\n")
        debuggee.stdin.flush()
        events = [debugger.stdout.readline().rstrip("\n") for _ in EVENTS]
        output, _ = debuggee.communicate("\n", timeout=SECONDS)
        rest, errors = debugger.communicate(timeout=SECONDS)
    assert (attached, errors) == ("attached\n", "")
    assert (output, debuggee.returncode) == ("vadd: ok\n", 0)
    assert events == EVENTS
    stops = WORK_ITEMS // SIMD[configuration]
    assert (rest, debugger.returncode) == (f"detached\nstops {stops}\n", 0)


def test_it_cannot_attach_to_a_process_that_is_not_debuggable(
    host_program: Callable[[str], Path], simulator_environment: dict[str, str]
) -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        try:
            finished = subprocess.run(
                [str(host_program("debugger")), str(process.pid)],
                env=simulator_environment,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        finally:
            process.kill()
    assert finished.returncode == 1
    assert "zetDebugAttach" in finished.stderr
