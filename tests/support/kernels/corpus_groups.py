"""Launches of tests/kernels/corpus/groups, with what sub-groups and work-groups compute.

PoCL has neither sub-groups nor work-group collectives: NumPy stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tests.support.kernels.kernel_case import Array, Case
from tests.support.kernels.kernel_inputs import ints, whole_floats

_LANES = 16  # that every kernel here asks for


def _by_sub_group(values: Array) -> Array:
    return values.reshape(-1, _LANES)


def _repeated(values: Array) -> Array:
    return np.repeat(values, _LANES)


def _exclusive(scan: Array, identity: object) -> Array:
    result = np.roll(scan, 1, axis=1)
    result[:, 0] = identity
    return result


def _least(kind: np.dtype[Any]) -> object:
    return -np.inf if kind.kind == "f" else np.iinfo(kind).min


def _reductions(arguments: Sequence[Any], _lanes: int) -> None:
    x, out = arguments
    parts = _by_sub_group(x)
    inclusive = np.cumsum(parts, axis=1, dtype=x.dtype)
    most = np.maximum.accumulate(parts, axis=1)
    results = [
        _repeated(parts.sum(axis=1, dtype=x.dtype)),
        _repeated(parts.min(axis=1)),
        _repeated(parts.max(axis=1)),
        inclusive,
        _exclusive(inclusive, 0),
        np.minimum.accumulate(parts, axis=1),
        _exclusive(most, _least(x.dtype)),
        _repeated(parts[:, 5]),
    ]
    out[:] = np.concatenate([each.ravel() for each in results])


def _votes(arguments: Sequence[Any], _lanes: int) -> None:
    x, out = arguments
    n = x.size
    parts = _by_sub_group(x)
    votes = (parts > 90).any(axis=1) + 2 * (parts > -90).all(axis=1) + 4 * (parts < 95).all(axis=1)
    out[:n] = _repeated(votes)
    group = 32
    lane, item = np.arange(n) % _LANES, np.arange(n) % group
    out[n : 2 * n] = _LANES + 100 * (item // _LANES) + 1000 * (group // _LANES) + 100000 * lane
    out[n : 2 * n] += _LANES
    trips = x & 7
    out[2 * n :] = trips * (trips - 1) // 2


def _shuffles(width: int) -> Callable[[Sequence[Any], int], None]:
    def model(arguments: Sequence[Any], _lanes: int) -> None:
        values, lanes, out = arguments
        x = values.reshape(-1, width)
        n = len(x)
        first = np.arange(n) // _LANES * _LANES
        lane = np.arange(n) % _LANES
        y = x[::-1]
        both_down = np.concatenate([x.reshape(-1, _LANES, width), y.reshape(-1, _LANES, width)], 1)
        both_up = np.concatenate([x.reshape(-1, _LANES, width), y.reshape(-1, _LANES, width)], 1)
        group = np.arange(n) // _LANES
        results = [
            x[first + (lanes & 15)],
            x[first + (lane ^ 5)],
            both_down[group, lane + 3],
            both_up[group, _LANES + lane - 2],
            x[first + 7],
        ]
        out[:] = np.concatenate([each.ravel() for each in results])

    return model


def _shuffle_case(name: str, values: Array, width: int = 1) -> Case:
    lanes = ints(32, 0, 99, np.uint32, 120)
    out = np.zeros(5 * values.size, values.dtype)
    arguments = [values, lanes, out]
    return Case(
        f"shuffles_{name}",
        "sub_group_shuffles",
        (32,),
        (32,),
        arguments,
        reference=_shuffles(width),
    )


def _blocks(arguments: Sequence[Any], _lanes: int) -> None:
    source, out = arguments
    lane = np.arange(_LANES, dtype=source.dtype)
    for x, to in zip(source.reshape(-1, 15, _LANES), out.reshape(-1, 15, _LANES), strict=True):
        to[0] = x[0] + lane
        to[1:3] = x[2:0:-1] + lane
        to[3:7] = x[6:2:-1] * source.dtype.type(3)
        to[7:15] = x[14:6:-1] ^ lane


def _block_case(name: str, kind: type[np.generic], high: int) -> Case:
    count = 2 * 15 * _LANES
    arguments = [ints(count, 0, high, kind, 121), np.zeros(count, kind)]
    size = 2 * _LANES
    return Case(
        f"blocks_{name}", "sub_group_blocks", (size,), (_LANES,), arguments, reference=_blocks
    )


def _ballots(arguments: Sequence[Any], _lanes: int) -> None:
    x, out = arguments
    parts = _by_sub_group(x)
    positive = parts > 0
    lane = np.arange(_LANES)
    ballot = (positive << lane).sum(axis=1)
    first = positive.argmax(axis=1)
    chosen = parts[np.arange(len(parts)), first]
    results = [
        _repeated(ballot),
        _repeated(positive.sum(axis=1)) + 100 * np.cumsum(positive, axis=1).ravel(),
        np.where(positive, (parts * positive).sum(axis=1)[:, None], 0),
        np.where(positive, chosen[:, None] + 1000 * (lane == first[:, None]), 0),
        np.repeat(x.reshape(-1, 4).max(axis=1), 4),
        np.cumsum(parts, axis=1),
        parts[:, lane ^ 9],
    ]
    out[:] = np.concatenate([each.ravel() for each in results])


def _collectives(arguments: Sequence[Any], _lanes: int) -> None:
    x, out, wide, wide_out = arguments
    groups, group = x.reshape(-1, 64), 64
    most = np.maximum.accumulate(groups, axis=1)
    results = [
        np.repeat(groups.sum(axis=1), group),
        np.repeat(groups.max(axis=1) - groups.min(axis=1), group),
        np.cumsum(groups, axis=1),
        _exclusive(most, np.iinfo(np.int32).min),
        np.repeat(groups[:, 19], group),
        np.repeat((groups > 95).any(axis=1) + 2 * (groups > -99).all(axis=1), group),
    ]
    out[:] = np.concatenate([each.ravel() for each in results])
    wide_out[:] = np.cumsum(wide.reshape(-1, 64), axis=1).ravel()


def _plane(arguments: Sequence[Any], _lanes: int) -> None:
    """Two work-groups of 8 x 8, side by side."""
    x, out = arguments
    n = x.size
    rows = x.reshape(8, 2, 8)
    results = out.reshape(3, 8, 2, 8)
    for group in range(2):
        own = rows[:, group, :]
        results[0, :, group, :] = own.sum()
        results[1, :, group, :] = own[2, 3]
        scan = np.cumsum(own.ravel())
        results[2, :, group, :] = (scan - own.ravel()).reshape(8, 8)
    assert n == 128


def _reduction_case(name: str, values: Array) -> Case:
    return Case(
        f"reductions_{name}",
        "sub_group_reductions",
        (32,),
        (32,),
        [values, np.zeros(8 * 32, values.dtype)],
        reference=_reductions,
    )


CASES = [
    _reduction_case("int", ints(32, -(2**20), 2**20, seed=122)),
    _reduction_case("uint", ints(32, 0, 2**32 - 1, np.uint32, 123)),
    _reduction_case("long", ints(32, -(2**50), 2**50, np.int64, 124)),
    _reduction_case("ulong", ints(32, 0, 2**63, np.uint64, 125)),
    _reduction_case("float", whole_floats(32, -999, 999, 126)),
    Case(
        "sub_group_votes",
        "sub_group_votes",
        (64,),
        (32,),
        [ints(64, -99, 99, seed=127), np.zeros(192, np.int32)],
        reference=_votes,
    ),
    _shuffle_case("int", ints(32, -999, 999, seed=128)),
    _shuffle_case("float", whole_floats(32, -999, 999, 129)),
    _shuffle_case("ulong", ints(32, 0, 2**63, np.uint64, 130)),
    _shuffle_case("short", ints(32, -999, 999, np.int16, 131)),
    _shuffle_case("float4", whole_floats(128, -999, 999, 132), 4),
    _block_case("uchar", np.uint8, 255),
    _block_case("ushort", np.uint16, 65535),
    _block_case("uint", np.uint32, 2**32 - 1),
    _block_case("ulong", np.uint64, 2**63),
    Case(
        "sub_group_ballots",
        "sub_group_ballots",
        (32,),
        (32,),
        [ints(32, -99, 99, seed=133), np.zeros(7 * 32, np.int32)],
        reference=_ballots,
    ),
    Case(
        "work_group_collectives",
        "work_group_collectives",
        (128,),
        (64,),
        [
            ints(128, -99, 99, seed=134),
            np.zeros(6 * 128, np.int32),
            ints(128, -(2**40), 2**40, np.int64, 135),
            np.zeros(128, np.int64),
        ],
        reference=_collectives,
    ),
    Case(
        "group_plane",
        "group_plane",
        (16, 8),
        (8, 8),
        [ints(128, -99, 99, seed=136), np.zeros(384, np.int32)],
        reference=_plane,
    ),
]
