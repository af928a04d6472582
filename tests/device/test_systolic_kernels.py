"""Matrix products that the newest compiler makes of sub-group functions, against NumPy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.kernels.committed_kernels import module_of, run
from tests.support.kernels.kernel_launch import CONFIGURATIONS, run_simulated
from tests.support.kernels.systolic_cases import (
    SPLIT_KERNELS,
    SYSTOLIC_KERNELS,
    case,
    lanes_on,
    split_case,
)
from zedbg.levelzero.scheduling import SCHEDULERS


@pytest.mark.parametrize("kernel", SYSTOLIC_KERNELS)
@pytest.mark.parametrize("configuration", [each for each in CONFIGURATIONS if "igc2" in each])
def test_matrix_products_are_those_of_numpy(
    kernel: str, configuration: str, tmp_path: Path
) -> None:
    launch, expected = case(kernel, lanes_on(configuration))
    report, buffers = run(launch, configuration, tmp_path)
    assert report == ""
    found = buffers[2].reshape(expected.shape)
    if kernel == "multiply_halves":
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-4)
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("kernel", SPLIT_KERNELS)
@pytest.mark.parametrize("configuration", ["igc2-dg2-O0", "igc2-dg2-O2"])
def test_fused_threads_share_the_rows_of_their_matrix(
    kernel: str, configuration: str, tmp_path: Path
) -> None:
    launch, expected = split_case(kernel)
    for policy in SCHEDULERS:
        options = ["--scheduler", policy, "--seed", "7"]
        found = run_simulated(launch, module_of(launch, configuration), tmp_path, options)
        assert found.report == ""
        np.testing.assert_array_equal(found.buffers[2].reshape(expected.shape), expected)


def test_a_thread_without_its_pair_cannot_share_rows(tmp_path: Path) -> None:
    launch, _ = split_case("split_bytes")
    alone = replace(launch, group=(8,))
    report, _ = run(alone, "igc2-dg2-O2", tmp_path)
    assert "dpasw" in report and "not one of a pair" in report
