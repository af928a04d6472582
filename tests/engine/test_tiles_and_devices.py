"""Tiles, and two devices at work at the same time, in one session."""

import re

import pytest

from tests.support.module_command import module_command
from tests.support.packed_modules import ZEBINS

HOST = module_command("engine.device_host")
ENDLESS = str(ZEBINS / "igc2-dg2-O0" / "endless.zebin")
PVC_ENDLESS = str(ZEBINS / "igc2-pvc-O0" / "endless.zebin")
PVC_VADD = str(ZEBINS / "igc2-pvc-O0" / "vadd.zebin")
BMG_VADD = str(ZEBINS / "igc2-bmg-O0" / "vadd.zebin")
# The program on the processor does not stop with its kernels: vadd may run to its end before the
# next command. So its breakpoint comes before this.
LAUNCH_THE_OTHER = ["set var turns[0] = 1"]


def threads_in(text):
    """Short id and the rest of each row of info threads."""
    return dict(re.findall(r"^[* ] (\d\.\d+)(?::\[[^]]*\])?\s+(ZE .*)$", text, re.M))


@pytest.mark.parametrize("hierarchy", ["FLAT", "COMPOSITE"])
def test_both_tiles_are_threads_of_one_device(debugger, hierarchy):
    """Also where the program, as by default with Intel's driver, takes tiles for devices."""
    commands = ["break vadd.cl:4 workitem 5", "run", "next", "continue", "info devices"]
    commands += ["info threads 1.4097-4098", "thread 1.4098", "print i", "stepi", "thread 1.1"]
    done = debugger.run(
        *("--batch", "--sim=pvc", *_given([*commands, "continue"])),
        *("--", *HOST, "tiles", PVC_VADD),
        ZE_FLAT_DEVICE_HIERARCHY=hierarchy,
    )
    hits = re.findall(r"^Thread (\S+) hit Breakpoint 1, with lane 5", done.out, re.M)
    assert hits == ["1.1", "1.4097"]
    assert re.search(r"^1 .*Max 1550.* 2 +1024 +8192 +attached$", done.out, re.M), done.out
    rows = threads_in(done.out)
    assert rows["1.4097"].startswith("ZE 1.0.0.0") and rows["1.4098"].startswith("ZE 1.0.0.1")
    assert "$1 = 16\n" in done.out
    assert "Thread 1.1 (ZE 0.0.0.0) is not stopped." in done.err
    assert done.out.count("126.0") == 2 and "[Process exited normally]" in done.out


def test_a_stop_on_one_device_stops_the_other(debugger):
    commands = ["tbreak endless", "run", "break vadd.cl:4 workitem 5"]
    commands += [*LAUNCH_THE_OTHER, "continue"]
    commands += ["info threads", "thread 1.1", "stepi", "info threads", "thread 2.2"]
    commands += ["print i", "next", "thread 1.1", "set var *stop = 1", "delete", "continue"]
    done = debugger.run(
        *("--batch", "--sim=dg2,bmg", *_given(commands)),
        *("--", *HOST, "beside", ENDLESS, BMG_VADD),
    )
    assert re.search(r"^Thread 1\.1 hit Temporary breakpoint 1, .* endless ", done.out, re.M)
    assert re.search(r"^Thread 2\.1 hit Breakpoint 2, with lane 5, vadd ", done.out, re.M), done.out
    first, second = done.out.split("  Id ")[1:]
    for text in (first, second):
        assert list(threads_in(text)) == ["1.1", "1.2", "2.1", "2.2", "2.3", "2.4"], done.out
        assert "(running)" not in text
    assert "$1 = 16\n" in done.out and done.err == ""
    assert "126.0" in done.out and "[Process exited normally]" in done.out


def test_kernels_on_both_tiles_stop_together_and_have_no_past(debugger):
    commands = ["tbreak endless", "run", "stepi", "reverse-stepi", "goto end"]
    commands += ["break vadd.cl:4 workitem 5", *LAUNCH_THE_OTHER, "continue", "print i"]
    commands += ["info threads", "reverse-stepi", "info record", "thread 1.1"]
    commands += ["set var *stop = 1", "delete", "continue"]
    done = debugger.run(
        *("--batch", "--sim=pvc", *_given(commands)),
        *("--", *HOST, "beside", PVC_ENDLESS, PVC_VADD),
    )
    assert re.search(r"^Thread 1\.4097 hit Breakpoint 2, with lane 5, vadd ", done.out, re.M), (
        done.out
    )
    assert "$1 = 5\n" in done.out
    rows = threads_in(done.out)
    assert "endless.cl:" in rows["1.1"] and rows["1.4098"].endswith("vadd.cl:4"), done.out
    why = "another kernel ran on the other tile at the same time."
    assert done.err.strip() == f"Launch 1 cannot be recorded: {why}"
    assert f"\nDevice 1 does not record launch 1: {why}\n" in done.out
    assert "126.0" in done.out and "[Process exited normally]" in done.out


def test_a_stop_on_one_device_leaves_the_other_running_in_non_stop_mode(debugger):
    commands = ["set non-stop on", "tbreak endless", "break vadd.cl:4 thread 2.1", "run"]
    commands += ["thread 1.1", "continue &", "thread 1.2", *LAUNCH_THE_OTHER, "continue &"]
    commands += ["wait 60", "info threads", "thread 2.1", "next", "continue &"]
    commands += ["interrupt 1.1", "thread 1.1", "stepi", "set var *stop = 1", "continue -a"]
    done = debugger.run(
        *("--batch", "--sim=dg2,bmg", *_given(commands)),
        *("--", *HOST, "beside", ENDLESS, BMG_VADD),
    )
    assert re.search(r"^Thread 2\.1 hit Breakpoint 2, with lanes .* vadd ", done.out, re.M), (
        done.out
    )
    rows = threads_in(done.out)
    assert rows["1.1"].endswith("(running)") and rows["2.1"].endswith("vadd.cl:4")
    assert re.search(r"^Thread 1\.1 .*interrupted", done.out, re.M)
    assert "126.0" in done.out and "[Process exited normally]" in done.out


def _given(commands):
    return [word for command in commands for word in ("-ex", command)]
