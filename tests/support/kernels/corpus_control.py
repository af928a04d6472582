"""Launches of tests/kernels/corpus/control."""

from __future__ import annotations

import numpy as np

from tests.support.kernels.kernel_case import Case
from tests.support.kernels.kernel_inputs import ints
from tests.support.kernels.structured_programs import COMMITTED, launch

_TEXT = np.frombuffer(b"ab 12 #x; q9 z#;77 word,more 5#4;;a1b2 c# never ends 3 ", np.uint8)


def _texts(count: int, length: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    starts = np.arange(count)[:, None] * 7 + np.arange(length)[None, :]
    return _TEXT[starts % _TEXT.size].ravel().copy()


# For the stack machine of bytecode.cl; operation and operand.
_PUSH, _ADD, _MULTIPLY, _SUBTRACT, _DUPLICATE, _SWAP, _JUMP, _STORE, _LOAD, _HALT = range(10)
_FACTORIAL = [
    *((_PUSH, 1), (_STORE, 0), (_LOAD, 3)),
    *((_DUPLICATE, 0), (_LOAD, 0), (_MULTIPLY, 0), (_PUSH, 3), (_ADD, 0), (_STORE, 0)),
    *((_PUSH, 1), (_SUBTRACT, 0), (_DUPLICATE, 0), (_JUMP, -10), (_HALT, 0)),
]
_SQUARES = [
    *((_LOAD, 3), (_DUPLICATE, 0), (_MULTIPLY, 0), (_PUSH, 5), (_SWAP, 0), (_SUBTRACT, 0)),
    *((_DUPLICATE, 0), (_JUMP, 1), (_HALT, 0), (_STORE, 0), (_HALT, 0)),
]


def _bytecode() -> Case:
    code = np.array(_FACTORIAL + _SQUARES, np.int8).ravel()
    starts = np.where(np.arange(32) % 3 == 0, len(_FACTORIAL), 0).astype(np.int32)
    return Case("bytecode", "bytecode", (32,), (32,), [code, starts, np.zeros(32, np.int32)])


def _switch_values() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    values = np.array([3, 1000, -77, 1 << 40, 500000, 12, -1, 1 << 32], np.int64)
    return np.tile(values, 8)


CASES = [
    Case(
        "switches",
        "switches",
        (64,),
        (32,),
        [ints(64, -99, 99, seed=80), _switch_values(), np.zeros(128, np.int32)],
    ),
    Case("loops", "loops", (64,), (32,), [ints(64, 0, 127, seed=81), np.zeros(64, np.int32)]),
    Case(
        "early_return",
        "early_return",
        (64,),
        (32,),
        [ints(64, -3, 200, seed=82), np.full(64, 7, np.int32), np.int32(57)],
    ),
    Case(
        "state_machine",
        "state_machine",
        (64,),
        (32,),
        [_texts(64, 24), np.zeros(64, np.int32), np.int32(24)],
    ),
    Case(
        "deep_calls", "deep_calls", (32,), (16,), [ints(32, 0, 31, seed=83), np.zeros(32, np.int32)]
    ),
    Case(
        "short_circuits",
        "short_circuits",
        (64,),
        (32,),
        [ints(64, -99, 99, seed=84), np.zeros(64, np.int32), np.int32(64)],
    ),
    _bytecode(),
    Case("quicksort", "quicksort", (16,), (16,), [ints(16 * 24, -999, 999, seed=85), np.int32(24)]),
    Case(
        "barriers_in_loops",
        "barriers_in_loops",
        (128,),
        (64,),
        [ints(128, 0, 65535, seed=86), np.zeros(128, np.int32), np.int32(5)],
    ),
    Case(
        "collatz",
        "collatz",
        (64,),
        (32,),
        [
            ints(64, 1, 9999, np.uint32, 87),
            np.zeros(64, np.uint32),
            np.zeros(64, np.uint64),
        ],
    ),
    *map(launch, COMMITTED),
]
