"""Whatever a user does with single threads of a compiled kernel ends, and harms nothing.

A sample of the launches of each set, the same each time; ``ZEDBG_FULL_CORPUS=1`` takes all of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from corpus import CORPUS
from native_programs import native_program
from program_debug_hosts import debugger_environment

SETS = sorted(path.name.removesuffix(".tar.xz") for path in CORPUS.glob("*.tar.xz"))
MOVES = Path(__file__).parent / "random_moves.py"
SEED, COUNT = "1", "25"
SAMPLE = () if os.environ.get("ZEDBG_FULL_CORPUS") == "1" else ("2",)


@pytest.mark.parametrize("configuration", SETS)
def test_moved_threads_come_back_and_the_kernel_computes_what_it_should(configuration: str) -> None:
    driver = native_program("libze_sim_gpu.so").resolve()
    done = subprocess.run(
        [sys.executable, str(MOVES), configuration, SEED, COUNT, *SAMPLE],
        env=debugger_environment(driver),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-8000:]
    assert ": moved" in done.stdout
