"""Which registers count a loop, by its machine code."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.trust.counter_history import source_of
from zedbg.dwarf.trust.loop_counters import left_by_loops, loop_counters
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.xe.devices import DEVICES

ADDED = "add (8|M0) r12.0<1>:d r10.0<8;8,1>:d 3:w"
COPIED = "mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d"
OTHER = "mov (8|M0) r12.0<1>:d r14.0<8;8,1>:d"


FIRST = "mov (8|M0) r10.0<1>:d 1:w"
LAST = "(W) nop"


def counters(*body, before=(FIRST,), after=(LAST,)):
    text = "\n".join([*before, "again:", *body, "(W&f0.0) jmpi (1|M0) again", *after])
    flow = RegisterFlow(assemble(text), DEVICES["dg2"].platform)
    (loop,) = flow.loops
    return flow, loop_counters(flow, loop)


@needs_iga64
@pytest.mark.parametrize("copies", [1, 2])
def test_a_sum_may_be_copied_back_more_than_once(copies):
    flow, found = counters(ADDED, *[COPIED] * copies)
    (counter,) = found
    assert (counter.first, counter.step) == (320, 3)
    assert [each.constant for each in counter.origins] == [1]
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


PARTS = (
    "(W&f0.1) jmpi (1|M0) other",
    "(W) add (1|M0) r12.0<1>:d r10.0<0;1,0>:d 2:w",
    "(W) jmpi (1|M0) both",
    "other:",
    "(W) add (1|M0) r12.0<1>:d r10.0<0;1,0>:d 2:w",
    "both:",
    "(W) add (1|M0) r10.0<1>:d r12.0<0;1,0>:d 1:w",
)
START = "(W) mov (1|M0) r10.0<1>:d 0:w"


@needs_iga64
def test_a_part_of_the_constant_may_be_added_before_on_each_way():
    _, found = counters(*PARTS, before=(START,))
    counter = next(each for each in found if each.first == 320)
    assert (counter.step, counter.stride) == (3, 0)
    assert sorted(amount for _, amount in counter.additions) == [1, 2, 2]
    assert [each.constant for each in counter.origins] == [0]


@needs_iga64
@pytest.mark.parametrize(
    ("index", "text"),
    [
        (4, "(W) add (1|M0) r12.0<1>:d r10.0<0;1,0>:d 3:w"),  # another constant
        (4, "(W) add (1|M0) r12.0<1>:d r11.0<0;1,0>:d 2:w"),  # to something else
        (4, "(W) nop"),  # lanes that come here add what an earlier iteration left
        (4, "(W) mov (1|M0) r10.0<1>:d 7:w"),
    ],
)
def test_ways_that_add_something_else_count_nothing(index, text):
    body = [text if number == index else each for number, each in enumerate(PARTS)]
    assert all(each.first != 320 for each in counters(*body, before=(START,))[1])


@needs_iga64
def test_a_counter_that_lanes_share_may_be_compared_with_a_bound_of_each_lane():
    compare = "cmp (8|M0) (eq)f1.0 null<1>:d r10.0<0;1,0>:d r20.0<1;1,0>:d"
    step = "(W) add (1|M0) r10.0<1>:d r10.0<0;1,0>:d 1:w"
    ((_, bound),) = counters(step, compare, before=(START,))[1][0].bounds
    assert [bound.place(lane) for lane in (0, 3, 8)] == [640, 652, None]


@needs_iga64
@pytest.mark.parametrize(
    ("descriptor", "counts"),
    [
        (0x02184000, True),  # one oword, to the lower half
        (0x02184100, False),  # to the upper half, which the counter is in
        (0x02184200, False),  # two owords
        (0x02184500, False),  # more of them than the register has room for
    ],
)
def test_a_counter_may_be_in_the_half_of_a_register_that_a_load_leaves(descriptor, counts):
    load = f"(W) send.dc0 (4|M0) r10 r4 null:0 0x0 0x{descriptor:08x}"
    step = "(W) add (1|M0) r10.4<1>:d r10.4<0;1,0>:d 1:w"
    _, found = counters(load, step, before=("(W) mov (1|M0) r10.4<1>:d 0:w",))
    assert [each.first for each in found] == [336] * counts


@needs_iga64
@pytest.mark.parametrize(
    ("lanes", "descriptor", "counts"),
    [
        (1, 0x02110800, True),  # four bytes for each lane: for one of them
        (1, 0x02106E00, True),  # one component of a surface
        (1, 0x02206C00, False),  # two components
        (8, 0x02110800, False),
    ],
)
def test_a_counter_may_be_beside_what_a_load_for_one_lane_writes(lanes, descriptor, counts):
    number = 0 if descriptor & 0x10000 else 1
    load = f"(W) send.dc{number} ({lanes}|M0) r10 r4 null:0 0x0 0x{descriptor:08x}"
    step = "(W) add (1|M0) r10.2<1>:d r10.2<0;1,0>:d 1:w"
    _, found = counters(load, step, before=("(W) mov (1|M0) r10.2<1>:d 0:w",))
    assert [each.first for each in found] == [328] * counts


STEP = "(W) add (1|M0) r10.0<1>:d r10.0<0;1,0>:d 1:w"
INNER = ("(W) nop", "(W&f0.1) jmpi (1|M0) again")


@needs_iga64
@pytest.mark.parametrize(
    ("body", "counts"),
    [
        ((*INNER, STEP), [False, True]),
        ((STEP, *INNER), [False, False]),  # passes of the inner loop, and of the outer one
        ((*INNER, STEP.replace("(W)", "(W&f0.1)")), [False, False]),
    ],
)
def test_a_loop_may_begin_with_one_further_in(body, counts):
    text = "\n".join([START, "again:", *body, "(W&f0.0) jmpi (1|M0) again", LAST])
    flow = RegisterFlow(assemble(text), DEVICES["dg2"].platform)
    loops = sorted(flow.loops, key=lambda each: each[1] - each[0])
    assert [bool(loop_counters(flow, each)) for each in loops] == counts


AGAIN = ("add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 4:w",)


@needs_iga64
@pytest.mark.parametrize(
    ("before", "constants", "additions"),
    [
        (["mov (8|M0) r10.0<1>:d r20.0<0;1,0>:d"], [None], [4]),
        (["mov (8|M0) r12.0<1>:d 2:w", "mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d"], [2], [4]),
        ([FIRST, "add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 3:w"], [1], [3, 4]),
        ([FIRST, "mul (8|M0) r10.0<1>:d r10.0<8;8,1>:d 3:w"], [None], [4]),
    ],
)
def test_what_a_counter_has_in_front_of_its_loop_is_followed(before, constants, additions):
    counter, *_ = counters(*AGAIN, before=before)[1]
    assert [each.constant for each in counter.origins if each.constant is not None] == [
        each for each in constants if each is not None
    ]
    assert any(each.constant is None for each in counter.origins) == (None in constants)
    assert sorted(amount for _, amount in counter.additions) == additions


@needs_iga64
@pytest.mark.parametrize(
    "before",
    [
        [FIRST, "(f0.0) mov (8|M0) r10.0<1>:d 2:w"],  # in some lanes
        ["mov (4|M0) r10.0<1>:d 1:w"],  # half of them, and nothing known of the others
        [],
    ],
)
def test_what_not_all_lanes_have_begins_no_counter(before):
    assert counters(*AGAIN, before=before)[1] == []


@needs_iga64
def test_a_copy_of_what_several_instructions_made_says_of_what_it_is():
    halves = [f"mov (4|M{each}) r12.{each}<1>:d r20.{each}<4;4,1>:d" for each in (0, 4)]
    copy = "mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d"
    flow, (counter,) = counters(*AGAIN, before=[*halves, copy])
    (origin,) = (each for each in counter.origins if each.copied is not None)
    assert (origin.offset, origin.constant) == (flow.steps[2].offset, None)
    assert [origin.copied.place(lane) for lane in (0, 7, 8)] == [384, 412, None]


@needs_iga64
@pytest.mark.parametrize(
    ("before", "copied", "index"),
    [
        # What sets it, the copy, and an iteration that is made in front of the loop.
        (["and (8|M0) r12.0<1>:d r20.0<8;8,1>:d 1:w", COPIED, *AGAIN], 384, 1),
        (["mov (8|M0) r10.0<1>:d r20.0<8;8,1>:d"], 640, 0),  # nothing in the code sets that
        (["and (8|M0) r10.0<1>:d r20.0<8;8,1>:d 1:w"], None, None),
    ],
)
def test_registers_that_a_counter_was_copied_from_are_known(before, copied, index):
    flow, (counter, *_) = counters(*AGAIN, before=before)
    (origin,) = counter.origins
    if copied is None:
        assert origin.copied is None
        return
    assert [origin.copied.place(lane) for lane in (0, 7, 8)] == [copied, copied + 28, None]
    assert origin.copied_at == flow.steps[index].offset


@needs_iga64
@pytest.mark.parametrize(
    ("after", "is_left"),
    [
        ([LAST, LAST], True),
        (["mov (8|M0) r10.0<1>:d 7:w", LAST], False),
        (["add (8|M0) r10.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d", LAST], False),
    ],
)
def test_what_was_counted_is_left_in_the_register_until_it_is_changed(after, is_left):
    flow, found = counters(*AGAIN, after=after)
    counted = found[0].origins
    (left,) = left_by_loops(flow, found, flow.steps[-1].offset) or (None,)
    if is_left:
        assert left.origins == counted
    else:
        assert left is None or left.origins != counted


STEPPED = "add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 2:w"
SUM = "add (8|M0) r10.0<1>:d r14.0<8;8,1>:d 1:w"


@needs_iga64
def test_a_sum_in_front_of_the_loop_may_be_what_it_begins_with():
    """Or what that was added to: both are told."""
    flow, found = counters(STEPPED, before=("mov (8|M0) r14.0<1>:d r20.0<8;8,1>:d", SUM))
    assert [(each.first, each.step) for each in found] == [(320, 2)] * 2
    assert [[flow.index_at(a.offset) for a in each.origins] for each in found] == [[0], [1]]
    assert [sorted(amount for _, amount in each.additions) for each in found] == [[1, 2], [2]]


PRODUCT = (
    "mul (8|M0) acc0.0<1>:d r4.0<8;8,1>:d r6.0<0;1,0>:uw",
    "mach (8|M0) r10.0<1>:d r4.0<8;8,1>:d r6.0<0;1,0>:d",
    "mul (8|M8) acc0.0<1>:d r5.0<8;8,1>:d r6.0<0;1,0>:uw",
    "mach (8|M8) r11.0<1>:d r5.0<8;8,1>:d r6.0<0;1,0>:d",
)
STEPPED_IN_ALL = "add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:w"


@needs_iga64
def test_halves_of_a_product_begin_a_counter():
    """With the instructions that begin them, which have the line of the product."""
    flow, (counter,) = counters(STEPPED_IN_ALL, before=PRODUCT)
    assert (counter.first, counter.lanes, counter.step) == (320, 16, 1)
    assert sorted(flow.index_at(each.offset) for each in counter.origins) == [0, 2]


@needs_iga64
@pytest.mark.parametrize(
    "before",
    [
        PRODUCT[:2],  # the other lanes have what the function begins with
        (*PRODUCT[:3], "(f0.0) " + PRODUCT[3]),
        (*PRODUCT[:2], "mov (16|M0) r11.0<1>:w r5.0<16;16,1>:w"),  # halves of numbers
    ],
)
def test_parts_that_are_not_whole_begin_no_counter(before):
    assert counters(STEPPED_IN_ALL, before=before)[1] == []


@needs_iga64
def test_a_second_half_of_something_else_is_not_of_a_product():
    before = (PRODUCT[0], "mov (8|M0) r12.0<1>:d 0:w", PRODUCT[1], *PRODUCT[2:])
    flow, (counter,) = counters(STEPPED_IN_ALL, before=before)
    assert sorted(flow.index_at(each.offset) for each in counter.origins) == [2, 3]


@needs_iga64
def test_what_a_message_gives_is_taken_from_no_register():
    flow, _ = counters("send.ugm (8|M0) r12 r20 null:0 0x0 0x02100580")
    (load,) = (each for each in flow.steps if each.decoded.send is not None)
    assert source_of(flow, load, load.writes, 4) is None
