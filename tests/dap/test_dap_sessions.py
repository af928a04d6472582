"""Sessions as editors have them; every message is checked with the protocol's schema."""

from __future__ import annotations

import base64
import re
import struct
import subprocess
import time

import pytest

from tests.support.dap.dap_client import CLIENT, RequestFailed
from tests.support.places import KERNELS

SOURCES = KERNELS / "src"
VADD = SOURCES / "vadd.cl"


def failing(call, *arguments, **named):
    """The text of the error that a request gives."""
    with pytest.raises(RequestFailed) as raised:
        call(*arguments, **named)
    return raised.value.text


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


def test_threads_frames_scopes_and_values(editor, kernel_command):
    arguments = ["i32[16]=iota", "i32[16]"]
    program = kernel_command("stack_calls", "--global", "8", "--local", "8", *arguments)
    source = SOURCES / "stack_calls.cl"
    editor.begin(program, lambda: editor.break_at(source, {"line": 3, "condition": "n == 0"}))
    stop = editor.stopped()
    threads = editor.request("threads")["threads"]
    assert threads[0]["id"] == stop["threadId"]
    assert re.match(r"1\.\d+ stack_calls \(0,0,0\) \[\d.*\] ZE 0\.0\.", threads[0]["name"])
    whole = editor.request("stackTrace", threadId=stop["threadId"])
    frames = whole["stackFrames"]
    assert [each["name"] for each in frames][-1] == "stack_calls"
    assert {each["name"] for each in frames[:-1]} == {"descend"} and len(frames) > 1
    page = editor.request("stackTrace", threadId=stop["threadId"], startFrame=1, levels=1)
    assert [each["line"] for each in page["stackFrames"]] == [frames[1]["line"]]
    assert page["totalFrames"] > 1
    outer = frames[-1]["id"]
    assert outer != frames[0]["id"]

    scopes = editor.scopes(frames[0]["id"])
    assert list(scopes) == ["Arguments", "Locals", "Lanes", "Work-item", "Registers"]
    values = editor.variables(scopes["Arguments"]["variablesReference"])
    assert list(values) == ["n", "p"] and values["n"]["value"] == "0"
    pointer = values["p"]
    (target,) = editor.variables(pointer["variablesReference"]).values()
    assert (
        target["evaluateName"] == "*p" and target["memoryReference"] == pointer["memoryReference"]
    )
    kernel = editor.variables(editor.scopes(outer)["Locals"]["variablesReference"])
    assert kernel["i"]["type"] == "int"

    item = editor.variables(scopes["Work-item"]["variablesReference"])
    lane = int(item["lane"]["value"])
    assert item["global id"]["value"] == f"{{{kernel['i']['value']}, 0, 0}}"
    lanes = editor.variables(scopes["Lanes"]["variablesReference"])
    assert lanes[f"[{lane}]"]["value"] == f"({kernel['i']['value']},0,0) active"
    inner = editor.variables(lanes[f"[{lane}]"]["variablesReference"])
    assert inner["n"]["value"] == "0"
    two = editor.variables(scopes["Lanes"]["variablesReference"], start=2, count=2)
    assert list(two) == ["[2]", "[3]"]
    assert editor.variables(scopes["Lanes"]["variablesReference"], start=99, count=2) == {}
    groups = editor.variables(scopes["Registers"]["variablesReference"])
    general = editor.variables(groups["general"]["variablesReference"], start=10, count=1)
    hexadecimal = editor.variables(
        groups["general"]["variablesReference"], start=10, count=1, format={"hex": True}
    )
    assert list(general) == ["r10"] == list(hexadecimal)
    numbers = [int(each) for each in general["r10"]["value"].strip("{}").split(", ")[:1]]
    assert int(hexadecimal["r10"]["value"].strip("{}").split(",")[0], 16) == numbers[0]

    editor.break_at(source)
    editor.request("stepOut", threadId=stop["threadId"])
    back = editor.stopped()
    assert back["reason"] == "step"
    assert "not of this stop" in failing(editor.request, "scopes", frameId=outer)
    after = editor.request("stackTrace", threadId=stop["threadId"])["stackFrames"]
    assert len(after) == len(frames) - 1
    # More of what is there than an editor wants to see at once.
    assert "This is no thread" in failing(editor.request, "next", threadId=1)


