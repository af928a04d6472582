"""``stacks``: where every stopped thread is."""

import pytest


def test_threads_with_one_call_stack_are_one_group(debugger, vadd):
    done = debugger.batch(["break vadd.cl:3", "run", "thread 1.6:2", "next", "stacks"], vadd)
    text = done.out[done.out.index("7 threads") :]
    lines = text.splitlines()
    assert lines[:4] == [
        "7 threads, 56 lanes, 2 work-groups (0,0,0)-(1,0,0):",
        "  #0  vadd at vadd.cl:3",
        "1 thread, 8 lanes, work-group (1,0,0):",
        "  #0  vadd at vadd.cl:4",
    ]
    assert lines[4] == "Variables of thread 1.6, lane 2, (42,0,0):"
    assert "  i = 42" in lines


def test_frames_of_calls_tell_groups_apart(debugger, kernel_command):
    sizes = ["--global", "8", "--local", "8"]
    program = kernel_command("calls", *sizes, "i32[8]=iota", "f32[32]")
    objects = debugger.json(["break calls.cl:4", "run", "stacks"], program).objects
    (rows,) = (each["rows"] for each in objects if each.get("command") == "stacks")
    assert [frame["function"] for frame in rows[0]["frames"]][-1] == "calls"
    assert len(rows[0]["frames"]) > 1
    assert rows[0]["incomplete"] is None
    assert rows[0]["threads"] == ["1.1"]


@pytest.mark.cases(0)
def test_without_debug_info_threads_are_told_apart_by_their_address(debugger, kernel_command):
    sizes = ["--global", "64", "--local", "32"]
    arguments = ["f32[64]=iota", "f32[64]=2", "f32[64]", "i32=64"]
    program = kernel_command("vadd", *sizes, *arguments, build="igc2-dg2-nodebug")
    done = debugger.batch(["break vadd", "run", "stepi", "stacks"], program)
    assert [line for line in done.lines if "threads" in line or "thread," in line][-2:]
    assert sum(line.startswith("  #0  vadd at 0x") for line in done.lines) == 2
