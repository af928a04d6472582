"""Which registers a loop shifts, by its machine code."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.shift_counters import shift_counters
from zedbg.xe.devices import DEVICES

FIRST = "(W) mov (1|M0) r10.0<1>:d 1:w"
IN_PLACE = "(W) shl (1|M0) r10.0<1>:d r10.0<0;1,0>:d 1:w"
SHIFTED = "(W) shl (1|M0) r12.0<1>:d r10.0<0;1,0>:d 1:w"
COPIED = "(W) mov (1|M0) r10.0<1>:d r12.0<0;1,0>:d"
OTHER = "(W) mov (1|M0) r12.0<1>:d 5:w"


def counters(*body):
    text = "\n".join([FIRST, "again:", *body, "(W&f0.0) jmpi (1|M0) again", "(W) nop"])
    flow = RegisterFlow(assemble(text), DEVICES["dg2"].platform)
    (loop,) = flow.loops
    return flow, list(shift_counters(flow, loop))


@needs_iga64
@pytest.mark.parametrize(("body", "stepped"), [((IN_PLACE,), 1), ((SHIFTED, "nop", COPIED), 3)])
def test_what_is_shifted_may_be_in_another_register_first(body, stepped):
    flow, (counter,) = counters(*body)
    assert (counter.places.first, counter.bits, counter.size) == (320, 1, 4)
    assert [each.constant for each in counter.origins] == [1]
    assert counter.shifted_at == flow.steps[1].offset
    assert counter.stepped_at == flow.steps[stepped].offset


@needs_iga64
@pytest.mark.parametrize(
    "body",
    [
        (SHIFTED, OTHER, COPIED),  # something else is copied
        (SHIFTED,),  # nothing is
        (SHIFTED, COPIED, OTHER.replace("r12", "r10")),
        (SHIFTED, f"(W&f0.1) {COPIED[4:]}"),  # not always
    ],
)
def test_other_copies_count_nothing(body):
    assert counters(*body)[1] == []
