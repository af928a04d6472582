"""Thread ids, lane lists and their text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zedbg.xe.coordinates import (
    ALL_THREADS,
    ANY,
    CoordinateError,
    Span,
    ThreadId,
    ThreadPattern,
    Topology,
    format_lanes,
    format_thread,
    lanes_of,
    mask_of,
    parse_lanes,
    parse_threads,
)

A770 = Topology(8, 4, 16, 8)


@given(st.integers(0, A770.thread_count - 1))
def test_ordinals_and_places_are_each_others_inverse(ordinal):
    assert A770.ordinal(A770.thread(ordinal)) == ordinal


def test_threads_are_numbered_slice_by_slice():
    assert A770.thread_count == 4096
    assert A770.thread(16).name == "ZE 0.0.2.0"
    assert A770.thread(4095) == ThreadId(7, 3, 15, 7)
    with pytest.raises(ValueError, match="4096"):
        A770.thread(4096)
    with pytest.raises(ValueError, match="not a thread"):
        A770.ordinal(ThreadId(8, 0, 0, 0))


def test_wildcards_match_every_thread_of_a_unit():
    assert len(list(A770.matching(ALL_THREADS))) == 4096
    matched = list(A770.matching(ThreadId(1, 2, ANY, 3)))
    assert [thread.eu for thread in matched] == list(range(16))
    assert all(ThreadId(1, 2, ANY, 3).matches(thread) for thread in matched)
    assert not ThreadId(1, 2, ANY, 3).matches(ThreadId(1, 2, 0, 4))
    assert list(A770.matching(ThreadId(9, 0, 0, 0))) == []


def test_hardware_names_are_read_back():
    for thread in (ThreadId(0, 1, 2, 3), ThreadId(0, ANY, 2, ANY)):
        assert ThreadId.parse(thread.name) == thread
    assert ThreadId.parse("0.0.*.1") == ThreadId(0, 0, ANY, 1)
    with pytest.raises(CoordinateError, match="hardware thread"):
        ThreadId.parse("1.2.3")


@given(st.integers(1, (1 << 32) - 1))
def test_lane_masks_survive_their_text(mask):
    assert parse_lanes(format_lanes(mask)) == mask
    assert mask_of(lanes_of(mask)) == mask


@pytest.mark.parametrize(
    ("mask", "selected", "text"),
    [
        (0xFF, None, "[0-7]"),
        (0x10FF, None, "[0-7 12]"),
        (0xFF, 2, "[0-1 *2 3-7]"),
        (0b101, 0, "[*0 2]"),
        (0b1010, None, "[1 3]"),
        (0, None, "[]"),
    ],
)
def test_lanes_are_written_as_gdb_writes_them(mask, selected, text):
    assert format_lanes(mask, selected) == text


def test_threads_are_written_with_their_lanes():
    assert format_thread(1, 17) == "1.17"
    assert format_thread(1, 17, 0b1000) == "1.17:3"
    assert format_thread(1, 17, 0b1111, 1) == "1.17:[0 *1 2-3]"


@pytest.mark.parametrize(
    ("text", "patterns"),
    [
        ("1.17", [ThreadPattern(Span(1, 1), Span(17, 17), None)]),
        ("17", [ThreadPattern(None, Span(17, 17), None)]),
        ("1.17:3", [ThreadPattern(Span(1, 1), Span(17, 17), 8)]),
        (":2-3", [ThreadPattern(None, None, 12)]),
        ("1.*:*", [ThreadPattern(Span(1, 1), Span(1, None), 0xFFFFFFFF)]),
        ("2-3:4-6", [ThreadPattern(None, Span(2, 3), 0x70)]),
        ("1.2:[0 2-3]", [ThreadPattern(Span(1, 1), Span(2, 2), 13)]),
        (
            "1.1, 2.*",
            [
                ThreadPattern(Span(1, 1), Span(1, 1), None),
                ThreadPattern(Span(2, 2), Span(1, None), None),
            ],
        ),
    ],
)
def test_thread_lists(text, patterns):
    assert parse_threads(text) == patterns


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Empty"),
        ("x", "Invalid thread ID"),
        ("1.", "Invalid thread ID"),
        ("0", "start at 1"),
        ("3-2", "Inverted"),
        ("1.1:32", "Incorrect SIMD lane number: 32"),
        ("1.1:x", "Invalid SIMD lane"),
        ("1.1:[]", "names no lane"),
        ("[", "Invalid thread ID"),
    ],
)
def test_lists_that_cannot_be_read_say_what_is_wrong(text, words):
    with pytest.raises(CoordinateError, match=words):
        parse_threads(text)


def test_missing_parts_come_from_the_focus():
    (pattern,) = parse_threads("17")
    assert pattern.matches(1, 17, (1, 4))
    assert not pattern.matches(2, 17, (1, 4))
    (lane,) = parse_threads(":3")
    assert lane.matches(1, 4, (1, 4))
    assert not lane.matches(1, 5, (1, 4))
    assert lane.is_single
    assert not parse_threads("1.*")[0].is_single
