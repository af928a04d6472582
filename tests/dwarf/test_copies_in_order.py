"""Which copy of a loop's body an instruction is, by the data that flows from copy to copy, or the
jumps out of the loop between them."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.lines.line_runs import LineRun
from zedbg.dwarf.trust.code_flow import CodeFlow
from zedbg.dwarf.trust.copies_between_exits import copy_between_exits
from zedbg.dwarf.trust.copies_in_order import Place, copy_in_order
from zedbg.xe.devices import DEVICES
from zedbg.xe.isa.opcodes import Opcode

DG2 = DEVICES["dg2"].platform

# Each instruction is in front of the line that it is of.
THROUGH_REGISTERS = """
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w
21 shl (8|M0) r10.0<1>:d r12.0<1;1,0>:d 1:w
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w
21 shl (8|M0) r10.0<1>:d r12.0<1;1,0>:d 1:w
"""
THROUGH_ACCUMULATORS = """
20 mul (8|M0) acc0.0<1>:f r10.0<1;1,0>:f 0.5:f
21 add (8|M0) r10.0<1>:f acc0.0<1;1,0>:f r11.0<1;1,0>:f
20 mul (8|M0) acc0.0<1>:f r10.0<1;1,0>:f 0.5:f
21 add (8|M0) r10.0<1>:f acc0.0<1;1,0>:f r11.0<1;1,0>:f
"""
THROUGH_A_FLAG = """
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w
21 cmp (8|M0) (gt)f0.0 null<1>:d r12.0<1;1,0>:d 9:w
21 (f0.0) mov (8|M0) r10.0<1>:d 1:w
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w
"""
INDEPENDENT = """
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w
20 add (8|M0) r13.0<1>:d r10.0<1;1,0>:d 6:w
"""
OVERWRITTEN = """
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w
21 mov (8|M0) r12.0<1>:d 1:w
20 add (8|M0) r13.0<1>:d r12.0<1;1,0>:d 5:w
"""
# One copy may have both additions, and the other one none.
TWO_IN_ONE = """
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w
20 add (8|M0) r12.0<1>:d r12.0<1;1,0>:d 5:w
20 shl (8|M0) r10.0<1>:d r12.0<1;1,0>:d 1:w
"""
# Only those of line 21 show that it is not so.
IN_TURNS = """
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w
20 shl (8|M0) r12.0<1>:d r12.0<1;1,0>:d 1:w
21 and (8|M0) r10.0<1>:d r12.0<1;1,0>:d 15:w
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w
21 and (8|M0) r10.0<1>:d r12.0<1;1,0>:d 15:w
"""
# The second copy lacks a shift, so that one copy might have both of the others.
ONE_IN_EACH = """
20 and (8|M0) r12.0<1>:d r10.0<1;1,0>:d r11.0<1;1,0>:d
20 shl (8|M0) r13.0<1>:d r12.0<1;1,0>:d 1:w
21 add (8|M0) r10.0<1>:d r13.0<1;1,0>:d 5:w
20 and (8|M0) r12.0<1>:d r10.0<1;1,0>:d r11.0<1;1,0>:d
"""
# The least number of each lane so far, in two halves; what was compared is compared with zero.
IN_HALVES = """
20 cmp (16|M0) (lt)f0.0 r40.0<1>:f r30.0<1;1,0>:f r10.0<1;1,0>:f
20 cmp (16|M16) (lt)f0.0 r42.0<1>:f r32.0<1;1,0>:f r12.0<1;1,0>:f
20 cmp (16|M0) (ne)f0.0 null<1>:d r40.0<1;1,0>:d 0:w
20 cmp (16|M16) (ne)f0.0 null<1>:d r42.0<1;1,0>:d 0:w
21 (f0.0) sel (16|M0) r10.0<1>:f r30.0<1;1,0>:f r10.0<1;1,0>:f
21 (f0.0) sel (16|M16) r12.0<1>:f r32.0<1;1,0>:f r12.0<1;1,0>:f
20 cmp (16|M0) (lt)f0.0 r40.0<1>:f r34.0<1;1,0>:f r10.0<1;1,0>:f
20 cmp (16|M16) (lt)f0.0 r42.0<1>:f r36.0<1;1,0>:f r12.0<1;1,0>:f
20 cmp (16|M0) (ne)f0.0 null<1>:d r40.0<1;1,0>:d 0:w
20 cmp (16|M16) (ne)f0.0 null<1>:d r42.0<1;1,0>:d 0:w
"""
# A compiler may have begun with what the second copy is shifted and masked by.
ORDERED_ANEW = """
20 and (8|M0) r12.0<1>:d r10.0<1;1,0>:d r11.0<1;1,0>:d
20 shl (8|M0) r13.0<1>:d r12.0<1;1,0>:d 1:w
20 and (8|M0) r12.0<1>:d r13.0<1;1,0>:d r11.0<1;1,0>:d
"""


def told(text, line, asked):
    """What ``asked`` says of each instruction of ``line``."""
    rows = [each.split(" ", 1) for each in text.strip().splitlines()]
    flow = CodeFlow(assemble("\n".join(each[-1] for each in rows) + "\n"), DG2)
    lines = [int(each[0]) for each in rows if len(each) > 1]  # the others are labels
    places = {step.offset: Place(own, 3, ()) for step, own in zip(flow.steps, lines, strict=True)}
    return [
        asked(flow, at, places.get)
        for at, place in places.items()
        if place.line == line and flow.steps[flow.index_at(at)].decoded.opcode.name != "SHL"
    ]


def copies(text, line, turns=None, single=()):
    return told(text, line, lambda flow, at, place: copy_in_order(flow, at, place, turns, single))


@needs_iga64
@pytest.mark.parametrize(
    "text", [THROUGH_REGISTERS, THROUGH_ACCUMULATORS, THROUGH_A_FLAG, IN_TURNS]
)
def test_each_takes_what_the_one_before_gave(text):
    assert copies(text, 20) == [LineRun(0, 2), LineRun(1, 2)]


@needs_iga64
@pytest.mark.parametrize("text", [INDEPENDENT, OVERWRITTEN, TWO_IN_ONE])
def test_nothing_says_their_order(text):
    assert copies(text, 20) == [None, None]


@needs_iga64
def test_conditions_of_conditions_are_of_another_kind_and_halves_have_flags_of_their_own():
    assert copies(IN_HALVES, 20) == [LineRun(0, 2)] * 4 + [LineRun(1, 2)] * 4


@needs_iga64
def test_what_the_source_makes_once_each_copy_has_once():
    assert copies(ONE_IN_EACH, 20, single={Opcode.AND}) == [LineRun(0, 2), LineRun(1, 2)]
    assert copies(ONE_IN_EACH, 20) == [None, None]
    assert copies(ORDERED_ANEW, 20, single={Opcode.AND}) == [None, None]


@needs_iga64
def test_copies_of_an_outer_loop_take_turns_with_code_that_is_only_in_that():
    assert copies(THROUGH_REGISTERS, 20, {21}) == [LineRun(0, 2), LineRun(1, 2)]
    assert copies(THROUGH_REGISTERS, 20, {19}) == [None, None]


# Two rows of two copies of a body, the first of which lanes may leave the loop from.
LEFT = """
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w
21 (f0.0) goto (8|M0) FIRST FIRST
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 9:w
FIRST:
22 join (8|M0) SECOND
20 add (8|M0) r12.0<1>:d r11.0<1;1,0>:d 5:w
21 (f0.0) goto (8|M0) SECOND SECOND
20 add (8|M0) r12.0<1>:d r11.0<1;1,0>:d 9:w
SECOND:
22 join (8|M0) END
END:
22 mov (8|M0) r12.0<1>:d 1:w
"""
# Lanes that have left are left out of the last copy.
CHOSEN_AT_LAST = """
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w
21 (f0.0) goto (8|M0) END END
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 7:w
21 cmp (8|M0) (eq)f0.0 null<1>:d r12.0<1;1,0>:d 9:w
20 (~f0.0) add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 9:w
22 (~f0.0) and (8|M0) r12.0<1>:d r12.0<1;1,0>:d 15:w
END:
22 join (8|M0) AFTER
AFTER:
22 mov (8|M0) r12.0<1>:d 1:w
"""
# Lanes go past a part of each copy.
PASSED = """
20 add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w
21 (f0.0) goto (8|M0) FIRST FIRST
22 mov (8|M0) r13.0<1>:d 1:w
FIRST:
23 join (8|M0) SECOND
20 add (8|M0) r12.0<1>:d r11.0<1;1,0>:d 9:w
21 (f0.0) goto (8|M0) SECOND SECOND
22 mov (8|M0) r13.0<1>:d 2:w
SECOND:
23 join (8|M0) END
END:
23 mov (8|M0) r12.0<1>:d 1:w
"""
TWICE_BEFORE_AN_EXIT = LEFT.replace(
    "21 (f0.0) goto (8|M0) FIRST",
    "20 add (8|M0) r14.0<1>:d r10.0<1;1,0>:d 7:w\n21 (f0.0) goto (8|M0) FIRST",
)
TWO_EACH = LEFT.replace("20 add", "20 add (8|M0) r14.0<1>:d r10.0<1;1,0>:d 7:w\n20 add")
OUTSIDE = LEFT.replace("22 mov", "20 add (8|M0) r12.0<1>:d r11.0<1;1,0>:d 3:w\n22 mov")


def left(text, count):
    return told(text, 20, lambda flow, at, place: copy_between_exits(flow, at, place, count))


@needs_iga64
def test_jumps_out_of_a_loop_say_the_order_of_what_is_between_them():
    assert left(LEFT, 2) == [LineRun(each, 4) for each in range(4)]
    assert copies(LEFT, 20) == [None] * 4
    assert left(LEFT, 3) == [None] * 4
    assert left(TWO_EACH, 2) == [LineRun(each // 2, 4) for each in range(8)]
    assert left(CHOSEN_AT_LAST, 3) == [LineRun(each, 3) for each in range(3)]
    assert left(CHOSEN_AT_LAST, 2) == [None] * 3
    assert left(LEFT, 4) == [None] * 4


@needs_iga64
@pytest.mark.parametrize("text", [PASSED, TWICE_BEFORE_AN_EXIT, OUTSIDE, INDEPENDENT])
def test_jumps_out_of_a_loop_do_not_say_it(text):
    assert set(left(text, 2)) == {None}
