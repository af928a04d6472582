"""Random messages: each is executed or refused with its name, inside the memory that there is.

Long runs use the same program, built with sanitizers: `xesim_eu_fuzz_messages xe_hpg SEED COUNT`.
"""

from __future__ import annotations

import subprocess

import pytest

from tests.support.native_programs import native_program
from zedbg.xe.isa.platform import Platform

pytestmark = pytest.mark.native

MESSAGES = 10_000


@pytest.mark.parametrize("platform", Platform)
def test_random_messages_are_executed_or_refused_by_name(platform: Platform) -> None:
    command = [
        str(native_program("xesim_eu_fuzz_messages")),
        platform.name.lower(),
        "1",
        str(MESSAGES),
    ]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    counts = dict(pair.split("=") for pair in run.stdout.split())
    for outcome in ("done", "end", "faults", "unsupported"):
        assert int(counts[outcome]) > MESSAGES // 200, counts
