"""Runs inside GDB: steps through a program, and writes what GDB sees at each stop as JSON."""

import json
import os
import re
import sys
from pathlib import Path

import gdb

sys.path.append(str(Path(__file__).resolve().parents[3]))
from tests.support.dwarf.gdb_locals import locals_of

# DWARF's numbers of the processor's registers (System V ABI for x86-64, figure 3.36).
NAMES = ["rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp"]
NAMES += [f"r{number}" for number in range(8, 16)] + ["rip"]
NAMES += [f"xmm{number}" for number in range(16)]
FUNCTIONS = ("mix", "twice", "use", "narrow")


def shown(value):
    """A number, a list with those of each member, or None for what GDB cannot show."""
    if isinstance(value, gdb.error):
        return None
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_STRUCT:
        return [shown(value[field]) for field in kind.fields()]
    try:
        return float(value) if kind.code == gdb.TYPE_CODE_FLT else int(value)
    except gdb.error:
        return None


def registers(frame):
    found = {}
    for number, name in enumerate(NAMES):
        value = frame.read_register(name)
        if name.startswith("xmm"):
            value = value["v2_int64"]
            parts = [int(value[index]) % (1 << 64) for index in range(2)]
            found[number] = parts[0] | parts[1] << 64
        elif not value.is_optimized_out:
            found[number] = int(value) % (1 << 64)
    return {number: value for number, value in found.items() if value is not None}


def stop():
    frame = gdb.selected_frame()
    physical = frame
    while physical.type() == gdb.INLINE_FRAME:
        physical = physical.older()
    physical.select()
    address = re.search(r"frame at (0x[0-9a-f]+)", gdb.execute("info frame", to_string=True))
    frame.select()
    outer = physical.older()
    memory = gdb.selected_inferior().read_memory
    start = physical.read_register("rsp") - 256
    return {
        "function": frame.name(),
        "pc": frame.pc(),
        "line": frame.find_sal().line,
        "frames": [each for each in names(frame)],
        "cfa": int(address[1], 16),
        "registers": registers(physical),
        "outer": registers(outer),
        "outer_pc": outer.pc(),
        "stack": [int(start), bytes(memory(start, 2048)).hex()],
        "locals": locals_of(frame, shown),
    }


def names(frame):
    while frame is not None and frame.name() in (*FUNCTIONS, "main"):
        yield frame.name()
        frame = frame.older()


gdb.execute("set backtrace past-main on")
gdb.execute("break mix")
gdb.execute("run", to_string=True)
stops = []
while gdb.selected_inferior().pid and len(stops) < 120:
    if gdb.selected_frame().name() not in FUNCTIONS:
        break
    stops.append(stop())
    gdb.execute("stepi 3" if os.environ.get("BY_INSTRUCTION") else "step", to_string=True)
with Path(os.environ["STOPS"]).open("w") as file:
    json.dump(stops, file)
