"""A host program for what one launch does not show; the first argument says which.

reload TIMES MODULE: makes the module, runs its kernel vadd, and destroys it, again and again.
copy ADDRESS: copies 64 bytes from there with a copy engine: a page fault that no thread does.
devices MODULE...: runs vadd of each module on the device of the same place in the driver's list,
    the later ones a second later.
tiles MODULE: runs vadd on each tile, in turn.
beside ENDLESS VADD: runs the kernel endless on the first device, and vadd on the second once a
    debugger has written to ``turns[0]`` of the former, at once, whether or not that is stopped;
    of a device with tiles, on two of these.
Prints the last word of each result.
"""

import struct
import sys
import threading
import time
from pathlib import Path

from zedbg.levelzero.core_commands import ImmediateCommandList
from zedbg.levelzero.core_driver import drivers
from zedbg.levelzero.core_memory import Context, MemoryKind
from zedbg.levelzero.core_module import Module
from zedbg.levelzero.level_zero_errors import LevelZeroError
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


def run_endless(context, device, binary, buffers):
    kernel = Module(context, device, binary).kernel("endless")
    kernel.set_group_size(16)
    for index, buffer in enumerate(buffers):
        kernel.set_argument_memory(index, buffer)
    ImmediateCommandList(context, device).append_launch(kernel, (1, 1, 1))


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
    elif what == "tiles":
        tiles = driver.devices[0].sub_devices() or driver.devices
        for tile in tiles:
            run(context, tile, Path(arguments[0]).read_bytes())
    elif what == "beside":
        endless, vadd = (Path(each).read_bytes() for each in arguments)
        first, second = driver.devices[0].sub_devices() or driver.devices
        buffers = [context.allocate(MemoryKind.SHARED, 64, first) for _ in range(2)]
        arguments = context, first, endless, buffers
        other = threading.Thread(target=run_endless, args=arguments)
        other.start()
        while not any(buffers[1].view()):
            time.sleep(0.01)
        run(context, second, vadd)
        other.join()
    else:
        for device, name in zip(driver.devices, arguments, strict=True):
            run(context, device, Path(name).read_bytes())
            time.sleep(1)


main(*sys.argv[1:])
