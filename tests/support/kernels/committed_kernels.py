"""The kernels of tests/kernels/src: their modules, and what their launches have to leave."""

from __future__ import annotations

import functools
from pathlib import Path

from tests.support.kernels.kernel_case import Array, Case
from tests.support.kernels.kernel_cases import CASES
from tests.support.kernels.kernel_launch import lanes_of, run_model, run_pocl, run_simulated
from tests.support.packed_modules import ZEBINS
from tests.support.places import KERNELS


def expected(number: int, configuration: str) -> list[Array]:
    """The buffers of case `number` as they should be after the launch."""
    case = CASES[number]
    if case.reference is None:
        return by_pocl(number)
    return run_model(case, lanes_of(module_of(case, configuration), case.kernel))


@functools.cache
def by_pocl(number: int) -> list[Array]:
    """The buffers of case `number` after PoCL ran it."""
    case = CASES[number]
    return run_pocl(case, (KERNELS / "src" / f"{case.source}.cl").read_text())


def module_of(case: Case, configuration: str) -> Path:
    """The committed module of a compiler, device and level of optimisation."""
    return ZEBINS / configuration / f"{case.source}.zebin"


def run(case: Case, configuration: str, directory: Path) -> tuple[str, list[Array]]:
    """Runs `case` on the simulated GPU: why it did not complete (or nothing), and the buffers."""
    launch = run_simulated(case, module_of(case, configuration), directory)
    return launch.report, launch.buffers
