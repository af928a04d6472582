"""Location expressions: lanes that go apart, every way to end, and damage."""

import struct

import pytest

from tests.support.values.values_fake_context import FakeThread
from zedbg.dwarf.expressions.evaluator import Evaluator
from zedbg.dwarf.expressions.operations import has_unclear_numbers
from zedbg.dwarf.expressions.places import (
    ImplicitPlace,
    MemoryPlace,
    Piece,
    PiecedPlace,
    RegisterBits,
    RegisterPlace,
    ValuePlace,
)
from zedbg.dwarf.expressions.surroundings import Surroundings
from zedbg.dwarf.expressions.typed_numbers import NumberType
from zedbg.dwarf.frames.frame_state import FrameState
from zedbg.dwarf.reading.debug_info_error import DebugInfoError
from zedbg.dwarf.types.program_types import Encoding
from zedbg.missing import Missing, MissingError
from zedbg.xe.registers import RegisterKind


@pytest.fixture
def frame():
    thread = FakeThread(simd_width=32)
    for register in range(128):
        lanes = struct.pack("<8I", *(register * 16 + n for n in range(8)))
        thread.set_register(RegisterKind.GRF, register, lanes)
    thread.set_register(RegisterKind.SBA, 8, struct.pack("<Q", 0x5000))
    thread.map(0x5000, struct.pack("<4Q", 1, 2, 3, 4))
    return FrameState.of(thread)


@pytest.fixture
def evaluator(frame):
    return Evaluator(frame, range(32))


def place(evaluator, text):
    (group,) = evaluator.place(bytes.fromhex(text))
    assert group.lanes == tuple(range(32))
    return group.place


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("03 0010000000000000", MemoryPlace(0x1000)),
        ("55", RegisterPlace(RegisterBits(5, 0, 0))),
        ("90 8f01", RegisterPlace(RegisterBits(143, 0, 0))),
        ("9e 02 3412", ImplicitPlace(b"\x34\x12")),
        ("35 9f", ValuePlace(5)),
        ("76 08", MemoryPlace(0x5008)),
        ("76 10 06 9f", ValuePlace(3)),
        ("ed 34 1e 9f", ValuePlace(tuple(4 * n for n in range(32)))),
        ("45 08 20 fe 20 9f", ValuePlace(5 * 16 + 1, RegisterBits(21, 32, 32))),
        ("45 08 20 fe 20 31 22 9f", ValuePlace(5 * 16 + 2)),
        ("90 15 08 40 08 20 ec 9f", ValuePlace(5 * 16 + 2, RegisterBits(21, 64, 32))),
        ("45 eb 08 40 08 20 ec 9f", ValuePlace(5 * 16 + 2, RegisterBits(21, 64, 32))),
        ("90 15 94 04 9f", ValuePlace(5 * 16, RegisterBits(21, 0, 32))),
        ("0b ffff 1f 9f", ValuePlace(1)),
        ("3a 33 1d 9f", ValuePlace(1)),
        ("09 fe 33 2d 9f", ValuePlace(1)),
        ("31 32 33 17 1c 22 9f", ValuePlace(2)),
        (
            "31 9f 93 04 93 04",
            PiecedPlace((Piece(ValuePlace(1), 32), Piece(None, 32))),
        ),
        (
            "65 9d 20 40 66 9d 20 00",
            PiecedPlace(
                (
                    Piece(RegisterPlace(RegisterBits(21, 0, 0)), 32, 64),
                    Piece(RegisterPlace(RegisterBits(22, 0, 0)), 32, 0),
                )
            ),
        ),
    ],
)
def test_places(evaluator, text, expected):
    assert place(evaluator, text) == expected


def test_lanes_that_take_a_branch_differently_go_on_apart(evaluator):
    # lane >= 16 ? register 21 : register 20, as the compiler writes it for 32 lanes
    groups = evaluator.place(bytes.fromhex("ed 40 2a 28 0500 34 9f 2f 0200 35 9f"))
    assert {group.lanes: group.place for group in groups} == {
        tuple(range(16)): ValuePlace(4),
        tuple(range(16, 32)): ValuePlace(5),
    }


def test_numbers_of_lanes_stay_with_their_lanes_across_a_branch(evaluator):
    # push the lane first; after the branch it is still there
    groups = evaluator.place(bytes.fromhex("ed ed 31 1a 28 0200 33 22 9f"))
    values = {}
    for group in groups:
        values |= dict(zip(group.lanes, group.place.values, strict=True))
    assert values == {lane: lane if lane % 2 else lane + 3 for lane in range(32)}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "optimised out"),
        ("22", "more from the stack"),
        ("31 32", "no usable location"),
        ("30 31 30 1b", "divides by zero"),
        ("f8", "operator 0xf8"),
        ("0c 01", "past the end"),
        ("2f 0100 0a 3131", "middle of an operator"),
        ("2f fdff", "does not come to an end"),
        ("45 08 00 fe 80 9f", "no usable location"),
        ("45 0a 0010 fe 20 9f", "outside DWARF register"),
        ("33 30 fe 20 9f", "stands for no register"),
        ("91 00", "needs a frame"),
        ("9c", "needs a frame"),
        ("9b", "local to a thread of the host"),
        ("e0", "local to a thread of the host"),
        ("97", "counts from an object"),
        ("f0", "not been set yet"),
        ("a3 01 55", "when the function was entered"),
        ("f3 01 55", "when the function was entered"),
        ("a1 00", "outside of a unit"),
        ("18", "DW_OP_xderef, which is not supported"),
        ("30 06 9f", "cannot access memory at address 0x0"),
        ("31 9f 93 04 31", "middle of a piece"),
    ],
)
def test_what_cannot_be_found_says_why(evaluator, text, reason):
    found = place(evaluator, text)
    assert isinstance(found, Missing)
    assert reason in found.reason


