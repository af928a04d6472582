"""One launch of a kernel: its geometry, its inputs, and how close its results have to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]


@dataclass(frozen=True)
class Local:
    """A pointer to local memory of this many bytes."""

    size: int


@dataclass(frozen=True)
class Case:
    """One launch. An array is a buffer that is compared afterwards, a NumPy scalar a value."""

    kernel: str
    source: str
    size: tuple[int, ...]  # work-items
    group: tuple[int, ...]
    arguments: Sequence[Array | np.generic | Local | bytes]
    # Largest difference for floats, relative and absolute: contraction, order of a sum, and
    # functions whose precision OpenCL leaves to the device.
    relative: float = 0.0
    absolute: float = 0.0
    # Buffers (argument numbers) of floats with the bound that the accuracy table of OpenCL C gives
    # for their functions, in units in the last place. Both sides may be off by that much.
    ulps: Mapping[int, float] = field(default_factory=dict)
    # Buffers (argument numbers) whose elements may come in any order.
    unordered: frozenset[int] = field(default_factory=frozenset)
    # 64-bit floating point, which not every device has.
    doubles: bool = False
    # First global id of each dimension.
    offset: tuple[int, ...] = ()
    # Stands in for PoCL where that cannot build the source.
    reference: Callable[[Sequence[Any], int], None] | None = None
    # The last test for a buffer, in place of a comparison of elements.
    digest: Callable[[Sequence[Any]], Sequence[Array]] | None = None


def difference_in_ulps(result: Array, wanted: Array) -> npt.NDArray[np.float64]:
    """How far ``result`` is from ``wanted``, in units in the last place of ``wanted``.

    Equal infinities and NaN on both sides differ by 0; NaN or infinity on one side by infinity.
    """
    found, right = result.astype(np.float64), wanted.astype(np.float64)
    kind = np.finfo(wanted.dtype)
    with np.errstate(all="ignore"):
        unit = np.spacing(np.maximum(np.abs(wanted), kind.tiny)).astype(np.float64)
        distance = np.abs(found - right) / unit
    same = (found == right) | (np.isnan(found) & np.isnan(right))
    return np.where(same, 0.0, np.where(np.isfinite(distance), distance, np.inf))


def check_results(case: Case, found: Sequence[Array], expected: Sequence[Array]) -> None:
    """Compares the buffers of a launch; raises AssertionError where they are too far apart."""
    if case.digest is not None:
        found, expected = case.digest(found), case.digest(expected)
    places = [i for i, value in enumerate(case.arguments) if isinstance(value, np.ndarray)]
    for place, result, wanted in zip(places, found, expected, strict=False):
        if place in case.unordered:
            result, wanted = np.sort(result), np.sort(wanted)
        if result.dtype.kind != "f":
            np.testing.assert_array_equal(result, wanted, err_msg=f"argument {place}")
        elif place in case.ulps:
            distance = difference_in_ulps(result, wanted)
            # A result that both sides may round differently lies up to twice the bound apart.
            beyond = distance > 2 * case.ulps[place]
            assert not beyond.any(), (
                f"argument {place}: element {int(beyond.argmax())} is "
                f"{result[beyond.argmax()]!r}, should be {wanted[beyond.argmax()]!r} "
                f"({int(beyond.sum())} of {beyond.size} elements differ)"
            )
        else:
            np.testing.assert_allclose(
                result, wanted, rtol=case.relative, atol=case.absolute, err_msg=f"argument {place}"
            )
