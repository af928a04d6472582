"""Where a thread that runs alone has to be looked after: barriers, and the end of the thread."""

from __future__ import annotations

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
    found = []
    offset = 0
    while offset < len(code):
        try:
            instruction = InstructionBits.at(code[offset : offset + 16], platform)
        except ValueError:
            break
        if instruction.waits_for_barrier or instruction.ends_thread:
            found.append(offset)
        offset += instruction.size
    return tuple(found)


def waypoints(thread: HardwareThread) -> tuple[int, ...]:
    """Addresses of those instructions in the code section that ``thread`` is in."""
    module = thread.module
    bounds = None if module is None else module.code_range_at(thread.pc)
    if bounds is None:
        return ()
    first, behind = bounds
    code = thread.device.code.cached(first, behind - first)
    return tuple(first + offset for offset in waypoint_offsets(code, thread.device.code.platform))
