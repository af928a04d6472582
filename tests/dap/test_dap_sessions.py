"""How sessions of editors begin, run and end. Every message is checked with the schema."""

from __future__ import annotations

import subprocess
import time

import pytest

from tests.support.dap.dap_client import CLIENT, failing
from tests.support.places import KERNELS

SOURCES = KERNELS / "src"
VADD = SOURCES / "vadd.cl"


def test_the_console_has_the_commands_of_the_shell(editor, vadd):
    editor.begin(vadd, lambda: editor.break_at(VADD, 3))
    stop = editor.stopped()
    frame = editor.frame(stop["threadId"])["id"]
    assert editor.console("print/l i", frameId=frame).splitlines()[-1].split() == [
        "7",
        "(7,0,0)",
        "7",
    ]
    assert editor.console("i * 2 + 1") == "1"  # no command: an expression
    assert 'No symbol "nothing"' in failing(editor.console, "print nothing")
    assert failing(editor.console, "quit") == "End the debug session in the editor."
    editor.console("thread 1.6:2")
    changed = editor.event("zedbg/focusChanged")
    assert (changed["thread"], changed["lane"]) == ("1.6", 2)
    assert editor.event("invalidated")["areas"] == ["stacks", "variables"]
    other = editor.frame(changed["threadId"])["id"]
    assert editor.values(["i"], other) == ["42"]
    focus = editor.request("zedbg/focus", workItem=[19])
    assert (focus["globalId"], focus["kernel"]) == ([19, 0, 0], "vadd")
    assert editor.values(["i"], editor.frame(focus["threadId"])["id"]) == ["19"]
    assert "lanes 0 to 7" in failing(editor.request, "zedbg/focus", lane=8)
    pages = [editor.request("zedbg/threads", start=start, count=5) for start in (0, 5)]
    assert [len(each["threads"]) for each in pages] == [5, 3] and pages[0]["totalThreads"] == 8
    assert [each["threads"] for each in pages[0]["groups"]] == [4, 4]
    targets = editor.request("completions", text="info lo", column=8)["targets"]
    assert [each["label"] for each in targets] == ["locals"]
    assert (targets[0]["start"], targets[0]["length"]) == (6, 2)
    editor.console("break vadd.cl:4")
    new = editor.event("breakpoint", lambda body: body["reason"] == "new")["breakpoint"]
    assert new["verified"] and new["line"] == 4
    assert editor.console("next", frameId=frame) == ""
    assert editor.event("continued")["allThreadsContinued"]
    assert editor.stopped()["hitBreakpointIds"] == [new["id"]]
    info = failing(editor.request, "exceptionInfo", threadId=stop["threadId"])
    assert info == "Thread 1.1 has not stopped at an exception."
    hover = failing(editor.request, "evaluate", expression="i = 3", context="hover")
    assert hover == "A hover changes nothing."


def test_pause_and_breakpoints_while_the_program_runs(editor, endless):
    editor.begin(endless)
    editor.event("module")
    assert failing(editor.request, "stackTrace", threadId=1) == (
        "The program is running: pause it first."
    )
    editor.request("pause", threadId=1)
    stop = _wait_in_kernel(editor)
    assert stop["reason"] == "pause"
    editor.request("continue", threadId=stop["threadId"])
    source = SOURCES / "endless.cl"
    lines = [number for number, _ in enumerate(source.read_text().splitlines(), 1)]
    found = editor.break_at(source, *lines)  # while it runs
    assert any(each["verified"] for each in found)
    assert editor.stopped()["reason"] == "breakpoint"
    never = [{"line": each, "condition": "0"} for each in lines]
    editor.break_at(source, *never)
    editor.request("continue", threadId=stop["threadId"])
    progress = editor.event("progressStart")
    assert progress["title"] == "zedbg: continue" and progress["cancellable"]
    assert "hits tried" in editor.event("progressUpdate")["message"]
    editor.request("cancel", progressId=progress["progressId"])
    editor.event("progressEnd")
    assert editor.stopped()["reason"] == "pause"
    editor.break_at(source)
    moving = editor.send("evaluate", {"expression": "continue", "context": "repl"})
    editor.event("continued")
    editor.request("cancel", requestId=moving)
    assert editor.stopped()["reason"] == "pause"
    editor.response(moving)
    editor.request("restart")
    editor.event("process")
    editor.event("module", lambda body: body["reason"] == "new")
    editor.request("terminate")
    assert editor.event("exited")["exitCode"] == 137


