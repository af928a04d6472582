"""Conversions between numbers of all types, in every rounding and denormal mode, on every device:
against exact rationals that are rounded once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.xe.execution_bench import Bench, assemble, needs_iga64
from tests.support.xe.float_modes import (
    DTYPES,
    KEEPS_DENORMALS,
    LANES,
    MODES,
    SMALLEST_EXPONENT,
    flushed,
    rounded,
)

pytestmark = [needs_iga64, pytest.mark.native]

INTEGERS: dict[str, Any] = {
    **{"b": np.int8, "ub": np.uint8, "w": np.int16, "uw": np.uint16},
    **{"d": np.int32, "ud": np.uint32, "q": np.int64, "uq": np.uint64},
}
ALL = INTEGERS | DTYPES
ROUNDS = 6  # of operands, for each pair of types
ALL_KEPT = sum(KEEPS_DENORMALS.values())
ROUNDED_INTEGERS = 1 << 12  # of cr0.0: floats become integers in the rounding mode
TOWARDS_ZERO = 3  # the mode in which they do without


def pairs() -> Iterator[tuple[str, str, str]]:
    """Device, source type, destination type: one of them at least is a floating-point type."""
    for device in EACH_PLATFORM:
        for source in ALL:
            for into in ALL:
                floats = {source, into} & set(DTYPES)
                wide = {source, into} & {"q", "uq", "df"}
                mixed = {"hf"} & {source, into} and wide  # no instruction does this in one step
                narrow = {"b", "ub"} & {source, into} and "df" in floats  # nor this
                missing = mixed or narrow or (device == "dg2" and wide)
                if floats and source != into and not missing:
                    yield device, source, into


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as running:
        yield running


def operands(kind: str, other: str, seed: int) -> npt.NDArray[Any]:
    """Numbers of a type, of which many fall between two of the other, or beyond its range."""
    rng = np.random.default_rng(seed)
    if kind in INTEGERS:
        bits = 8 * np.dtype(INTEGERS[kind]).itemsize
        values = rng.integers(0, 1 << 63, LANES, np.uint64) << np.uint64(1)
        shifts = rng.integers(0, bits, LANES).astype(np.uint64) + np.uint64(64 - bits)
        return (values >> shifts).astype(INTEGERS[kind])
    dtype = DTYPES[kind]
    if other in INTEGERS:
        spread = rng.choice([1.0, 300.0, 1e5, 1e10, 1e20], LANES)
        with np.errstate(over="ignore"):
            return (rng.uniform(-1, 1, LANES) * spread).astype(dtype)
    lowest, highest = SMALLEST_EXPONENT[other] - 2, -SMALLEST_EXPONENT[other] // 2
    exponents = rng.integers(lowest, highest, LANES)
    if seed % 3 == 0:  # denormal numbers of both types
        exponents = rng.integers(lowest, lowest + 14, LANES)
    with np.errstate(all="ignore"):
        return np.ldexp(rng.choice([-1, 1], LANES) * rng.uniform(1, 2, LANES), exponents).astype(
            dtype
        )


def whole_number(exact: Fraction, mode: int) -> int:
    choices = (round(exact), math.ceil(exact), math.floor(exact), int(exact))  # round(): to even
    return choices[mode]


def converted(
    value: Any, source: str, into: str, mode: int, *, keep: bool, rounded_integers: bool
) -> float | int | None:
    """What an operand ought to become; None where both zero and the smallest number are right."""
    if source in DTYPES:
        value = flushed(np.array([value], DTYPES[source]), source, keep=keep)[0]
        if not np.isfinite(value):
            number = float(value)
            if into in DTYPES:
                return number
            limits = np.iinfo(INTEGERS[into])
            return limits.max if number > 0 else limits.min
    exact = Fraction(int(value)) if source in INTEGERS else Fraction(float(value))
    if into in INTEGERS:
        limits = np.iinfo(INTEGERS[into])
        whole = whole_number(exact, mode if rounded_integers else TOWARDS_ZERO)
        return min(max(whole, int(limits.min)), int(limits.max))
    if exact == 0:
        return float(value)
    result = rounded(exact, into, mode)
    tiny = Fraction(float(np.finfo(DTYPES[into]).tiny))
    if not keep and abs(exact) < tiny:
        return None if abs(result) >= tiny else 0.0
    return result


@pytest.mark.parametrize(("device", "source", "into"), list(pairs()))
def test_a_conversion_rounds_once(bench: Bench, device: str, source: str, into: str) -> None:
    size = {kind: np.dtype(ALL[kind]).itemsize for kind in (source, into)}
    stride = max(1, size[source] // size[into])
    code = assemble(f"mov (8|M0) r10.0<{stride}>:{into} r20.0<1;1,0>:{source}", device)
    for keep in (True, False):
        for mode in MODES:
            for seed in range(ROUNDS):
                values = operands(source, into, seed)
                bench.start(code, 0xFF, device)
                rounded_integers = seed % 2 == 1
                control = mode << 4 | keep * ALL_KEPT | rounded_integers * ROUNDED_INTEGERS
                bench.write("control", 0, control.to_bytes(4, "little"))
                bench.write_grf(20, values)
                ran = bench.run(1)
                assert ran.outcome == "budget", ran.report
                actual = bench.read_grf(10, ALL[into], LANES * stride)[::stride]
                for value, result in zip(values, actual, strict=True):
                    expected = converted(
                        value, source, into, mode, keep=keep, rounded_integers=rounded_integers
                    )
                    if expected is not None:
                        found = float(result) if into in DTYPES else int(result)
                        assert found == expected, (value, mode, keep)


def test_flags_and_the_accumulator_follow_the_rounded_integer(bench: Bench) -> None:
    values = np.array([-0.75, -0.25, 0.25, 0.75, 1.5, 2.5, -1.5, -2.5], np.float32)
    code = assemble("mov (8|M0) (ne)f0.0 r10.0<1>:d r20.0<1;1,0>:f {AccWrEn}")
    for control in (0, ROUNDED_INTEGERS):
        bench.start(code, 0xFF)
        bench.write("control", 0, control.to_bytes(4, "little"))
        bench.write_grf(20, values)
        bench.run(1)
        whole = (np.rint(values) if control else np.trunc(values)).astype(np.int32)
        assert np.array_equal(bench.read_grf(10, np.int32, 8), whole)
        assert np.array_equal(np.frombuffer(bench.read("acc", 0, 32), np.int32), whole)
        assert bench.flag() == sum(int(number != 0) << lane for lane, number in enumerate(whole))
