"""Calls that editors step into, and code without a source."""

from __future__ import annotations

import pytest

from tests.support.places import KERNELS

SOURCES = KERNELS / "src"


CALLS = [
    # Module, build, line, the functions that it calls, and the stack in the last of them.
    ("inlined", "igc2-dg2-O2", 22, ["scaled"], ["scaled (inlined)", "inlined"]),
    ("inlined", "igc2-dg2-O0", 19, ["scaled"], ["scaled", "inlined"]),
    ("stack_calls", "igc2-dg2-O0", 8, ["descend"], ["descend", "stack_calls"]),
    # leaf is called inside of mid, too.
    ("calls", "igc2-dg2-O0", 18, ["mid", "leaf"], ["leaf", "calls"]),
]


@pytest.mark.cases(0)
@pytest.mark.parametrize(("name", "build", "line", "called", "stack"), CALLS)
def test_steps_go_into_the_call_that_is_chosen(
    editor, kernel_command, name, build, line, called, stack
):
    arguments = ["i32[8]", "i32[8]=iota"] if name == "inlined" else ["i32[16]=iota", "i32[32]"]
    arguments += ["i32=8"] if name == "inlined" else []
    program = kernel_command(name, "--global", "8", "--local", "8", *arguments, build=build)
    source = SOURCES / f"{name}.cl"
    editor.begin(program, lambda: editor.break_at(source, line))
    thread = editor.stopped()["threadId"]
    frame = editor.frame(thread)
    assert (frame["name"], frame["line"]) == (name, line)
    asked = editor.request("breakpointLocations", source={"path": str(source)}, line=1, endLine=99)
    lines = [each["line"] for each in asked["breakpoints"]]
    assert line in lines and max(lines) <= len(source.read_text().splitlines())
    targets = editor.request("stepInTargets", frameId=frame["id"])["targets"]
    assert [each["label"] for each in targets] == called
    editor.request("stepIn", threadId=thread, targetId=targets[-1]["id"])
    assert editor.stopped()["reason"] == "step"
    frames = editor.request("stackTrace", threadId=thread)["stackFrames"]
    assert [each["name"] for each in frames] == stack and frames[-1]["line"] == line


@pytest.mark.cases(0)
def test_code_without_debug_information_has_its_disassembly_as_a_source(editor, kernel_command):
    arguments = [
        "--global",
        "64",
        "--local",
        "32",
        "f32[64]=iota",
        "f32[64]=2",
        "f32[64]",
        "i32=64",
    ]
    program = kernel_command("vadd", *arguments, build="igc2-dg2-nodebug")
    editor.begin(program, stopOnEntry=True)
    stop = editor.stopped()
    assert stop["reason"] == "entry" and "hitBreakpointIds" not in stop
    frame = editor.frame(stop["threadId"])
    source = frame["source"]
    text = editor.request("source", sourceReference=source["sourceReference"], source=source)
    lines = text["content"].splitlines()
    assert source["name"] == "vadd.asm" and "send" in text["content"]
    (listed,) = editor.request("loadedSources")["sources"]
    assert listed == source
    last = len(lines) - next(
        n for n, line in enumerate(reversed(lines)) if "(EOT)" in line or "eot" in line.lower()
    )
    asked = {"source": source, "breakpoints": [{"line": last}]}
    (placed,) = editor.request("setBreakpoints", **asked)["breakpoints"]
    assert placed["verified"] and placed["line"] == last
    arguments = editor.variables(editor.scopes(frame["id"])["Arguments"]["variablesReference"])
    assert arguments["n"]["value"] == "64"
    editor.request("continue", threadId=stop["threadId"])
    again = editor.stopped()
    assert again["hitBreakpointIds"] == [placed["id"]]
    assert editor.frame(again["threadId"])["line"] == last
