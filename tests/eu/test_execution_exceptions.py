"""How a run stops and goes on: breakpoints, single steps, barriers, illegal instructions.

The protocol is that of native/eu/execution_unit.hpp, by the bits of cr0.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.support.xe.execution_bench import Bench, assemble, needs_iga64
from tests.support.xe.intel_disassembler import sections

pytestmark = [needs_iga64, pytest.mark.native]

SUPPRESS = 1 << 15  # cr0.0
FORCED = 1 << 26  # cr0.1, from here
ILLEGAL = 1 << 28
BREAKPOINT = 1 << 31

PROGRAM = """mov (8|M0) r10.0<1>:d 1:w
add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 1:w {Breakpoint}
add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 1:w
jmpi TARGET
illegal
TARGET:
add (8|M0) r10.0<1>:d r10.0<1;1,0>:d 1:w {Breakpoint}
illegal"""


@pytest.fixture
def bench() -> Iterator[Bench]:
    with Bench() as running:
        running.start(assemble(PROGRAM))
        yield running


def set_control(bench: Bench, index: int, value: int) -> None:
    bench.write("control", 4 * index, value.to_bytes(4, "little"))


def value(bench: Bench) -> int:
    return int(bench.read_grf(10, np.int32, 1)[0])


def test_a_breakpoint_stops_before_its_instruction(bench: Bench) -> None:
    ran = bench.run(100, debugging=True)
    assert (ran.outcome, ran.instructions, ran.ip) == ("exception", 1, 0x10)
    assert bench.control(1) == BREAKPOINT and bench.control(2) == 0x10
    assert value(bench) == 1


def test_without_debugging_breakpoints_are_ignored(bench: Bench) -> None:
    ran = bench.run(100)
    assert (ran.outcome, ran.instructions, ran.ip) == ("exception", 5, 0x60)
    assert "illegal" in ran.report and bench.control(1) == ILLEGAL
    assert value(bench) == 4


def test_going_on_with_suppression_passes_the_breakpoint_once(bench: Bench) -> None:
    bench.run(100, debugging=True)
    set_control(bench, 1, 0)
    set_control(bench, 0, bench.control(0) | SUPPRESS)
    ran = bench.run(100, debugging=True)
    assert (ran.outcome, ran.ip) == ("exception", 0x50)
    assert value(bench) == 3 and not bench.control(0) & SUPPRESS


def test_going_on_without_suppression_stops_again(bench: Bench) -> None:
    bench.run(100, debugging=True)
    set_control(bench, 1, 0)
    ran = bench.run(100, debugging=True)
    assert (ran.outcome, ran.instructions, ran.ip) == ("exception", 0, 0x10)
    assert bench.control(1) == BREAKPOINT


def test_a_single_step_executes_one_instruction(bench: Bench) -> None:
    bench.run(100, debugging=True)
    for ip in (0x20, 0x30, 0x50):
        set_control(bench, 0, bench.control(0) | SUPPRESS)
        set_control(bench, 1, BREAKPOINT)
        ran = bench.run(100, debugging=True)
        assert (ran.outcome, ran.instructions, ran.ip) == ("exception", 1, ip)
        assert bench.control(1) == BREAKPOINT and bench.control(2) == ip
        assert not bench.control(0) & SUPPRESS


def test_an_exception_that_is_still_set_is_taken_again(bench: Bench) -> None:
    set_control(bench, 1, FORCED)
    ran = bench.run(100, debugging=True)
    assert (ran.outcome, ran.instructions, ran.ip) == ("exception", 0, 0)
    assert bench.control(1) == FORCED


def test_a_step_into_an_illegal_instruction_leaves_only_that_exception(bench: Bench) -> None:
    bench.start(assemble("illegal"))
    set_control(bench, 1, BREAKPOINT)
    ran = bench.run(100, debugging=True)
    assert ran.outcome == "exception" and ran.instructions == 0
    assert bench.control(1) == ILLEGAL


def test_a_thread_waits_for_its_barrier_and_keeps_its_step_while_it_does(bench: Bench) -> None:
    bench.start(assemble("sync.bar null {Breakpoint}\nmov (8|M0) r10.0<1>:d 3:w"))
    bench.signal_barriers(1)
    set_control(bench, 0, bench.control(0) | SUPPRESS)
    set_control(bench, 1, BREAKPOINT)
    for _ in range(2):
        ran = bench.run(100, debugging=True)
        assert (ran.outcome, ran.instructions, ran.ip) == ("barrier", 0, 0)
    bench.signal_barriers(0)
    ran = bench.run(100, debugging=True)
    assert (ran.outcome, ran.instructions, ran.ip) == ("exception", 1, 0x10)
    assert value(bench) == 0


def test_a_budget_ends_a_run_that_goes_on_as_if_nothing_had_happened(bench: Bench) -> None:
    assert bench.run(2).outcome == "budget"
    assert bench.run(2).ip == 0x50


def test_code_that_is_not_there_is_reported(bench: Bench) -> None:
    bench.start(assemble("jmpi AWAY\nAWAY:\nmov (8|M0) r1.0<1>:d 1:w"))
    ran = bench.run(10)
    assert ran.outcome == "exception" and ran.ip == 0x20
    assert ran.report == "page fault fetching an instruction from global memory at 0x20"


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("math.inv (8|M0) r10.0<1>:f r2.0<1;1,0>:d", "type"),
        ("mov (8|M0) r10.0<1>:df r2.0<1;1,0>:f", "64-bit"),
        ("mul (8|M0) r10.0<1>:d r2.0<1;1,0>:d r4.0<1;1,0>:d {AccWrEn}", "types"),
        ("add (8|M0) r10.0<1>:f r2.0<1;1,0>:d r4.0<1;1,0>:d", "types"),
        ("mov (16|M0) r255.0<1>:ud r2.0<1;1,0>:ud", "beyond"),
    ],
)
def test_what_is_not_implemented_is_reported_and_writes_nothing(
    bench: Bench, text: str, missing: str
) -> None:
    bench.start(assemble(text), 0xFFFF)
    ran = bench.run(1)
    assert ran.outcome == "exception" and ran.instructions == 0 and ran.ip == 0
    assert text.split()[0].split(".")[0] in ran.report and missing in ran.report
    assert bench.control(1) == ILLEGAL and bench.control(2) == 0
    assert bench.read("grf", 0, 256 * 32) == bytes(256 * 32)


@pytest.mark.parametrize(
    "configuration", ["igc1-dg2-O0", "igc1-dg2-O2", "igc2-dg2-O0", "igc2-dg2-O2"]
)
def test_every_instruction_of_the_kernel_corpus_can_be_executed(
    bench: Bench, configuration: str
) -> None:
    checked = 0
    for name, code in sections(configuration):
        bench.start(code)
        assert bench.problems() == "", name
        checked += 1
    assert checked > 20
