"""However one moves in time in a compiled kernel, each time is as it was when it was the present.

One launch of each set, the same each time; ``ZEDBG_FULL_CORPUS=1`` takes all of them.
"""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.support.driver.program_debug_hosts import debugger_environment
from tests.support.kernels.corpus import CORPUS
from tests.support.module_command import module_command
from tests.support.native_programs import native_program

pytestmark = pytest.mark.cases(2)

SETS = sorted(path.name.removesuffix(".tar.xz") for path in CORPUS.glob("*.tar.xz"))
SEED, MOVES = "1", "10"
SAMPLE = () if os.environ.get("ZEDBG_FULL_CORPUS") == "1" else ("1",)


@pytest.mark.cases(1)
@pytest.mark.parametrize("configuration", SETS)
def test_noted_moments_are_found_again_and_hits_counted_alike(configuration: str) -> None:
    driver = native_program("libze_sim_gpu.so").resolve()
    done = subprocess.run(
        module_command("engine.corpus_travels", configuration, SEED, MOVES, *SAMPLE),
        env=debugger_environment(driver),
        capture_output=True,
        text=True,
        check=False,
        timeout=3000,
    )
    assert done.returncode == 0, done.stderr[-8000:]
    assert ": travelled" in done.stdout
