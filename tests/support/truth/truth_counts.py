"""How many values of packed kernels are right, by :mod:`tests.support.truth.variable_truth`."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Sequence

from tests.support.module_command import module_command
from tests.support.packed_modules import MODULES

VARIABLES = MODULES / "variables"
TWINS = VARIABLES / "twins"
KINDS = ("right", "wrong", "doubtful", "doubtful and wrong", "not shown")
EVERYTHING = os.environ.get("ZEDBG_FULL_CORPUS") == "1"
_LIMIT = 3000 if EVERYTHING else 600  # seconds


def counted(build: str, names: Sequence[str]) -> tuple[Counter[str], list[list[object]]]:
    """Of the kernels ``names`` of ``build``, with options before them: how many values were shown
    how, and those that were wrong without a mark."""
    command = module_command("truth.variable_truth", build, VARIABLES / build, TWINS, *names)
    done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    total: Counter[str] = Counter()
    for each in found.values():
        total.update(each["counts"])
    return total, [[name, *row] for name, each in found.items() for row in each["wrong"]]
