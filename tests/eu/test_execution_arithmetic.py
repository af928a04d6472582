"""What arithmetic instructions compute, against numpy over random and extreme operands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.support.xe.execution_bench import Bench, assemble, needs_iga64

pytestmark = [needs_iga64, pytest.mark.native]

LANES = 8
Array = npt.NDArray[Any]

TYPES: dict[str, Any] = {
    "b": np.int8, "ub": np.uint8, "w": np.int16, "uw": np.uint16, "d": np.int32, "ud": np.uint32,
    "hf": np.float16, "f": np.float32,
}  # fmt: skip
EXTREMES: dict[str, list[float]] = {
    "d": [0, 1, -1, 2**31 - 1, -(2**31), 0x55555555, 16, 31],
    "ud": [0, 1, 2**32 - 1, 2**31, 2**31 - 1, 0xAAAAAAAA, 16, 31],
    "w": [0, 1, -1, 32767, -32768, 255, 16, 31],
    "uw": [0, 1, 65535, 32768, 32767, 255, 16, 31],
    "b": [0, 1, -1, 127, -128, 15, 16, 31],
    "ub": [0, 1, 255, 128, 127, 15, 16, 31],
    "f": [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 3.4e38, 1.5],
    "hf": [0.0, -0.0, np.inf, -np.inf, np.nan, 6e-8, 65504.0, 1.5],
}


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as running:
        yield running


def operands(kind: str, seed: int) -> list[Array]:
    """Rows of eight elements: extremes, rotated by the seed, and random ones."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(TYPES[kind])
    extreme = np.array(np.roll(EXTREMES[kind], seed), dtype)
    if dtype.kind == "f":
        noise = (rng.standard_normal(LANES) * 2.0 ** rng.integers(-10, 10)).astype(dtype)
    else:
        info = np.iinfo(dtype)
        noise = rng.integers(info.min, info.max, LANES, dtype=dtype, endpoint=True)
    return [extreme, noise]


def execute(bench: Bench, text: str, sources: list[Array], into: str) -> Array:
    """Destination r10 of `text` with `sources` in r2, r4 and r6."""
    bench.start(assemble(text))
    for index, values in enumerate(sources):
        bench.write_grf(2 + 2 * index, values)
    ran = bench.run(len(text.strip().splitlines()))
    assert ran.outcome == "budget", ran.report
    return bench.read_grf(10, TYPES[into], LANES)


def same(actual: Array, expected: Array) -> bool:
    """Bit for bit, except that all numbers that are not numbers are alike."""
    if actual.dtype.kind == "f":
        both_nan = np.isnan(actual) & np.isnan(expected)
        bits = np.dtype(f"u{actual.dtype.itemsize}")
        return bool(np.all(both_nan | (actual.view(bits) == expected.view(bits))))
    return bool(np.array_equal(actual, expected))


def wrapped(values: list[int], kind: str) -> Array:
    dtype = np.dtype(TYPES[kind])
    unsigned = np.dtype(f"u{dtype.itemsize}")
    mask = (1 << 8 * dtype.itemsize) - 1
    return np.array([value & mask for value in values], unsigned).view(dtype)


def clamped(values: list[int], kind: str) -> Array:
    info = np.iinfo(TYPES[kind])
    return np.array([min(max(value, info.min), info.max) for value in values], TYPES[kind])


def average(a: int, b: int) -> int:
    return (a + b + 1) >> 1


BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "avg": average,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


@pytest.mark.parametrize(
    "kinds", ["d d d", "ud ud ud", "d w d", "d d uw", "ud uw ub", "w w b", "d ub d"]
)
@pytest.mark.parametrize("name", BINARY)
def test_integer_operations_wrap_to_the_destination(bench: Bench, name: str, kinds: str) -> None:
    into, first, second = kinds.split()
    text = f"{name} (8|M0) r10.0<1>:{into} r2.0<1;1,0>:{first} r4.0<1;1,0>:{second}"
    for seed in range(4):
        for a in operands(first, seed):
            for b in operands(second, seed + 3):
                expected = [BINARY[name](int(x), int(y)) for x, y in zip(a, b, strict=True)]
                assert same(execute(bench, text, [a, b], into), wrapped(expected, into))


