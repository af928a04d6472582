"""Accumulators: products through them, how many there are, and the macros of IEEE division."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.xe.execution_bench import REGISTER_BYTES, Bench, assemble, needs_iga64

pytestmark = [needs_iga64, pytest.mark.native]

LARGE_GRF = 1 << 13  # cr0.0


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as running:
        yield running


@pytest.mark.parametrize("platform", EACH_PLATFORM)
@pytest.mark.parametrize("kind", ["d", "ud"])
def test_a_dword_product_in_an_accumulator_takes_the_low_word_and_mach_the_high_one(
    bench: Bench, platform: str, kind: str
) -> None:
    high = "{AccWrEn}" if platform == "dg2" else ""
    text = f"""mul (8|M0) acc0.0<1>:{kind} r2.0<1;1,0>:{kind} r4.0<1;1,0>:{kind}
mach (8|M0) r10.0<1>:{kind} r2.0<1;1,0>:{kind} r4.0<1;1,0>:{kind} {high}
mov (8|M0) r12.0<1>:ud acc0.0<1;1,0>:ud"""
    dtype = np.int32 if kind == "d" else np.uint32
    rng = np.random.default_rng(3)
    a, b = (rng.integers(0, 2**32, 8).astype(np.uint32).view(dtype) for _ in range(2))
    bench.start(assemble(text, platform), 0xFF, platform)
    bench.write_grf(2, a)
    bench.write_grf(4, b)
    ran = bench.run(3)
    assert ran.outcome == "budget", ran.report
    exact = [int(x) * int(y) for x, y in zip(a, b, strict=True)]
    assert bench.read_grf(12, np.uint32, 8).tolist() == [value % 2**32 for value in exact]
    upper = [value >> 32 for value in exact]
    assert bench.read_grf(10, dtype, 8).tolist() == upper


_SECOND_FACTORS = {
    "dwords": ("r10.0<1;1,0>:{kind}", "r10.0<1;1,0>:{kind}"),
    "words": ("r10.0<2;1,0>:uw", "r10.0<1;1,0>:{kind}"),
    "a number": ("r10.0<0;1,0>:uw", "r10.0<0;1,0>:{kind}"),
    "a constant": ("0xFFFB:uw", "-5:{narrow}"),
}


@pytest.mark.parametrize("platform", EACH_PLATFORM)
@pytest.mark.parametrize("kind", ["d", "ud"])
@pytest.mark.parametrize("lanes", [8, 16, 32])
@pytest.mark.parametrize("second", list(_SECOND_FACTORS))
def test_macl_gives_the_low_half_of_enabled_lanes_and_mach_the_high_one(
    bench: Bench, platform: str, kind: str, lanes: int, second: str
) -> None:
    """As compilers multiply 32-bit numbers; accumulators that hold 8 lanes each, or 16."""
    if lanes * 4 > 2 * REGISTER_BYTES[platform]:
        lanes //= 2
    low, high = ("mach", "{AccWrEn}") if platform == "dg2" else ("macl", "")
    narrow = "w" if platform == "dg2" else "d"  # macl takes no word
    word, whole = (text.format(kind=kind, narrow=narrow) for text in _SECOND_FACTORS[second])
    all_lanes = f"{lanes}|M0"
    text = f"""(W) mov ({all_lanes}) acc0.0<1>:ud 0x77:uw
