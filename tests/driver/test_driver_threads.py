"""Many host threads use one device at once."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.packed_modules import ZEBINS
from tests.support.places import HOSTS

#: A driver that was built with the thread sanitizer.
SANITIZED = os.environ.get("ZEDBG_THREAD_SANITIZER")


def _run(
    folder: Path, environment: dict[str, str], device: str, *options: str
) -> subprocess.CompletedProcess[str]:
    program = folder / "threads"
    compiler = ["g++", "-std=c++20", "-O1", "-g", "-Wall", "-Wextra", "-Werror", *options]
    source = str(HOSTS / "threads.cpp")
    subprocess.run([*compiler, source, "-o", str(program), "-lze_loader", "-pthread"], check=True)
    return subprocess.run(
        [str(program), str(ZEBINS / f"igc2-{device}-O0" / "vadd.zebin")],
        env=environment | {"XESIM_DEVICE": device},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("device", ["dg2", "pvc"])
def test_threads_with_queues_modules_and_events_get_right_results(
    device: str, tmp_path: Path, simulator_environment: dict[str, str]
) -> None:
    finished = _run(tmp_path, simulator_environment, device)
    assert (finished.returncode, finished.stdout) == (0, "threads: ok\n"), finished.stderr


@pytest.mark.skipif(SANITIZED is None, reason="a driver with the sanitizer is asked for by name")
@pytest.mark.parametrize("device", ["dg2", "pvc"])
@pytest.mark.parametrize("host_cores", ["1", "4"])
def test_the_thread_sanitizer_finds_no_race(
    host_cores: str, device: str, tmp_path: Path, simulator_environment: dict[str, str]
) -> None:
    assert SANITIZED is not None
    environment = simulator_environment | {
        "ZE_ENABLE_ALT_DRIVERS": SANITIZED,
        "XESIM_HOST_CORES": host_cores,
    }
    finished = _run(tmp_path, environment, device, "-fsanitize=thread")
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "threads: ok\n", "")