@pytest.mark.parametrize("kinds", ["d d d", "ud ud ud", "w w w", "ub ub ub", "d d w", "ud d d"])
@pytest.mark.parametrize("name", ["add", "mul"])
def test_saturation_clamps_to_the_destination(bench: Bench, name: str, kinds: str) -> None:
    into, first, second = kinds.split()
    text = f"{name} (8|M0) (sat)r10.0<1>:{into} r2.0<1;1,0>:{first} r4.0<1;1,0>:{second}"
    for seed in range(4):
        for a in operands(first, seed):
            for b in operands(second, seed + 3):
                expected = [BINARY[name](int(x), int(y)) for x, y in zip(a, b, strict=True)]
                assert same(execute(bench, text, [a, b], into), clamped(expected, into))


@pytest.mark.parametrize("kind", ["d", "ud", "w", "uw"])
def test_shifts_take_five_bits_and_the_sign_of_the_source(bench: Bench, kind: str) -> None:
    width = 8 * np.dtype(TYPES[kind]).itemsize
    for seed in range(6):
        for a in operands(kind, seed):
            counts = np.random.default_rng(seed).integers(0, 64, LANES, np.uint16)
            pairs = [(int(x), int(n) & 31) for x, n in zip(a, counts, strict=True)]
            cases = {
                "shl": [x << n for x, n in pairs],
                "shr": [(x & ((1 << width) - 1)) >> n for x, n in pairs],
                "asr": [x >> n for x, n in pairs],
            }
            for name, expected in cases.items():
                text = f"{name} (8|M0) r10.0<1>:{kind} r2.0<1;1,0>:{kind} r4.0<1;1,0>:uw"
                assert same(execute(bench, text, [a, counts], kind), wrapped(expected, kind)), name


def test_rotations(bench: Bench) -> None:
    for kind, width in (("ud", 32), ("uw", 16)):
        a = operands(kind, 1)[1]
        counts = np.array([0, 1, 5, 15, 16, 17, 31, 8], np.uint16)
        for name in ("rol", "ror"):
            expected = []
            for x, n in zip(a, counts, strict=True):
                left = int(n) % width if name == "rol" else -int(n) % width
                expected.append(int(x) << left | int(x) >> (width - left))
            text = f"{name} (8|M0) r10.0<1>:{kind} r2.0<1;1,0>:{kind} r4.0<1;1,0>:uw"
            assert same(execute(bench, text, [a, counts], kind), wrapped(expected, kind)), name


TERNARY: dict[str, Callable[[int, int, int], int]] = {
    "add3": lambda a, b, c: a + b + c,
    "mad": lambda a, b, c: a + b * c,
    "bfn.(s0&s1|s2)": lambda a, b, c: a & b | c,
    "bfn.(s0^s1^s2)": lambda a, b, c: a ^ b ^ c,
    "bfn.(~s0&s1|s0&s2)": lambda a, b, c: ~a & b | a & c,
    "bfi2": lambda a, b, c: a & b << (a & -a).bit_length() - 1 | ~a & c if a else c,
}


@pytest.mark.parametrize("name", TERNARY)
def test_operations_with_three_sources(bench: Bench, name: str) -> None:
    for kind in ("d", "ud") if name != "mad" else ("d",):
        text = f"{name} (8|M0) r10.0<1>:{kind} r2.0<1;0>:{kind} r4.0<1;0>:{kind} r6.0<1>:{kind}"
        for seed in range(4):
            rows = [operands(kind, seed + step)[step % 2] for step in range(3)]
            expected = [TERNARY[name](*map(int, lane)) for lane in zip(*rows, strict=True)]
            assert same(execute(bench, text, rows, kind), wrapped(expected, kind))


def leading_zeros(value: int) -> int:
    return 32 - (value & 0xFFFFFFFF).bit_length()


def lowest_bit(value: int) -> int:
    return (value & -value).bit_length() - 1