def test_values_are_changed_and_memory_and_code_are_read(editor, vadd):
    editor.begin(vadd, lambda: editor.break_at(VADD, 3))
    stop = editor.stopped()
    frame = editor.frame(stop["threadId"])
    scopes = editor.scopes(frame["id"])
    locals_ = scopes["Locals"]["variablesReference"]
    changed = editor.request("setVariable", variablesReference=locals_, name="i", value="2 + 3")
    assert changed["value"] == "5"
    assert editor.event("memory")["count"] == 4
    assert editor.variables(locals_)["i"]["value"] == "5"
    wrong = failing(editor.request, "setVariable", variablesReference=locals_, name="i", value="q")
    assert wrong == 'No symbol "q" in current context.'
    set_ = editor.request("setExpression", expression="a[5]", value="0.5", frameId=frame["id"])
    assert set_["value"] == "0.5"
    assert editor.values(["a[5] * 4", "$_lane", "i"], frame["id"]) == ["2", "0", "5"]

    array = editor.request("evaluate", expression="a", frameId=frame["id"])["memoryReference"]
    data = editor.request("readMemory", memoryReference=array, offset=16, count=8)
    assert struct.unpack("<2f", base64.b64decode(data["data"])) == (4.0, 0.5)
    assert data["address"] == f"{int(array, 16) + 16:#x}"
    written = base64.b64encode(struct.pack("<f", 9.0)).decode()
    editor.request("writeMemory", memoryReference=array, offset=20, data=written)
    assert editor.values(["a[5]"], frame["id"]) == ["9"]
    beyond = editor.request("readMemory", memoryReference=array, count=8 << 20)
    read = len(base64.b64decode(beyond["data"]))
    assert 256 <= read < 8 << 20 and beyond["unreadableBytes"] == (8 << 20) - read
    nowhere = editor.request("readMemory", memoryReference="0x10", count=4)
    assert "data" not in nowhere and nowhere["unreadableBytes"] == 4
    assert "base64" in failing(editor.request, "writeMemory", memoryReference=array, data="@@")

    here = frame["instructionPointerReference"]
    around = editor.request(
        "disassemble", memoryReference=here, instructionOffset=-500, instructionCount=1000
    )["instructions"]
    assert len(around) == 1000
    code = [each for each in around if each.get("presentationHint") != "invalid"]
    assert around[500]["address"] == here and around[0]["presentationHint"] == "invalid"
    assert code[0]["symbol"] == "vadd" and all(int(each["address"], 16) >= 0 for each in around)
    shell = editor.console("disassemble vadd", frameId=frame["id"])
    listed = re.findall(r"^(?:=>)?\s*(0x[0-9a-f]+)", shell, re.MULTILINE)
    assert [int(each, 16) for each in listed] == [
        int(each["address"], 16) for each in code[: len(listed)]
    ]
    for position in (3, 20):  # from another place, backwards
        again = editor.request(
            "disassemble",
            memoryReference=code[position + 2]["address"],
            instructionOffset=-2,
            instructionCount=1,
        )["instructions"]
        assert again[0]["instruction"] == code[position]["instruction"]
    asked = [{"instructionReference": around[502]["address"]}, {"instructionReference": "what"}]
    assert "no memory reference" in failing(
        editor.request, "setInstructionBreakpoints", breakpoints=asked
    )
    (placed,) = editor.request("setInstructionBreakpoints", breakpoints=asked[:1])["breakpoints"]
    assert placed["verified"] and placed["instructionReference"] == around[502]["address"]
    editor.request("next", threadId=stop["threadId"], granularity="instruction")
    moved = editor.frame(editor.stopped()["threadId"])
    assert moved["instructionPointerReference"] == around[501]["address"]
    (target,) = editor.request("gotoTargets", source={"path": str(VADD)}, line=3)["targets"]
    editor.request("goto", threadId=stop["threadId"], targetId=target["id"])
    assert editor.stopped()["reason"] == "goto"
    assert editor.frame(stop["threadId"])["instructionPointerReference"] == here
    editor.break_at(VADD)
    editor.request("continue", threadId=stop["threadId"])
    assert editor.stopped()["reason"] == "instruction breakpoint"


