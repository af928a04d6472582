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

MESSAGES = int(os.environ.get("ZEDBG_IMAGE_MESSAGES", "100000"))
SEED = int(os.environ.get("ZEDBG_IMAGE_SEED", "1"))


def _outcomes(seed: int, count: int) -> dict[str, int]:
    command = [str(native_program("xesim_device_fuzz_images")), str(seed), str(count)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return {name: int(number) for name, number in (pair.split("=") for pair in run.stdout.split())}


def test_random_messages_end_with_effects_a_fault_or_a_report() -> None:
    outcomes = _outcomes(SEED, MESSAGES)
    assert outcomes["messages"] == MESSAGES
    for outcome, share in (("done", 0.1), ("faults", 0.01), ("refused", 0.2), ("wrote", 0.01)):
        assert outcomes[outcome] > share * MESSAGES, outcomes


def test_the_same_seed_sends_the_same_messages() -> None:
    assert _outcomes(7, 5000) == _outcomes(7, 5000) != _outcomes(100_007, 5000)
