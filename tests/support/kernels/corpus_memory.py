"""Launches of tests/kernels/corpus/memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.support.kernels.kernel_case import Array, Case, Local
from tests.support.kernels.kernel_inputs import all_bits, floats, ints


def _nested_structs() -> Case:
    point = np.dtype([("x", "<i2"), ("y", "<i2")])
    shape = np.dtype(
        {
            "names": ["tag", "corners", "value"],
            "formats": ["i1", (point, 3), "<f4"],
            "offsets": [0, 2, 16],
            "itemsize": 20,
        }
    )
    record = np.dtype([("id", "<i8"), ("shapes", (shape, 2))])
    records = np.zeros(32, record)
    records["id"] = ints(32, -(2**40), 2**40, np.int64, 90)
    records["shapes"]["tag"] = ints(64, -128, 127, np.int8, 91).reshape(32, 2)
    corners = ints(32 * 2 * 3 * 2, -90, 90, np.int16, 92).reshape(32, 2, 3, 2)
    records["shapes"]["corners"]["x"] = corners[..., 0]
    records["shapes"]["corners"]["y"] = corners[..., 1]
    records["shapes"]["value"] = floats(64, seed=93).reshape(32, 2)
    # Bytes between the members keep whatever they had, or do not: compare the members.
    holes = np.zeros(record.itemsize, bool)
    for first in (8, 28):
        holes[[first + 1, first + 14, first + 15]] = True

    def members(buffers: Sequence[Any]) -> list[Array]:
        return [buffers[0].reshape(32, -1)[:, ~holes], buffers[1]]

    arguments = [records.view(np.uint8), np.zeros(32, np.int32)]
    return Case("nested_structs", "nested_structs", (32,), (32,), arguments, digest=members)


def _program_globals(arguments: Sequence[Any], _lanes: int) -> None:
    """Of one work-group, the first that runs."""
    out = arguments[0]
    i = np.arange(out.size)
    table = (1 << i) | 256
    out[:] = 2 * (100 + i.sum()) + table[(i + 1) & 7]


def _generic_space(arguments: Sequence[Any], _lanes: int) -> None:
    data, out = arguments
    own_values = np.arange(4)
    for i in range(out.size):
        first = i // 64 * 64
        kind = i % 3
        shared = int(data[i])
        if kind == 0:
            total, own = int((i * own_values).sum()), i + 1
            place = 100000
        else:
            total = int(data[first : first + 4].sum()) if kind == 1 else int(data[:4].sum())
            own = i
            shared += i % 64 >= 4
            place = 200000 if kind == 1 else 100000
        out[i] = total + place + own + shared


def _order(count: int) -> Array:
    return np.random.default_rng(94).permutation(count).astype(np.int32)


def _lists(chains: int, length: int) -> tuple[Array, Array]:
    nodes = chains * length
    order = np.random.default_rng(95).permutation(nodes)
    pool = np.full((nodes, 2), -1, np.int32)
    pool[:, 0] = ints(nodes, -500, 500, seed=96)
    heads = np.full(chains, -1, np.int32)
    begin = 0
    for chain in range(chains - 1):  # the last one is empty
        count = 1 + chain % length
        nodes_of_chain = order[begin : begin + count]
        pool[nodes_of_chain[:-1], 1] = nodes_of_chain[1:]
        heads[chain] = nodes_of_chain[0]
        begin += count
    return pool.ravel(), heads


CASES = [
    _nested_structs(),
    Case(
        "local_pointers",
        "local_pointers",
        (192,),
        (64,),
        [
            Local(256),
            ints(192, -(2**20), 2**20, seed=94),
            Local(64),
            Local(128),
            Local(512),
            np.zeros(192, np.int64),
        ],
    ),
    Case(
        "packed_fields",
        "packed_fields",
        (64,),
        (32,),
        [
            all_bits(64, np.uint32, 97),
            ints(64 * 7, 0, 255, np.uint8, 98),
            np.zeros(64, np.int32),
        ],
    ),
    Case(
        "private_arrays",
        "private_arrays",
        (32,),
        (32,),
        [ints(32 * 24, -999, 999, seed=99), np.zeros(32 * 24, np.int32), np.zeros(32, np.uint32)],
    ),
    Case(
        "spills",
        "spills",
        (32,),
        (32,),
        [floats(144 * 32, seed=100), floats(144, -1, 1, seed=101), np.zeros(144 * 32, np.float32)],
        relative=1e-4,
        absolute=1e-4,
    ),
    Case(
        "program_scope",
        "program_scope",
        (64,),
        (32,),
        [
            ints(64, 0, 999, seed=102),
            np.zeros(64, np.int64),
            np.zeros(64, np.float32),
            ints(8, -5, 5, seed=103),
        ],
    ),
    Case(
        "program_globals",
        "program_globals",
        (8,),
        (8,),
        [np.zeros(8, np.int32)],
        reference=_program_globals,
    ),
    Case(
        "generic_space",
        "generic_space",
        (128,),
        (64,),
        [ints(128, 0, 99, seed=104), np.zeros(128, np.int32)],
        reference=_generic_space,
    ),
    Case(
        "async_copies",
        "async_copies",
        (64,),
        (32,),
        [
            ints(128, -999, 999, seed=105),
            np.zeros(128, np.int32),
            floats(256, seed=106),
            np.zeros(256, np.float32),
        ],
    ),
    Case(
        "range_queries",
        "range_queries",
        (12, 6, 4),
        (6, 3, 2),
        [np.zeros(7 * 288, np.int32)],
        offset=(3, 5, 7),
    ),
    Case(
        "every_width",
        "every_width",
        (64,),
        (32,),
        [
            all_bits(64, np.uint8, 107),
            all_bits(64, np.uint16, 108),
            all_bits(64, np.uint32, 109),
            all_bits(64, np.uint64, 110),
            np.zeros(64, np.uint8),
            np.zeros(64, np.uint16),
            np.zeros(64, np.uint32),
            np.zeros(64, np.uint64),
            _order(64),
        ],
    ),
    Case(
        "local_structs",
        "local_structs",
        (64,),
        (32,),
        [all_bits(64, np.uint64, 111), np.zeros(64, np.uint64)],
    ),
    Case("linked_list", "linked_list", (32,), (32,), [*_lists(32, 8), np.zeros(32, np.int32)]),
    Case(
        "pointer_table",
        "pointer_table",
        (32,),
        (16,),
        [ints(128, -999, 999, seed=112), np.zeros(32, np.int64)],
    ),
]
