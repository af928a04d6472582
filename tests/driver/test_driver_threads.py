"""Many host threads use one device at once."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support.packed_modules import ZEBINS
from tests.support.places import HOSTS

VADD = ZEBINS / "igc2-dg2-O0" / "vadd.zebin"


def test_threads_with_queues_modules_and_events_get_right_results(
    tmp_path: Path, simulator_environment: dict[str, str]
) -> None:
    program = tmp_path / "threads"
    compiler = ["g++", "-std=c++20", "-O1", "-g", "-Wall", "-Wextra", "-Werror"]
    source = str(HOSTS / "threads.cpp")
    subprocess.run([*compiler, source, "-o", str(program), "-lze_loader", "-pthread"], check=True)
    finished = subprocess.run(
        [str(program), str(VADD)],
        env=simulator_environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (finished.returncode, finished.stdout) == (0, "threads: ok\n"), finished.stderr
