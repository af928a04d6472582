"""Code for each simulated device can be debugged: breakpoints, lanes, variables, frames, code.

The same sources, compiled without optimisation, on devices whose registers are twice as long as
those of the A770, and whose instructions are encoded differently.
"""

from __future__ import annotations

import re

import pytest

from tests.support.devices import ALL

pytestmark = pytest.mark.cases(1)

DEVICES = [device for device in ALL if device != "dg2"]


@pytest.mark.parametrize("device", DEVICES)
def test_a_line_breakpoint_shows_the_variables_of_a_lane(debugger, kernel_command, device):
    program = kernel_command(
        *("vadd", "--device", device, "--global", "64", "--local", "32"),
        *("f32[64]=iota", "f32[64]=2", "f32[64]", "i32=64"),
        build=f"igc2-{device}-O0",
    )
    commands = ("break vadd.cl:3", "run", "thread 4", "lane 5", "print i", "delete", "continue")
    done = debugger.run("--batch", f"--sim={device}", *_given(commands), "--", *program)
    assert "with lanes [0-15], vadd" in done.out
    assert "work-group (1,0,0), work-item (53,0,0)" in done.out
    assert "$1 = 53\n" in done.out  # work-group 1 of 32 work-items
    assert "2 3 4 5 6 7 8 9" in done.out


@pytest.mark.parametrize("device", DEVICES)
def test_frames_of_functions_that_were_not_inlined(debugger, kernel_command, device):
    program = kernel_command(
        *("calls", "--device", device, "--global", "32", "--local", "32"),
        *("i32[32]=iota", "f32[128]=1"),
        build=f"igc2-{device}-O0",
    )
    commands = ("break calls.cl:4", "run", "bt", "print b", "delete", "continue")
    done = debugger.run("--batch", f"--sim={device}", *_given(commands), "--", *program)
    frames = re.findall(r"^#(\d)  (\w+) \(.*\) at calls\.cl:(\d+)$", done.out, re.MULTILINE)
    assert frames == [("0", "leaf", "4"), ("1", "mid", "8"), ("2", "calls", "18")]
    assert "$1 = 3\n" in done.out


@pytest.mark.parametrize("device", DEVICES)
def test_an_array_in_private_memory(debugger, kernel_command, device):
    program = kernel_command(
        *("private:priv", "--device", device, "--global", "32", "--local", "32"),
        *("i32[32]=iota", "i32[32]", "i32=32"),
        build=f"igc2-{device}-O0",
    )
    program[2] = program[2].replace(":priv.zebin", ".zebin:priv")
    commands = ("break private.cl:8", "run", "lane 3", "print a[0]@4", "delete", "continue")
    done = debugger.run("--batch", f"--sim={device}", *_given(commands), "--", *program)
    assert "$1 = {3, 4, 5, 6}\n" in done.out


@pytest.mark.parametrize("device", DEVICES)
def test_code_is_shown_in_the_instruction_set_of_the_device(debugger, kernel_command, device):
    program = kernel_command(
        *("vadd", "--device", device, "--global", "32", "--local", "32"),
        *("f32[32]=iota", "f32[32]=2", "f32[32]", "i32=32"),
        build=f"igc2-{device}-O0",
    )
    commands = ("break vadd", "run", "x/200i $pc", "delete", "continue")
    done = debugger.run("--batch", f"--sim={device}", *_given(commands), "--", *program)
    shown = [line for line in done.out.splitlines() if re.search(r"<\+\d+>:\t", line)]
    end = next(index for index, line in enumerate(shown) if "EOT" in line)
    assert end > 50
    assert not any("illegal" in line for line in shown[:end])  # after the end is padding
    assert any(re.search(r"\tadd \(16\|M0\) r\d+\.0<1>:q ", line) for line in shown)
    assert "send.gtwy" in shown[end]


def _given(commands: tuple[str, ...]) -> list[str]:
    return [word for command in commands for word in ("-ex", command)]
