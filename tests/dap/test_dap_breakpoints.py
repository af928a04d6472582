"""Breakpoints, catchpoints and watchpoints as editors set them."""

from __future__ import annotations

import pytest

from tests.support.dap.dap_client import RequestFailed
from tests.support.places import KERNELS

SOURCES = KERNELS / "src"
VADD = SOURCES / "vadd.cl"


def test_breakpoints_say_where_they_are_and_hold_conditions_counts_and_logs(editor, vadd):
    def set_them():
        wanted = [
            {"line": 4, "condition": "i == 1000"},
            {"line": 3, "condition": "i == 37"},
            {"line": 3, "logMessage": "i={i}"},
            {"line": 3, "hitCondition": "5 times"},
            {"line": 3, "hitCondition": "> 7"},
        ]
        found = editor.break_at(VADD, *wanted)
        assert not any(each["verified"] for each in found)
        reasons = ["pending", "pending", "pending", "failed", "pending"]
        assert [each.get("reason") for each in found] == reasons
        assert "hit count" in found[3]["message"]
        (again, *_) = editor.break_at(VADD, *wanted[1:])
        assert again["id"] == found[1]["id"]  # what stays the same keeps its number
        named = [{"name": "vadd"}, {"name": "kernel nothing*"}, {"name": "a b c d:"}]
        functions = editor.request("setFunctionBreakpoints", breakpoints=named)["breakpoints"]
        assert [each["verified"] for each in functions] == [False] * 3
        assert functions[2]["reason"] == "failed"
        (nowhere,) = editor.break_at(VADD.with_name("saxpy.cl"), {"line": 3})
        assert nowhere["message"] == "No module is loaded yet."

    editor.begin(vadd, set_them)
    placed = editor.event("breakpoint")["breakpoint"]
    assert placed["verified"] and placed["line"] == 3 and placed["source"]["path"] == str(VADD)
    assert placed["instructionReference"].startswith("0x")
    first = editor.stopped()
    assert first["reason"] == "function breakpoint" and first["allThreadsStopped"]
    said = []
    while len(said) < 2:
        waiting = editor.event("breakpoint")["breakpoint"]
        if waiting.get("reason") == "pending":
            said.append(waiting["message"])
    assert said == [
        'No module of the program has a kernel "nothing*"; nearest: vadd.',
        'No module of the program was compiled from "saxpy.cl" (there are vadd.cl).',
    ]
    editor.request("setFunctionBreakpoints", breakpoints=[])
    editor.request("continue", threadId=first["threadId"])
    stop = editor.stopped()
    assert stop["reason"] == "breakpoint" and len(stop["hitBreakpointIds"]) == 2
    frames = [editor.frame(each["id"])["id"] for each in editor.request("threads")["threads"][:2]]
    # One thread for its lane with that value, one for being the eighth.
    assert {editor.values(["i"], frame)[0] for frame in frames} == {"37", "56"}
    lanes = editor.request("zedbg/lanes", frameId=frames[0], expression="i")["lanes"]
    assert [each["value"] for each in lanes if each["focused"]] == editor.values(["i"], frames[0])
    assert "i=63" in editor.output
    editor.break_at(VADD)
    editor.finish()
    assert editor.all_events("exited") == [{"exitCode": 0}]


@pytest.mark.cases(0)
def test_hit_counts_choose_the_hits_that_stop_in_each_run(editor, vadd):
    editor.begin(vadd, lambda: editor.break_at(VADD, {"line": 3, "hitCondition": "% 3"}))
    for _ in range(2):
        assert editor.stopped()["reason"] == "breakpoint"
        threads = editor.request("threads")["threads"][:2]
        frames = [editor.frame(each["id"])["id"] for each in threads]
        assert [editor.values(["i"], each) for each in frames] == [["16"], ["40"]]
        assert "hits % 3" in editor.console("info breakpoints")
        editor.request("restart")


