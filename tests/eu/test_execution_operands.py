"""Where operands come from and go to: regions, immediates, conversions, addresses, lane masks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.support.xe.execution_bench import GRF_BYTES, Bench, assemble, needs_iga64

pytestmark = [needs_iga64, pytest.mark.native]

Array = npt.NDArray[Any]
REGISTERS = 64  # that hold noise


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as running:
        yield running


def start_with_noise(bench: Bench, code: bytes, mask: int = 0xFFFFFFFF) -> npt.NDArray[np.uint8]:
    """A thread whose first registers are noise; gives their bytes."""
    noise = np.random.default_rng(11).integers(0, 256, REGISTERS * GRF_BYTES, np.uint8)
    bench.start(code, mask)
    bench.write("grf", 0, noise.tobytes())
    return noise


def element(noise: npt.NDArray[np.uint8], byte: int, dtype: str) -> int:
    return int(noise[byte : byte + np.dtype(dtype).itemsize].view(dtype)[0])


def random_regions(count: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Execution size, <vertical; width, horizontal> and first sub-register of a source."""
    rng = random.Random(3)
    for _ in range(count):
        size = rng.choice([1, 2, 4, 8, 16])
        width = rng.choice([w for w in (1, 2, 4, 8) if w <= size])
        horizontal = 0 if width == 1 else rng.choice([0, 1, 2])
        yield size, rng.choice([0, 1, 2, 4, 8]), width, horizontal, rng.randrange(4)


