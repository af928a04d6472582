"""The lines that each work-item steps through are those that GDB steps through in the same source,
compiled for the processor."""

import json
import re
import subprocess

import pytest

from tests.support.module_command import module_command
from tests.support.places import KERNELS
from tests.support.truth.processor_programs import CASES, HOST, ITEMS, SHIM

GDB_SCRIPT = """
import gdb, json
gdb.execute("skip file shim.h")
gdb.execute("break {kernel}")
gdb.execute("run", to_string=True)
items = []
while gdb.selected_inferior().pid:
    lines = []
    callers = []  # of each calling frame, the line that was shown last
    while gdb.selected_frame().name() != "main":
        line, depth = gdb.selected_frame().find_sal().line, 0
        frame = gdb.selected_frame()
        while frame.name() != "main":
            frame, depth = frame.older(), depth + 1
        # GDB comes back into the middle of a line that called: a leftover.
        if len(callers) <= depth or callers[depth - 1] != line:
            lines.append(line)
        callers = [*callers[: depth - 1], line]
        gdb.execute("step", to_string=True)
    items.append(lines)
    gdb.execute("continue", to_string=True)
print("LINES", json.dumps(items))
"""


@pytest.fixture(scope="module")
def lines_on_the_processor(tmp_path_factory):
    """One list of lines for each work-item, from GDB."""
    known = {}

    def find(name):
        if name in known:
            return known[name]
        kernel, types, arguments, _ = CASES[name]
        folder = tmp_path_factory.mktemp(name)
        (folder / "shim.h").write_text(SHIM)
        host = HOST.format(kernel=kernel, types=types, arguments=arguments, items=ITEMS)
        (folder / "host.cpp").write_text(host)
        (folder / "script.py").write_text(GDB_SCRIPT.format(kernel=kernel))
        source = str(KERNELS / "src" / f"{name}.cl")
        plain = ["g++", "-O0", "-w"]
        debug = [*plain, "-g", "-include", "./shim.h", "-x", "c++", "-c", source, "-o", "kernel.o"]
        subprocess.run(debug, cwd=folder, check=True)
        subprocess.run([*plain, "host.cpp", "kernel.o", "-o", "host"], cwd=folder, check=True)
        gdb = ["gdb", "-q", "-nx", "-batch", "-x", "script.py", "./host"]
        done = subprocess.run(gdb, cwd=folder, capture_output=True, text=True, timeout=60)
        found = re.search(r"^LINES (.*)$", done.stdout, re.MULTILINE)
        assert found, done.stdout + done.stderr
        known[name] = json.loads(found[1])
        return known[name]

    return find


def lines_of_lanes(name, build):
    """One list of lines for each lane, from a process of its own: one process has one device."""
    kernel, _, _, arguments = CASES[name]
    command = module_command("truth.stepped_lines", name, kernel, build, ITEMS, *arguments)
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def telling(lines, name):
    """Without the lines that are only braces and jumps: compilers need not make code for those."""
    source = (KERNELS / "src" / f"{name}.cl").read_text().splitlines()
    silent = re.compile(r"\s*(\}|break;|continue;|return;|\} else \{|default:|case \d+:)\s*$")
    return [line for line in lines if not silent.match(source[line - 1])]


@pytest.mark.parametrize(
    ("name", "build"),
    [
        ("calls", "igc1-dg2-O0"),
        ("calls", "igc2-dg2-O0"),
        ("calls", "igc1-pvc-O0"),
        ("calls", "igc2-pvc-O0"),
        ("calls", "igc2-bmg-O0"),
        ("diverge", "igc1-dg2-O0"),
        ("diverge", "igc2-dg2-O0"),
        ("diverge", "igc1-pvc-O0"),
        ("diverge", "igc2-pvc-O0"),
        ("diverge", "igc2-bmg-O0"),
        ("private", "igc2-pvc-O0"),
        ("private", "igc2-bmg-O0"),
        ("private", "igc2-dg2-O0"),  # the older compiler wrote no debug information for it
    ],
)
def test_each_work_item_steps_through_the_lines_of_the_source(name, build, lines_on_the_processor):
    expected = lines_on_the_processor(name)
    shown = lines_of_lanes(name, build)
    assert len(expected) == ITEMS
    for item in range(ITEMS):
        assert telling(shown[item], name) == telling(expected[item], name), f"work-item {item}"
