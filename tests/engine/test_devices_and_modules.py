"""Several devices in one session, modules that come again and again, faults that no thread does."""

import re

import pytest

from tests.support.devices import EACH_PLATFORM
from tests.support.module_command import module_command
from tests.support.packed_modules import ZEBINS

HOST = module_command("engine.device_host")
DEVICES = EACH_PLATFORM


def vadd(device):
    return str(ZEBINS / f"igc2-{device}-O0" / "vadd.zebin")


@pytest.mark.parametrize("device", DEVICES)
def test_a_breakpoint_comes_again_with_each_load_of_its_module(debugger, device):
    commands = ["break vadd.cl:4 workitem 5", *["run"], *["continue"] * 3, "info breakpoints"]
    done = debugger.run(
        *("--batch", f"--sim={device}", *_given(commands), "-ex", "continue"),
        *("--", *HOST, "reload", "4", vadd(device)),
    )
    hits = re.findall(r"hit Breakpoint 1, with lane 5, vadd .* at vadd\.cl:4$", done.out, re.M)
    assert len(hits) == 4
    assert "breakpoint already hit 4 times" in done.out
    assert done.out.count("126.0") == 4 and "[Process exited normally]" in done.out


@pytest.mark.cases(1)
@pytest.mark.parametrize("device", DEVICES)
def test_a_page_fault_of_a_copy_is_reported_by_itself_and_caught(debugger, device):
    words = ["--batch", f"--sim={device}"]
    program = ["--", *HOST, "copy", "0x4f0000000000"]
    done = debugger.run(*words, "-ex", "run", *program)
    message = "Page fault at 0x4f0000000000 on device 1: of a copy or fill, no thread."
    assert f"warning: {message}" in done.out
    done = debugger.run(*words, *_given(["catch page-fault", "run", "continue"]), *program)
    assert "Catchpoint 1 (page fault at 0x4f0000000000)" in done.out
    assert "[Process exited" in done.out or "[Process terminated" in done.out


def test_two_devices_are_one_session(debugger):
    """Both are attached at once; threads, breakpoints and modules go by the device's number."""
    commands = [
        "break vadd.cl:4 workitem 5",
        "run",
        "info devices",
        "continue",
        "info modules",
        "thread 2.1",
        "print i",
        "info threads 2.*",
        "thread 1.1",
        "continue",
    ]
    done = debugger.run(
        *("--batch", "--sim=dg2,pvc", *_given(commands)),
        *("--", *HOST, "devices", vadd("dg2"), vadd("pvc")),
    )
    assert re.search(r"^\[Attached to process \d+: .*A770.*, .*Max.*\]$", done.out, re.M), done.out
    first, second = re.findall(r"^Thread (\S+) hit Breakpoint 1, with lane 5", done.out, re.M)
    assert (first, second) == ("1.1", "2.1")
    assert "$1 = 5\n" in done.out
    assert re.search(r"^1 .*A770.*attached", done.out, re.M), done.out
    assert re.search(r"^2 .*Max.*attached", done.out, re.M)
    assert re.search(r"^\* 2\.1:\[", done.out, re.M)
    assert "Thread 1.1 (ZE 0.0.0.0) is not stopped." in done.err
    assert done.out.count("126.0") == 2 and "[Process exited normally]" in done.out


def test_a_location_of_a_breakpoint_is_disabled_alone(debugger, kernel_command):
    program = kernel_command("private", "--global", "8", "--local", "8", "i32[64]=iota", "i32[8]")
    program[2] += ":privsmall"
    commands = ["catch load", "run", "break kernel priv*", "disable 2.2"]
    commands += ["info breakpoints", "enable 2.2", "disable 2.1", "disable 2.9", "continue"]
    done = debugger.run("--batch", "--sim=dg2", *_given(commands), "--", *program)
    rows = dict(re.findall(r"^(2\.\d)\s+([yn])\s", done.out, re.M))
    assert rows == {"2.1": "y", "2.2": "n"}
    assert "Bad breakpoint location number '9'" in done.err
    assert re.search(r"hit Breakpoint 2, .* privsmall ", done.out)


def _given(commands):
    return [word for command in commands for word in ("-ex", command)]
