"""The numbers and names that clients know threads by."""

from __future__ import annotations

from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.sessions.session import Session
from zedbg.engine.threads.thread import HardwareThread
from zedbg.xe.coordinates import format_lanes

#: Stands for the program on the processor, while no thread of a device is stopped.
PROGRAM = 1
#: Stands for the stopped threads that the list of threads leaves out.
REST = 2
_DEVICE_SHIFT = 20  # thread 1.17 is 1 << 20 | 17


def number_of(thread: HardwareThread) -> int:
    """The number of ``thread``; the same whenever it stops."""
    return thread.device.number << _DEVICE_SHIFT | thread.number


def thread_of(session: Session, number: int) -> HardwareThread:
    """The stopped thread that a client calls ``number``; NoThreadError when there is none."""
    device, thread = number >> _DEVICE_SHIFT, number & (1 << _DEVICE_SHIFT) - 1
    if not device:
        raise NoThreadError("This is no thread of a device: it cannot be looked at.")
    return session.thread(device, thread)


def name_of(thread: HardwareThread) -> str:
    """``1.17 vadd (2,0,0) [0-15] ZE 0.0.2.0``: kernel, work-group, active lanes, hardware name."""
    kernel = thread.kernel_name or "??"
    workgroup = "({},{},{})".format(*thread.workgroup)
    return f"{thread.id} {kernel} {workgroup} {format_lanes(thread.active_lanes)} {thread.name}"
