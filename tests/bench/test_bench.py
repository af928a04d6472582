"""Every benchmark runs, at a tiny size: what it measures there means nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import REPOSITORY

BENCHMARKS = [
    *("registers", "start", "steps", "stop", "time_travel", "prompt", "editor", "emulator"),
    *("first_kernel", "host_cores", "host_images", "locals", "module"),
    *("module_commands", "observer", "work_items", "conditions", "next"),
    *("values", "grids", "import", "harness", "completion", "watches", "single_commands"),
]
# What a user waits for at the prompt, with a few threads and with many.
_WAITS = ("start of zedbg -p", "attach", "first breakpoint", "breakpoint")
PROMPTS = [("-", "start of zedbg"), *((threads, each) for threads in (1, 16) for each in _WAITS)]


@pytest.mark.cases(1)
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
    if name == "prompt":
        assert [(row["threads"], row["from"]) for row in result["rows"]] == PROMPTS
        for row in result["rows"][1:]:
            (ours,), (theirs,) = row["to prompt"], row["C"]
            assert row["ratio to C"] == pytest.approx(ours / theirs)