mul ({all_lanes}) acc0.0<1>:{kind} r2.0<1;1,0>:{kind} {word}
{low} ({all_lanes}) r20.0<1>:{kind} r2.0<1;1,0>:{kind} {whole}
mach ({all_lanes}) r30.0<1>:{kind} r2.0<1;1,0>:{kind} {whole} {high}
(W) mov ({all_lanes}) r40.0<1>:ud acc0.0<1;1,0>:ud"""
    dtype = np.int32 if kind == "d" else np.uint32
    rng = np.random.default_rng(lanes)
    a, b = (rng.integers(0, 2**32, lanes).astype(np.uint32).view(dtype) for _ in range(2))
    enabled = 0xA5F0_C399 & (1 << lanes) - 1
    bench.start(assemble(text, platform), enabled, platform)
    bench.write_grf(2, a)
    bench.write_grf(10, b)
    ran = bench.run(5)
    assert ran.outcome == "budget", ran.report
    numbers = {"a number": int(b[0]), "a constant": -5}
    factors = [numbers[second]] * lanes if second in numbers else b.tolist()
    exact = [int(x) * y for x, y in zip(a, factors, strict=True)]
    on = [enabled >> lane & 1 != 0 for lane in range(lanes)]
    lows = [value % 2**32 for value in exact]
    highs = [(value >> 32) % 2**32 for value in exact]

    def masked(values: list[int], others: int) -> list[int]:
        return [value if enable else others for value, enable in zip(values, on, strict=True)]

    assert bench.read_grf(20, np.uint32, lanes).tolist() == masked(lows, 0)
    assert bench.read_grf(30, np.uint32, lanes).tolist() == masked(highs, 0)
    assert bench.read_grf(40, np.uint32, lanes).tolist() == masked(lows, 0x77)


@pytest.mark.parametrize("platform", EACH_PLATFORM)
def test_mach_takes_the_accumulator_at_the_sub_register_of_its_destination(
    bench: Bench, platform: str
) -> None:
    """oneMKL multiplies strides by the number of a batch so, each in a sub-register of its own."""
    high = "{AccWrEn}" if platform == "dg2" else ""
    text = f"""mov (8|M0) acc0.0<1>:ud 0x77:uw
