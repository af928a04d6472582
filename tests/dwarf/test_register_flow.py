"""What registers hold where instructions write parts of them."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.scopes.scopes import LocationEntry, Variable
from zedbg.dwarf.trust.location_check import OVERWRITTEN, Claim, LocationCheck
from zedbg.dwarf.trust.misplaced import packed_values
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.steps import Span
from zedbg.dwarf.types.program_types import BaseType, Encoding
from zedbg.xe.devices import DEVICES
from zedbg.xe.registers import DWARF_FIRST_GENERAL_REGISTER

DG2 = DEVICES["dg2"].platform
HALVES = """
mov (8|M0) r10.0<1>:d 1:w
mov (8|M0) r11.0<1>:d 2:w
(W) mov (1|M0) r2.0<1>:d 3:w
"""
QUADWORDS = """
mov (8|M0) r10.0<1>:ud r20.0<8;8,1>:ud
mov (8|M0) r11.0<1>:ud r20.0<8;8,1>:ud
mov (8|M0) r10.0<2>:ud r4.0<8;8,1>:ud
mov (8|M0) r10.1<2>:ud r5.0<8;8,1>:ud
(W) mov (1|M0) r2.0<1>:d 3:w
"""
PARTS = """
mov (8|M0) r10.0<1>:ud r4.0<8;8,1>:ud
mov (8|M0) r10.0<2>:uw r5.0<8;8,1>:uw
(W) mov (1|M0) r2.0<1>:d 3:w
"""
REWRITTEN = """
mov (8|M0) r10.0<1>:ud r4.0<8;8,1>:ud
mov (8|M0) r10.1<2>:uw r6.0<8;8,1>:uw
mov (8|M0) r10.0<2>:uw r5.0<8;8,1>:uw
mov (8|M0) r12.0<1>:ud r10.0<8;8,1>:ud
"""
PREDICATED = """
mov (8|M0) r10.0<1>:d 1:w
(f0.0) mov (8|M0) r10.0<1>:d 2:w
(W) mov (1|M0) r2.0<1>:d 3:w
"""
TWO_REGISTERS, ONE_REGISTER = Span(320, 384, 4), Span(320, 352, 4)


def flow_of(text):
    return RegisterFlow(assemble(text), DG2)


def last(flow):
    return flow.steps[-1].offset


@needs_iga64
@pytest.mark.parametrize(
    ("text", "place", "written"),
    [
        (HALVES, TWO_REGISTERS, {0, 1}),  # the second half leaves the first one
        (HALVES, Span(320, 416, 4), {0, 1, None}),
        (QUADWORDS, TWO_REGISTERS, {2, 3}),  # what is written in turns hides all that was before
        (PARTS, ONE_REGISTER, {0, 1}),  # the upper words are older
        (PREDICATED, ONE_REGISTER, {0, 1}),
    ],
)
def test_a_place_has_what_each_of_its_bytes_was_last_given(text, place, written):
    flow = flow_of(text)
    assert flow.definitions(place, last(flow)) == written


@needs_iga64
def test_what_one_half_is_overwritten_of_is_still_read():
    flow = flow_of("mov (8|M0) r10.0<1>:d 1:w\nmov (16|M0) r30.0<1>:d r10.0<8;8,1>:d")
    assert flow.is_read(TWO_REGISTERS, 0)
    assert not flow.is_read(ONE_REGISTER, 0)


@needs_iga64
def test_another_variables_part_of_a_register_speaks_against_a_place():
    flow = flow_of(REWRITTEN)
    number = BaseType(4, "int", Encoding.SIGNED)
    expression = packed_values(DWARF_FIRST_GENERAL_REGISTER + 10, DG2.grf_bytes, 32, 4)
    entry = LocationEntry(flow.steps[1].offset, last(flow) + 1, expression)
    claim = Claim(Variable("x", number, False, None, 1, (entry,)), [entry], entry)
    other = flow.steps[1]

    def contradiction(is_anothers):
        return LocationCheck(flow, 8, lambda at: (None, at), is_anothers).contradicts(
            claim, last(flow)
        )

    assert contradiction(lambda step, *_: False) is None
    assert contradiction(lambda step, *_: step is other) is OVERWRITTEN


@needs_iga64
def test_lanes_come_from_one_place_to_another_without_a_jump_back():
    text = """
    (W&f0.0) jmpi (1|M0) other
    again:
    mov (8|M0) r10.0<1>:d 1:w
    (W&f0.0) jmpi (1|M0) again
    (W) jmpi (1|M0) end
    other:
    mov (8|M0) r11.0<1>:d 1:w
    end:
    (W) nop
    """
    flow = RegisterFlow(assemble(text), DG2)
    first, inside, back, over, other, end = (each.offset for each in flow.steps)
    assert flow.leads_to(first, end)
    assert flow.leads_to(inside, end)
    assert flow.leads_to(inside, end, other)  # past it
    assert not flow.leads_to(inside, other)
    assert not flow.leads_to(back, inside)  # that is a jump back
    assert not flow.leads_to(inside, end, over)
