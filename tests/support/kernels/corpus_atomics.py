"""Launches of tests/kernels/corpus/atomics: results that no order of work-items changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.support.kernels.kernel_case import Array, Case
from tests.support.kernels.kernel_inputs import ints, whole_floats

_C11 = ints(64, -999, 999, seed=140)


def _c11(arguments: Sequence[Any], _lanes: int) -> None:
    words, unsigned, flag, x, won = arguments
    words[0] += x.sum()
    words[1] -= x.sum()
    words[2] |= (
        np.bitwise_or.reduce(1 << (x & 31).astype(np.int64)).astype(np.uint32).view(np.int32)
    )
    words[3] ^= np.bitwise_xor.reduce(x)
    words[4] &= np.bitwise_and.reduce(x | 0xFF)
    words[5] = min(words[5], x.min())
    words[6] = max(words[6], x.max())
    words[7] = 1000
    words[8:] = x.reshape(-1, 32).sum(axis=1)
    unsigned[0] = x.view(np.uint32).max()
    flag[0] = 1
    won[0] = 3


def _winners(buffers: Sequence[Any]) -> Sequence[Array]:
    """Exactly one work-item exchanged, and one set the flag, whichever they were."""
    *others, won = buffers
    return [*others, np.array([(won & 1).sum(), (won >> 1).sum()])]


CASES = [
    Case(
        "local_atomics",
        "local_atomics",
        (64,),
        (32,),
        [ints(64, -999, 999, seed=141), np.zeros(28, np.int32)],
    ),
    Case(
        "wide_atomics",
        "wide_atomics",
        (64,),
        (32,),
        [
            np.array([2**40, 7, 1, 2, 3, 4, -1, 0, 2**60, 1, 2**33], np.int64),
            np.array([2**62, 9], np.uint64),
            ints(64, -(2**45), 2**45, np.int64, 142),
        ],
    ),
    Case(
        "float_loops",
        "float_loops",
        (64,),
        (32,),
        [whole_floats(64, -99, 99, 143), np.zeros(3, np.float32)],
    ),
    Case(
        "c11_atomics",
        "c11_atomics",
        (64,),
        (32,),
        [
            np.array([1, 2, 0, 3, -1, 5, 6, 9, 0, 0], np.int32),
            np.zeros(1, np.uint32),
            np.zeros(1, np.int32),
            _C11,
            np.zeros(64, np.int32),
        ],
        reference=_c11,
        digest=_winners,
    ),
    Case(
        "float_atomics",
        "float_atomics",
        (64,),
        (32,),
        [np.array([1, 5, 5], np.float32), whole_floats(64, -99, 99, 144)],
    ),
    Case(
        "work_queue",
        "work_queue",
        (32,),
        (16,),
        [
            np.zeros(1, np.uint32),
            ints(100, 0, 2**32 - 1, np.uint32, 145),
            np.zeros(100, np.uint32),
            np.uint32(100),
        ],
    ),
    Case(
        "hash_table",
        "hash_table",
        (64,),
        (32,),
        [
            ints(64, 1, 60, np.uint32, 146) * np.uint32(7919),
            np.zeros(128, np.uint32),
            np.zeros(128, np.uint32),
            np.uint32(127),
        ],
        unordered=frozenset({1}),
    ),
]
