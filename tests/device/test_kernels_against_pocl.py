"""What the simulated GPU computes is what PoCL computes from the same source and inputs.

The native modules of four compiler and optimisation pairs for each device run on the bare device,
without a driver.
Where PoCL cannot build a source, kernel_references says what its kernel computes.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.support.kernels.committed_kernels import expected, run
from tests.support.kernels.kernel_case import Case, check_results
from tests.support.kernels.kernel_cases import CASES
from tests.support.kernels.kernel_launch import CONFIGURATIONS
from tests.support.packed_modules import ZEBINS

pytestmark = pytest.mark.native


@pytest.mark.cases(30)
@pytest.mark.parametrize(
    ("number", "configuration"),
    [
        pytest.param(number, configuration, id=f"{case.kernel}-{configuration}")
        for number, case in enumerate(CASES)
        for configuration in CONFIGURATIONS
        if not (case.doubles and "-dg2-" in configuration)  # has no 64-bit floating point
    ],
)
def test_results_equal_those_of_pocl(number: int, configuration: str, tmp_path: Path) -> None:
    case = CASES[number]
    report, found = run(case, configuration, tmp_path)
    assert report == ""
    check_results(case, found, expected(number, configuration))


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_recursion_returns(configuration: str, tmp_path: Path) -> None:
    """PoCL cannot recurse, and deeper results read what was never written: compare the leaves."""
    depth = np.arange(64, dtype=np.int32) & 7
    case = Case("rec", "recurse", (64,), (16,), [depth])
    report, first = run(case, configuration, tmp_path)
    assert report == ""
    np.testing.assert_array_equal(first[0][depth < 2], depth[depth < 2])
    _, second = run(case, configuration, tmp_path)
    np.testing.assert_array_equal(first[0], second[0])


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_a_partial_last_thread_runs_only_its_lanes(configuration: str, tmp_path: Path) -> None:
    """A work-group of 37 leaves lanes over in its last thread; they must not write."""
    a, b = np.arange(111, dtype=np.float32), np.ones(111, np.float32)
    c = np.full(128, -1, np.float32)
    case = Case("vadd", "vadd", (111,), (37,), [a, b, c, np.int32(128)])
    report, (_, _, result) = run(case, configuration, tmp_path)
    assert report == ""
    np.testing.assert_array_equal(result[:111], a + b)
    np.testing.assert_array_equal(result[111:], c[111:])


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_more_groups_than_the_device_holds(configuration: str, tmp_path: Path) -> None:
    count = 1 << 18
    a = np.arange(count, dtype=np.float32)
    case = Case("vadd", "vadd", (count,), (256,), [a, a, np.zeros_like(a), np.int32(count)])
    report, (_, _, result) = run(case, configuration, tmp_path)
    assert report == ""
    np.testing.assert_array_equal(result, a + a)


def test_a_fault_names_kernel_thread_and_address(tmp_path: Path) -> None:
    c = np.zeros(16, np.float32)
    case = Case("vadd", "vadd", (16,), (16,), [c, c, np.uint64(0x1000), np.int32(16)])
    report, _ = run(case, "igc2-dg2-O0", tmp_path)
    assert re.search(
        r"^kernel vadd, thread 0\.0\.0\.0, work-group \(0,0,0\), ip 0x\w+ \(kernel \+ 0x\w+\): "
        r"page fault writing global memory at 0x1000$",
        report.strip(),
    )


def test_image_kernels_are_refused_where_they_cannot_run(tmp_path: Path) -> None:
    c = np.zeros(16, np.float32)
    case = Case("img", "image", (16,), (16,), [c, c, c, c])
    report, _ = run(case, "igc2-dg2-O0", tmp_path)
    assert "kernel img: argument 0 is an image: it takes no other value" in report
    assert not (ZEBINS / "igc2-pvc-O0" / "image.zebin").exists()
    report, _ = run(Case("img", "image", (16,), (16,), []), "igc1-pvc-O0", tmp_path)
    assert "kernel img: it uses images, which the device does not have" in report
