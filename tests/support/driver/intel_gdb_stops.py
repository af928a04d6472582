"""Runs inside Intel's GDB: breaks in a kernel, and writes what GDB sees of it as JSON.

The environment has BREAK (a line of the kernel's source), STOPS (the file to write), and which
registers to read, in REGISTERS.
"""

import json
import os
import re
import sys
from pathlib import Path

import gdb

sys.path.append(str(Path(__file__).resolve().parents[3]))
from tests.support.dwarf.gdb_locals import locals_of

MOST_LANES = 32
STEPS = 4
MOST_STOPS = 8


def bytes_of(value):
    """The value's bytes as digits, or [why] there are none."""
    if isinstance(value, gdb.error):
        return [str(value)]
    try:
        return value.bytes.hex()
    except gdb.error as error:
        return [str(error)]


def lanes_of(number):
    """What each active lane of the thread sees, by lane."""
    lanes = {}
    for lane in range(MOST_LANES):
        try:
            gdb.execute(f"thread {number}:{lane}", to_string=True)
        except gdb.error:
            continue
        lanes[lane] = locals_of(gdb.selected_frame(), bytes_of)
    return lanes


def threads():
    """The stopped threads of the device, by their place in it (slice.subslice.eu.thread)."""
    found = {}
    listed = gdb.execute("info threads -stopped", to_string=True)
    for number, place in re.findall(r"^[* ] +(\d+\.\d+)\S* .*?ZE ([\d.]+)", listed, re.MULTILINE):
        gdb.execute(f"thread {number}", to_string=True)
        frame = gdb.selected_frame()
        names = os.environ["REGISTERS"].split()
        found[place] = {
            "pc": frame.pc(),
            "line": frame.find_sal().line,
            "function": frame.name(),
            "registers": {name: bytes_of(frame.read_register(name)) for name in names},
        }
        found[place]["lanes"] = lanes_of(number)
    return found


def steps(command):
    """Places to which the thread comes: [address, line] after each step."""
    places = []
    for _ in range(STEPS):
        gdb.execute(command, to_string=True)
        frame = gdb.selected_frame()
        places.append([frame.pc(), frame.find_sal().line])
    return places


gdb.execute("set breakpoint pending on")
gdb.execute(f"break {os.environ['BREAK']}")
found = {"stop": gdb.execute("run", to_string=True)}
found["devices"] = gdb.execute("info devices", to_string=True)
current = gdb.execute("thread", to_string=True)
found["current"] = re.search(r"\((\d+\.\d+|ZE [\d.]+).*?\)", current)[1].removeprefix("ZE ")
selected = re.search(r"thread is (\S+)", current)[1]
found["threads"] = threads()
gdb.execute(f"thread {selected}", to_string=True)
try:
    found["code"] = gdb.execute("x/4i $pc", to_string=True)
except gdb.error as error:  # Intel's library for that does not know every device
    found["code"] = str(error)
gdb.execute("delete")
gdb.execute("set scheduler-locking step")
found["instructions"] = steps("stepi")
gdb.execute("set scheduler-locking off")
# Not up to its end: which of GDB's two sides reports that first varies, and one order is an error.
gdb.execute("tbreak _exit")
for _ in range(MOST_STOPS):  # a thread whose stop was not reported yet is reported now
    gdb.execute("continue", to_string=True)
    found["end"] = gdb.selected_frame().name()
    if found["end"] == "_exit":
        break
with Path(os.environ["STOPS"]).open("w") as file:
    json.dump(found, file)
