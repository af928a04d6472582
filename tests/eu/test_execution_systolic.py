"""dpas in every precision against exact sums of exact products."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.support.xe.execution_bench import REGISTER_BYTES, Bench, assemble, needs_iga64

pytestmark = [needs_iga64, pytest.mark.native]

Array = npt.NDArray[Any]
BITS = {"s8": 8, "u8": 8, "s4": 4, "u4": 4, "s2": 2, "u2": 2}
BITS |= {"hf": 16, "bf": 16, "tf32": 32, "bf8": 8}
CHANNELS = {"dg2": 8, "pvc": 16, "bmg": 16}


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as running:
        yield running


@dataclass(frozen=True)
class Product:
    """One dpas: the types of the sum and of both factors, systolic depth and repeat count."""

    platform: str
    sum_type: str
    first: str
    second: str
    depth: int
    rows: int

    @property
    def elements(self) -> int:
        """Of one stage: as many as fit into a dword, at most eight."""
        return min(8, 32 // max(BITS[self.first], BITS[self.second]))

    @property
    def text(self) -> str:
        lanes = CHANNELS[self.platform]
        return (
            f"(W) dpas.{self.depth}x{self.rows} ({lanes}|M0) r10:{self.sum_type} "
            f"r40:{self.sum_type} r60:{self.first} r90.0:{self.second}"
        )


def pack(values: Array, kind: str) -> bytes:
    """The elements of an array of any shape, lowest first, as the hardware packs them."""
    flat = values.reshape(-1)
    if kind == "bf":
        return (flat.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16).tobytes()
    if kind in ("f", "tf32"):
        return flat.astype(np.float32).tobytes()
    if kind == "hf":
        return flat.astype(np.float16).tobytes()
    if kind == "bf8":
        return (flat.astype(np.float16).view(np.uint16) >> 8).astype(np.uint8).tobytes()
    if kind in ("d", "ud"):
        return (flat.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32).tobytes()
    width = BITS[kind]
    whole = sum((int(v) & ((1 << width) - 1)) << (width * n) for n, v in enumerate(flat))
    return whole.to_bytes(len(flat) * width // 8, "little")


def unpack(data: bytes, kind: str) -> Array:
    if kind == "bf":
        return (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(np.float32)
    dtypes = {"f": np.float32, "hf": np.float16, "d": np.int32, "ud": np.uint32}
    return np.frombuffer(data, dtypes[kind])


def random_elements(rng: np.random.Generator, kind: str, shape: tuple[int, ...]) -> Array:
    """Values that the type holds exactly."""
    if kind in BITS and kind[0] in "su":
        width = BITS[kind]
        low = -(1 << (width - 1)) if kind[0] == "s" else 0
        return rng.integers(low, low + (1 << width), shape)
    if kind in ("d", "ud"):
        return rng.integers(0, 2**32, shape) - (0 if kind == "ud" else 2**31)
    precision = {"bf": 8, "hf": 11, "tf32": 11, "bf8": 3, "f": 24}[kind]
    significands = rng.integers(-(1 << precision) + 1, 1 << precision, shape)
    return significands * 2.0 ** (rng.integers(-4, 5, shape) - precision)


def execute(bench: Bench, product: Product, added: Array, first: Array, second: Array) -> Array:
    bench.start(assemble(product.text, product.platform), 0xFFFF, product.platform)
    size = REGISTER_BYTES[product.platform]
    bench.write("grf", 40 * size, pack(added, product.sum_type))
    bench.write("grf", 60 * size, pack(first, product.first))
    bench.write("grf", 90 * size, pack(second, product.second))
    ran = bench.run(1)
    assert ran.outcome == "budget", ran.report
    sums = product.rows * CHANNELS[product.platform]
    bytes_each = {"f": 4, "d": 4, "ud": 4, "hf": 2, "bf": 2}[product.sum_type]
    data = bench.read("grf", 10 * size, sums * bytes_each)
    return unpack(data, product.sum_type).reshape(product.rows, -1)


def operands(product: Product, seed: int) -> tuple[Array, Array, Array]:
    """The added rows[row, channel], the first factor[stage, channel, element] and the second
    [row, stage, element]."""
    rng = np.random.default_rng(seed)
    lanes = CHANNELS[product.platform]
    return (
        random_elements(rng, product.sum_type, (product.rows, lanes)),
        random_elements(rng, product.first, (product.depth, lanes, product.elements)),
        random_elements(rng, product.second, (product.rows, product.depth, product.elements)),
    )


INTEGERS = ["s8", "u8", "s4", "u4", "s2", "u2"]


@pytest.mark.parametrize("platform", CHANNELS)
@pytest.mark.parametrize("first", INTEGERS)
def test_integer_products_of_all_precisions_wrap(bench: Bench, platform: str, first: str) -> None:
    for number, second in enumerate(INTEGERS):
        for rows in (1, 3, 8):
            kind = "ud" if first[0] == second[0] == "u" else "d"
            product = Product(platform, kind, first, second, 8, rows)
            added, a, b = operands(product, number + rows)
            exact = added + np.einsum("snk,rsk->rn", a, b)
            actual = execute(bench, product, added, a, b)
            assert np.array_equal(actual.view(np.uint32), (exact & 0xFFFFFFFF)), product


FLOATS = [("hf", "f"), ("bf", "f"), ("hf", "hf"), ("bf", "bf")]
FLOAT_CASES = [(platform, *types) for platform in CHANNELS for types in FLOATS]
FLOAT_CASES = [case for case in FLOAT_CASES if case[0] != "dg2" or case[2] == "f"]
FLOAT_CASES += [(platform, kind, "f") for platform in ("pvc", "bmg") for kind in ("tf32", "bf8")]


@pytest.mark.parametrize(("platform", "factor", "kind"), FLOAT_CASES)
def test_floating_point_products_are_near_the_exact_sum(
    bench: Bench, platform: str, factor: str, kind: str
) -> None:
    """Each of eight stages rounds to single precision, the end to the type of the sum."""
    unit = {"f": 2.0**-23, "hf": 2.0**-10, "bf": 2.0**-7}[kind]
    for rows in (1, 2, 8):
        product = Product(platform, kind, factor, factor, 8, rows)
        added, a, b = operands(product, rows)
        actual = execute(bench, product, added, a, b)
        added = unpack(pack(added, kind), kind).reshape(added.shape)
        for row in range(rows):
            for channel in range(CHANNELS[platform]):
                terms = [
                    Fraction(float(a[s, channel, k])) * Fraction(float(b[row, s, k]))
                    for s in range(8)
                    for k in range(product.elements)
                ]
                terms.append(Fraction(float(added[row, channel])))
                bound = float(sum(map(abs, terms))) * 8 * 2.0**-24 + abs(float(sum(terms))) * unit
                error = abs(float(Fraction(float(actual[row, channel])) - sum(terms)))
                assert error <= bound, product


@pytest.mark.parametrize("platform", CHANNELS)
@pytest.mark.parametrize("factor", ["hf", "bf"])
def test_products_that_single_precision_holds_are_exact(
    bench: Bench, platform: str, factor: str
) -> None:
    product = Product(platform, "f", factor, factor, 8, 8)
    rng = np.random.default_rng(9)
    lanes = CHANNELS[platform]
    a = rng.integers(-128, 129, (8, lanes, 2)).astype(np.float64)
    b = rng.integers(-128, 129, (8, 8, 2)).astype(np.float64)
    added = rng.integers(-1000, 1000, (8, lanes)).astype(np.float64)
    exact = added + np.einsum("snk,rsk->rn", a, b)
    assert np.array_equal(execute(bench, product, added, a, b), exact)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_a_shallower_array_takes_fewer_stages(bench: Bench, depth: int) -> None:
    product = Product("dg2", "d", "s8", "s8", depth, 4)
    added, a, b = operands(product, depth)
    exact = added + np.einsum("snk,rsk->rn", a, b)
    actual = execute(bench, product, added, a, b)
    assert np.array_equal(actual.view(np.uint32), exact & 0xFFFFFFFF)


def test_special_numbers_spread_and_a_null_sum_is_zero(bench: Bench) -> None:
    text = "(W) dpas.8x1 (8|M0) r10:f null:f r60:hf r90.0:hf"
    weights = np.zeros((8, 8, 2), np.float16)
    weights[0, :, 0] = [np.inf, -np.inf, np.nan, 1, 2, 65504, 6e-8, 0]
    row = np.zeros((8, 2), np.float16)
    row[0, 0] = 2
    bench.start(assemble(text))
    bench.write_grf(60, weights)
    bench.write_grf(90, row)
    assert bench.run(1).outcome == "budget"
    expected = weights[0, :, 0].astype(np.float32) * 2
    assert np.array_equal(bench.read_grf(10, np.float32, 8), expected, equal_nan=True)


def test_disabled_channels_keep_what_they_have(bench: Bench) -> None:
    text = "dpas.8x2 (8|M0) r10:d null:d r60:s8 r90.0:s8"
    bench.start(assemble(text), 0x5A)
    bench.write_grf(10, np.full(16, 77, np.int32))
    bench.run(1)
    expected = [0 if 0x5A >> lane & 1 else 77 for lane in range(8)] * 2
    assert bench.read_grf(10, np.int32, 16).tolist() == expected


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(W) dpas.8x8 (16|M0) r10:d r40:d r60:s8 r90.0:s8", "execution size"),
        ("(W) dpas.8x8 (8|M0) r10:hf r40:hf r60:bf r90.0:bf", "types"),
        ("(W) dpas.8x8 (8|M0) r250:d r40:d r60:s8 r90.0:s8", "beyond"),
    ],
)
def test_what_the_array_cannot_do_is_reported(bench: Bench, text: str, why: str) -> None:
    bench.start(assemble(text))
    ran = bench.run(1)
    assert ran.outcome == "exception" and "dpas" in ran.report and why in ran.report
