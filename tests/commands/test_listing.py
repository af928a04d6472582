"""``list`` shows the lines that GDB shows of the same source, compiled for the processor."""

import json
import re
import subprocess

import pytest

from tests.support.dwarf.dwarf_dump import dumped_rows
from tests.support.packed_modules import ZEBINS
from tests.support.places import KERNELS
from tests.support.truth.processor_programs import CASES, HOST, ITEMS, SHIM

# One after the other, at a stop in line 14 of 21.
COMMANDS = [
    *("list", "list", "list", "list -", "list -", "list -", "list vecf", "list leaf", "list -"),
    *("list 3", "list +", "list 5,", "list", "list ,12", "list -", "list ,3", "list 2,+3"),
    *("list calls.cl:19", "list", "list 4,6", "list", "list -", "list 40", "list mid,vecf"),
    *("list mid,", "list ,mid", "list calls.cl:4,6", "list 7,40", "list", "up", "list", "list -"),
    *("down", "list -", "list", "up", "list -", "list -"),
]
SCRIPT = """
import gdb, json
gdb.execute("break calls.cl:14")
gdb.execute("run", to_string=True)
found = []
for command in {commands}:
    try:
        found.append(gdb.execute(command, to_string=True))
    except gdb.error as error:
        found.append("error: " + str(error))
print("FOUND", json.dumps(found))
"""


@pytest.fixture
def shown_by_gdb(tmp_path):
    kernel, types, arguments, _ = CASES["calls"]
    host = HOST.format(kernel=kernel, types=types, arguments=arguments, items=ITEMS)
    (tmp_path / "shim.h").write_text(SHIM)
    (tmp_path / "host.cpp").write_text(host)
    (tmp_path / "script.py").write_text(SCRIPT.format(commands=COMMANDS))
    source = str(KERNELS / "src" / "calls.cl")
    plain = ["g++", "-O0", "-w"]
    debug = [*plain, "-g", "-include", "./shim.h", "-x", "c++", "-c", source, "-o", "kernel.o"]
    subprocess.run(debug, cwd=tmp_path, check=True)
    subprocess.run([*plain, "host.cpp", "kernel.o", "-o", "host"], cwd=tmp_path, check=True)
    gdb = ["gdb", "-q", "-nx", "-batch", "-x", "script.py", "./host"]
    done = subprocess.run(gdb, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    found = re.search(r"^FOUND (.*)$", done.stdout, re.MULTILINE)
    assert found, done.stdout + done.stderr
    return json.loads(found[1])


def in_short(text):
    """The numbers of the lines that GDB shows, or what it says instead, without names of files."""
    if text.startswith("error: "):
        return re.split(r" of |; ", text.removeprefix("error: "))[0]
    return [int(each) for each in re.findall(r"^(\d+)\t", text, re.MULTILINE)]


def test_list_shows_what_gdb_shows(debugger, kernel_command, shown_by_gdb):
    program = kernel_command("calls", "--global", "8", "--local", "8", "i32[64]=iota", "f32[64]=2")
    before = [f"directory {KERNELS / 'src'}", "break calls.cl:14", "run"]
    finished = debugger.json([*before, *COMMANDS], program)
    results = [each for each in finished.objects if "command" in each][len(before) :]
    assert len(results) == len(COMMANDS)
    for command, result, gdbs in zip(COMMANDS, results, shown_by_gdb, strict=True):
        if not command.startswith("list"):
            continue
        if result["ok"]:
            assert [row["line"] for row in result["rows"]] == in_short(gdbs), command
            shown = [f"{row['line']}\t{row['text']}" for row in result["rows"]]
            assert shown == gdbs.splitlines(), command
        else:
            assert re.split(r" of |; ", result["error"].rstrip("."))[0] == in_short(gdbs), command


def test_info_line_says_which_lines_have_no_code(debugger, kernel_command):
    program = kernel_command("calls", "--global", "8", "--local", "8", "i32[64]=iota", "f32[64]=2")
    numbers = range(1, 22)
    wanted = [f"info line calls.cl:{number}" for number in numbers]
    finished = debugger.json(["break calls", "run", *wanted], program)
    found = [each["rows"][0] for each in finished.objects if each.get("command") == "info line"]
    module = ZEBINS / "igc2-dg2-O0" / "calls.zebin"
    with_code = {line for _, line, _, _, _, is_end in dumped_rows(module) if not is_end}
    assert [row["line"] for row in found] == list(numbers)
    assert {row["line"] for row in found if row["start"] < row["end"]} == with_code & set(numbers)
    assert with_code < set(numbers)
    first = min(set(numbers) - with_code)
    text = debugger.batch(["break calls", "run", f"info line calls.cl:{first}"], program).out
    assert f'Line {first} of "calls.cl" is at address 0x4' in text
    assert "but contains no code." in text
