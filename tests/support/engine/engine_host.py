"""A host program: runs one kernel of a module and prints its first buffer's first words.

engine_host.py MODULE KERNEL GROUPS SIZE ARGUMENT...
ARGUMENT: i32:VALUE, f32:VALUE, local:BYTES, or buf:WORDS:VALUE, VALUE a number or "iota".
Exits with 7.
"""

import struct
import sys
from pathlib import Path

from zedbg.levelzero.core_commands import ImmediateCommandList
from zedbg.levelzero.core_driver import drivers
from zedbg.levelzero.core_memory import Context, MemoryKind
from zedbg.levelzero.core_module import Module

module_path, name, groups, size, *arguments = sys.argv[1:]
driver = drivers()[0]
device = driver.devices[0]
context = Context(driver)
kernel = Module(context, device, Path(module_path).read_bytes()).kernel(name)
kernel.set_group_size(int(size))
buffers = []
for index, argument in enumerate(arguments):
    kind, *rest = argument.split(":")
    if kind == "buf":
        words = int(rest[0])
        values = range(words) if rest[1] == "iota" else [int(rest[1])] * words
        memory = context.allocate(MemoryKind.SHARED, 4 * words, device)
        memory.view()[:] = struct.pack(f"<{words}i", *values)
        kernel.set_argument_memory(index, memory)
        buffers.append(memory)
    elif kind == "local":
        kernel.set_argument_local(index, int(rest[0]))
    else:
        code = "<i" if kind == "i32" else "<f"
        value = int(rest[0]) if kind == "i32" else float(rest[0])
        kernel.set_argument_bytes(index, struct.pack(code, value))
commands = ImmediateCommandList(context, device)
commands.append_launch(kernel, (int(groups), 1, 1))
print(*struct.unpack("<8i", buffers[0].view()[:32]), flush=True)
sys.exit(7)
