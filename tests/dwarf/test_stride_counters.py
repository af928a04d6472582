"""Which registers a loop adds others to, by its machine code."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.stride_counters import stride_counters
from zedbg.xe.devices import DEVICES

FIRST = "and (8|M0) r10.0<1>:d r20.0<8;8,1>:d 7:w"
IN_PLACE = "add (8|M0) r10.0<1>:d r10.0<8;8,1>:d r6.0<0;1,0>:d"
ADDED = "add (8|M0) r12.0<1>:d r10.0<8;8,1>:d r6.0<0;1,0>:d"
TURNED = "add (8|M0) r12.0<1>:d r6.0<0;1,0>:d r10.0<8;8,1>:d"
COPIED = "mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d"


def counters(*body):
    """Those of a loop that lanes leave, like those of compilers, in front of its jump back."""
    leave, again = "(W&f0.0) jmpi (1|M0) end", "(W) jmpi (1|M0) again"
    text = "\n".join([FIRST, "again:", body[0], leave, *body[1:], again, "end:", "(W) nop"])
    flow = RegisterFlow(assemble(text), DEVICES["dg2"].platform)
    (loop,) = flow.loops
    return flow, list(stride_counters(flow, loop))


@needs_iga64
@pytest.mark.parametrize(
    ("body", "stepped"), [((IN_PLACE,), 1), ((ADDED, COPIED), 3), ((TURNED, COPIED), 3)]
)
def test_a_sum_may_be_in_another_register_first(body, stepped):
    flow, (counter,) = counters(*body)
    assert (counter.places.first, counter.amounts.first, counter.size) == (320, 192, 4)
    assert [flow.index_at(each.offset) for each in counter.origins] == [0]
    assert (counter.added_at, counter.stepped_at) == (16, flow.steps[stepped].offset)


@needs_iga64
@pytest.mark.parametrize(
    "body",
    [
        (ADDED, "mov (8|M0) r12.0<1>:d 5:w", COPIED),  # something else is copied
        (ADDED, "mov (8|M0) r10.0<1>:d 5:w", COPIED),
        (ADDED, f"(f0.1) {COPIED}"),  # in some lanes
        (ADDED, "mov (4|M0) r10.0<1>:d r12.0<4;4,1>:d"),
        (ADDED, "(W) mov (1|M0) r6.0<1>:d 5:w", COPIED),  # what is added changes
    ],
)
def test_other_copies_count_nothing(body):
    assert counters(*body)[1] == []
