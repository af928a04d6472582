"""The value of a kernel's argument, from a stopped thread's payload: needs no debug information."""

from __future__ import annotations

import struct

from zedbg.engine.threads.surfaces import Surface, bindless_surface
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.zebin.arguments import ArgumentKind, KernelArgument

_BINDLESS = "bindless"  # how zeinfo says that an argument's bytes are a surface's handle

# The scalar types of OpenCL C (6.3.1), as args_info names them.
_SCALARS = {
    "char": "b",
    "uchar": "B",
    "short": "h",
    "ushort": "H",
    "int": "i",
    "uint": "I",
    "long": "q",
    "ulong": "Q",
    "half": "e",
    "float": "f",
    "double": "d",
}


def argument_value(thread: HardwareThread, argument: KernelArgument) -> object | Missing:
    """The value of ``argument`` in the kernel of ``thread``: as it was passed.

    A number of its type, an address, or the bytes of anything else. What the kernel has been given
    in a register is only known at the kernel's beginning.
    """
    if argument.kind is ArgumentKind.REMOVED:
        return Missing("the compiler found no use for it")
    if not argument.pieces:
        return Missing("no part of it is passed in the payload")
    try:
        passed = thread.work.argument_bytes(argument)
    except LevelZeroError as error:
        return Missing(f"the payload cannot be read: {error}")
    return passed if isinstance(passed, Missing) else typed_argument(passed, argument)


def buffer_address(thread: HardwareThread, argument: KernelArgument) -> int | None:
    """An address in the buffer that was passed as ``argument``: where it was passed to, or where
    the surface begins that its handle names. None where neither is known any more."""
    value = argument_value(thread, argument)
    if isinstance(value, int) and value:
        return value
    for piece in argument.pieces:
        if piece.addrmode != _BINDLESS:
            continue
        try:
            handle = thread.work.payload_bytes(piece.offset, piece.size)
            if isinstance(handle, Missing):
                continue
            surface = bindless_surface(thread, int.from_bytes(handle, "little"))
        except LevelZeroError:
            continue
        if isinstance(surface, Surface):
            return surface.base
    return None


def typed_argument(data: bytes, argument: KernelArgument) -> object:
    """What the bytes of ``argument`` stand for: a number of its type, an address, or the bytes of
    anything else."""
    if argument.kind is not ArgumentKind.VALUE:
        return int.from_bytes(data, "little")
    scalar = _SCALARS.get(argument.type_name or "")
    if scalar is not None and struct.calcsize(scalar) <= len(data):
        value: object = struct.unpack_from(f"<{scalar}", data)[0]
        return value
    return int.from_bytes(data, "little") if len(data) <= 8 else data
