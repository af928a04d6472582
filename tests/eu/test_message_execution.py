"""The native tests of messages: layouts, faults, atomics, barriers."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.native_programs import native_program
from tests.support.xe.directed_tests import MESSAGE_TESTS

pytestmark = pytest.mark.native


@pytest.mark.parametrize("kind", MESSAGE_TESTS)
def test_messages_have_their_effects(kind: str) -> None:
    run = subprocess.run(
        [native_program(f"xesim_eu_test_messages_{kind}")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
