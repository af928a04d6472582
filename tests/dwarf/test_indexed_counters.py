"""Which registers count a loop that writes to an array in registers, by its machine code."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.trust.indexed_counters import counts_within, indexed_counters
from zedbg.dwarf.trust.loop_counters import loop_counters
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.xe.devices import DEVICES

# The counter is r10.3, bytes 332 to 335; an element has 64 bytes, of which the lanes have 32.
FIRST = "(W) mov (1|M0) r10.3<1>:d 1:w"
SCALED = "(W) mul (1|M0) r60.0<1>:uw r10.6<0;1,0>:uw 0x40:uw"
FROM_ARRAY = "(W) add (1|M0) a0.0<1>:uw r60.0<0;1,0>:uw 0x800:uw"
WRITING = "mov (8|M0) r[a0.0]<1>:d r20.0<1;1,0>:d"
STEP = "(W) add (1|M0) r10.3<1>:d r10.3<0;1,0>:d 1:w"
BODY = (SCALED, FROM_ARRAY, WRITING, STEP)


def counters(body, before=(FIRST,)):
    text = "\n".join([*before, "again:", *body, "(W&f0.0) jmpi (1|M0) again", "(W) nop"])
    flow = RegisterFlow(assemble(text), DEVICES["dg2"].platform)
    (loop,) = flow.loops
    return flow, loop, list(indexed_counters(flow, loop))


def counts(body, before=(FIRST,), begin=1, passes=7):
    flow, loop, found = counters(body, before)
    (counter,) = (each for each in found if each.first == 332)
    return counts_within(flow, loop, counter, begin, passes)


def at(array, body=BODY):
    return [each.replace("0x800", hex(array)) for each in body]


@needs_iga64
def test_an_array_may_be_written_to_by_its_counter():
    flow, loop, (counter,) = counters(BODY)
    assert loop_counters(flow, loop) == []  # by the code alone
    assert (counter.first, counter.step, counter.stride) == (332, 1, 0)
    assert counts(BODY)


@needs_iga64
@pytest.mark.parametrize(
    ("array", "begin", "passes", "expected"),
    [
        (0x100, 1, 7, False),  # its first element is r10
        (0x100, 2, 3, True),
        (0x100, 2, 2000, False),  # which 16 bits do not have
        (0x200, 0, 7, True),
        (0x200, -1, 7, False),
        (0x80, 1, 2, True),
        (0x80, 1, 3, False),  # the third one is
        (0x780, 0, 7, False),  # r60, which the index is made in
    ],
)
def test_the_array_must_have_other_registers(array, begin, passes, expected):
    assert counts(at(array), begin=begin, passes=passes) is expected


@needs_iga64
def test_after_its_step_the_counter_is_one_more():
    body = (STEP, SCALED, FROM_ARRAY, WRITING)
    assert not counts(at(0xC0, body), begin=1, passes=2)
    assert counts(at(0xC0), begin=2, passes=2) is False
    assert counts(at(0xC0), begin=3, passes=2)
    assert counts(at(0xC0, body), begin=2, passes=2)


@needs_iga64
@pytest.mark.parametrize(
    ("body", "before"),
    [
        ((SCALED.replace("r10.6", "r11.6"), *BODY[1:]), (FIRST,)),  # something else is the index
        ((SCALED.replace("r10.6", "r10.7"), *BODY[1:]), (FIRST,)),  # the upper half of the counter
        (BODY, (FIRST, SCALED.replace("r10.6", "r11.6"), FROM_ARRAY, WRITING)),  # in front, too
    ],
)
def test_what_may_write_anywhere_counts_nothing(body, before):
    assert not counts(body, before)


@needs_iga64
def test_a_loop_that_writes_to_the_counter_itself_counts_nothing():
    _, _, found = counters((*BODY, "(W) mov (1|M0) r10.3<1>:d r14.0<0;1,0>:d"))
    assert found == []
