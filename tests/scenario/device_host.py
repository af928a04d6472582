"""A host program for what one launch does not show; the first argument says which.

reload TIMES MODULE: makes the module, runs its kernel vadd, and destroys it, again and again.
copy ADDRESS: copies 64 bytes from there with a copy engine: a page fault that no thread does.
devices MODULE...: runs vadd of each module on the device of the same place in the driver's list,
    the later ones a second later.
Prints the last word of each result.
"""

import struct
import sys
import time
from pathlib import Path

from zedbg.levelzero.core_commands import ImmediateCommandList
from zedbg.levelzero.core_driver import drivers
from zedbg.levelzero.core_memory import Context, MemoryKind
from zedbg.levelzero.core_module import Module
from zedbg.levelzero.errors import LevelZeroError
from zedbg.levelzero.loader import ffi

WORDS = 64


def run(context, device, binary):
    module = Module(context, device, binary)
    kernel = module.kernel("vadd")
    kernel.set_group_size(32)
    buffers = [context.allocate(MemoryKind.SHARED, 4 * WORDS, device) for _ in range(3)]
    for index, buffer in enumerate(buffers):
        buffer.view()[:] = struct.pack(f"<{WORDS}f", *range(WORDS))
        kernel.set_argument_memory(index, buffer)
    kernel.set_argument_bytes(3, struct.pack("<i", WORDS))
    ImmediateCommandList(context, device).append_launch(kernel, (WORDS // 32, 1, 1))
    print(struct.unpack_from("<f", buffers[2].view(), 4 * (WORDS - 1))[0], flush=True)
    kernel.close()
    module.close()


def main(what, *arguments):
    driver = drivers()[0]
    context = Context(driver)
    if what == "reload":
        binary = Path(arguments[1]).read_bytes()
        for _ in range(int(arguments[0])):
            run(context, driver.devices[0], binary)
    elif what == "copy":
        device = driver.devices[0]
        commands = ImmediateCommandList(context, device)
        target = context.allocate(MemoryKind.SHARED, 64, device)
        try:
            commands.append_copy(target, ffi.cast("void *", int(arguments[0], 0)), 64)
        except LevelZeroError as error:
            print(type(error).__name__, flush=True)
        time.sleep(1)
    else:
        for device, name in zip(driver.devices, arguments, strict=True):
            run(context, device, Path(name).read_bytes())
            time.sleep(1)


main(*sys.argv[1:])
