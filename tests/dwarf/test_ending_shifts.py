"""Registers that a loop shifts until a comparison ends it, by its machine code."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.trust.ending_shifts import ending_shifts
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.xe.devices import DEVICES

AHEAD = "(W) shr (1|M0) r12.0<1>:ud r10.0<0;1,0>:ud 1:w"
COPIED = "(W) mov (1|M0) r10.0<1>:ud r12.0<0;1,0>:ud"
IN_PLACE = "(W) shr (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 1:w"
LEFT = "(W&f0.0) jmpi (1|M0) end"
BODY = "add (8|M0) r20.0<1>:d r20.0<1;1,0>:d 1:w"


def compared(condition, register="r10", number=4):
    source = f"{register}.0<0;1,0>:ud"
    return f"(W) cmp (8|M0) ({condition})f0.0 null<1>:d {source} {number}:uw"


def shifts(*body):
    text = "\n".join(["again:", *body, "(W) jmpi (1|M0) again", "end:", "(W) nop"])
    flow = RegisterFlow(assemble(text), DEVICES["dg2"].platform)
    (loop,) = flow.loops
    return flow, list(ending_shifts(flow, loop))


@needs_iga64
@pytest.mark.parametrize(("condition", "least"), [("lt", 4), ("ge", 4), ("gt", 5), ("le", 5)])
def test_a_register_may_be_shifted_ahead_and_copied_back(condition, least):
    flow, (found,) = shifts(AHEAD, BODY, compared(condition), LEFT, COPIED)
    assert (found.places.place(3), found.size, found.bits) == (320, 4, 1)
    assert (found.least, found.is_shifted, found.is_last) == (least, False, True)
    assert found.changed_at == flow.steps[4].offset


@needs_iga64
def test_what_is_compared_may_be_shifted_already():
    for body in ((IN_PLACE, compared("lt"), LEFT), (AHEAD, compared("lt", "r12"), LEFT, COPIED)):
        (found,) = shifts(*body)[1]
        assert found.is_shifted


@needs_iga64
def test_a_loop_that_is_left_at_its_head_goes_on_after_that():
    (found,) = shifts(compared("lt"), LEFT, BODY, IN_PLACE)[1]
    assert (found.is_last, found.is_shifted) == (False, False)


@needs_iga64
@pytest.mark.parametrize(
    "body",
    [
        (IN_PLACE, compared("lt"), LEFT, LEFT),  # in two places
        (IN_PLACE, IN_PLACE, compared("lt"), LEFT),  # twice in each pass
        (IN_PLACE, compared("eq"), LEFT),  # not by what is too small
        (AHEAD, compared("lt"), LEFT),  # what was shifted is not kept
        (AHEAD, BODY.replace("r20", "r12"), compared("lt"), LEFT, COPIED),  # nor what is copied
        (IN_PLACE, compared("lt", "r14"), LEFT),  # by something else
    ],
)
def test_what_else_ends_a_loop_says_nothing(body):
    assert shifts(*body)[1] == []


BELOW_ZERO = (
    "(W) cmp (8|M0) (lt)f1.0 null<1>:d r10.0<0;1,0>:d 0:w",
    "(W&f1.0) jmpi (1|M0) add",
    "(W) mov (1|M0) r14.0<1>:d r10.0<0;1,0>:d",
    "(W) jmpi (1|M0) shift",
    "add:",
    "(W) add (1|M0) r14.0<1>:d r10.0<0;1,0>:d 3:w",
    "shift:",
    "(W) asr (1|M0) r12.0<1>:d r14.0<0;1,0>:d 2:w",
)
QUOTIENT_COPIED = "(W) mov (1|M0) r10.0<1>:d r12.0<0;1,0>:d"


@needs_iga64
def test_a_signed_quotient_is_a_shift_of_what_is_not_below_zero():
    compare = compared("lt").replace("ud", "d")
    flow, (_, found) = shifts(*BELOW_ZERO, compare, LEFT, QUOTIENT_COPIED)
    assert found.compared_at == flow.steps[6].offset
    assert (found.places.place(3), found.bits, found.is_shifted) == (320, 2, False)
    assert found.changed_at == flow.steps[8].offset


@needs_iga64
@pytest.mark.parametrize(
    ("index", "text"),
    [
        (2, "(W) mov (1|M0) r14.0<1>:d r11.0<0;1,0>:d"),  # of something else
        (2, "(W) add (1|M0) r14.0<1>:d r10.0<0;1,0>:d 3:w"),  # always
        (2, "(W) nop"),  # what an earlier pass left
        (5, "(W) add (1|M0) r14.0<1>:d r10.0<0;1,0>:d 1:w"),  # another number
        (5, "(W) mul (1|M0) r14.0<1>:d r10.0<0;1,0>:d 3:w"),
        (7, "(W) shr (1|M0) r12.0<1>:ud r14.0<0;1,0>:ud 2:w"),
    ],
)
def test_what_is_no_signed_quotient_says_nothing(index, text):
    body = [text if number == index else each for number, each in enumerate(BELOW_ZERO)]
    assert shifts(*body, compared("lt").replace("ud", "d"), LEFT, QUOTIENT_COPIED)[1] == []