@pytest.mark.parametrize(
    ("name", "kind", "function"),
    [
        ("not", "ud", lambda x: ~x),
        ("bfrev", "ud", lambda x: int(f"{x:032b}"[::-1], 2)),
        ("cbit", "ud", int.bit_count),
        ("cbit", "ub", int.bit_count),
        ("lzd", "ud", leading_zeros),
        ("fbl", "ud", lowest_bit),
        ("fbl", "uw", lowest_bit),
        ("fbh", "ud", lambda x: leading_zeros(x) if x else -1),
    ],
)
def test_bit_counts(bench: Bench, name: str, kind: str, function: Callable[[int], int]) -> None:
    for seed in range(4):
        for a in operands(kind, seed):
            text = f"{name} (8|M0) r10.0<1>:ud r2.0<1;1,0>:{kind}"
            expected = wrapped([function(int(x)) for x in a], "ud")
            assert same(execute(bench, text, [a], "ud"), expected)


def test_the_first_high_bit_of_a_signed_number_is_the_first_unlike_its_sign(bench: Bench) -> None:
    a = np.array([0, -1, 1, -2, 2**31 - 1, -(2**31), 255, -256], np.int32)
    text = "fbh (8|M0) r10.0<1>:d r2.0<1;1,0>:d"
    expected = []
    for x in map(int, a):
        magnitude = ~x if x < 0 else x
        expected.append(leading_zeros(magnitude) if magnitude else -1)
    assert same(execute(bench, text, [a], "d"), wrapped(expected, "d"))


@pytest.mark.parametrize("kind", ["d", "ud"])
def test_bit_field_extraction(bench: Bench, kind: str) -> None:
    rng = np.random.default_rng(5)
    text = f"bfe (8|M0) r10.0<1>:{kind} r2.0<1;0>:{kind} r4.0<1;0>:{kind} r6.0<1>:{kind}"
    for _ in range(8):
        width = rng.integers(0, 32, LANES).astype(TYPES[kind])
        offset = rng.integers(0, 32, LANES).astype(TYPES[kind])
        value = operands(kind, int(rng.integers(99)))[1]
        expected = []
        for w, o, v in zip(width.tolist(), offset.tolist(), value.tolist(), strict=True):
            available = min(w, 32 - o)
            field = v >> o & ((1 << available) - 1)
            if kind == "d" and available and field >> (available - 1):
                field -= 1 << available
            expected.append(field)
        assert same(execute(bench, text, [width, offset, value], kind), wrapped(expected, kind))


@pytest.mark.parametrize("signed", [True, False])
def test_two_steps_through_the_accumulator_make_a_64_bit_product(
    bench: Bench, signed: bool
) -> None:
    kind = "d" if signed else "ud"
    low = f"mach (8|M0) r10.0<1>:{kind} r2.0<1;1,0>:{kind} r4.0<1;1,0>:{kind}"
    first = f"mul (8|M0) acc0.0<1>:{kind} r2.0<1;1,0>:{kind} r4.0<2;1,0>:uw"
    kept = f"{low} {{AccWrEn}}\nmov (8|M0) r12.0<1>:ud acc0.0<1;1,0>:ud"
    for seed in range(6):
        for a in operands(kind, seed):
            b = operands(kind, seed + 2)[seed % 2]
            products = [int(x) * int(y) for x, y in zip(a, b, strict=True)]
            assert same(execute(bench, f"{first}\n{low}", [a, b], kind), wrapped(products, kind))
            high = execute(bench, f"{first}\n{kept}", [a, b], kind)
            assert same(high, wrapped([p >> 32 for p in products], kind))
            assert same(bench.read_grf(12, np.uint32, LANES), wrapped(products, "ud"))


@pytest.mark.parametrize("name", ["addc", "subb"])
def test_carry_and_borrow_go_to_the_accumulator(bench: Bench, name: str) -> None:
    text = f"{name} (8|M0) r10.0<1>:ud r2.0<1;1,0>:ud r4.0<1;1,0>:ud {{AccWrEn}}\n"
    text += "mov (8|M0) r12.0<1>:ud acc0.0<1;1,0>:ud"
    sign = 1 if name == "addc" else -1
    for seed in range(8):
        a, b = operands("ud", seed)[seed % 2], operands("ud", seed + 5)[0]
        exact = [int(x) + sign * int(y) for x, y in zip(a, b, strict=True)]
        assert same(execute(bench, text, [a, b], "ud"), wrapped(exact, "ud"))
        carries = [int(not 0 <= value < 2**32) for value in exact]
        assert same(bench.read_grf(12, np.uint32, LANES), wrapped(carries, "ud"))


