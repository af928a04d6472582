"""Where a thread that runs alone has to be looked after: barriers, and the end of the thread; and
where lanes may come back that wait for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

from zedbg.engine.modules.instruction_bits import InstructionBits
from zedbg.engine.threads.frames import backtrace
from zedbg.engine.threads.thread import HardwareThread
from zedbg.xe.isa.platform import Platform

_Bounds = tuple[int, int]
"""First address of a code section, and the one after its last."""


@lru_cache(maxsize=64)
def waypoint_offsets(code: bytes, platform: Platform) -> tuple[int, ...]:
    """Offsets of the instructions of ``code`` that wait for a barrier or end the thread, ascending.

    ``code`` begins with an instruction. What does not decode (padding) is neither.
    """
    return tuple(
        offset
        for offset, instruction in _instructions(code, platform)
        if instruction.waits_for_barrier or instruction.ends_thread
    )


@lru_cache(maxsize=64)
def meeting_offsets(code: bytes, platform: Platform) -> frozenset[int]:
    """Offsets of the instructions of ``code`` at which lanes may become active that were not: those
    that branches lead to, or that follow a branch."""
    return frozenset(
        offset + way
        for offset, instruction in _instructions(code, platform)
        for way in instruction.ways or (instruction.size,)
        if instruction.is_branch
    )


def _instructions(code: bytes, platform: Platform) -> Iterator[tuple[int, InstructionBits]]:
    """Each with its offset, up to what does not decode."""
    offset = 0
    while offset < len(code):
        try:
            instruction = InstructionBits.at(code[offset : offset + 16], platform)
        except ValueError:
            return
        yield offset, instruction
        offset += instruction.size


def waypoints(thread: HardwareThread) -> frozenset[int]:
    """Addresses of those that wait or end in the code that ``thread`` may come to."""
    platform = thread.device.code.platform
    return frozenset(
        first + offset
        for first, code in map(partial(_code_of, thread), _reachable(thread))
        for offset in waypoint_offsets(code, platform)
    )


def meeting_points(thread: HardwareThread) -> frozenset[int]:
    """Addresses in its code section at which lanes may become active that were not."""
    bounds = _bounds(thread, thread.pc)
    if bounds is None:
        return frozenset()
    first, code = _code_of(thread, bounds)
    return frozenset(first + each for each in meeting_offsets(code, thread.device.code.platform))


def _reachable(thread: HardwareThread) -> set[_Bounds]:
    """The section that the thread is in, those of functions that any kernel may call, and where it
    is in one of these, its callers'."""
    pcs = {thread.pc}
    if thread.location.kernel is None:
        pcs.update(frame.pc for frame in backtrace(thread).frames)
    sections = {bounds for pc in pcs if (bounds := _bounds(thread, pc)) is not None}
    for module in thread.device.modules:
        sections.update(module.function_sections)
    return sections


def _bounds(thread: HardwareThread, address: int) -> _Bounds | None:
    """The code section around ``address``."""
    module = thread.device.module_at(address)
    return None if module is None else module.code_range_at(address)


def _code_of(thread: HardwareThread, bounds: _Bounds) -> tuple[int, bytes]:
    """Where a code section begins, and its contents."""
    first, end = bounds
    return first, thread.device.code.cached(first, end - first)
