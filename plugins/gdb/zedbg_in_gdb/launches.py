"""From a host stop to the kernel that is launched there."""

from __future__ import annotations

import struct

import gdb

_LAUNCHES = "zeCommandListAppendLaunch"
_NAME_BYTES = 4096
_RED_ZONE = 128  # bytes under the stack pointer that are a function's own: System V ABI, 3.2.2


def launched_kernel() -> str:
    """The name of the kernel that the function, at whose begin the host is stopped, launches.
    GdbError elsewhere."""
    frame = gdb.newest_frame()
    function = (frame.name() or "").partition("@")[0]
    if not function.startswith(_LAUNCHES):
        raise gdb.GdbError(
            "zedbg: the host is not at a launch: break zeCommandListAppendLaunchKernel, continue, "
            "then zedbg break-launched."
        )
    if frame.architecture().name() != "i386:x86-64":
        raise gdb.GdbError("zedbg: break-launched knows the calling convention of x86-64 only.")
    kernel = int(frame.read_register("rsi"))
    if "MultipleKernels" in function:  # rsi: how many, rdx: where their handles are
        kernel = _word(int(frame.read_register("rdx")))
    return _kernel_name(kernel)


def _word(address: int) -> int:
    return struct.unpack("<Q", bytes(gdb.selected_inferior().read_memory(address, 8)))[0]


def _kernel_name(kernel: int) -> str:
    """What zeKernelGetName says, called in the program with memory on its stack; nothing else of
    the program runs meanwhile."""
    stack = int(gdb.parse_and_eval("(unsigned long) $rsp"))
    base = (stack - _RED_ZONE - _NAME_BYTES - 64) & ~63
    inferior = gdb.selected_inferior()
    inferior.write_memory(base, struct.pack("<Q", _NAME_BYTES))
    call = (
        "((unsigned (*)(unsigned long, unsigned long, unsigned long)) zeKernelGetName)"
        f"({kernel}ul, {base}ul, {base + 64}ul)"
    )
    locking = gdb.parameter("scheduler-locking")
    gdb.execute("set scheduler-locking on")
    try:
        gdb.execute(f"set variable $rsp = {base}ul", to_string=True)
        result = int(gdb.parse_and_eval(call))
    except gdb.error as error:
        what_to_do = (
            " GDB before 14 cannot call functions on a processor with AMX: use a newer one, or "
            "zedbg tcatch launch KERNEL."
            if "extended state" in str(error)
            else ""
        )
        raise gdb.GdbError(
            f"zedbg: the kernel's name cannot be asked for: {error}{what_to_do}"
        ) from None
    finally:
        gdb.execute(f"set variable $rsp = {stack}ul", to_string=True)
        gdb.execute(f"set scheduler-locking {locking}")
    if result != 0:
        raise gdb.GdbError(f"zedbg: zeKernelGetName gives {result:#x} for handle {kernel:#x}.")
    size = min(_word(base), _NAME_BYTES)
    return bytes(inferior.read_memory(base + 64, size)).partition(b"\0")[0].decode()
