"""Elements and vectors at addresses that compilers do not know to be aligned so: what messages
take is as any other access, and what they do not is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.kernels.committed_kernels import run
from tests.support.kernels.kernel_case import Case
from tests.support.kernels.kernel_launch import CONFIGURATIONS, Launch

ITEMS = 32
BYTES = np.random.default_rng(7).integers(0, 256, 16 * ITEMS + 16).astype(np.uint8)
VECTOR, ELEMENT = 0, 1  # what the kernel reads


def launch(configuration: str, by: int, narrow: int, directory: Path) -> Launch:
    arguments = [BYTES, np.zeros((ITEMS, 4), np.int32), np.int32(by), np.int32(narrow)]
    case = Case("misaligned", "misaligned", (ITEMS,), (16,), arguments)
    return Launch(*run(case, configuration, directory))


def read_by_host(by: int) -> np.ndarray:
    return BYTES[by : by + 16 * ITEMS].view(np.int32).reshape(ITEMS, 4)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_vectors_are_read_at_multiples_of_their_elements(
    configuration: str, tmp_path: Path
) -> None:
    for by in (4, 12):
        done = launch(configuration, by, VECTOR, tmp_path)
        assert done.report == ""
        found = done.buffers[1].reshape(ITEMS, 4)
        np.testing.assert_array_equal(found, read_by_host(by))


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_vectors_between_elements_are_refused(configuration: str, tmp_path: Path) -> None:
    for by in (1, 2, 3):
        done = launch(configuration, by, VECTOR, tmp_path)
        assert "kernel misaligned, thread 0.0.0.0, work-group (0,0,0)" in done.report
        assert "address that is not a multiple of 4 bytes" in done.report
        assert not done.buffers[1].any()


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_elements_are_read_anywhere_by_the_load_store_cache(
    configuration: str, tmp_path: Path
) -> None:
    """The data cache, which the older compiler uses on dg2, reads dwords at multiples of 4."""
    for by in (1, 2, 3):
        done = launch(configuration, by, ELEMENT, tmp_path)
        if configuration.startswith("igc1-dg2"):
            assert "address that is not a multiple of 4 bytes" in done.report
            continue
        assert done.report == ""
        found = done.buffers[1].reshape(ITEMS, 4)[:, 0]
        np.testing.assert_array_equal(found, read_by_host(by)[:, 0])
