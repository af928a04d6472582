"""Kernels that exist for what they need of their environment: a stack, scratch space beside private
memory, large register files, the buffer that a failed assertion is written to.

Every configuration that has the kernel's module is run.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.kernels.committed_kernels import run
from tests.support.kernels.kernel_cases import Array, Case
from tests.support.kernels.kernel_launch import CONFIGURATIONS, run_pocl, run_simulated
from tests.support.packed_modules import MODULES, ZEBINS
from tests.support.places import KERNELS


def _with(source: str) -> list[str]:
    return [name for name in CONFIGURATIONS if (ZEBINS / name / f"{source}.zebin").exists()]


def _values(count: int) -> Array:
    return np.random.default_rng(31).integers(-(2**31), 2**31, count).astype(np.int32)


SPILLS = Case(
    "spills", "spills", (64,), (32,), [_values(256), np.zeros(1024, np.int32), np.int32(9)]
)
LARGE_GRF = Case(
    "large_grf", "large_grf", (64,), (32,), [_values(128), np.zeros(512, np.int32), np.int32(9)]
)


@pytest.mark.parametrize(
    ("case", "configuration"),
    [
        pytest.param(case, configuration, id=f"{case.kernel}-{configuration}")
        for case in (SPILLS, LARGE_GRF)
        for configuration in _with(case.source)
    ],
)
def test_kernels_with_more_values_than_registers_equal_pocl(
    case: Case, configuration: str, tmp_path: Path
) -> None:
    report, found = run(case, configuration, tmp_path)
    assert report == ""
    source = (KERNELS / "src" / f"{case.source}.cl").read_text()
    for result, wanted in zip(found, run_pocl(case, source), strict=True):
        np.testing.assert_array_equal(result, wanted)


def _fold(depth: int, seed: int) -> int:
    """What the kernel `recursion` computes, modulo 2**32."""
    if depth <= 0:
        return seed
    before = seed * 3 + depth & 0xFFFFFFFF
    return before + 7 * _fold(depth - 1, before ^ depth) & 0xFFFFFFFF


@pytest.mark.parametrize("configuration", _with("recursion"))
def test_every_level_of_a_recursion_keeps_its_values(configuration: str, tmp_path: Path) -> None:
    values = _values(96)
    case = Case("recursion", "recursion", (96,), (32,), [values, np.zeros(96, np.int32)])
    report, found = run(case, configuration, tmp_path)
    assert report == ""
    wanted = [_fold(item % 7, int(seed)) for item, seed in enumerate(values.view(np.uint32))]
    np.testing.assert_array_equal(found[1].view(np.uint32), np.array(wanted, np.uint32))


@pytest.mark.parametrize("configuration", _with("assertions"))
@pytest.mark.parametrize("failing", [[], [5], [5, 40, 41]])
def test_failed_assertions_are_reported_with_their_work_items(
    configuration: str, failing: list[int], tmp_path: Path
) -> None:
    values = np.arange(64, dtype=np.int32)
    values[failing] += 100
    case = Case("assertions", "assertions", (64,), (32,), [values, np.zeros(64, np.int32)])
    report, _ = run(case, configuration, tmp_path)
    wanted = [
        f"assertions.cl:8: assertions: global id: [{item},0,0], local id: [{item % 32},0,0] "
        "Assertion `p[i] <= 100` failed."
        for item in failing
    ]
    assert report.split("\n")[: len(wanted)] == wanted
    assert not report[len("\n".join(wanted)) :].strip()


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_every_lane_calls_the_function_that_its_pointer_says(
    configuration: str, tmp_path: Path
) -> None:
    chosen = np.array([0, 1, 2, 0, 2, 1, 0, 0] * 8, np.int32)
    item = np.arange(64, dtype=np.int32)
    case = Case(
        "function_pointers", "function_pointers", (64,), (32,), [chosen, np.zeros(64, np.int32)]
    )
    module = MODULES / "linked" / configuration / "function_pointers.zebin"
    launch = run_simulated(case, module, tmp_path)
    assert launch.report == ""
    wanted = np.choose(chosen, [2 * item + 3, -item - 1, item**3])
    np.testing.assert_array_equal(launch.buffers[1], wanted)
