"""The lines that each work-item steps back through are those that GDB steps back through, with
``record full``, in the same source compiled for the processor."""

import json
import os
import re
import subprocess

import pytest

from tests.support.gdb_on_amx import gdb_variables
from tests.support.module_command import module_command
from tests.support.places import KERNELS
from tests.support.truth.processor_programs import CASES, HOST, ITEMS, SHIM

GDB_SCRIPT = """
import gdb, json
gdb.execute("skip file shim.h")
gdb.execute("break {kernel}")
gdb.execute("run", to_string=True)
if {item}:
    gdb.execute("ignore 1 {before}", to_string=True)
    gdb.execute("continue", to_string=True)
gdb.execute("delete", to_string=True)

def place():
    frame, depth = gdb.selected_frame(), 0
    line = frame.find_sal().line
    while frame.name() != "main":
        frame, depth = frame.older(), depth + 1
    return depth, line

first = place()
gdb.execute("record full", to_string=True)
while gdb.selected_frame().name() != "main":
    gdb.execute("step", to_string=True)
found = []
while not found or found[-1] != first:
    gdb.execute("reverse-step", to_string=True)
    found.append(place())
print("LINES", json.dumps(found))
"""
TESTED_ITEMS = (0, 3, 7)


@pytest.fixture(scope="module", params=["calls", "diverge"])
def on_the_processor(request, tmp_path_factory):
    """The case's name, and for each tested work-item the lines that GDB goes back through."""
    name = request.param
    kernel, types, arguments, _ = CASES[name]
    folder = tmp_path_factory.mktemp(name)
    (folder / "shim.h").write_text(SHIM)
    host = HOST.format(kernel=kernel, types=types, arguments=arguments, items=ITEMS)
    (folder / "host.cpp").write_text(host)
    source = str(KERNELS / "src" / f"{name}.cl")
    plain = ["g++", "-O0", "-w"]
    debug = [*plain, "-g", "-include", "./shim.h", "-x", "c++", "-c", source, "-o", "kernel.o"]
    subprocess.run(debug, cwd=folder, check=True)
    subprocess.run([*plain, "host.cpp", "kernel.o", "-o", "host"], cwd=folder, check=True)
    lines = {}
    for item in TESTED_ITEMS:
        (folder / "script.py").write_text(
            GDB_SCRIPT.format(kernel=kernel, item=item, before=item - 1)
        )
        gdb = ["gdb", "-q", "-nx", "-batch", "-x", "script.py", "./host"]
        done = subprocess.run(
            gdb,
            cwd=folder,
            env=os.environ | gdb_variables(folder),
            capture_output=True,
            text=True,
            timeout=60,
        )
        found = re.search(r"^LINES (.*)$", done.stdout, re.MULTILINE)
        assert found, done.stdout + done.stderr
        lines[item] = without_leftovers(json.loads(found[1])[::-1])
    return name, lines


def without_leftovers(places):
    """Lines, earliest first. GDB also stops in the middle of a line, after each of its calls, and
    at each part of a line that has several."""
    once = [each for number, each in enumerate(places) if not number or places[number - 1] != each]
    lines, callers = [], []
    for depth, line in once:
        if len(callers) <= depth or callers[depth - 1] != line:
            lines.append(line)
        callers = [*callers[: depth - 1], line]
    return lines


def telling(lines, name):
    """Without the lines that are only braces and jumps, for which compilers need not make code, and
    heads of loops: GDB goes back past the first time that one is executed. Each line once at a
    time."""
    source = (KERNELS / "src" / f"{name}.cl").read_text().splitlines()
    silent = re.compile(
        r"\s*(for\b.*|while\b.*|\}|break;|continue;|return;|\} else \{|default:|case \d+:)\s*$"
    )
    kept = [line for line in lines if not silent.match(source[line - 1])]
    return [line for number, line in enumerate(kept) if not number or kept[number - 1] != line]


@pytest.mark.cases(1)
@pytest.mark.parametrize("build", ["igc2-dg2-O0", "igc1-pvc-O0"])
def test_lanes_go_back_through_the_lines_that_gdb_goes_back_through(on_the_processor, build):
    name, expected = on_the_processor
    kernel, _, _, arguments = CASES[name]
    command = module_command("truth.lines_backwards", name, kernel, build, ITEMS, *arguments)
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    lanes, goes_on_the_same_way, comes_back = json.loads(done.stdout)
    assert goes_on_the_same_way and comes_back
    for item, lines in expected.items():
        assert telling(lanes[item], name) == telling(lines, name), item
