"""Conversions to and from bf16, tf32, bf8 and stochastic rounding, against exact rationals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.xe.execution_bench import Bench, assemble, needs_iga64

pytestmark = [needs_iga64, pytest.mark.native]

LANES = 16
Array = npt.NDArray[Any]
MODES = range(4)  # nearest even, up, down, towards zero


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as running:
        yield running


def float_of(bits: int, exponent_bits: int, mantissa_bits: int) -> float:
    """The number of a format's bits."""
    bias = (1 << (exponent_bits - 1)) - 1
    sign = -1.0 if bits >> (exponent_bits + mantissa_bits) else 1.0
    exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1)
    mantissa = bits & ((1 << mantissa_bits) - 1)
    if exponent == (1 << exponent_bits) - 1:
        return float("nan") if mantissa else sign * float("inf")
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * ((1 << mantissa_bits) + mantissa) * 2.0 ** (exponent - bias - mantissa_bits)


FORMATS = {"bf": (8, 7), "tf32": (8, 10), "hf": (5, 10), "bf8": (5, 2)}


def nearest_bits(value: float, kind: str, mode: int) -> int:
    """The bits of the representable number that the rounding mode chooses: by bisection over all
    finite magnitudes, which are ordered as their bits are."""
    exponent_bits, mantissa_bits = FORMATS[kind]
    sign = int(np.signbit(value)) << (exponent_bits + mantissa_bits)
    infinity = ((1 << exponent_bits) - 1) << mantissa_bits
    if np.isinf(value):
        return sign | infinity
    magnitude = Fraction(abs(value))
    low, high = 0, infinity  # bits of magnitudes: low <= magnitude < high
    while high - low > 1:
        middle = (low + high) // 2
        if Fraction(float_of(middle, exponent_bits, mantissa_bits)) <= magnitude:
            low = middle
        else:
            high = middle
    below = Fraction(float_of(low, exponent_bits, mantissa_bits))
    if below == magnitude:
        return sign | low
    unit = below - Fraction(float_of(low - 1, exponent_bits, mantissa_bits)) if low else None
    above = (
        Fraction(float_of(high, exponent_bits, mantissa_bits))
        if high != infinity
        else below + (unit or 0)
    )
    middle_value = (below + above) / 2
    up = {
        0: magnitude > middle_value or (magnitude == middle_value and low & 1 == 1),
        1: not sign,
        2: bool(sign),
        3: False,
    }[mode]
    return sign | (high if up else low)


def floats(seed: int, dtype: npt.DTypeLike) -> Array:
    """Random bits, that is numbers of every magnitude, with a few special ones."""
    rng = np.random.default_rng(seed)
    size = np.dtype(dtype).itemsize
    values = np.frombuffer(rng.bytes(LANES * size), dtype).copy()
    values[:4] = [0.0, -0.0, np.inf, -np.inf]
    values[np.isnan(values)] = 1.5
    return values


def convert(
    bench: Bench, into: str, source: str, data: bytes, size: int, mode: int, device: str = "pvc"
) -> list[int]:
    """What `mov` makes of sixteen elements, as bits of `size` bytes."""
    text = f"or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud {mode << 4}:ud\n"
    text += f"mov (16|M0) r10.0<1>:{into} r20.0<1;1,0>:{source}"
    bench.start(assemble(text, device), 0xFFFF, device)
    bench.write_grf(20, np.frombuffer(data, np.uint8))
    ran = bench.run(2)
    assert ran.outcome == "budget", ran.report
    return [int(value) for value in bench.read_grf(10, f"u{size}", LANES)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("into", "source", "size", "shift", "device"),
    [
        *(("bf", "f", 2, 0, device) for device in EACH_PLATFORM),
        *(("hf", "f", 2, 0, device) for device in EACH_PLATFORM),
        *(("tf32", "f", 4, 13, device) for device in ("pvc", "bmg")),
        *(("bf8", "hf", 1, 0, device) for device in ("pvc", "bmg")),
    ],
)
def test_narrowing_rounds_once(
    bench: Bench, into: str, source: str, size: int, shift: int, device: str, mode: int
) -> None:
    for seed in range(12):
        values = floats(seed, np.float32 if source == "f" else np.float16)
        if seed % 3 == 0:  # ties
            bits = values.view(f"u{values.itemsize}")
            dropped = 8 * values.itemsize - 1 - sum(FORMATS[into])
            bits[4:] = bits[4:] >> dropped << dropped | 1 << (dropped - 1)
            values[~np.isfinite(values)] = 3.0
        actual = convert(bench, into, source, values.tobytes(), size, mode, device)
        expected = [nearest_bits(float(value), into, mode) << shift for value in values]
        assert actual == expected, (seed, values)


