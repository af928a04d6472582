"""Divergent control flow: programs of branches, against the same loop in Python, lane by lane."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from tests.support.xe.execution_bench import Bench, assemble, needs_iga64

pytestmark = [needs_iga64, pytest.mark.native]


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as running:
        yield running


def execute(bench: Bench, text: str, values: list[int], mask: int = 0xFF) -> list[int]:
    """r10 after `text`, which ends at label END, with `values` in r2."""
    code = assemble(text + "\nEND:\nillegal")
    bench.start(code, mask)
    bench.write_grf(2, np.array(values, np.int32))
    ran = bench.run(5000)
    assert ran.ip == len(code) - 16 and "illegal" in ran.report, ran
    assert bench.channels() == mask
    return [int(value) for value in bench.read_grf(10, np.int32, len(values))]


def collatz(value: int) -> int:
    steps = 0
    while value != 1:
        value = 3 * value + 1 if value & 1 else value >> 1
        steps += 1
    return steps


COLLATZ_BY_GOTO = """
LOOP:
  cmp (8|M0) (ne)f0.0 null<1>:d r2.0<1;1,0>:d 1:w
  (~f0.0) goto (8|M0) DONE DONE
  and (8|M0) (ne)f0.1 null<1>:d r2.0<1;1,0>:d 1:w
  (f0.1) goto (8|M0) ODD ODD
  shr (8|M0) r2.0<1>:d r2.0<1;1,0>:ud 1:w
  goto (8|M0) ODD NEXT
ODD:
  join (8|M0) NEXT
  mul (8|M0) r2.0<1>:d r2.0<1;1,0>:d 3:w
  add (8|M0) r2.0<1>:d r2.0<1;1,0>:d 1:w
NEXT:
  join (8|M0) DONE
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 1:w
  (W) mov (1|M0) f1.0<1>:ud ce0.0<0;1,0>:ud
  goto.b (8|M0) DONE LOOP
DONE:
  join (8|M0) END
"""

COLLATZ_BY_BLOCKS = """
LOOP:
  cmp (8|M0) (eq)f0.0 null<1>:d r2.0<1;1,0>:d 1:w
  (f0.0) break (8|M0) AGAIN AGAIN
  and (8|M0) (ne)f0.1 null<1>:d r2.0<1;1,0>:d 1:w
  (f0.1) if (8|M0) EVEN FI
  mul (8|M0) r2.0<1>:d r2.0<1;1,0>:d 3:w
  add (8|M0) r2.0<1>:d r2.0<1;1,0>:d 1:w
  else (8|M0) FI FI
EVEN:
  shr (8|M0) r2.0<1>:d r2.0<1;1,0>:ud 1:w
FI:
  endif (8|M0) AGAIN
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 1:w
AGAIN:
  while (8|M0) LOOP
"""


@pytest.mark.parametrize("program", [COLLATZ_BY_GOTO, COLLATZ_BY_BLOCKS], ids=["goto", "blocks"])
@pytest.mark.parametrize("mask", [0xFF, 0x01, 0x5A])
def test_lanes_leave_a_loop_when_each_is_done(bench: Bench, program: str, mask: int) -> None:
    rng = random.Random(mask)
    for _ in range(10):
        values = [rng.randrange(1, 60) for _ in range(8)]
        expected = [collatz(v) if mask >> lane & 1 else 0 for lane, v in enumerate(values)]
        assert execute(bench, program, values, mask) == expected


def test_continue_skips_the_rest_of_the_body(bench: Bench) -> None:
    program = """
LOOP:
  add (8|M0) r2.0<1>:d r2.0<1;1,0>:d -1:w
  and (8|M0) (eq)f0.0 null<1>:d r2.0<1;1,0>:d 1:w
  (f0.0) cont (8|M0) AGAIN AGAIN
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d r2.0<1;1,0>:d
AGAIN:
  cmp (8|M0) (gt)f1.0 null<1>:d r2.0<1;1,0>:d 0:w
  (f1.0) while (8|M0) LOOP
