"""The command line of a program of the tests."""

from __future__ import annotations

import sys

from tests.support.places import SUPPORT


def module_command(module: str, *arguments: object) -> list[str]:
    """What runs a module such as ``truth.truth_host`` of tests/support, in a process of its own."""
    script = str(SUPPORT / "run_module.py")
    return [sys.executable, script, f"tests.support.{module}", *map(str, arguments)]
