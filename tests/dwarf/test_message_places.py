"""How far apart messages access memory, by the sums that their addresses are."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.trust.message_places import MessagePlaces
from zedbg.dwarf.trust.register_flow import RegisterFlow
from zedbg.dwarf.trust.register_sums import RegisterSums
from zedbg.xe.devices import DEVICES

PVC = DEVICES["pvc"].platform
BYTES = PVC.grf_bytes
LOAD = "send.ugm (32|M0) r{to} r{at} null:0 0x0 0x08200580"
STORE = "send.ugm (32|M0) null r{at} r{of}:4 0x0 0x08001584"


def flow_of(*lines):
    return RegisterFlow(assemble("\n".join(lines), "pvc"), PVC)


def distance(*lines):
    """How much r20 is more than r10 after ``lines``; None where they are other sums."""
    flow = flow_of(*lines, "(W) nop")
    sums, end = RegisterSums(flow, PVC), flow.steps[-1].offset
    one, other = (sums.at(BYTES * each, end) for each in (20, 10))
    difference = one.plus(other.times(-1))
    return None if difference.terms else difference.number


PRODUCT = (
    "(W) mul (16|M0) acc0.0<1>:d r{of}.0<1;1,0>:d r4.12<0;1,0>:uw",
    "macl (16|M0) r{to}.0<1>:d r{of}.0<1;1,0>:d r4.6<0;1,0>:d",
)


def product(of, to):
    return [each.format(of=of, to=to) for each in PRODUCT]


SUMS = {
    "a sum": (["add (16|M0) r20.0<1>:d r10.0<1;1,0>:d 12:w"], 12),
    "less": (["add (16|M0) r20.0<1>:d r10.0<1;1,0>:d -12:w"], -12),
    "a sum of sums": (
        ["add (16|M0) r12.0<1>:d r10.0<1;1,0>:d 4:w", "add (16|M0) r20.0<1>:d r12.0<1;1,0>:d 4:w"],
        8,
    ),
    "bits that are free": (["or (16|M0) r20.0<1>:d r10.0<1;1,0>:d 3:w"], 3),
    "a copy of both": (
        ["add (16|M0) r20.0<1>:d r8.0<1;1,0>:d 4:w", "mov (16|M0) r10.0<1>:d r8.0<1;1,0>:d"],
        4,
    ),
    "multiples": (
        [
            "add (16|M0) r12.0<1>:d r8.0<1;1,0>:d 3:w",
            "shl (16|M0) r20.0<1>:d r12.0<1;1,0>:d 2:w",
            "mul (16|M0) r10.0<1>:d r8.0<1;1,0>:d 4:w",
        ],
        12,
    ),
    "the same of the same": (
        [
            "and (16|M0) r20.0<1>:d r8.0<1;1,0>:d 7:w",
            "and (16|M0) r10.0<1>:d r8.0<1;1,0>:d 7:w",
            "add (16|M0) r20.0<1>:d r20.0<1;1,0>:d 1:w",
        ],
        1,
    ),
    "the same of something else": (
        [
            "and (16|M0) r20.0<1>:d r8.0<1;1,0>:d 7:w",
            "mov (16|M0) r8.0<1>:d r9.0<1;1,0>:d",
            "and (16|M0) r10.0<1>:d r8.0<1;1,0>:d 7:w",
        ],
        None,
    ),
    "a cut number": (["mov (16|M0) r20.0<2>:w r10.0<2;1,0>:w"], None),
    "some lanes": (["(f0.0) mov (16|M0) r20.0<1>:d r10.0<1;1,0>:d"], None),
    "products": (
        [*product(8, 10), *product(8, 20), "add (16|M0) r20.0<1>:d r20.0<1;1,0>:d 6:w"],
        6,
    ),
    "products of sums": (
        [
            "add (16|M0) r9.0<1>:d r8.0<1;1,0>:d 1:w",
            *product(8, 10),
            *product(9, 20),
            "add (16|M0) r20.0<1>:d r20.0<1;1,0>:d -r4.6<0;1,0>:d",
        ],
        0,
    ),
    "another product's part": (
        [product(9, 20)[0], product(8, 20)[1], *product(8, 10)],
        None,
    ),
}


@needs_iga64
@pytest.mark.parametrize("what", SUMS)
def test_what_is_shared_is_compared(what):
    lines, expected = SUMS[what]
    assert distance(*lines) == expected


@needs_iga64
def test_the_lower_half_of_a_product_had_another_name():
    dg2 = DEVICES["dg2"].platform
    lines = [each.replace("16", "8").replace("macl", "mach") for each in product(10, 20)]
    flow = RegisterFlow(assemble("\n".join([*lines, "(W) nop"])), dg2)
    sums, end = RegisterSums(flow, dg2), flow.steps[-1].offset
    one, factor, found = (sums.at(dg2.grf_bytes * each, end) for each in (10, 4, 20))
    factor = sums.at(dg2.grf_bytes * 4 + 24, end)
    assert found == one.product(factor)


ADDRESS = "add (16|M0) r{to}.0<1>:q r30.0<1;1,0>:q {number}:w"


def places(*lines):
    """Those of the messages in ``lines``."""
    flow = flow_of(*lines, "(W) nop")
    steps = [each for each in flow.steps if each.decoded.send is not None]
    return flow, MessagePlaces(flow, PVC).of(steps)


@needs_iga64
def test_messages_lie_beside_each_other():
    first, second = (ADDRESS.format(to=each, number=each) for each in (40, 44))
    loads = LOAD.format(to=60, at=40), LOAD.format(to=64, at=44)
    _, (one, other) = places(first, second, *loads)
    assert one.memory == other.memory and one.begin.terms == other.begin.terms
    assert other.begin.number - one.begin.number == 4
    assert one.extent == other.extent == 4


@needs_iga64
def test_what_takes_a_part_of_what_is_loaded():
    takers = [f"mov (32|M0) r{70 + each}.0<1>:b r60.{each}<4;1,0>:b" for each in range(4)]
    whole = "mov (32|M0) r80.0<1>:d r60.0<1;1,0>:d"
    flow, (place,) = places(LOAD.format(to=60, at=40), *takers, whole)
    offsets = [each.offset for each in flow.steps]
    parts = [(offsets[1 + each], each, each + 1) for each in range(4)]
    assert place.takers == (*parts, (offsets[5], 0, 4))


@needs_iga64
def test_what_is_loaded_and_overwritten_is_not_taken():
    others = "mov (32|M0) r60.0<1>:d 0:w", "mov (32|M0) r80.0<1>:d r60.0<1;1,0>:d"
    _, (place,) = places(LOAD.format(to=60, at=40), *others)
    assert place.takers == ()


@needs_iga64
def test_what_gives_what_is_stored():
    makers = [f"mov (32|M0) r{each}.0<1>:d r20.0<1;1,0>:d" for each in (60, 62)]
    address = [
        f"add (16|M{lane}) r{to}.0<1>:q r30.0<1;1,0>:q 8:w" for to, lane in ((40, 0), (42, 16))
    ]
    flow, (place,) = places(*makers, *address, STORE.format(at=40, of=60))
    offsets = [each.offset for each in flow.steps]
    assert place.extent == 8
    assert place.makers == ((offsets[0], 0, 4), (offsets[1], 4, 8))
    assert sorted(place.addressing) == offsets[2:4]
