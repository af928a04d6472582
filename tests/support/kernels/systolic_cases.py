"""Launches of kernels that multiply matrices, and the products that NumPy makes of the same."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tests.support.kernels.kernel_case import Case

ROWS, DEPTH = 8, 32  # of the left matrix: rows, bytes in a row
SUB_GROUPS = 4
SYSTOLIC_KERNELS = ("multiply_bytes", "multiply_mixed", "multiply_halves")

SPLIT_KERNELS = ("split_bytes", "split_halves", "split_again", "split_pair")
TURNS = 5  # of split_again's loop

Matrix = npt.NDArray[np.generic]


def lanes_on(configuration: str) -> int:
    """Lanes of the sub-groups that multiply matrices on the device of ``configuration``."""
    return 8 if "-dg2-" in configuration else 16


def lay_out(left: Matrix, right: Matrix, lanes: int) -> tuple[Matrix, Matrix]:
    """Arguments ``a`` and ``b``: per lane its piece of each row, and its column.

    ``left`` is [sub-group, row, k], ``right`` [sub-group, k, lane].
    """
    rows = (
        np.ascontiguousarray(left).view(np.uint8).reshape(SUB_GROUPS, ROWS, lanes, DEPTH // lanes)
    )
    columns = np.ascontiguousarray(right.transpose(0, 2, 1))
    return np.ascontiguousarray(rows.transpose(0, 2, 1, 3)).ravel(), columns.view(np.uint8).ravel()


def case(kernel: str, lanes: int) -> tuple[Case, Matrix]:
    """The launch of ``kernel``, and what it leaves in ``c``, as [sub-group, lane, row]."""
    random = np.random.default_rng(11)
    if kernel == "multiply_halves":
        left = random.uniform(-2, 2, (SUB_GROUPS, ROWS, DEPTH // 2)).astype(np.float16)
        right = random.uniform(-2, 2, (SUB_GROUPS, DEPTH // 2, lanes)).astype(np.float16)
        sums = random.uniform(-2, 2, (SUB_GROUPS, lanes, ROWS)).astype(np.float32)
        product = left.astype(np.float64) @ right.astype(np.float64)
    else:
        left = random.integers(-128, 128, (SUB_GROUPS, ROWS, DEPTH)).astype(np.int8)
        unsigned = kernel == "multiply_mixed"
        right = random.integers(0, 256, (SUB_GROUPS, DEPTH, lanes)).astype(np.uint8)
        right = right if unsigned else right.view(np.int8)
        sums = random.integers(-1000, 1000, (SUB_GROUPS, lanes, ROWS)).astype(np.int32)
        product = left.astype(np.int64) @ right.astype(np.int64)
    expected = sums + product.transpose(0, 2, 1)
    arguments = [*lay_out(left, right, lanes), sums.ravel()]
    size = SUB_GROUPS * lanes
    return Case(kernel, "systolic", (size,), (lanes,), arguments), expected


def split_case(kernel: str) -> tuple[Case, Matrix]:
    """A launch where two sub-groups share the rows of the left matrix, and the sums that it leaves.

    The sums are [pair, sub-group, lane, row].
    """
    random = np.random.default_rng(12)
    pairs, lanes = 3, 8
    rows = {"split_again": 4, "split_pair": 2}.get(kernel, ROWS)
    turns = TURNS if kernel == "split_again" else 1
    if kernel == "split_bytes":
        left = random.integers(-128, 128, (turns, pairs, rows, DEPTH)).astype(np.int8)
        right = random.integers(-128, 128, (pairs, 2, lanes, DEPTH)).astype(np.int8)
        sums = random.integers(-1000, 1000, (pairs, 2, lanes, rows)).astype(np.int32)
    else:
        left = random.integers(-8, 8, (turns, pairs, rows, DEPTH // 2)).astype(np.float16)
        right = random.integers(-8, 8, (pairs, 2, lanes, DEPTH // 2)).astype(np.float16)
        sums = random.integers(-1000, 1000, (pairs, 2, lanes, rows)).astype(np.float32)
    products = np.einsum("tprk,pslk->pslr", left.astype(np.int64), right.astype(np.int64))
    # A lane has four bytes of each row of its half.
    halves = left.view(np.uint8).reshape(turns, pairs, 2, rows // 2, lanes, DEPTH // lanes)
    pieces = np.ascontiguousarray(halves.transpose(0, 1, 2, 4, 3, 5))
    arguments = [pieces.ravel(), right.view(np.uint8).ravel(), sums.ravel()]
    if kernel == "split_again":
        arguments.append(np.int32(turns))
    launch = Case(kernel, "systolic_split", (2 * pairs * lanes,), (2 * lanes,), arguments)
    return launch, sums + products
