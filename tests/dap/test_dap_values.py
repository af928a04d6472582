"""What editors show of a stopped program, and change in it."""

from __future__ import annotations

import base64
import re
import struct

import pytest

from tests.support.dap.dap_client import failing
from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS

SOURCES = KERNELS / "src"
VADD = SOURCES / "vadd.cl"


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


def test_a_part_of_a_value_has_parts(editor):
    """Of an array and a structure that the program has not set all of yet."""
    module = MODULES / "everyday" / "igc1-dg2-O2" / "parts.zebin"
    program = ["zedbg", "kernel", f"{module}:parts", "--global", "16", "--local", "16"]
    program += ["i32[40]=iota", "i32[32]", "i32=6"]
    source = KERNELS / "everyday" / "parts.cl"
    editor.begin(program, lambda: editor.break_at(source, 20))
    stop = editor.stopped()
    frame = editor.request("stackTrace", threadId=stop["threadId"])["stackFrames"][0]["id"]
    found = editor.variables(editor.scopes(frame)["Locals"]["variablesReference"])
    kept = found["kept"]
    assert (kept["type"], kept["indexedVariables"]) == ("int [8]", 8)
    elements = editor.variables(kept["variablesReference"])
    assert list(elements) == [f"[{each}]" for each in range(8)]
    texts = [each["value"] for each in elements.values()]
    assert all(each.isdigit() for each in texts[:6])
    assert texts[6:] == ["<unavailable>"] * 2 and elements["[7]"]["type"] == "int"
    members = editor.variables(found["range"]["variablesReference"])
    assert members["count"]["value"] == "6" and members["largest"]["value"] == "<unavailable>"
    whole = editor.request("evaluate", expression="kept", frameId=frame)
    last = editor.variables(whole["variablesReference"], start=5, count=3)
    assert [each["value"] for each in last.values()] == texts[5:]
    assert editor.request("evaluate", expression="kept[5]", frameId=frame)["result"] == texts[5]