@pytest.mark.parametrize(
    ("kind", "into", "bytes_each"),
    [("bf", "f", 2), ("bf8", "hf", 1), ("hf", "f", 2)],
)
def test_widening_is_exact(bench: Bench, kind: str, into: str, bytes_each: int) -> None:
    count = 1 << 8 * bytes_each
    step = 1 if count == 256 else 4099
    patterns = np.array([pattern % count for pattern in range(0, LANES * step * 16, step)])
    for first in range(0, len(patterns), LANES):
        chunk = patterns[first : first + LANES].astype(f"u{bytes_each}")
        size = 4 if into == "f" else 2
        actual = convert(bench, into, kind, chunk.tobytes(), size, 0)
        numbers = np.array(actual, f"u{size}").view(f"f{size}").astype(np.float64)
        expected = [float_of(int(pattern), *FORMATS[kind]) for pattern in chunk]
        assert np.array_equal(numbers, expected, equal_nan=True)


@pytest.mark.parametrize("device", ["pvc", "bmg"])  # dg2 has no such instruction
@pytest.mark.parametrize(
    ("into", "source", "size", "random_bits"), [("hf", "f", 2, 13), ("bf8", "hf", 1, 8)]
)
def test_stochastic_rounding_goes_up_as_often_as_the_number_is_near(
    bench: Bench, into: str, source: str, size: int, random_bits: int, device: str
) -> None:
    """Of all random numbers, those that go up are as many as the fraction says."""
    dtype = np.float32 if source == "f" else np.float16
    text = f"srnd (16|M0) r10.0<1>:{into} r20.0<1;1,0>:{source} r30.0<1;1,0>:{source}"
    code = assemble(text, device)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        values = (rng.uniform(-4, 4, LANES)).astype(dtype)
        random = rng.integers(0, 1 << random_bits, LANES)
        bench.start(code, 0xFFFF, device)
        bench.write_grf(20, values)
        bench.write_grf(30, random.astype(np.uint32 if source == "f" else np.uint16))
        ran = bench.run(1)
        assert ran.outcome == "budget", ran.report
        for lane in range(LANES):
            low = nearest_bits(float(values[lane]), into, 3)
            below, above = (
                Fraction(abs(float_of(low + step, *FORMATS[into]))) for step in range(2)
            )
            fraction = (Fraction(abs(float(values[lane]))) - below) / (above - below)
            up = fraction + Fraction(int(random[lane]), 1 << random_bits) >= 1
            assert bench.read_grf(10, f"u{size}", LANES)[lane] == low + int(up)


@pytest.mark.parametrize("name", ["add", "mul"])
def test_arithmetic_on_bfloat_is_rounded_from_single_precision(bench: Bench, name: str) -> None:
    text = f"{name} (16|M0) r10.0<1>:bf r20.0<1;1,0>:f r30.0<1;1,0>:bf"
    for seed in range(4):
        a, b = floats(seed, np.float32), floats(seed + 9, np.float32)
        b = (b.view(np.uint32) >> 16 << 16).view(np.float32)
        bench.start(assemble(text, "pvc"), 0xFFFF, "pvc")
        bench.write_grf(20, a)
        bench.write_grf(30, (b.view(np.uint32) >> 16).astype(np.uint16))
        assert bench.run(1).outcome == "budget"
        with np.errstate(all="ignore"):
            exact = a + b if name == "add" else a * b
        for lane, actual in enumerate(bench.read_grf(10, np.uint16, LANES)):
            if np.isnan(exact[lane]):
                assert np.isnan(float_of(int(actual), 8, 7))
            else:
                assert int(actual) == nearest_bits(float(exact[lane]), "bf", 0)
