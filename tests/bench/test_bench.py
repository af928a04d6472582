"""Every benchmark runs, at a tiny size: what it measures there means nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


BENCHMARKS = [
    *("registers", "steps", "stop", "emulator", "host_cores", "host_images", "module"),
    *("observer", "work_items", "conditions", "next"),
]


@pytest.mark.parametrize("name", BENCHMARKS)
def test_benchmark_gives_a_table(name: str, driver_library: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--quick", "--json", name],
        capture_output=True,
        text=True,
        timeout=240,
        cwd=REPOSITORY,
        env={**os.environ, "ZEDBG_SIM_DRIVER": str(driver_library)},
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["benchmark"] == name
    assert result["rows"]
    for row in result["rows"]:
        seconds = [value for value in row.values() if isinstance(value, list)]
        assert all(second > 0 for timing in seconds for second in timing)
