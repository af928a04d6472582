"""Locals, lanes and call chains of kernels that really run, on the simulated GPU.

What a variable must hold follows from the kernel's source and its input; nothing of zedbg's own
reading of locations goes into the expectation.
"""

import json
import os
import subprocess
import sys

import pytest

from tests.support.packed_modules import ZEBINS


@pytest.fixture
def debugged(driver_library):
    """Runs zedbg commands on a kernel, and gives the answers by command, in order."""
    environment = {**os.environ, "ZEDBG_SIM_DRIVER": str(driver_library)}
    zedbg = [sys.executable, "-m", "zedbg.frontends.main"]

    def run(kernel, arguments, commands, items=16):
        options = [part for command in commands for part in ("-ex", command)]
        size = ["--global", str(items), "--local", str(items)]
        program = [*zedbg, "kernel", f"{ZEBINS}/{kernel}", *size, *arguments]
        done = subprocess.run(
            [*zedbg, "--sim=dg2", "--batch", "--json", *options, "--", *program],
            capture_output=True,
            text=True,
            env=environment,
            timeout=120,
            check=False,
        )
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        answers = [line for line in lines if "command" in line]
        assert len(answers) == len(commands), done.stdout + done.stderr
        assert [answer for answer in answers if not answer["ok"]] == []
        return [answer["rows"] for answer in answers]

    return run


def lane_values(rows):
    return [row["value"] for row in rows if "lane" in row]


def test_vadd_shows_each_lanes_locals(debugged):
    arguments = ["f32[16]=iota", "f32[16]=3", "f32[16]=0", "i32=16"]
    commands = ["break vadd.cl:4", "run", "print/l i", "print/l a[i] + b[i]", "print n"]
    answers = debugged("igc2-dg2-O0/vadd.zebin", arguments, commands)
    assert lane_values(answers[2]) == list(range(8))
    assert lane_values(answers[3]) == [lane + 3 for lane in range(8)]
    assert answers[4][0]["value"] == 16


def test_optimised_vadd_shows_locals_in_registers_of_32_lanes(debugged):
    arguments = ["f32[32]=iota", "f32[32]=3", "f32[32]=0", "i32=32"]
    commands = ["break vadd.cl:4", "run", "print/l i", "print n"]
    answers = debugged("igc2-dg2-O2/vadd.zebin", arguments, commands, items=32)
    assert lane_values(answers[2]) == list(range(32))
    assert answers[3][0]["value"] == 32


def test_saxpy_shows_its_loop_variable(debugged):
    arguments = ["f32[16]=iota", "f32[16]=iota", "f32=2.5", "i32=16"]
    commands = ["break saxpy.cl:3", "run", "print/l i", "print a", "print/l a * x[i] + y[i]"]
    answers = debugged("igc2-dg2-O0/saxpy.zebin", arguments, commands)
    assert lane_values(answers[2]) == list(range(8))
    assert answers[3][0]["value"] == 2.5
    assert lane_values(answers[4]) == [lane * 3.5 for lane in range(8)]


def test_private_arrays_are_sorted_where_the_kernel_has_sorted_them(debugged):
    arguments = ["i32[64]=iota", "i32[16]=0", "i32=50"]
    commands = ["break private.cl:16", "run", "print/l a", "print k"]
    answers = debugged("igc2-dg2-O0/private.zebin:priv", arguments, commands)
    for lane, value in enumerate(lane_values(answers[2])):
        assert value == sorted((lane + k) % 50 for k in range(128))
    assert answers[3][0]["value"] == 0


def test_call_chains_have_each_callers_arguments_in_each_lane(debugged):
    arguments = ["i32[64]=iota", "f32[256]=iota"]
    commands = ["break leaf", "run", "print/l a", "print b", "backtrace", "up", "print/l a"]
    commands += ["up", "print/l i"]
    answers = debugged("igc2-dg2-O0/calls.zebin", arguments, commands)
    # p[i] is i: mid gets i & 31 and gives it to leaf.
    assert lane_values(answers[2]) == list(range(8))
    assert answers[3][0]["value"] == 3
    assert [frame["function"] for frame in answers[4]] == ["leaf", "mid", "calls"]
    assert lane_values(answers[6]) == list(range(8))
    assert lane_values(answers[8]) == list(range(8))


def test_recursion_is_as_deep_as_the_argument_demands(debugged):
    commands = ["break recurse.cl:8", "run", "backtrace", "print n", "up", "print n"]
    answers = debugged("igc2-dg2-O0/recurse.zebin", ["i32[16]=5"], commands)
    # fib(5) first comes to its end in fib(1), below fib(4), fib(3) and fib(2).
    assert [frame["function"] for frame in answers[2]] == ["fib"] * 5 + ["rec"]
    assert answers[3][0]["value"] == 1
    assert answers[5][0]["value"] == 2


def test_local_memory_is_shown_through_pointers_and_arrays(debugged):
    arguments = ["f32[16]=iota", "f32[1]=0", "local[64]", "i32=16"]
    commands = ["break reduce.cl:11", "run", "print *tmp@16", "print/l l"]
    answers = debugged("igc2-dg2-O0/reduce.zebin", arguments, commands)
    assert answers[2][0]["value"][0] == sum(range(16))
    assert answers[2][0]["value"][8:] == list(range(8, 16))
    assert lane_values(answers[3]) == list(range(8))
