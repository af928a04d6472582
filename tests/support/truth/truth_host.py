"""Launches every kernel of tests/kernels/truth, one after the other: FOLDER RESULT [KERNEL...].

FOLDER has the modules, each named for its kernel; RESULT gets, as JSON, what each kernel left in
its slots, and the number that a slot holds before. Every kernel has parameters ``(in, truth, n)``;
see prelude.h there.
"""

import json
import struct
import sys
from pathlib import Path

from zedbg.levelzero.core_commands import ImmediateCommandList
from zedbg.levelzero.core_driver import all_devices
from zedbg.levelzero.core_memory import Context, MemoryKind
from zedbg.levelzero.core_module import Module

ITEMS, GROUP, SLOTS = 64, 32, 32
UNTOUCHED = 0xFEDCBA9876543210
N = 3
INPUTS = [number * 37 % 89 for number in range(2 * ITEMS)]


def main(folder, result, *names):
    device = all_devices()[0]
    context = Context(device.driver)
    inputs = context.allocate(MemoryKind.SHARED, 4 * len(INPUTS), device)
    inputs.view()[:] = struct.pack(f"<{len(INPUTS)}I", *INPUTS)
    truth = context.allocate(MemoryKind.SHARED, 8 * ITEMS * SLOTS, device)
    found = {}
    for path in sorted(Path(folder).iterdir()):
        if names and path.name not in names:
            continue
        truth.view()[:] = struct.pack("<Q", UNTOUCHED) * (ITEMS * SLOTS)
        module = Module(context, device, path.read_bytes())
        kernel = module.kernel(path.name)
        kernel.set_group_size(GROUP)
        kernel.set_argument_memory(0, inputs)
        kernel.set_argument_memory(1, truth)
        kernel.set_argument_bytes(2, struct.pack("<i", N))
        ImmediateCommandList(context, device).append_launch(kernel, (ITEMS // GROUP, 1, 1))
        found[path.name] = struct.unpack(f"<{ITEMS * SLOTS}Q", truth.view())
        kernel.close()
        module.close()
    Path(result).write_text(json.dumps({"untouched": UNTOUCHED, "stored": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
