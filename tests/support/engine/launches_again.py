"""A host program: launches a kernel ``(in, truth, n)`` of tests/kernels/truth, then another one,
then the first one again; each when the one before has ended. MODULE OTHER_MODULE."""

import struct
import sys
from pathlib import Path

from zedbg.levelzero.core_commands import ImmediateCommandList
from zedbg.levelzero.core_driver import all_devices
from zedbg.levelzero.core_memory import Context, MemoryKind
from zedbg.levelzero.core_module import Module

ITEMS, GROUP, SLOTS, N = 64, 32, 32, 3


def main(*paths):
    device = all_devices()[0]
    context = Context(device.driver)
    inputs = context.allocate(MemoryKind.SHARED, 8 * ITEMS, device)
    inputs.view()[:] = struct.pack(f"<{2 * ITEMS}I", *range(2 * ITEMS))
    truth = context.allocate(MemoryKind.SHARED, 8 * ITEMS * SLOTS, device)
    kernels = []
    for path in map(Path, paths):
        kernel = Module(context, device, path.read_bytes()).kernel(path.name)
        kernel.set_group_size(GROUP)
        kernel.set_argument_memory(0, inputs)
        kernel.set_argument_memory(1, truth)
        kernel.set_argument_bytes(2, struct.pack("<i", N))
        kernels.append(kernel)
    commands = ImmediateCommandList(context, device)
    for kernel in (*kernels, kernels[0]):
        commands.append_launch(kernel, (ITEMS // GROUP, 1, 1))


if __name__ == "__main__":
    main(*sys.argv[1:])
