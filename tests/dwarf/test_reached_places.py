"""Which instructions take what was made of another one's result."""

import pytest

from tests.support.xe.execution_bench import assemble, needs_iga64
from zedbg.dwarf.trust.code_flow import CodeFlow
from zedbg.dwarf.trust.reached_places import ReachedPlaces
from zedbg.xe.devices import DEVICES

DG2 = DEVICES["dg2"].platform
FIRST = "add (8|M0) r12.0<1>:d r10.0<1;1,0>:d 5:w"
CASES = {
    "registers": (["shl (8|M0) r13.0<1>:d r12.0<1;1,0>:d 1:w"], True),
    "another register": (["shl (8|M0) r13.0<1>:d r11.0<1;1,0>:d 1:w"], False),
    "accumulators": (
        [
            "mul (8|M0) acc0.0<1>:d r12.0<1;1,0>:d r10.0<2;1,0>:uw",
            "mach (8|M0) r14.0<1>:d r11.0<1;1,0>:d r10.0<1;1,0>:d",
        ],
        True,
    ),
    "a flag": (
        [
            "cmp (8|M0) (gt)f0.0 null<1>:d r12.0<1;1,0>:d 9:w",
            "(f0.0) sel (8|M0) r13.0<1>:d r10.0<1;1,0>:d 1:w",
        ],
        True,
    ),
    "another flag": (
        [
            "cmp (8|M0) (gt)f0.0 null<1>:d r12.0<1;1,0>:d 9:w",
            "(f1.0) sel (8|M0) r13.0<1>:d r10.0<1;1,0>:d 1:w",
        ],
        False,
    ),
    "what is overwritten": (
        ["mov (8|M0) r12.0<1>:d 1:w", "shl (8|M0) r13.0<1>:d r12.0<1;1,0>:d 1:w"],
        False,
    ),
    # Every second dword has something else, and is all that is taken.
    "what is overwritten between": (
        [
            "mov (8|M0) r12.0<2>:d r8.0<1;1,0>:d",
            "mov (8|M0) r13.0<1>:d r12.0<2;1,0>:d",
        ],
        False,
    ),
    # An instruction may leave what was there for some lanes, or not.
    "what is overwritten for some lanes": (
        ["(f1.0) mov (8|M0) r12.0<1>:d 1:w", "shl (8|M0) r13.0<1>:d r12.0<1;1,0>:d 1:w"],
        False,
    ),
    "what ways give that a flag chooses": (
        [
            "cmp (8|M0) (gt)f0.0 null<1>:d r12.0<1;1,0>:d 9:w",
            "(f0.0) goto (8|M0) MEET MEET",
            "mov (8|M0) r13.0<1>:d 1:w",
            "MEET:",
            "join (8|M0) END",
            "shl (8|M0) r14.0<1>:d r13.0<1;1,0>:d 1:w",
        ],
        True,
    ),
    "what is between such ways only": (
        [
            "cmp (8|M0) (gt)f0.0 null<1>:d r12.0<1;1,0>:d 9:w",
            "(f0.0) goto (8|M0) END END",
            "shl (8|M0) r14.0<1>:d r13.0<1;1,0>:d 1:w",
        ],
        False,
    ),
}


@needs_iga64
@pytest.mark.parametrize("case", CASES)
def test_what_is_made_of_a_result_is_followed(case):
    body, expected = CASES[case]
    flow = CodeFlow(assemble("\n".join([FIRST, *body, "END:", "nop"]) + "\n"), DG2)
    *_, last, _ = flow.steps
    assert (last.offset in ReachedPlaces(flow).of(0)) is expected


@needs_iga64
def test_a_jump_decides_what_lanes_come_to_before_they_meet():
    lines = [
        "(f0.0) goto (8|M0) MEET MEET",
        "mov (8|M0) r13.0<1>:d 1:w",
        "mov (8|M0) r14.0<1>:d 2:w",
        "MEET:",
        "join (8|M0) END",
        "mov (8|M0) r15.0<1>:d 3:w",
        "END:",
        "nop",
    ]
    flow = CodeFlow(assemble("\n".join(lines) + "\n"), DG2)
    offsets = [each.offset for each in flow.steps]
    places = ReachedPlaces(flow)
    assert places.decided_by(offsets[0]) == {offsets[1], offsets[2]}
    assert places.decided_by(offsets[1]) == frozenset()
