"""The cache of decoded instructions, by its native check program."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.native_programs import native_program

pytestmark = pytest.mark.native


def test_code_cache_keeps_its_promises() -> None:
    program = native_program("xesim_eu_code_cache_check")
    run = subprocess.run([program], capture_output=True, check=False)
    assert run.returncode == 0, run.stdout.decode()
