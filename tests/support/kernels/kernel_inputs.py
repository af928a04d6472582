"""Inputs of kernels: the same numbers in every run."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]


def floats(
    count: int, low: float = -8.0, high: float = 8.0, kind: type = np.float32, seed: int = 20
) -> Array:
    """``count`` floats, evenly distributed."""
    return np.random.default_rng(seed).uniform(low, high, count).astype(kind)


def whole_floats(count: int, low: int, high: int, seed: int = 20) -> Array:
    """Floats without a fraction: sums of them are the same in any order."""
    return ints(count, low, high, seed=seed).astype(np.float32)


def ints(
    count: int, low: int, high: int, kind: type[np.generic] = np.int32, seed: int = 20
) -> Array:
    """``count`` integers from ``low`` to ``high``, both included."""
    random = np.random.default_rng(seed)
    wide = np.uint64 if high >= 2**63 else np.int64
    return random.integers(low, high, count, dtype=wide, endpoint=True).astype(kind)


def all_bits(count: int, kind: type[np.generic], seed: int = 20) -> Array:
    """``count`` integers of every magnitude and sign, the extremes of the type first."""
    limits = np.iinfo(kind)
    random = np.random.default_rng(seed)
    shift = random.integers(0, limits.bits, count, dtype=np.uint64)
    values = random.integers(0, 2**63, count, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    values = (values >> np.uint64(64 - limits.bits)) >> shift
    result = values.astype(kind)
    result[1::2] = ~result[1::2]
    first = [limits.min, limits.max, 0, 1, limits.max - 1, limits.min + 1]
    result[: len(first)] = np.array(first, dtype=kind)
    return result