INT, FLOAT, DOUBLE, BYTE, LONG_DOUBLE = 0x10, 0x11, 0x12, 0x13, 0x14
_TYPES = {
    0: None,
    INT: NumberType(Encoding.SIGNED, 4),
    FLOAT: NumberType(Encoding.FLOAT, 4),
    DOUBLE: NumberType(Encoding.FLOAT, 8),
    BYTE: NumberType(Encoding.UNSIGNED, 1),
}


class FakeUnit:
    """What an expression refers to: types by the numbers above, and one of everything else."""

    offset_size = 4

    def number_type(self, offset):
        return NumberType(Encoding.FLOAT, 16) if offset == LONG_DOUBLE else _TYPES[offset]

    def address_at(self, index):
        return 0x5000 + 8 * index

    def name_at(self, _offset):
        return "target"

    def location_in_unit(self, offset):
        return bytes.fromhex("3222") if offset == 7 else bytes.fromhex("980800")

    location_at = location_in_unit


@pytest.fixture
def in_unit(frame):
    around = Surroundings(unit=FakeUnit(), entry_value=lambda block: 0x60 + block[0])
    return Evaluator(frame, range(32), around)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # const_type int -8; convert to double; / 3 as double; convert to int: towards zero
        ("a410 04 f8ffffff a812 a412 08 0000000000000840 1b a810 9f", 0xFFFFFFFE),
        ("f410 04 f8ffffff f712 f412 08 0000000000000840 1b f710 9f", 0xFFFFFFFE),
        ("a410 04 f8ffffff 33 a810 1b 9f", 0xFFFFFFFE),  # -8 / 3 of int
        ("a410 04 f8ffffff 33 a810 1d 9f", 0xFFFFFFFE),  # -8 % 3
        ("a410 04 f8ffffff 19 9f", 8),
        ("a410 04 f8ffffff 31 a810 26 9f", 0xFFFFFFFC),
        ("a410 04 f8ffffff 31 a810 25 9f", 0x7FFFFFFC),
        ("a410 04 f8ffffff 30 a810 2d 9f", 1),
        ("a410 04 f8ffffff a800 9f", (1 << 64) - 8),  # to the generic type: the number stays
        ("a410 04 0000c03f a911 a810 9f", 1),  # the bits of 1.5f, taken for a float
        ("0a 2c01 a813 9f", 0x2C),
        ("0a ff00 a813 23 02 9f", 1),  # 255 + 2 in a byte
        ("a410 04 ffffffff 20 9f", 0),
        ("a51510 9f", 5 * 16),
        ("f51510 9f", 5 * 16),
        ("76 00 a6 04 10 9f", 1),
        ("a1 02 06 9f", 3),
        ("fb 02 06 9f", 3),
        ("a2 02 9f", 0x5010),
        ("31 98 0700 9f", 3),
        ("31 99 07000000 9f", 3),
        ("31 9a 07000000 9f", 3),
        ("a3 01 05 9f", 0x65),
    ],
)
def test_numbers_of_a_unit(in_unit, text, expected):
    assert place(in_unit, text).values == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a0 10000000 04", "optimised out; it pointed to target at byte 4 of it"),
        ("f2 10000000 00", "optimised out; it pointed to target"),
        ("98 0800", "runs others without end"),
        ("a410 04 01000000 a412 08 0000000000000840 22 9f", "different types"),
        ("a411 04 0000c03f a411 04 0000c03f 27 9f", "DW_OP_xor with floating-point"),
        ("a411 04 0000c03f 30 a811 1b 9f", "divides by zero"),
        ("a411 04 0000807f a810 9f", "no finite number"),
        ("a410 04 01000000 a912 9f", "another size"),
        ("30 a814 9f", "float numbers of 16 bytes"),
    ],
)
def test_numbers_of_a_unit_that_cannot_be_had_say_why(in_unit, text, reason):
    found = place(in_unit, text)
    assert isinstance(found, Missing)
    assert reason in found.reason


def test_a_number_is_what_lies_on_top(evaluator):
    assert evaluator.number(bytes.fromhex("34 22"), (0x100,)) == 0x104
    with pytest.raises(MissingError):
        evaluator.number(b"", ())


def test_an_address_that_is_not_there_is_missing(frame):
    """As where the index is a part of what the compiler wrote in another way."""

    class NoAddresses(FakeUnit):
        def address_at(self, index):
            raise DebugInfoError("vadd", f"the address with index {index} is damaged")

    evaluator = Evaluator(frame, [0], Surroundings(unit=NoAddresses()))
    (group,) = evaluator.place(bytes.fromhex("fb1a"))
    assert group.place.reason == "its location names an address that is not there"


@pytest.mark.parametrize(
    ("expression", "is_unclear"),
    [
        ("fe2010ff1a9f", True),  # & 0xff as it is; with LEB128 the and would be a part of it
        ("fe2010ff0f1a9f", True),  # & 0xfff, or & 0x7ff
        ("fe20107f1a9f", False),  # & 0x7f either way
        ("1081019ffe20107f1a9f", False),  # in front of the bits it is LEB128
        ("fe20238c0a", False),  # an address, which the compiler computes otherwise
        ("08ff9f", False),
        ("fe20ff", False),  # no operator
    ],
)
def test_numbers_that_can_be_read_in_two_ways(expression, is_unclear):
    """What Intel's newer compiler wrote for masked variables, and what it writes rightly."""
    assert has_unclear_numbers(bytes.fromhex(expression)) is is_unclear
