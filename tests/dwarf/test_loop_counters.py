"""Which registers count a loop, by its machine code."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.trust.loop_counters import loop_counters
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.xe.devices import DEVICES

ADDED = "add (8|M0) r12.0<1>:d r10.0<8;8,1>:d 3:w"
COPIED = "mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d"
OTHER = "mov (8|M0) r12.0<1>:d r14.0<8;8,1>:d"


def counters(*body):
    first = "mov (8|M0) r10.0<1>:d 1:w"
    text = "\n".join([first, "again:", *body, "(W&f0.0) jmpi (1|M0) again", "(W) nop"])
    flow = RegisterFlow(assemble(text), DEVICES["dg2"].platform)
    (loop,) = flow.loops
    return flow, loop_counters(flow, loop)


@needs_iga64
@pytest.mark.parametrize("copies", [1, 2])
def test_a_sum_may_be_copied_back_more_than_once(copies):
    flow, found = counters(ADDED, *[COPIED] * copies)
    (counter,) = found
    assert (counter.first, counter.step, counter.start) == (320, 3, 1)
    assert counter.stepped_at == flow.steps[2].offset  # the first copy


@needs_iga64
@pytest.mark.parametrize(
    "body",
    [
        (ADDED, COPIED, OTHER, COPIED),  # the second copy is of something else
        (ADDED, f"(f0.0) {COPIED}", COPIED),  # lanes differ in what code between has
        (ADDED, COPIED, "mov (8|M0) r10.0<1>:d r14.0<8;8,1>:d"),
    ],
)
def test_what_is_not_the_same_in_each_iteration_counts_nothing(body):
    assert counters(*body)[1] == []
