"""Where a thread that runs alone has to be looked after: barriers, and the end of the thread; and
where lanes may come back that wait for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from zedbg.engine.instruction_bits import InstructionBits
from zedbg.xe.isa import Platform

if TYPE_CHECKING:
    from zedbg.engine.thread import HardwareThread


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


def waypoints(thread: HardwareThread) -> tuple[int, ...]:
    """Addresses of those that wait or end in the code section that ``thread`` is in."""
    first, code = _section(thread)
    return tuple(first + each for each in waypoint_offsets(code, thread.device.code.platform))


def meeting_points(thread: HardwareThread) -> frozenset[int]:
    """Addresses in that section at which lanes may become active that were not."""
    first, code = _section(thread)
    return frozenset(first + each for each in meeting_offsets(code, thread.device.code.platform))


def _section(thread: HardwareThread) -> tuple[int, bytes]:
    """Address and contents of the code section around the pc of ``thread``, if it is known."""
    module = thread.module
    bounds = None if module is None else module.code_range_at(thread.pc)
    if bounds is None:
        return 0, b""
    first, behind = bounds
    return first, thread.device.code.cached(first, behind - first)
