"""Which copy of a loop's body an instruction is, by the data that flows from copy to copy."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.lines.line_runs import LineRun
from zedbg.dwarf.trust.code_flow import CodeFlow
from zedbg.dwarf.trust.copies_in_order import Place, copy_in_order
from zedbg.xe.devices import DEVICES

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


def copies(text, line, turns=None):
    """What is said of each instruction of ``line``."""
    lines = [each.split(" ", 1) for each in text.strip().splitlines()]
    flow = CodeFlow(assemble("\n".join(each for _, each in lines) + "\n"), DG2)
    places = {
        step.offset: Place(int(own), 3, ())
        for step, (own, _) in zip(flow.steps, lines, strict=True)
    }
    return [
        copy_in_order(flow, at, places.get, turns)
        for at, place in places.items()
        if place.line == line and flow.steps[flow.index_at(at)].decoded.opcode.name != "SHL"
    ]


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
def test_copies_of_an_outer_loop_take_turns_with_code_that_is_only_in_that():
    assert copies(THROUGH_REGISTERS, 20, {21}) == [LineRun(0, 2), LineRun(1, 2)]
    assert copies(THROUGH_REGISTERS, 20, {19}) == [None, None]