(W) mul (1|M0) acc0.4<1>:ud r2.1<0;1,0>:ud r4.0<0;1,0>:uw
(W) mach (1|M0) r10.4<1>:ud r2.1<0;1,0>:ud r4.0<0;1,0>:ud {high}
mov (8|M0) r12.0<1>:ud acc0.0<1;1,0>:ud"""
    a, b = 0x12345678, 0x9ABCDEF0
    bench.start(assemble(text, platform), 0xFF, platform)
    bench.write_grf(2, np.array([5, a], np.uint32))
    bench.write_grf(4, np.array([b], np.uint32))
    ran = bench.run(4)
    assert ran.outcome == "budget", ran.report
    assert bench.read_grf(10, np.uint32, 8)[4] == a * b >> 32
    accumulators = [0x77] * 8
    accumulators[4] = a * b % 2**32
    assert bench.read_grf(12, np.uint32, 8).tolist() == accumulators


@pytest.mark.parametrize("platform", EACH_PLATFORM)
@pytest.mark.parametrize("constant", ["0:w", "0x7FFF:w", "-5:w", "0xFFFB:uw"])
def test_mach_extends_a_word_to_a_dword(bench: Bench, platform: str, constant: str) -> None:
    """oneMKL writes small constants so. mul takes the low word of the dword, mach the high one."""
    high = "{AccWrEn}" if platform == "dg2" else ""
    number = constant.partition(":")[0]
    value = int(number, 0)
    text = f"""mul (8|M0) acc0.0<1>:d r2.0<1;1,0>:d {value & 0xFFFF:#x}:uw
mach (8|M0) r10.0<1>:d r2.0<1;1,0>:d {constant} {high}
mov (8|M0) r12.0<1>:ud acc0.0<1;1,0>:ud"""
    a = np.random.default_rng(4).integers(0, 2**32, 8).astype(np.uint32).view(np.int32)
    bench.start(assemble(text, platform), 0xFF, platform)
    bench.write_grf(2, a)
    ran = bench.run(3)
    assert ran.outcome == "budget", ran.report
    exact = [int(x) * value for x in a]
    assert bench.read_grf(12, np.uint32, 8).tolist() == [each % 2**32 for each in exact]
    assert bench.read_grf(10, np.int32, 8).tolist() == [each >> 32 for each in exact]


@pytest.mark.parametrize("kind", ["w", "uw", "d"])
def test_mac_adds_to_elements_of_the_destinations_type(bench: Bench, kind: str) -> None:
    dtype = {"w": np.int16, "uw": np.uint16, "d": np.int32}[kind]
    text = f"""mov (8|M0) acc0.0<1>:{kind} r2.0<1;1,0>:{kind}
mac (8|M0) r10.0<1>:{kind} r4.0<1;1,0>:w r6.0<1;1,0>:w"""
    added = np.array([1, 2, 3, 4, 100, 200, 300, 32767], dtype)
    a = np.array([1, -2, 3, -4, 50, 6, 7, 0], np.int16)
    bench.start(assemble(text))
    for register, values in ((2, added), (4, a), (6, a[::-1].copy())):
        bench.write_grf(register, values)
    ran = bench.run(2)
    assert ran.outcome == "budget", ran.report
    exact = added.astype(np.int64) + a.astype(np.int64) * a[::-1].astype(np.int64)
    assert np.array_equal(bench.read_grf(10, dtype, 8), exact.astype(dtype))


def test_mac_with_accumulator_write_keeps_the_low_bits_of_its_overflow(bench: Bench) -> None:
    text = """mov (8|M0) acc0.0<1>:d r2.0<1;1,0>:d
mac (8|M0) r10.0<1>:d r4.0<1;1,0>:d r6.0<1;1,0>:w {AccWrEn}
mac (8|M0) r12.0<1>:d r4.0<1;1,0>:d r6.0<1;1,0>:w"""
    rng = np.random.default_rng(8)
    added, a = (rng.integers(0, 2**32, 8).astype(np.uint32).view(np.int32) for _ in range(2))
    b = rng.integers(-(2**15), 2**15, 8).astype(np.int16)
    bench.start(assemble(text))
    for register, values in ((2, added), (4, a), (6, b)):
        bench.write_grf(register, values)
    ran = bench.run(3)
    assert ran.outcome == "budget", ran.report
    products = [int(x) * int(y) for x, y in zip(a, b, strict=True)]
    once = [(int(x) + y) % 2**32 for x, y in zip(added, products, strict=True)]
    twice = [(x + y) % 2**32 for x, y in zip(once, products, strict=True)]
    assert bench.read_grf(10, np.uint32, 8).tolist() == once
    assert bench.read_grf(12, np.uint32, 8).tolist() == twice


@pytest.mark.parametrize("platform", EACH_PLATFORM)
@pytest.mark.parametrize("name", ["addc", "subb"])
def test_the_carry_of_every_lane_goes_to_its_place_in_the_accumulator(
    bench: Bench, name: str, platform: str
) -> None:
    """Lanes that do not execute leave the carry that was there; so do those of other channels."""
    write = "{AccWrEn}" if platform == "dg2" else ""
    text = f"""(f0.0) {name} (8|M8) r10.0<1>:ud r2.0<1;1,0>:ud r4.0<1;1,0>:ud {write}"""
    a = np.array([0, 1, 2**32 - 1, 2**31, 5, 2**32 - 1, 0, 7], np.uint32)
    b = np.array([0, 2**32 - 1, 2**32 - 1, 2**31, 6, 1, 1, 7], np.uint32)
    bench.start(assemble(text, platform), 0xFFFF, platform)
    bench.write_grf(2, a)
    bench.write_grf(4, b)
    bench.write("flag", 0, (0x7F00).to_bytes(4, "little"))
    bench.write("acc", 0, bytes([9] * 32))
    ran = bench.run(1)
    assert ran.outcome == "budget", ran.report
    exact = [
        int(x) + int(y) if name == "addc" else int(x) - int(y) for x, y in zip(a, b, strict=True)
    ]
    carries = [int(not 0 <= value < 2**32) for value in exact[:7]] + [0x09090909]
    assert np.frombuffer(bench.read("acc", 0, 32), np.uint32).tolist() == carries
    assert bench.read_grf(10, np.uint32, 7).tolist() == [value % 2**32 for value in exact[:7]]


@pytest.mark.parametrize(
    ("platform", "lanes", "subregister"),
    [("dg2", 1, 3), ("dg2", 16, 0), ("pvc", 1, 9), ("pvc", 8, 8), ("pvc", 8, 12), ("pvc", 32, 0)],
)
def test_carries_lie_where_the_destination_begins_in_its_register(
    bench: Bench, platform: str, lanes: int, subregister: int
) -> None:
    """Of one lane, of whole blocks of lanes, and of one that lies in two registers."""
    write = "{AccWrEn}" if platform == "dg2" else ""
    text = f"addc ({lanes}|M0) r20.{subregister}<1>:ud r2.0<1;1,0>:ud r8.0<1;1,0>:ud {write}"
    code = assemble(text.replace("<1;1,0>", "<0;1,0>") if lanes == 1 else text, platform)
    numbers = np.random.default_rng(lanes).integers(0, 2**32, (2, 32), dtype=np.uint32)
    bench.start(code, 2**lanes - 1, platform)
    bench.write_grf(2, numbers[0])
    bench.write_grf(8, numbers[1])
    bench.write("acc", 0, bytes([9] * 256))
    ran = bench.run(1)
    assert ran.outcome == "budget", ran.report
    exact = [int(a) + int(b) for a, b in zip(*numbers, strict=True)][:lanes]
    expected = np.full(64, 0x09090909, np.uint32)
    expected[subregister : subregister + lanes] = [value >> 32 for value in exact]
    assert np.frombuffer(bench.read("acc", 0, 256), np.uint32).tolist() == expected.tolist()
    sums = bench.read_grf(20, np.uint32, subregister + lanes)[subregister:]
    assert sums.tolist() == [value % 2**32 for value in exact]


def test_a_product_of_dwords_that_goes_to_a_register_and_an_accumulator_is_refused(
    bench: Bench,
) -> None:
    """A register takes all of the second factor, an accumulator its low word: not both at once."""
    text = "mul (8|M0) r10.0<1>:d r2.0<1;1,0>:d r4.0<1;1,0>:d {AccWrEn}"
    bench.start(assemble(text))
    ran = bench.run(1)
    assert ran.outcome == "exception" and "mul" in ran.report and ran.ip == 0


@pytest.mark.parametrize("platform", EACH_PLATFORM)
def test_the_upper_accumulators_come_with_256_registers(bench: Bench, platform: str) -> None:
    text = "mov (8|M0) acc7.0<1>:f r2.0<1;1,0>:f\nmov (8|M0) r255.0<1>:f acc7.0<1;1,0>:f"
    code = assemble(text, platform)
    values = np.arange(8, dtype=np.float32)
    bench.start(code, 0xFF, platform)
    assert bench.run(2).outcome == "exception"
    bench.start(code, 0xFF, platform)
    bench.write("control", 0, (bench.control(0) | LARGE_GRF).to_bytes(4, "little"))
    bench.write_grf(2, values)
    assert bench.run(2).outcome == "budget"
    assert bench.read_grf(255, np.float32, 8).tolist() == values.tolist()
    offset = 7 * REGISTER_BYTES[platform]
    assert bench.read("acc", offset, 32) == values.tobytes()


@pytest.mark.parametrize("kind", ["f", "df"])
def test_division_and_square_root_end_correctly_rounded(bench: Bench, kind: str) -> None:
    """The sequences of the compilers: a first result, and a refinement that the flag skips."""
    dtype = np.float32 if kind == "f" else np.float64
    text = f"""math.invm (8|M0) (eo)f0.0 r10.mme0:{kind} r2.nomme:{kind} r4.nomme:{kind}
math.rsqtm (8|M0) (eo)f1.0 r12.mme0:{kind} r4.nomme:{kind}"""
    rng = np.random.default_rng(6)
    for _ in range(20):
        a = (rng.standard_normal(8) * 10.0 ** rng.integers(-30, 30, 8)).astype(dtype)
        b = np.abs(rng.standard_normal(8) * 10.0 ** rng.integers(-30, 30, 8)).astype(dtype)
        a[0], b[1], a[2] = np.inf, 0.0, np.nan
        bench.start(assemble(text, "pvc"), 0xFF, "pvc")
        bench.write_grf(2, a)
        bench.write_grf(4, b)
        ran = bench.run(2)
        assert ran.outcome == "budget", ran.report
        with np.errstate(all="ignore"):
            quotient, root = a / b, np.sqrt(b)
        assert np.array_equal(bench.read_grf(10, dtype, 8), quotient, equal_nan=True)
        assert np.array_equal(bench.read_grf(12, dtype, 8), root)
        assert bench.flag(0) & 0xFF == 0xFF and bench.flag(1) & 0xFF == 0xFF
