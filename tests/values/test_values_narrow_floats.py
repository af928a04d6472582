"""Halves and bf16 in expressions: halves as NumPy computes them, bf16 as the nearest floats."""

import itertools
import struct

import numpy
import pytest

from tests.support.values.values_fake_context import FakeThread
from zedbg.dwarf.types.program_types import BF16, FLOAT, HALF
from zedbg.values.expressions.api import evaluate
from zedbg.values.formats.formatting import FormatOptions, format_value
from zedbg.values.typed.scalars import decode, encode

NUMBERS = (0.0, -0.0, 1.0, -1.5, 0.1, 1e-7, 6e-8, 65504.0, -2048.0, 1 / 3)


@pytest.mark.parametrize("operator", ["+", "-", "*", "/"])
def test_halves_are_computed_as_halves(operator):
    thread = FakeThread()
    for left, right in itertools.product(NUMBERS, NUMBERS):
        if operator == "/" and right == 0:
            continue
        found = evaluate(f"(half) {left!r} {operator} (half) {right!r}", thread).first
        with numpy.errstate(all="ignore"):
            one, other = numpy.float16(left), numpy.float16(right)
            expected = {"+": one + other, "-": one - other, "*": one * other, "/": one / other}
        assert found.type is HALF
        assert found.data == expected[operator].tobytes(), (left, operator, right)


def test_a_bf16_is_the_upper_half_of_the_nearest_float_of_those():
    random = numpy.random.default_rng(6)
    floats = random.integers(0, 1 << 32, 2000, dtype=numpy.uint32).view(numpy.float32)
    for number in (*floats[numpy.isfinite(floats)].tolist(), 1.00390625, 1.01171875):
        bits = int.from_bytes(encode(BF16, number), "little")
        found = abs(decode(BF16, encode(BF16, number)) - number)
        for neighbour in (bits - 1, bits + 1):
            if neighbour & 0x7FFF <= 0x7F7F:
                other = decode(BF16, (neighbour & 0xFFFF).to_bytes(2, "little"))
                assert found < abs(other - number) or (
                    found == abs(other - number) and bits % 2 == 0
                )


def test_special_bf16_stay_what_they_are():
    for text in ("inf", "-inf", "nan"):
        data = encode(BF16, float(text))
        upper = struct.pack("<f", float(text))[2:]
        assert data == (upper if text != "nan" else b"\xc0\x7f")
    thread = FakeThread()
    assert evaluate("(bf16) 1 + (bf16) 2", thread).first.type is FLOAT


@pytest.mark.parametrize(
    ("expression", "letter", "text"),
    [
        ("(bf16) 1.1f", "", "1.102"),
        ("(short) 0x3f80", "bf16", "1"),
        ("0x3c004000", "f16", "{2, 1}"),
        ("0x3f80bf80", "bf16", "{-1, 1}"),
        ("(half) 1.1", "f16", "1.0996"),
        ("(half) 1e6", "", "inf"),
        ("(short) 0x7fc1", "bf16", "nan(0x41)"),
        ("'a'", "f16", "97"),
    ],
)
def test_formats_show_bits_as_short_floats(expression, letter, text):
    found = evaluate(expression, FakeThread()).first
    assert format_value(found, FormatOptions(letter)) == text