@pytest.mark.parametrize("kind", ["ud", "uw", "ub"])
def test_source_regions(bench: Bench, kind: str) -> None:
    dtype = {"ud": "<u4", "uw": "<u2", "ub": "<u1"}[kind]
    bytes_each = np.dtype(dtype).itemsize
    for size, vertical, width, horizontal, first in random_regions(40):
        text = f"mov ({size}|M0) r40.0<1>:ud r3.{first}<{vertical};{width},{horizontal}>:{kind}"
        noise = start_with_noise(bench, assemble(text))
        assert bench.run(1).outcome == "budget", text
        expected = [
            element(
                noise,
                3 * GRF_BYTES
                + (first + lane // width * vertical + lane % width * horizontal) * bytes_each,
                dtype,
            )
            for lane in range(size)
        ]
        assert bench.read_grf(40, np.uint32, size).tolist() == expected, text


@pytest.mark.parametrize("stride", [1, 2, 4])
@pytest.mark.parametrize("kind", ["ud", "uw", "ub"])
def test_destination_strides_leave_the_gaps_alone(bench: Bench, kind: str, stride: int) -> None:
    bytes_each = {"ud": 4, "uw": 2, "ub": 1}[kind]
    text = f"mov (8|M0) r20.0<{stride}>:{kind} r3.0<1;1,0>:ud"
    noise = start_with_noise(bench, assemble(text))
    bench.run(1)
    expected = noise.copy()
    for lane in range(8):
        at = 20 * GRF_BYTES + lane * stride * bytes_each
        source = 3 * GRF_BYTES + lane * 4
        expected[at : at + bytes_each] = noise[source : source + bytes_each]
    assert bench.read("grf", 0, len(noise)) == expected.tobytes()


def test_lanes_beyond_the_channel_offset_use_their_own_channels_and_flags(bench: Bench) -> None:
    text = """cmp (16|M0) (lt)f0.0 null<1>:d r2.0<1;1,0>:d 0:w
cmp (16|M16) (lt)f0.0 null<1>:d r4.0<1;1,0>:d 0:w
(f0.0) mov (16|M0) r40.0<1>:ud 1:ud
(f0.0) mov (16|M16) r42.0<1>:ud 2:ud
(~f0.0) mov (8|M24) r44.0<1>:ud 3:ud"""
    mask = 0xF0F0FF0F
    noise = start_with_noise(bench, assemble(text), mask)
    bench.write("grf", 40 * GRF_BYTES, bytes(6 * GRF_BYTES))
    bench.run(5)
    signs = noise[2 * GRF_BYTES : 6 * GRF_BYTES].view("<i4") < 0
    enabled = np.array([mask >> lane & 1 for lane in range(32)], bool)
    flags = sum(1 << lane for lane in range(32) if signs[lane] and enabled[lane])
    assert bench.flag() == flags
    expected = np.where(signs & enabled, np.repeat([1, 2], 16), 0)
    assert bench.read_grf(40, np.uint32, 32).tolist() == expected.tolist()
    others = np.where(~signs[24:] & enabled[24:], 3, 0)
    assert bench.read_grf(44, np.uint32, 8).tolist() == others.tolist()


def test_no_mask_writes_disabled_lanes(bench: Bench) -> None:
    text = "mov (8|M0) r40.0<1>:ud 1:ud\n(W) mov (8|M0) r41.0<1>:ud 1:ud"
    bench.start(assemble(text), 0x2)
    bench.run(2)
    assert bench.read_grf(40, np.uint32, 8).tolist() == [0, 1, 0, 0, 0, 0, 0, 0]
    assert bench.read_grf(41, np.uint32, 8).tolist() == [1] * 8


def test_packed_vector_immediates(bench: Bench) -> None:
    text = """mov (16|M0) r40.0<1>:w 0x76543298:v
mov (8|M0) r41.0<1>:uw 0x76543298:uv
mov (4|M0) r42.0<1>:f 0x30B02000:vf"""
    bench.start(assemble(text), 0xFFFF)
    bench.run(3)
    assert bench.read_grf(40, np.int16, 16).tolist() == [-8, -7, 2, 3, 4, 5, 6, 7] * 2
    assert bench.read_grf(41, np.uint16, 8).tolist() == [8, 9, 2, 3, 4, 5, 6, 7]
    assert bench.read_grf(42, np.float32, 4).tolist() == [0.0, 0.5, -1.0, 1.0]


def test_packed_vectors_have_an_element_for_each_word_of_the_destination(bench: Bench) -> None:
    # As compilers write the offsets 0, 4, 8 and 12 for double words.
    text = """mov (4|M0) r40.0<1>:ud 0xC080400:uv
mov (8|M0) r41.0<2>:uw 0x76543210:uv
add (4|M0) r42.0<1>:d r2.0<0;1,0>:uw 0x0F0E0708:v"""
    bench.start(assemble(text), 0xFFFF)
    bench.write_grf(2, np.array([100], np.uint16))
    bench.run(3)
    assert bench.read_grf(40, np.uint32, 4).tolist() == [0, 4, 8, 12]
    assert bench.read_grf(41, np.uint16, 16)[::2].tolist() == [0, 2, 4, 6] * 2
    assert bench.read_grf(42, np.int32, 4).tolist() == [92, 107, 98, 99]


def test_indirect_sources_with_one_address_and_with_one_for_each_lane(bench: Bench) -> None:
    text = """mov (8|M0) r40.0<1>:ud r[a0.2,32]<1;1,0>:ud
mov (8|M0) r41.0<1>:ud r[a0.0,-4]<1,0>:ud
mov (8|M0) r[a0.1]<1>:ud r2.0<1;1,0>:ud"""
    noise = start_with_noise(bench, assemble(text))
    addresses = np.array([300, 1600, 64, 20, 404, 8, 120, 72], np.uint16)
    bench.write("address", 0, addresses.tobytes())
    bench.run(3)
    dwords = noise.view("<u4")
    assert bench.read_grf(40, np.uint32, 8).tolist() == dwords[24:32].tolist()
    assert bench.read_grf(41, np.uint32, 8).tolist() == [
        int(dwords[(int(address) - 4) // 4]) for address in addresses
    ]
    assert bench.read_grf(50, np.uint32, 8).tolist() == dwords[16:24].tolist()


OUTSIDE = [128 * GRF_BYTES - 28, 0, 0, 0, 0, 0, 0, 128 * GRF_BYTES - 3]  # a0.0 and a0.7


def test_a_destination_outside_the_registers_is_illegal_and_nothing_is_written(
    bench: Bench,
) -> None:
    noise = start_with_noise(bench, assemble("mov (8|M0) r[a0.0]<1>:ud r2.0<1;1,0>:ud"))
    bench.write("address", 0, np.array(OUTSIDE, np.uint16).tobytes())
    ran = bench.run(1)
    assert ran.outcome == "exception" and "register file" in ran.report
    assert bench.read("grf", 0, len(noise)) == noise.tobytes()


def test_sources_outside_the_registers_are_zero(bench: Bench) -> None:
    """Compilers read an element of an array in registers before they know whether the index is one
    of the array's."""
    text = """mov (8|M0) r40.0<1>:ud r[a0.0]<1;1,0>:ud
mov (8|M0) r41.0<1>:ud r[a0.0]<1,0>:ud
mov (8|M0) r42.0<1>:ud r[a0.1,-4]<1;1,0>:ud"""
    noise = start_with_noise(bench, assemble(text)).view("<u4").tolist()
    last = [*range(1, 9)]
    bench.write_grf(127, np.array(last, np.uint32))
    bench.write("address", 0, np.array(OUTSIDE, np.uint16).tobytes())
    assert bench.run(3).outcome == "budget"
    assert bench.read_grf(40, np.uint32, 8).tolist() == [*last[1:], 0]
    assert bench.read_grf(41, np.uint32, 8).tolist() == [last[1], *[noise[0]] * 6, 0]
    assert bench.read_grf(42, np.uint32, 8).tolist() == [0, *noise[:7]]


def test_a_register_beyond_the_threads_registers_is_illegal(bench: Bench) -> None:
    code = assemble("mov (8|M0) r127.0<1>:ud r128.0<1;1,0>:ud")
    bench.start(code)
    ran = bench.run(1)
    assert ran.outcome == "exception" and "mov" in ran.report and ran.ip == 0
    bench.start(code)
    large = bench.control(0) | 1 << 13
    bench.write("control", 0, large.to_bytes(4, "little"))
    assert bench.run(1).outcome == "budget"


def converted(values: Array, into: str) -> Array:
    """C's conversion, except that floats beyond an integer's range go to its nearest end."""
    dtype = np.dtype(into)
    if values.dtype.kind == "f" and dtype.kind in "iu":
        info = np.iinfo(dtype)
        exact = [0 if np.isnan(v) else float(np.trunc(v)) for v in values.astype(np.float64)]
        return np.array([int(min(max(v, info.min), info.max)) for v in exact], dtype)
    with np.errstate(all="ignore"):
        return values.astype(dtype)


NAMES = {"f4": "f", "f2": "hf", "i4": "d", "u4": "ud", "i2": "w", "u2": "uw", "i1": "b", "u1": "ub"}


@pytest.mark.parametrize("into", NAMES)
@pytest.mark.parametrize("source", NAMES)
def test_conversions(bench: Bench, source: str, into: str) -> None:
    rng = np.random.default_rng(8)
    text = f"mov (8|M0) r40.0<1>:{NAMES[into]} r2.0<1;1,0>:{NAMES[source]}"
    for _ in range(4):
        if source[0] == "f":
            with np.errstate(over="ignore"):
                values = (rng.standard_normal(8) * 10.0 ** rng.integers(-3, 12, 8)).astype(source)
            values[:3] = [np.nan, np.inf, -0.0]
        else:
            info = np.iinfo(source)
            values = rng.integers(info.min, info.max, 8, source, endpoint=True)
        bench.start(assemble(text))
        bench.write_grf(2, values)
        bench.run(1)
        actual = bench.read_grf(40, into, 8)
        assert np.array_equal(actual, converted(values, into), equal_nan=into[0] == "f")


def test_a_move_to_the_same_type_copies_bits(bench: Bench) -> None:
    signalling = np.array([0x7F800001, 0xFFC12345, 1, 0x80000001, 0, 2, 3, 4], np.uint32)
    bench.start(assemble("mov (8|M0) r40.0<1>:f r2.0<1;1,0>:f"))
    bench.write_grf(2, signalling)
    bench.run(1)
    assert bench.read_grf(40, np.uint32, 8).tolist() == signalling.tolist()


def test_source_modifiers(bench: Bench) -> None:
    values = np.array([1, -1, 5, -(2**31), 2**31 - 1, 0, 7, -8], np.int32)
    cases = {
        "mov (8|M0) r40.0<1>:d -r2.0<1;1,0>:d": [-int(v) for v in values],
        "mov (8|M0) r40.0<1>:d (abs)r2.0<1;1,0>:d": [abs(int(v)) for v in values],
        "mov (8|M0) r40.0<1>:d -(abs)r2.0<1;1,0>:d": [-abs(int(v)) for v in values],
        "and (8|M0) r40.0<1>:d ~r2.0<1;1,0>:d 0xFF:d": [~int(v) & 0xFF for v in values],
    }
    for text, expected in cases.items():
        bench.start(assemble(text))
        bench.write_grf(2, values)
        bench.run(1)
        wrapped = [(value + 2**31) % 2**32 - 2**31 for value in expected]
        assert bench.read_grf(40, np.int32, 8).tolist() == wrapped, text


@pytest.mark.parametrize("kinds", ["d d", "ud ud", "d ud", "w uw", "f f", "hf hf"])
def test_comparisons_set_the_flags_of_their_lanes(bench: Bench, kinds: str) -> None:
    types = {"d": "i4", "ud": "u4", "w": "i2", "uw": "u2", "f": "f4", "hf": "f2"}
    first, second = kinds.split()
    conditions = {"eq": "__eq__", "ne": "__ne__", "lt": "__lt__", "le": "__le__", "gt": "__gt__"}
    conditions["ge"] = "__ge__"
    rng = np.random.default_rng(4)
    for condition, method in conditions.items():
        raw = rng.integers(0, 256, (2, 32), np.uint8)
        a, b = raw[0].view(types[first])[:8], raw[1].view(types[second])[:8].copy()
        b[1] = a[1]
        text = f"cmp (8|M0) ({condition})f0.1 null<1>:{first} r2.0<1;1,0>:{first} "
        text += f"r4.0<1;1,0>:{second}"
        bench.start(assemble(text))
        bench.write_grf(2, a)
        bench.write_grf(4, b)
        bench.run(1)
        pairs = zip(a.tolist(), b.tolist(), strict=True)
        truth = [getattr(float(x), method)(float(y)) for x, y in pairs]
        assert bench.flag() >> 16 == sum(int(t) << lane for lane, t in enumerate(truth)), text


def test_selections_by_predicate_and_by_size(bench: Bench) -> None:
    a = np.array([1, -5, np.nan, 4, np.nan, -0.5, 9, 2], np.float32)
    b = np.array([2, -6, 3, np.nan, np.nan, 0.5, 9, 1], np.float32)
    cases = {
        "(f0.0) sel (8|M0) r40.0<1>:f r2.0<1;1,0>:f r4.0<1;1,0>:f": np.where(
            [0xA5 >> lane & 1 for lane in range(8)], a, b
        ),
        "sel (8|M0) (ge)f0.0 r40.0<1>:f r2.0<1;1,0>:f r4.0<1;1,0>:f": np.fmax(a, b),
        "sel (8|M0) (lt)f0.0 r40.0<1>:f r2.0<1;1,0>:f r4.0<1;1,0>:f": np.fmin(a, b),
        "sel (8|M0) (gt)f0.0 r40.0<1>:f r2.0<1;1,0>:f r4.0<1;1,0>:f": np.where(a > b, a, b),
        "sel (8|M0) (le)f0.0 r40.0<1>:f r2.0<1;1,0>:f r4.0<1;1,0>:f": np.where(a <= b, a, b),
    }
    for text, expected in cases.items():
        bench.start(assemble(text))
        bench.write("flag", 0, b"\xa5")
        bench.write_grf(2, a)
        bench.write_grf(4, b)
        bench.run(1)
        actual = bench.read_grf(40, np.float32, 8)
        assert np.array_equal(actual, expected, equal_nan=True), text
        assert bench.flag() == 0xA5


@pytest.mark.parametrize("group", [2, 4, 8, 16])
@pytest.mark.parametrize("quantifier", ["any", "all"])
def test_predicates_over_groups_of_lanes(bench: Bench, quantifier: str, group: int) -> None:
    decide = any if quantifier == "any" else all
    for flags in (0x0000, 0xFFFF, 0x8003, 0xFF0F, 0x1234):
        text = f"(f0.0.{quantifier}{group}h) mov (16|M0) r40.0<1>:uw 1:uw\n"
        text += f"(~f0.0.{quantifier}{group}h) mov (16|M0) r41.0<1>:uw 1:uw"
        bench.start(assemble(text), 0xFFFF)
        bench.write("flag", 0, flags.to_bytes(2, "little"))
        bench.run(2)
        expected = []
        for lane in range(16):
            first = lane // group * group
            expected.append(int(decide(flags >> n & 1 for n in range(first, first + group))))
        assert bench.read_grf(40, np.uint16, 16).tolist() == expected
        assert bench.read_grf(41, np.uint16, 16).tolist() == [1 - truth for truth in expected]
