"""Rounding and denormal modes, saturation and modifiers of every floating-point operation, against
exact rationals that a model of its own rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.xe.execution_bench import Bench, assemble, needs_iga64
from tests.support.xe.float_modes import (
    DTYPES,
    KEEPS_DENORMALS,
    LANES,
    MODES,
    PRECISION,
    SMALLEST_EXPONENT,
    Array,
    flushed,
    rounded,
)

pytestmark = [needs_iga64, pytest.mark.native]

DEVICE_KINDS = [
    (device, kind)
    for device in EACH_PLATFORM
    for kind in DTYPES
    if (device, kind) != ("dg2", "df")  # which has no 64-bit floating point
]


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as running:
        yield running


def operands(kind: str, seed: int) -> Array:
    """Numbers of the type whose sums and products meet: some tiny, some near each other."""
    rng = np.random.default_rng(seed)
    span = -SMALLEST_EXPONENT[kind] if seed % 3 == 0 else 12
    significands = rng.integers(1, 1 << PRECISION[kind], LANES).astype(np.float64)
    scale = rng.integers(-span, min(span, 12) + 1, LANES) - PRECISION[kind]
    signs = rng.choice([-1.0, 1.0], LANES)
    with np.errstate(all="ignore"):
        return (signs * np.ldexp(significands, scale)).astype(DTYPES[kind])


Function = Callable[[Fraction, Fraction, Fraction], Fraction]
FUNCTIONS: dict[str, tuple[int, Function]] = {
    "add": (2, lambda a, b, c: a + b),
    "mul": (2, lambda a, b, c: a * b),
    "mad": (3, lambda a, b, c: a + b * c),
    "mac": (2, lambda a, b, c: c + a * b),  # c: the accumulator
}


def source(register: int, kind: str, index: int, count: int, modifier: str) -> str:
    region = "<1>" if count == 3 and index == 2 else "<1;0>" if count == 3 else "<1;1,0>"
    return f"{modifier}r{register}.0{region}:{kind}"


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("device", "kind"), DEVICE_KINDS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_exact_and_then_rounded_once(
    bench: Bench, name: str, device: str, kind: str, mode: int, keep: bool
) -> None:
    count, function = FUNCTIONS[name]
    for seed in range(6):
        rows = [operands(kind, 3 * seed + index) for index in range(3)]
        modifiers = [["", "-"][seed & 1], ["", "(abs)"][seed >> 1 & 1], ["", "-(abs)"][seed >> 2]]
        sources = " ".join(
            source(20 + 10 * index, kind, index, count, modifiers[index]) for index in range(count)
        )
        text = f"{name} (8|M0) r10.0<1>:{kind} {sources}"
        bench.start(assemble(text, device), 0xFF, device)
        bench.write("control", 0, (mode << 4 | keep * KEEPS_DENORMALS[kind]).to_bytes(4, "little"))
        for index in range(count):
            bench.write_grf(20 + 10 * index, rows[index])
        bench.write("acc", 0, rows[2].tobytes())
        ran = bench.run(1)
        assert ran.outcome == "budget", ran.report
        actual = bench.read_grf(10, DTYPES[kind], LANES)
        for lane in range(LANES):
            values = []
            for index in range(3):
                row = rows[index]
                if index < count:
                    row = flushed(row, kind, keep=keep)
                value = Fraction(float(row[lane]))
                if index < count:
                    value = abs(value) if "abs" in modifiers[index] else value
                    value = -value if modifiers[index].startswith("-") else value
                values.append(value)
            exact = function(*values)
            expected = rounded(exact, kind, mode) if exact != 0 else 0.0
            if exact != 0 and not keep and abs(exact) < float(np.finfo(DTYPES[kind]).tiny):
                if abs(expected) >= float(np.finfo(DTYPES[kind]).tiny):
                    continue  # rounds to the smallest normal number: either way is one rounding
                expected = 0.0
            assert float(actual[lane]) == expected, (text, values, mode, keep)


@pytest.mark.parametrize(("device", "kind"), DEVICE_KINDS)
def test_saturation_is_into_zero_to_one(bench: Bench, device: str, kind: str) -> None:
    values = np.array([-1.5, -0.0, 0.25, 1.0, 1.5, np.inf, -np.inf, np.nan], DTYPES[kind])
    text = f"add (8|M0) (sat)r10.0<1>:{kind} r20.0<1;1,0>:{kind} r30.0<1;1,0>:{kind}"
    bench.start(assemble(text, device), 0xFF, device)
    bench.write_grf(20, values)
    bench.write_grf(30, np.zeros(LANES, DTYPES[kind]))
    bench.run(1)
    expected = [0.0, 0.0, 0.25, 1.0, 1.0, 1.0, 0.0, 0.0]
    assert bench.read_grf(10, DTYPES[kind], LANES).tolist() == expected


@pytest.mark.parametrize("kind", ["hf", "f"])
def test_a_fraction_is_below_one_and_never_negative(bench: Bench, kind: str) -> None:
    values = np.array([1.75, -1.75, -1e-8, -0.0, 3.0, -3.0, 0.5, -0.25], DTYPES[kind])
    bench.start(assemble(f"frc (8|M0) r10.0<1>:{kind} r20.0<1;1,0>:{kind}", "pvc"), 0xFF, "pvc")
    bench.write_grf(20, values)
    bench.run(1)
    actual = bench.read_grf(10, DTYPES[kind], LANES)
    below_one = float(np.nextafter(DTYPES[kind](1), DTYPES[kind](0)))
    third = below_one if float(values[2]) != 0.0 else 0.0
    assert actual.tolist() == [0.75, 0.25, third, 0.0, 0.0, 0.0, 0.5, 0.75]
    assert not np.signbit(actual).any()


@pytest.mark.parametrize(("condition", "holds"), [("ov", np.isinf), ("un", np.isnan)])
def test_overflow_and_unordered_flags(
    bench: Bench, condition: str, holds: Callable[[Array], Array]
) -> None:
    a = np.array([3e38, np.inf, np.nan, 1.0, -3e38, 0.0, -np.inf, 2.0], np.float32)
    b = np.array([3e38, 1.0, 1.0, np.nan, -3e38, 0.0, np.inf, 1.0], np.float32)
    text = f"add (8|M0) ({condition})f0.0 r10.0<1>:f r20.0<1;1,0>:f r30.0<1;1,0>:f"
    bench.start(assemble(text, "pvc"), 0xFF, "pvc")
    bench.write_grf(20, a)
    bench.write_grf(30, b)
    bench.run(1)
    with np.errstate(all="ignore"):
        truth = holds(a + b)
    assert bench.flag() == sum(1 << lane for lane in range(LANES) if truth[lane])
