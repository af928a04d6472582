"""Run by GDB at a stop: what commands show there, and the program's memory."""

import contextlib
import json
import os
from pathlib import Path

import gdb

COMMANDS = json.loads(os.environ["COMMANDS"])
_LARGEST = 1 << 22

gdb.execute("break " + os.environ["PLACE"])
gdb.execute("run")
shown = {}
for command in COMMANDS:
    try:
        shown[command] = gdb.execute(command, to_string=True)
    except gdb.error as error:
        shown[command] = f"{error}\n"
inferior = gdb.selected_inferior()
memory = []
for line in Path(f"/proc/{inferior.pid}/maps").read_text().splitlines():
    words = line.split()
    low, high = (int(part, 16) for part in words[0].split("-"))
    if words[1].startswith("r") and high - low < _LARGEST and "/lib/" not in line:
        with contextlib.suppress(gdb.error):
            memory.append((low, bytes(inferior.read_memory(low, high - low)).hex()))
state = {"shown": shown, "memory": memory, "pc": int(gdb.selected_frame().pc())}
Path(os.environ["DUMP"]).write_text(json.dumps(state))
