"""Property sets in text form."""

from __future__ import annotations

import base64

import pytest

from zedbg.sycl import SyclError
from zedbg.sycl.property_sets import PropertySets, RawSet
from zedbg.sycl.property_text import (
    Base64,
    decode_base64,
    encode_base64,
    parse_property_text,
    property_text,
)
from zedbg.sycl.property_values import EliminatedArguments
from zedbg.sycl.raw_property import byte_array, uint32

SETS = [
    RawSet("SYCL/kernel param opt", [byte_array("k", b"\x7e\x06", bits=11)]),
    RawSet("SYCL/misc properties", [uint32("optLevel", 3), byte_array("sanUsed", b"asan")]),
    RawSet("a set = [with] odd|names", [uint32(" blanks count ", 1), byte_array("empty", b"")]),
]


def plain(sets):
    return [
        (raw_set.name, [(p.name, int(p.type), p.integer, p.stored) for p in raw_set.properties])
        for raw_set in sets
    ]


@pytest.mark.parametrize("kind", Base64)
def test_what_is_written_is_read_back(kind):
    assert plain(parse_property_text(property_text(SETS, kind), "x")) == plain(SETS)


def test_the_compilers_base64_takes_low_bits_first():
    # Two byte arrays with their encodings as the compiler's own tests state them.
    known = {
        b"IAAAAAAAAAQA": bytes([8, 0, 0, 0, 0, 0, 0, 0, 1]),
        b"oAAAAAAAAAw///3/wB": bytes([40, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0x7F, 0xFF, 0x70]),
    }
    for encoded, data in known.items():
        assert decode_base64(encoded, Base64.LOW_BITS_FIRST) == data
        assert encode_base64(data, Base64.LOW_BITS_FIRST) == encoded


def test_low_bits_first_is_a_stream_of_six_bit_digits():
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for size in range(30):
        data = bytes((7 * size + 31 * index) & 0xFF for index in range(size))
        bits = int.from_bytes(data, "little")
        digits = [bits >> shift & 63 for shift in range(0, size * 8, 6)]
        assert encode_base64(data, Base64.LOW_BITS_FIRST).decode() == "".join(
            alphabet[digit] for digit in digits
        )


@pytest.mark.parametrize("kind", Base64)
def test_the_kind_of_base64_is_found_from_the_bit_counts(kind):
    text = property_text(
        [RawSet("SYCL/kernel param opt", [byte_array(f"k{i}", b"\1", bits=i) for i in (1, 4, 7)])],
        kind,
    )
    sets = PropertySets(parse_property_text(text, "x"))
    assert sets.problems == []
    assert [sets.eliminated_arguments(f"k{i}") for i in (1, 4, 7)] == [
        EliminatedArguments(i, 1) for i in (1, 4, 7)
    ]


@pytest.mark.parametrize(
    ("text", "found", "expected", "offset"),
    [
        (b"a=1|1\n", "a property of no set", "[set name] before the first property", 0),
        (b"[s]\na\n", "found 'a'", "key=type|value", 4),
        (b"[s]\na=1\n", "found 'a=1'", "key=type|value", 4),
        (b"[s]\na=3|x\n", "found '3'", "type 1 or 2", 4),
        (b"[s]\nb=1|2\na=1|-1\n", "found '-1'", "a 32-bit integer", 10),
        (b"[s]\na=1|4294967296\n", "found '4294967296'", "a 32-bit integer", 4),
        (b"[s]\na=2|?\n", "[s] a: found '?'", "base64", 4),
        (b"[s]\na=2|" + b"!" * 90, "[s] a: found '" + "!" * 40 + "...'", "base64", 4),
    ],
)
def test_a_wrong_line_is_refused_with_its_place(text, found, expected, offset):
    with pytest.raises(SyclError) as caught:
        parse_property_text(text, "file", 0x100)
    assert (caught.value.problem, caught.value.expected) == (found, expected)
    assert caught.value.offset == 0x100 + offset


def test_standard_base64_is_the_standard_librarys():
    assert encode_base64(b"12345678", Base64.STANDARD) == base64.b64encode(b"12345678")