def _wait_in_kernel(editor):
    """A stop in the kernel endless: that one, or another where its launch comes after that."""
    for _ in range(100):
        stop = editor.stopped()
        asked = {"threadId": stop["threadId"], "startFrame": 0, "levels": 1}
        frames = editor.request("stackTrace", **asked)["stackFrames"]
        if frames:
            assert frames[0]["name"] == "endless"
            return stop
        editor.request("continue", threadId=stop["threadId"])
        time.sleep(0.1)
        editor.request("pause", threadId=stop["threadId"])
    raise AssertionError("the kernel never runs")


@pytest.mark.cases(0)
def test_a_program_that_dies_while_it_is_stopped_is_noticed(editor, vadd):
    editor.begin(vadd, lambda: editor.break_at(VADD, 3))
    editor.stopped()
    pid = editor.all_events("process")[0]["systemProcessId"]
    subprocess.run(["kill", "-KILL", str(pid)], check=True)
    assert editor.event("exited")["exitCode"] == 137
    editor.event("terminated")


@pytest.mark.cases(0)
def test_attach_lets_the_program_run_on_and_leaves_it_alone(
    editor, server, endless, driver_library
):
    given = {"ZE_ENABLE_ALT_DRIVERS": str(driver_library), "XESIM_DEVICE": "dg2"}
    program = subprocess.Popen(
        endless,
        env=server.environment | given | {"ZET_ENABLE_PROGRAM_DEBUGGING": "1"},
        stdout=subprocess.DEVNULL,
    )
    try:
        time.sleep(1.5)
        editor.request("initialize", **CLIENT)
        number = editor.send("attach", {"pid": program.pid, "sim": "dg2", "stopOnEntry": True})
        editor.event("initialized")
        editor.request("configurationDone")
        editor.response(number)
        _wait_in_kernel(editor)
        editor.request("disconnect")
        time.sleep(0.2)
        assert program.poll() is None
    finally:
        program.kill()
        program.wait()


@pytest.mark.cases(0)
def test_a_core_file_is_a_stopped_program_with_the_sources_inside_it(
    editor, debugger, tmp_path, vadd
):
    source = tmp_path / "src" / "vadd.cl"
    source.parent.mkdir()
    source.write_text(VADD.read_text())
    commands = [f"directory {source.parent}", "break vadd.cl:3", "run", "thread 1.6:2"]
    debugger.batch([*commands, "generate-core-file -s core", "kill"], vadd)
    source.unlink()
    editor.request("initialize", **CLIENT)
    assert "a pid, or a coreFile" in failing(editor.request, "attach")
    number = editor.send("attach", {"coreFile": str(tmp_path / "core")})
    editor.event("initialized")
    editor.request("configurationDone")
    editor.response(number)
    stop = editor.stopped()
    assert len(editor.request("threads")["threads"]) == 8
    frame = editor.frame(stop["threadId"])
    assert editor.values(["i", "a[i]"], frame["id"]) == ["42", "42"]
    reference = frame["source"]["sourceReference"]
    assert editor.request("source", sourceReference=reference)["content"] == VADD.read_text()
    editor.request("next", threadId=stop["threadId"])  # nothing runs
    again = editor.stopped()
    assert editor.frame(again["threadId"])["line"] == 3
    assert "core file" in editor.output


@pytest.mark.cases(0)
def test_a_program_that_uses_no_device_runs_to_its_end(editor):
    script = "echo here $A $XDG_STATE_HOME; read line; exit 3"
    editor.begin(["/bin/sh", "-c", script], env={"A": "b", "XDG_STATE_HOME": None})
    assert editor.event("exited")["exitCode"] == 3
    editor.event("terminated")
    assert editor.output == "here b\n"


@pytest.mark.cases(0)
def test_what_cannot_be_started_is_an_error_of_the_launch(editor):
    editor.request("initialize", **CLIENT)
    number = editor.send("launch", {"program": "/nonexistent", "sim": "dg2"})
    editor.event("initialized")
    editor.request("configurationDone")
    assert "cannot start /nonexistent" in failing(editor.response, number)
    editor.event("terminated")