"""
    values = [1, 2, 3, 10, 11, 25, 7, 1]
    assert execute(bench, program, values) == [sum(range(1, v, 2)) for v in values]


def test_recursion_does_not_wake_lanes_that_wait_in_the_caller(bench: Bench) -> None:
    """Lanes with nothing left to do wait at the join that the others pass while they recurse."""
    program = """
  mov (8|M0) r30.0<1>:d 0:w
  (W) mov (1|M0) a0.0<1>:uw 0x500:uw
  call (8|M0) r20.0 TRIANGLE
  jmpi END
TRIANGLE:
  cmp (8|M0) (gt)f0.0 null<1>:d r2.0<1;1,0>:d 0:w
  (~f0.0) goto (8|M0) OUT OUT
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d r2.0<1;1,0>:d
  add (8|M0) r2.0<1>:d r2.0<1;1,0>:d -1:w
  (W) mov (2|M0) r[a0.0]<1>:ud r20.0<1;1,0>:ud
  (W) add (1|M0) a0.0<1>:uw a0.0<0;1,0>:uw 8:uw
  call (8|M0) r20.0 TRIANGLE
  (W) add (1|M0) a0.0<1>:uw a0.0<0;1,0>:uw -8:w
  (W) mov (2|M0) r20.0<1>:ud r[a0.0]<1;1,0>:ud
  add (8|M0) r30.0<1>:d r30.0<1;1,0>:d 1:w
OUT:
  join (8|M0) OUT2
OUT2:
  ret (8|M0) r20.0
"""
    values = [0, 1, 2, 3, 4, 9, 5, 0]
    expected = [v * (v + 1) // 2 for v in values]
    assert execute(bench, program, values) == expected
    assert bench.read_grf(30, np.int32, 8).tolist() == values


def test_a_predicated_call_takes_only_some_lanes_along(bench: Bench) -> None:
    program = """
  cmp (8|M0) (gt)f0.0 null<1>:d r2.0<1;1,0>:d 3:w
  (f0.0) call (8|M0) r20.0 DOUBLE
  add (8|M0) r10.0<1>:d r2.0<1;1,0>:d 100:w
  jmpi END
DOUBLE:
  (W) mov (1|M0) r31.0<1>:ud ce0.0<0;1,0>:ud
  add (8|M0) r2.0<1>:d r2.0<1;1,0>:d r2.0<1;1,0>:d
  ret (8|M0) r20.0
"""
    values = [1, 2, 3, 4, 5, 6, 0, 9]
    expected = [(2 * v if v > 3 else v) + 100 for v in values]
    assert execute(bench, program, values) == expected
    assert int(bench.read_grf(31, np.uint32, 1)[0]) == 0b10111000


def test_a_call_that_no_lane_makes_is_passed_by(bench: Bench) -> None:
    program = """
  cmp (8|M0) (gt)f0.0 null<1>:d r2.0<1;1,0>:d 100:w
  (f0.0) call (8|M0) r20.0 NEVER
  mov (8|M0) r10.0<1>:d 7:w
  jmpi END
NEVER:
  mov (8|M0) r10.0<1>:d 8:w
  ret (8|M0) r20.0
"""
    assert execute(bench, program, [1] * 8) == [7] * 8


def test_lanes_that_return_early_wait_for_the_others(bench: Bench) -> None:
    program = """
  call (8|M0) r20.0 FUNCTION
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 1000:w
  jmpi END
FUNCTION:
  cmp (8|M0) (lt)f0.0 null<1>:d r2.0<1;1,0>:d 5:w
  mov (8|M0) r10.0<1>:d r2.0<1;1,0>:d
  (f0.0) ret (8|M0) r20.0
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 50:w
  ret (8|M0) r20.0
"""
    values = [1, 9, 3, 7, 5, 4, 0, 6]
    expected = [1000 + v + (50 if v >= 5 else 0) for v in values]
    assert execute(bench, program, values) == expected
    assert execute(bench, program, [1] * 8) == [1001] * 8


def test_uniform_jumps_follow_one_bit_of_the_predicate(bench: Bench) -> None:
    program = """
  (W) mov (1|M0) r3.0<1>:d 5:w
