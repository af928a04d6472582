"""How much shared local memory (SLM) the work-group of a thread has."""

from __future__ import annotations

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.zebin.arguments import ArgumentKind, kernel_arguments
from zedbg.zebin.zeinfo import KernelInfo

_STEP = 1 << 10  # it is given out in such pieces
_MOST_STEPS = 256  # more than any work-group has


def shared_local_size(thread: HardwareThread) -> int:
    """Bytes; 0 where its kernel has none. The sizes of arguments in SLM come with the launch: of a
    kernel that has such, or is not known, it is what can be read."""
    info = None if thread.kernel is None else thread.kernel.info
    if info is None or has_local_arguments(info):
        return readable_local_size(thread)
    return info.execution.slm_size


def has_local_arguments(info: KernelInfo) -> bool:
    """Whether launches of the kernel say how much SLM some of its arguments have."""
    return any(each.kind is ArgumentKind.LOCAL for each in kernel_arguments(info))


def readable_local_size(thread: HardwareThread) -> int:
    """How many bytes of it can be read: the driver does not say how many there are."""
    known, beyond = 0, _MOST_STEPS + 1
    while beyond - known > 1:
        middle = (known + beyond) // 2
        if _has(thread, middle * _STEP):
            known = middle
        else:
            beyond = middle
    return known * _STEP


def _has(thread: HardwareThread, size: int) -> bool:
    try:
        thread.read_memory(MemorySpace.SLM, size - 1, 1)
    except LevelZeroError:
        return False
    return True
