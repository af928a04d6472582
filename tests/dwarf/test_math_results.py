"""Registers that hold a quotient or a root, by the machine code."""

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.trust.lane_places import LanePlaces
from zedbg.dwarf.trust.math_results import math_results, quotient_writers
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.xe.devices import DEVICES

INVERSE = "math.inv (16|M0) r10.0<1>:f r20.0<1;1,0>:f"
QUOTIENT = "mul (16|M0) r12.0<1>:f r30.0<1;1,0>:f r10.0<1;1,0>:f"
OTHER = "add (16|M0) r40.0<1>:f r10.0<1;1,0>:f r20.0<1;1,0>:f"
OVERWRITING = "mov (16|M0) r10.0<1>:f r20.0<1;1,0>:f"
GRF = 32  # bytes


def results(*code, own, is_product=False):
    """At the end of ``code``, of which the instructions with the numbers ``own`` are meant."""
    flow = RegisterFlow(assemble("\n".join([*code, "(W) nop"])), DEVICES["dg2"].platform)
    offsets = {flow.steps[number].offset for number in own}
    at = flow.steps[len(code)].offset
    return math_results(flow, at, offsets.__contains__, is_product)


@needs_iga64
def test_a_result_is_held_until_something_else_is_written_there():
    assert results(INVERSE, OTHER, own=[0]) == [LanePlaces(10 * GRF, 4, 0, 16)]
    assert results(INVERSE, OVERWRITING, own=[0]) == []


@needs_iga64
def test_a_product_with_a_reciprocal_is_the_result():
    found = results(INVERSE, QUOTIENT, own=[0, 1], is_product=True)
    assert found == [LanePlaces(12 * GRF, 4, 0, 16)]
    # The reciprocal alone is not that of a quotient, nor the product that of a reciprocal.
    assert results(INVERSE, QUOTIENT, own=[0], is_product=True) == []
    assert results(INVERSE, QUOTIENT, own=[0, 1]) == []


@needs_iga64
def test_what_makes_quotients_is_what_the_math_unit_gave_and_products_with_that():
    chosen = "(f0.0) sel (16|M0) r14.0<1>:f r12.0<1;1,0>:f 0x3F800000:f"
    others = OTHER, OVERWRITING, QUOTIENT  # the last one with what is no reciprocal any more
    code = assemble("\n".join([INVERSE, QUOTIENT, chosen, *others, "(W) nop"]))
    flow = RegisterFlow(code, DEVICES["dg2"].platform)
    first = [step.offset for step in flow.steps[:3]]
    assert [each.offset for each in quotient_writers(flow)] == first


@needs_iga64
def test_what_is_refined_after_that_is_not_known():
    assert results(INVERSE, OTHER, own=[0, 1]) == []
