"""The registers of a thread of another process, by ptrace(2): the thread is stopped for a moment.

The thread is seized, so that no signal is sent, and let go before anything else is done. What it
waits for in the system goes on. While another debugger is there nothing is tried.
"""

from __future__ import annotations

import ctypes
import os
import struct
import threading
import time
from collections.abc import Callable

from zedbg.host.threads import host_thread
from zedbg.user_error import UserError

_GETREGS, _DETACH, _SEIZE, _INTERRUPT = 12, 17, 0x4206, 0x4207
_WAIT_ALL = 0x40000000  # __WALL
_SECONDS = 1.0
_PAUSE_SECONDS = 0.0005
# struct user_regs_struct of sys/user.h, as DWARF numbers; the rest is not needed.
_SAVED = struct.Struct("<27Q")
_DWARF_NUMBERS = {
    0: 15, 1: 14, 2: 13, 3: 12, 4: 6, 5: 3, 6: 11, 7: 10, 8: 9, 9: 8,
    10: 0, 11: 2, 12: 1, 13: 4, 14: 5, 16: 16, 19: 7,
}  # fmt: skip


class HostThreadError(UserError):
    """The registers of a host thread cannot be read."""


def with_thread_stopped(pid: int, thread: int, use: Callable[[dict[int, int]], None]) -> None:
    """Calls ``use`` with the registers of ``thread`` of process ``pid``, by their DWARF numbers,
    while it is stopped. Raises HostThreadError."""
    found = host_thread(pid, thread)
    if found is None:
        raise HostThreadError(
            f"Process {pid} has no thread {thread}: info host-threads lists them."
        )
    if found.tracer:
        raise HostThreadError(
            f"Process {found.tracer} debugs host thread {thread}: ask that debugger, or end it."
        )
    refusals: list[str] = []

    def look() -> None:
        refusal = _look(thread, use)
        if refusal is not None:
            refusals.append(refusal)

    # A thread of its own: no Ctrl-C breaks it off, and when it ends the system lets go of the
    # thread that it looked at, whatever happened.
    looking = threading.Thread(target=look, name="zedbg-ptrace", daemon=True)
    looking.start()
    looking.join()
    if refusals:
        raise HostThreadError(f"Host thread {thread} cannot be looked at: {refusals[0]}.")


def _look(thread: int, use: Callable[[dict[int, int]], None]) -> str | None:
    """What :func:`with_thread_stopped` does; why it could not be done."""
    ptrace = ctypes.CDLL(None, use_errno=True).ptrace
    ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    ptrace.restype = ctypes.c_long
    if ptrace(_SEIZE, thread, None, None) != 0:
        return os.strerror(ctypes.get_errno())
    ptrace(_INTERRUPT, thread, None, None)
    if not _is_stopped(thread):
        return "it does not stop"
    try:
        registers = ctypes.create_string_buffer(_SAVED.size)
        if ptrace(_GETREGS, thread, None, registers) != 0:
            return os.strerror(ctypes.get_errno())
        values = _SAVED.unpack(registers.raw)
        use({number: values[place] for place, number in _DWARF_NUMBERS.items()})
    finally:
        ptrace(_DETACH, thread, None, None)
    return None


def _is_stopped(thread: int) -> bool:
    """Whether it stops in time; what waits for a device may not."""
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        try:
            found, status = os.waitpid(thread, _WAIT_ALL | os.WNOHANG)
        except ChildProcessError:
            return False
        if found:
            return os.WIFSTOPPED(status)
        time.sleep(_PAUSE_SECONDS)
    return False
