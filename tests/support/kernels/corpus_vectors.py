"""Launches of tests/kernels/corpus/vectors."""

from __future__ import annotations

import numpy as np

from tests.support.kernels.kernel_case import Case
from tests.support.kernels.kernel_inputs import all_bits, floats, ints


def _load_store(name: str, kind: type[np.generic]) -> Case:
    count = 16 * 16 + 1
    source = floats(count, seed=60) if kind is np.float32 else ints(count, 0, 200, kind, 60)
    return Case(
        f"load_store_{name}",
        "loads_and_stores",
        (16,),
        (16,),
        [source, np.zeros(16 * 33 + 1, kind)],
    )


CASES = [
    Case(
        "swizzles",
        "swizzles",
        (32,),
        (16,),
        [
            floats(512, seed=61),
            ints(256, -9999, 9999, seed=62),
            np.zeros(3 * 512, np.float32),
            np.zeros(3 * 256, np.int32),
        ],
    ),
    Case(
        "shuffles",
        "shuffles",
        (32,),
        (16,),
        [
            all_bits(128, np.uint32, 63),
            all_bits(256, np.uint32, 64),
            np.zeros(512, np.uint32),
            all_bits(512, np.uint8, 65),
            np.zeros(512, np.uint8),
        ],
    ),
    Case(
        "small_elements",
        "small_elements",
        (32,),
        (32,),
        [
            all_bits(512, np.int8, 66),
            all_bits(512, np.uint8, 67),
            ints(256, -9000, 9000, np.int16, 68),
            np.zeros(512, np.int8),
            np.zeros(512, np.uint8),
            np.zeros(256, np.int16),
            np.zeros(128, np.int32),
        ],
    ),
    _load_store("uchar", np.uint8),
    _load_store("ushort", np.uint16),
    _load_store("uint", np.uint32),
    _load_store("ulong", np.uint64),
    _load_store("float", np.float32),
    Case(
        "matrix4",
        "matrix4",
        (32,),
        (32,),
        [
            floats(512, -2, 2, seed=69),
            floats(128, -2, 2, seed=70),
            np.zeros(512, np.float32),
            np.zeros(128, np.float32),
            np.zeros(32, np.float32),
        ],
        relative=1e-4,
        absolute=1e-3,
    ),
]