LOOP:
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d r2.0<1;1,0>:d
  (W) add (1|M0) (ne)f0.0 r3.0<1>:d r3.0<0;1,0>:d -1:w
  (W&f0.0) jmpi LOOP
"""
    assert execute(bench, program, [1, 2, 3, 4, 5, 6, 7, 8]) == [5 * v for v in range(1, 9)]


def test_diverging_and_converging_branches(bench: Bench) -> None:
    program = """
  cmp (8|M0) (gt)f0.0 null<1>:d r2.0<1;1,0>:d 0:w
  (f0.0) brc (8|M0) SKIP SKIP
  mov (8|M0) r10.0<1>:d 1:w
SKIP:
  join (8|M0) NEXT
NEXT:
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 10:w
"""
    assert execute(bench, program, [1, 0, 1, 0, 0, 0, 1, 1]) == [10, 11, 10, 11, 11, 11, 10, 10]
    assert execute(bench, program, [1] * 8) == [10] * 8


def test_an_observer_sees_each_instruction_with_the_channels_that_it_writes(bench: Bench) -> None:
    bench.start(
        assemble("""
  cmp (8|M0) (gt)f0.0 null<1>:d r2.0<1;1,0>:d 0:w
  (f0.0) goto (8|M0) SKIP SKIP
  mov (8|M0) r10.0<1>:d 1:w
SKIP:
  join (8|M0) NEXT
NEXT:
  (W) mov (1|M0) r11.0<1>:d 1:w
  (f0.0) mov (8|M0) r10.0<1>:d 2:w""")
    )
    bench.write_grf(2, np.array([1, 0, 1, 0, 0, 0, 1, 1], np.int32))
    seen = bench.run(6, observed=True).report.split()
    expected = ["begin", "0:ff:ff", "10:c5:ff", "20:3a:3a", "30:ff:ff", "40:1:ff", "50:c5:ff"]
    assert seen == expected


def test_lanes_that_go_back_to_an_outer_loop_run_its_head_before_the_inner_loop_goes_on(
    bench: Bench,
) -> None:
    """`goto.b` goes to UIP as soon as one lane does; the others wait at JIP.

    So the head of the outer loop runs while lanes are inside the inner one, and what it writes
    without a mask must not be what they still read. Intel's newest compiler gets that wrong for
    dg2 at O0, where r3 and r4 may become one register.
    """
    program = """
OUTER:
  (W) mov (1|M0) r4.0<1>:d 1000:w
  cmp (8|M0) (le)f0.0 null<1>:d r5.0<1;1,0>:d 0:w
  (f0.0) goto (8|M0) AGAIN DONE
  (W) mov (1|M0) r3.0<1>:d 1:w
INNER:
  add (8|M0) r5.0<1>:d r5.0<1;1,0>:d -1:w
  and (8|M0) (eq)f0.0 null<1>:d r5.0<1;1,0>:d 1:w
  (f0.0) goto.b (8|M0) AGAIN OUTER
AGAIN:
  join (8|M0) DONE
  add (8|M0) r10.0<1>:d r10.0<1;1,0>:d r3.0<0;1,0>:d
  (W) jmpi INNER
DONE:
  join (8|M0) END
"""
    code = assemble(program + "\nEND:\nillegal")
    for shared in (False, True):
        words = bytearray(code)
        if shared:
            words[7] = 3  # the register of the first instruction's destination
        bench.start(bytes(words), 0x0F)
        bench.write_grf(5, np.array([1, 2, 1, 4, 0, 0, 0, 0], np.int32))
        ran = bench.run(1000, observed=True)
        assert ran.ip == len(code) - 16
        heads = [step.split(":")[2] for step in ran.report.split()[1:] if step.startswith("0:")]
        # All four; then the two whose number is even at once, while the others wait.
        assert heads[:2] == ["f", "5"]
        right = bench.read_grf(10, np.int32, 4).tolist() == [0, 1, 0, 2]
        assert right != shared
