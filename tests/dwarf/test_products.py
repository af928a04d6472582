"""Products of 32 bits, which take two instructions, and stretches of code without a jump."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.trust.products import first_of_product
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.xe.devices import DEVICES

DG2 = DEVICES["dg2"].platform
FIRST = "(W) mul (8|M0) acc0.0<1>:d r17.0<8;8,1>:d r8.8<0;1,0>:uw"
SECOND = "mach (8|M0) r45.0<1>:d r17.0<8;8,1>:d r8.4<0;1,0>:d"
BETWEEN = "mov (8|M0) r20.0<1>:d 1:w"


def first(*lines):
    """The number of the instruction that begins the product which the last one ends."""
    flow = RegisterFlow(assemble("\n".join(lines) + "\n"), DG2)
    found = first_of_product(flow, flow.steps[-1], DG2)
    return None if found is None else flow.steps.index(found)


@needs_iga64
def test_two_instructions_make_a_product():
    assert first(FIRST, SECOND) == 0
    assert first(BETWEEN, FIRST, BETWEEN, SECOND) == 1


@needs_iga64
@pytest.mark.parametrize(
    "lines",
    [
        (BETWEEN, SECOND),
        (FIRST.replace("r17", "r18"), SECOND),
        (FIRST.replace("8.8", "8.10"), SECOND),
        (FIRST.replace("M0", "M8"), SECOND),
        (FIRST, FIRST.replace("r17", "r18"), SECOND),
        (FIRST, SECOND + " {AccWrEn}"),  # the upper half, of a division by a constant
        (FIRST, BETWEEN),
    ],
)
def test_others_make_none(lines):
    assert first(*lines) is None


@needs_iga64
def test_a_block_ends_where_lanes_may_go_elsewhere_or_come_from():
    text = f"""
{BETWEEN}
L1:
{BETWEEN}
{BETWEEN}
(f0.0) jmpi L1
{BETWEEN}
"""
    flow = RegisterFlow(assemble(text), DG2)
    at = [step.offset for step in flow.steps]
    assert flow.straight_around(at[2]) == flow.straight_around(at[3]) == range(at[1], at[4])
    assert flow.straight_around(at[0]) == range(at[0], at[1])
    assert flow.straight_around(at[4]) == range(at[4], flow.steps[-1].end)