@pytest.mark.cases(0)
def test_a_line_without_code_is_moved_and_the_client_is_told(editor, kernel_command):
    sizes = ["--global", "8", "--local", "8"]
    program = kernel_command("inlined", *sizes, "i32[8]", "i32[8]=iota", "i32=8")
    editor.begin(program, lambda: editor.break_at(SOURCES / "inlined.cl", 14))
    placed = editor.event("breakpoint")["breakpoint"]
    assert placed["verified"] and placed["line"] > 14
    assert placed["message"].startswith("No code at line 14")
    editor.stopped()


@pytest.mark.cases(0)
def test_exceptions_say_what_was_accessed(editor, kernel_command):
    program = kernel_command("calls", "--global", "8", "--local", "8", "u64=16", "i32[8]")
    editor.begin(program)
    stop = editor.stopped()
    assert stop["reason"] == "exception" and "reading 0x10" in stop["text"]
    info = editor.request("exceptionInfo", threadId=stop["threadId"])
    assert (info["exceptionId"], info["breakMode"]) == ("page-fault", "always")
    assert "reading 0x10 by work-items (0,0,0)" in info["description"]
    editor.request("terminate")
    editor.event("terminated")


@pytest.mark.cases(0)
def test_filters_stop_at_launches_and_modules(editor, vadd):
    def set_them():
        options = [{"filterId": "launch", "condition": "v*"}]
        body = editor.request("setExceptionBreakpoints", filters=["load"], filterOptions=options)
        assert len(body["breakpoints"]) == 2
        with pytest.raises(RequestFailed):
            editor.request("setExceptionBreakpoints", filters=["nothing"])

    editor.begin(vadd, set_them)
    stop = editor.stopped()
    assert stop["reason"] == "module load" and stop["threadId"] == 1
    assert editor.request("threads")["threads"][0]["id"] == 1
    assert editor.request("stackTrace", threadId=1)["stackFrames"] == []
    (module,) = editor.request("modules")["modules"]
    assert module["kernels"] == "vadd"
    editor.request("continue", threadId=1)
    assert editor.stopped()["reason"] == "launch"


@pytest.mark.cases(0)
def test_data_breakpoints_stop_where_the_value_changes(editor, vadd):
    editor.begin(vadd, lambda: editor.break_at(VADD, 3))
    stop = editor.stopped()
    frame = editor.frame(stop["threadId"])["id"]
    info = editor.request("dataBreakpointInfo", name="c[i]", frameId=frame)
    assert info["dataId"] and info["accessTypes"] == ["write", "read", "readWrite"]
    none = editor.request("dataBreakpointInfo", name="1 + 1", frameId=frame)
    assert none["dataId"] is None
    address = editor.request("evaluate", expression="&c[1]", frameId=frame)["memoryReference"]
    by_address = editor.request(
        "dataBreakpointInfo", name=address, asAddress=True, bytes=4, frameId=frame
    )
    assert by_address["dataId"]
    read = editor.request("dataBreakpointInfo", name="b[i]", frameId=frame)["dataId"]
    asked = [{"dataId": read, "accessType": "read"}]
    editor.request("setDataBreakpoints", breakpoints=asked)
    editor.request("continue", threadId=stop["threadId"])
    looked = editor.stopped()
    assert looked["reason"] == "data breakpoint" and looked["text"] == "lane 0: 2"
    asked = [{"dataId": info["dataId"], "accessType": "write"}, {"dataId": "nothing"}]
    found = editor.request("setDataBreakpoints", breakpoints=asked)["breakpoints"]
    assert [each["verified"] for each in found] == [True, False]
    editor.break_at(VADD)
    editor.request("continue", threadId=stop["threadId"])
    changed = editor.stopped()
    assert changed["reason"] == "data breakpoint" and changed["text"] == "lane 0: 0 -> 2"
    editor.request("setDataBreakpoints", breakpoints=[])
    editor.finish()
