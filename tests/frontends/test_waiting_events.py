"""While a command waits: what happens is shown at once, and silence is explained."""

import json
import re
import signal

import pytest


@pytest.fixture
def running(debugger, endless):
    """A zedbg whose program runs without end; what it says is looked at while it waits."""

    def start(*commands, options=()):
        zedbg = debugger.start(endless, *options)
        for command in (*commands, "run"):
            zedbg(command)
        return zedbg

    return start


def test_a_module_is_reported_while_the_program_runs(running):
    zedbg = running(options=["--json"])
    zedbg.expect('"event": "process", "action": "attached"')
    line = zedbg.expect(r'^.*"event": "module".*$')[0]
    assert json.loads(line)["kernels"] == ["endless"]
    assert not any('"command": "run"' in each for each in zedbg.out)
    zedbg("kill")
    zedbg.send_signal(signal.SIGINT)
    zedbg.expect('"event": "stop"')
    zedbg.finish()


def test_a_pending_breakpoint_is_reported_while_the_program_runs(running):
    zedbg = running("set watchdog 1", "break nosuch", "break endless.cl:900")
    zedbg.expect(r"^\[no further module loaded for 1 s; 2 breakpoints pending\]$")
    zedbg.expect(r"^\[no further module loaded for 2 s; 2 breakpoints pending\]$")
    waits = [re.search(r"no further module loaded for (\d+) s", line) for line in zedbg.out]
    seconds = [int(each[1]) for each in waits if each]
    assert seconds == [2**number for number in range(len(seconds))]  # twice as long each time
    zedbg.send_signal(signal.SIGINT)
    zedbg.expect("interrupted")
    zedbg("kill")
    zedbg.finish()


def test_a_program_without_level_zero_is_reported(debugger):
    done = debugger.batch(["set watchdog 1", "break vadd", "run"], ["sleep", "3"])
    assert "[the program has not used Level Zero for 1 s; 1 breakpoint pending]" in done.lines


def test_the_watchdog_is_silent_without_pending_breakpoints_or_when_switched_off(debugger):
    for commands in (["set watchdog 1"], ["set watchdog 0", "break vadd"]):
        done = debugger.batch([*commands, "run"], ["sleep", "1.3"])
        assert not any("has not used" in line for line in done.lines)


def test_breakpoints_that_were_never_hit_say_why(debugger, vadd):
    reasons = {
        "vad": '(vad) was never in place: no module of the program has a function or kernel "vad"; '
        "nearest: vadd.",
        "vadd.cl:99": "vadd.cl has no code at or after line 99; its last is line 5.",
        "vad.cl:3": 'no module of the program was compiled from "vad.cl" (there are vadd.cl).',
        "*0x10": "no module of the program has code at 0x10.",
        "kernel w*": 'has a kernel "w*"; nearest: vadd.',
        "vadd.cl:4 if n == 3": "threads came to it 8 times, but its condition never fitted.",
        "vadd workgroup 7,0,0": "threads came to it 8 times, but its work-group never fitted.",
    }
    done = debugger.batch([*(f"break {each}" for each in reasons), "run"], vadd)
    for number, reason in enumerate(reasons.values(), 1):
        (line,) = [each for each in done.lines if each.startswith(f"Breakpoint {number} (")][-1:]
        assert "never" in line and line.endswith(reason), line


def test_a_kernel_that_was_never_launched_is_said_so(debugger, kernel_command):
    program = kernel_command("private", "--global", "8", "--local", "8", "i32[64]=iota", "i32[8]")
    program[2] += ":privsmall"
    done = debugger.batch(["break priv", "catch unload w*", "catch launch x*", "run"], program)
    assert [line.partition(": ")[2] for line in done.lines if "never" in line] == [
        "nothing that it stands for was launched while it was in place.",
        'no module with a kernel like "w*" was unloaded.',
        'no module of the program has a kernel "x*"; nearest: priv, privsmall.',
    ]
