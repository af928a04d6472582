"""Which tests execute an opcode or a message on purpose, without a compiler's kernel."""

from __future__ import annotations

import functools
import re
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

from tests.support.native_programs import native_program
from tests.support.places import TESTS

_DIRECTORY = TESTS / "eu"
MESSAGE_TESTS = (
    "lsc",
    "hdc",
    "alignment",
    "atomic",
    "hdc_atomic",
    "block2d",
    "memory",
    "gateway",
    "image",
)


@functools.cache
def _sources() -> dict[str, str]:
    """The tests that assemble instructions and execute them, by name."""
    tests = sorted(_DIRECTORY.glob("test_execution_*.py"))
    return {each.stem: each.read_text() for each in tests if "coverage" not in each.stem}


def of_opcode(name: str) -> list[str]:
    """Tests with an instruction ``name`` (such as ``cmpn`` or ``math.invm``) in assembly text.

    There it begins a line or a string, or follows a predicate in parentheses.
    """
    pattern = re.compile(
        rf"""(?:^\s*|["'`]|\)\s*){re.escape(name)}(?:[. ]|["'`]|$)""", re.MULTILINE
    )
    return [test for test, source in _sources().items() if pattern.search(source)]


@functools.cache
def executed_messages() -> dict[str, list[str]]:
    """Names of messages, and the native test programs that execute them and look at the effect."""
    executed: dict[str, list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as directory:
        for kind in MESSAGE_TESTS:
            program = native_program(f"xesim_eu_test_messages_{kind}")
            environment = {"XESIM_COVERAGE_DIRECTORY": directory}
            subprocess.run([program], env=environment, check=True, capture_output=True)
        for record in sorted(Path(directory).iterdir()):
            for name in record.read_text().splitlines():
                executed[name].append(record.name.removeprefix("xesim_eu_"))
    return dict(executed)
