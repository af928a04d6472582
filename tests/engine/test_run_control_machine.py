"""Random sequences of run control over each simulated device: no stop is lost, nothing is left.

A short run of the machine that run_control_machine.py is, the same each time; docs/testing.md says
how to run it for long.
"""

from __future__ import annotations

import subprocess

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.driver.program_debug_hosts import debugger_environment
from tests.support.module_command import module_command
from tests.support.native_programs import native_program

EXAMPLES, STEPS = "3", "25"


@pytest.mark.cases(1)
@pytest.mark.parametrize("device", [*EACH_PLATFORM, "dg2,bmg"])
def test_any_order_of_run_control_keeps_session_and_program_true(device: str) -> None:
    driver = native_program("libze_sim_gpu.so").resolve()
    done = subprocess.run(
        module_command("engine.run_control_machine", device, EXAMPLES, STEPS),
        env=debugger_environment(driver),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-8000:]
    assert f"{EXAMPLES} examples of {STEPS} steps" in done.stdout
