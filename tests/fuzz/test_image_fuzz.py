"""Random messages to images and samplers whose states are random too: each ends with its effects, a
page fault or a report, and changes nothing else.

The same program, built with sanitizers, is what long runs use: see docs/testing.md.
"""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.support.native_programs import native_program

pytestmark = pytest.mark.native

#: How many messages a run sends: of the sample, and with --all.
FEW, MANY = 8_000, 100_000
SEED = int(os.environ.get("ZEDBG_IMAGE_SEED", "1"))


def _outcomes(seed: int, count: int) -> dict[str, int]:
    command = [str(native_program("xesim_device_fuzz_images")), str(seed), str(count)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return {name: int(number) for name, number in (pair.split("=") for pair in run.stdout.split())}


def test_random_messages_end_with_effects_a_fault_or_a_report(
    pytestconfig: pytest.Config,
) -> None:
    usual = MANY if pytestconfig.getoption("--all") else FEW
    messages = int(os.environ.get("ZEDBG_IMAGE_MESSAGES", usual))
    outcomes = _outcomes(SEED, messages)
    assert outcomes["messages"] == messages
    for outcome, share in (("done", 0.1), ("faults", 0.01), ("refused", 0.2), ("wrote", 0.01)):
        assert outcomes[outcome] > share * messages, outcomes


def test_the_same_seed_sends_the_same_messages() -> None:
    assert _outcomes(7, 5000) == _outcomes(7, 5000) != _outcomes(100_007, 5000)
