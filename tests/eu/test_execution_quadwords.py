"""Integer results that need more than 64 bits to be right, against Python's integers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.support.xe.execution_bench import Bench, assemble, needs_iga64

pytestmark = [needs_iga64, pytest.mark.native]

LANES = 16
Array = npt.NDArray[Any]
DTYPES: dict[str, Any] = {
    "b": np.int8, "ub": np.uint8, "w": np.int16, "uw": np.uint16,
    "d": np.int32, "ud": np.uint32, "q": np.int64, "uq": np.uint64,
    "hf": np.float16, "f": np.float32, "df": np.float64,
}  # fmt: skip


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as running:
        yield running


def operands(kind: str, seed: int) -> Array:
    """Extremes and random numbers of every magnitude."""
    rng = np.random.default_rng(seed)
    info = np.iinfo(DTYPES[kind])
    ends: list[int] = [info.min, info.max, 0, 1, info.max - 1, info.max // 2 + 1]
    random = [
        int(rng.integers(info.min, info.max, dtype=DTYPES[kind], endpoint=True))
        for _ in range(LANES)
    ]
    shifted = [value >> int(rng.integers(0, info.bits)) for value in random]
    values = (ends + shifted)[:LANES]
    return np.array(values[seed % LANES :] + values[: seed % LANES], DTYPES[kind])


def execute(bench: Bench, text: str, sources: list[Array], into: str) -> Array:
    """Destination r10 of `text` on pvc with `sources` in r20, r30 and r40."""
    bench.start(assemble(text, "pvc"), 0xFFFF, "pvc")
    for index, values in enumerate(sources):
        bench.write_grf(20 + 10 * index, values)
    ran = bench.run(1)
    assert ran.outcome == "budget", (text, ran.report)
    return bench.read_grf(10, DTYPES[into], LANES)


def kept(value: int, kind: str, *, saturate: bool) -> int:
    info = np.iinfo(DTYPES[kind])
    if saturate:
        return min(max(value, int(info.min)), int(info.max))
    return (value - int(info.min)) % (1 << info.bits) + int(info.min)


def overflows(value: int, kind: str) -> bool:
    info = np.iinfo(DTYPES[kind])
    return not int(info.min) <= value <= int(info.max)


FUNCTIONS: dict[str, Callable[..., int]] = {
    "mov": lambda a: a,
    "add": operator.add,
    "mul": operator.mul,
    "avg": lambda a, b: (a + b + 1) >> 1,
    "add3": lambda a, b, c: a + b + c,
    "mad": lambda a, b, c: a + b * c,
}
CASES = [
    ("mov", "d q"), ("mov", "ub uq"), ("mov", "uq q"), ("mov", "q uq"), ("mov", "w d"),
    ("add", "q q q"), ("add", "uq uq uq"), ("add", "q uq q"), ("add", "d d d"), ("add", "ud ud d"),
    ("add", "w w w"), ("mul", "d d d"), ("mul", "ud ud ud"), ("mul", "w w w"),
    ("avg", "d d d"), ("add3", "d d d d"), ("add3", "ud ud ud ud"), ("mad", "d d w w"),
]  # fmt: skip


def instruction(name: str, kinds: list[str], *, saturate: bool, flag: str) -> str:
    regions = ["<1;0>", "<1;0>", "<1>"] if len(kinds) == 4 else ["<1;1,0>"] * 3
    sources = " ".join(
        f"r{20 + 10 * index}.0{regions[index]}:{kind}" for index, kind in enumerate(kinds[1:])
    )
    return f"{name} (16|M0) {flag} {'(sat)' if saturate else ''}r10.0<1>:{kinds[0]} {sources}"


@pytest.mark.parametrize("saturate", [False, True])
@pytest.mark.parametrize(("name", "types"), CASES)
def test_overflow_and_saturation(bench: Bench, name: str, types: str, saturate: bool) -> None:
    kinds = types.split()
    text = instruction(name, kinds, saturate=saturate, flag="(ov)f0.0")
    for seed in range(6):
        sources = [operands(kind, seed + index) for index, kind in enumerate(kinds[1:])]
        exact = [FUNCTIONS[name](*map(int, lane)) for lane in zip(*sources, strict=True)]
        actual = execute(bench, text, sources, kinds[0])
        expected = [kept(value, kinds[0], saturate=saturate) for value in exact]
        assert actual.tolist() == expected, text
        flags = sum(1 << lane for lane, value in enumerate(exact) if overflows(value, kinds[0]))
        assert bench.flag() == flags, text


CONDITIONS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
    "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
MODIFIERS: dict[str, Callable[[int], int]] = {
    "": lambda a: a, "-": operator.neg, "(abs)": abs, "-(abs)": lambda a: -abs(a),
}  # fmt: skip


@pytest.mark.parametrize("kinds", ["uq uq", "uq q", "q uq", "uq d", "w uq", "q q"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_comparisons_of_unsigned_quadwords_with_anything(
    bench: Bench, condition: str, kinds: str
) -> None:
    first, second = kinds.split()
    a, b = operands(first, 2), operands(second, 5)
    b[3:6] = a[3:6].astype(b.dtype)
    for modifier, modified in MODIFIERS.items():
        if modifier and first == "q":
            continue  # the negation of the smallest quadword has no 64 bits
        text = f"cmp (16|M0) ({condition})f0.0 r10.0<1>:ud {modifier}r20.0<1;1,0>:{first} "
        text += f"r30.0<1;1,0>:{second}"
        mask = execute(bench, text, [a, b], "ud")
        truth = [CONDITIONS[condition](modified(int(x)), int(y)) for x, y in zip(a, b, strict=True)]
        assert bench.flag() == sum(1 << lane for lane, holds in enumerate(truth) if holds), text
        assert mask.tolist() == [0xFFFFFFFF if holds else 0 for holds in truth]


@pytest.mark.parametrize("kinds", ["uq uq q", "q q uq", "uq uq uq", "d uq d"])
@pytest.mark.parametrize("condition", ["lt", "ge"])
def test_smaller_and_larger_of_mixed_quadwords(bench: Bench, condition: str, kinds: str) -> None:
    into, first, second = kinds.split()
    choose = min if condition == "lt" else max
    for saturate in (False, True):
        text = f"sel (16|M0) ({condition})f0.0 {'(sat)' if saturate else ''}r10.0<1>:{into} "
        text += f"r20.0<1;1,0>:{first} r30.0<1;1,0>:{second}"
        a, b = operands(first, 1), operands(second, 4)
        expected = [
            kept(choose(int(x), int(y)), into, saturate=saturate) for x, y in zip(a, b, strict=True)
        ]
        assert execute(bench, text, [a, b], into).tolist() == expected, text


def rounded(value: int, kind: str, mode: int) -> float:
    """`value` as the type holds it; modes 0 to 3: nearest even, up, down, towards zero."""
    precision, largest = {
        "hf": (11, 65504.0),
        "f": (24, float(np.finfo(np.float32).max)),
        "df": (53, float(np.finfo(np.float64).max)),
    }[kind]
    magnitude, sign = abs(value), -1 if value < 0 else 1
    dropped = max(0, magnitude.bit_length() - precision)
    low, rest = magnitude >> dropped, magnitude & ((1 << dropped) - 1)
    half = Fraction(rest, 1 << dropped)
    up = {
        0: half > Fraction(1, 2) or (half == Fraction(1, 2) and low & 1 == 1),
        1: rest != 0 and sign > 0,
        2: rest != 0 and sign < 0,
        3: False,
    }[mode]
    result = (low + int(up)) << dropped
    if result > largest:
        finite = mode == 3 or (mode == 1 and sign < 0) or (mode == 2 and sign > 0)
        return sign * (largest if finite else float("inf"))
    return sign * float(result)


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("into", ["hf", "f", "df"])
@pytest.mark.parametrize("kind", ["q", "uq", "d", "ud"])
def test_integers_become_floats_in_one_rounding(
    bench: Bench, kind: str, into: str, mode: int
) -> None:
    if into == "hf" and kind in ("q", "uq"):
        values = np.array(
            (
                *(2049, 2051, 4098, 4099, 65519, 65520, 2**53 + 1, 2**63 - 1),
                *(1, 0, 30001, 32784, 32785, 32816, 7, 2**62),
            ),
            DTYPES[kind],
        )
        if kind == "q":
            values[::2] = -values[::2]
    else:
        values = operands(kind, mode)
    text = f"or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud {mode << 4}:ud\n"
    text += f"mov (16|M0) r10.0<1>:{into} r20.0<1;1,0>:{kind}"
    bench.start(assemble(text, "pvc"), 0xFFFF, "pvc")
    bench.write_grf(20, values)
    ran = bench.run(2)
    assert ran.outcome == "budget", ran.report
    actual = bench.read_grf(10, DTYPES[into], LANES).astype(np.float64)
    assert actual.tolist() == [rounded(int(value), into, mode) for value in values]