def test_dot_product_of_four_bytes(bench: Bench) -> None:
    text = "dp4a (8|M0) r10.0<1>:d r2.0<1;0>:d r4.0<1;0>:d r6.0<1>:ud"
    a, b, c = operands("d", 1)[1], operands("d", 2)[1], operands("ud", 3)[1]
    dots = (b.view(np.int8).astype(int) * c.view(np.uint8).astype(int)).reshape(LANES, 4).sum(1)
    expected = wrapped([int(x) + int(y) for x, y in zip(a, dots, strict=True)], "d")
    assert same(execute(bench, text, [a, b, c], "d"), expected)


@pytest.mark.parametrize("kind", ["f", "hf"])
@pytest.mark.parametrize("name", ["add", "mul"])
def test_floats_are_rounded_once(bench: Bench, kind: str, name: str) -> None:
    function = np.add if name == "add" else np.multiply
    text = f"{name} (8|M0) r10.0<1>:{kind} r2.0<1;1,0>:{kind} -r4.0<1;1,0>:{kind}"
    for seed in range(12):
        for a in operands(kind, seed):
            b = operands(kind, seed + 3)[seed % 2]
            with np.errstate(all="ignore"):
                expected = function(a, -b)
            assert same(execute(bench, text, [a, b], kind), expected)


def test_mad_is_fused(bench: Bench) -> None:
    a = np.full(LANES, -1.0, np.float32)
    b = np.array([1 + 2.0**-k for k in range(12, 20)], np.float32)
    text = "mad (8|M0) r10.0<1>:f r2.0<1;0>:f r4.0<1;0>:f r6.0<1>:f"
    exact = -1.0 + b.astype(np.float64) ** 2
    assert same(execute(bench, text, [a, b, b], "f"), exact.astype(np.float32))


@pytest.mark.parametrize(
    ("name", "function"),
    [("rndd", np.floor), ("rndu", np.ceil), ("rnde", np.rint), ("rndz", np.trunc)],
)
def test_rounding_to_integers(bench: Bench, name: str, function: Callable[[Array], Array]) -> None:
    text = f"{name} (8|M0) r10.0<1>:f r2.0<1;1,0>:f"
    halves = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, -0.3], np.float32)
    for values in (halves, *operands("f", 3), np.array(EXTREMES["f"], np.float32)):
        assert same(execute(bench, text, [values], "f"), function(values))


FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "inv": lambda x: 1 / x,
    "sqt": np.sqrt,
    "rsqt": lambda x: 1 / np.sqrt(x),
    "exp": np.exp2,
    "log": np.log2,
    "sin": np.sin,
    "cos": np.cos,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_math_functions_are_within_one_unit_in_the_last_place(bench: Bench, name: str) -> None:
    text = f"math.{name} (8|M0) r10.0<1>:f r2.0<1;1,0>:f"
    for seed in range(8):
        values = np.abs(operands("f", seed)[1]) + np.float32(1e-3)
        values = np.minimum(values, np.float32(100))
        exact = FUNCTIONS[name](values.astype(np.float64)).astype(np.float32)
        actual = execute(bench, text, [values], "f")
        assert np.all(np.abs(actual - exact) <= np.spacing(np.abs(exact)))


@pytest.mark.parametrize("mode", range(4))
def test_rounding_mode_of_the_control_register(bench: Bench, mode: int) -> None:
    """Modes 0 to 3 are nearest even, up, down and towards zero."""
    values = np.array([1 + k * 2.0**-12 for k in range(-4, 4)], np.float32)
    text = f"or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud {mode << 4}:ud\n"
    text += "mov (8|M0) r10.0<1>:hf r2.0<1;1,0>:f"
    bench.start(assemble(text))
    bench.write_grf(2, values)
    bench.run(2)
    actual = bench.read_grf(10, np.float16, LANES).astype(np.float64)
    unit = np.where(values >= 1, 2.0**-10, 2.0**-11)
    below = np.floor(values / unit) * unit
    above = np.ceil(values / unit) * unit
    nearest = values.astype(np.float16).astype(np.float64)
    expected = [nearest, above, below, below][mode]
    assert np.array_equal(actual, expected)