PRINTER = r"""
import zedbg

@zedbg.printer(r"\{\.\.\.\}")  # the structure has a typedef only
class Printer:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "an S"

    def children(self):
        yield "second", self.value["b"][1]
        yield "words", "as they stand"
"""


@pytest.mark.cases(0)
def test_structures_arrays_and_what_pretty_printers_make_of_them(editor, server, kernel_command):
    structure = "struct{i32=1,i32=2,align[16],f32[4]=iota,i8[16]=iota}"
    arguments = [structure, "i32[56]=iota", "f32[8]", "f32[8]=1"]
    program = kernel_command("structs", "--global", "8", "--local", "8", *arguments)
    source = SOURCES / "structs.cl"
    editor.begin(program, lambda: editor.break_at(source, 15))
    stop = editor.stopped()
    frame = editor.frame(stop["threadId"])["id"]
    scopes = editor.scopes(frame)
    passed = editor.variables(scopes["Arguments"]["variablesReference"])["prm"]
    members = editor.variables(passed["variablesReference"])
    assert [members[name]["value"] for name in "xy"] == ["1", "2"]
    assert members["v"]["evaluateName"] == "prm.v" and members["v"]["indexedVariables"] == 4
    elements = editor.variables(members["v"]["variablesReference"], start=1, count=2)
    assert {name: each["value"] for name, each in elements.items()} == {"[1]": "1", "[2]": "2"}
    assert editor.values(["prm.v[2]"], frame) == ["2"]
    own = editor.variables(scopes["Locals"]["variablesReference"])["l"]
    inside = editor.variables(own["variablesReference"])
    b = inside["b"]["variablesReference"]
    changed = editor.request("setVariable", variablesReference=b, name="[1]", value="-7")
    assert changed["value"] == "-7" and editor.values(["l.b[1]", "l.b[2]"], frame)[0] == "-7"
    # The same with a pretty-printer.
    plugin = server.folder / "printer.py"
    plugin.write_text(PRINTER)
    editor.console(f"source {plugin}", frameId=frame)
    own = editor.variables(scopes["Locals"]["variablesReference"])["l"]
    assert own["value"] == "an S = {second = -7, words = as they stand}"
    parts = editor.variables(own["variablesReference"])
    assert {name: each["value"] for name, each in parts.items()} == {
        "second": "-7",
        "words": "as they stand",
    }


@pytest.mark.cases(0)
def test_shared_local_memory_is_a_scope_and_can_be_read_and_written(editor, kernel_command):
    sizes = ["--global", "64", "--local", "32"]
    program = kernel_command("reduce", *sizes, "i32[64]=iota", "i32[2]", "local[128]", "i32=64")
    program[2] += ":reduce_slm"
    editor.begin(program, lambda: editor.break_at(SOURCES / "reduce.cl", 6))
    stop = editor.stopped()
    frame = editor.frame(stop["threadId"])["id"]
    pointer = editor.request("evaluate", expression="tmp", frameId=frame)
    assert pointer["memoryReference"].startswith("slm:1.")
    data = editor.request("readMemory", memoryReference=pointer["memoryReference"], count=16)
    assert len(base64.b64decode(data["data"])) == 16
    written = base64.b64encode(struct.pack("<f", 2.5)).decode()
    editor.request("writeMemory", memoryReference=pointer["memoryReference"], data=written)
    assert editor.values(["tmp[0]"], frame) == ["2.5"]
    scope = editor.scopes(frame)["Shared local memory"]
    assert scope["indexedVariables"] == 256  # in words: hardware gives a work-group 1 KiB at least
    words = editor.variables(scope["variablesReference"], start=0, count=2)
    assert words["[0x0000]"]["value"] == "0x40200000"


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
