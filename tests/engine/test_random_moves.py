"""Whatever a user does with single threads of a compiled kernel ends, and harms nothing.

A sample of the launches of each set, the same each time; ``ZEDBG_FULL_CORPUS=1`` takes all of them.
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
SEED, COUNT = "1", "25"
SAMPLE = () if os.environ.get("ZEDBG_FULL_CORPUS") == "1" else ("2",)


@pytest.mark.cases(1)
@pytest.mark.parametrize("configuration", SETS)
def test_moved_threads_come_back_and_the_kernel_computes_what_it_should(configuration: str) -> None:
    driver = native_program("libze_sim_gpu.so").resolve()
    done = subprocess.run(
        module_command("engine.random_moves", configuration, SEED, COUNT, *SAMPLE),
        env=debugger_environment(driver),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-8000:]
    assert ": moved" in done.stdout
