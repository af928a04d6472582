"""Places that an expression gives whatever a thread's registers and memory hold."""

from __future__ import annotations

from functools import lru_cache

from zedbg.dwarf.expressions.evaluator import Evaluator
from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.expressions.places import LaneGroup


class _NeedsFrameError(Exception):
    """A place depends on what registers or memory hold."""


class _NoFrame:
    """Nothing to read from: for places that are the same in every thread."""

    def register_bits(self, number: int, bit_offset: int, bit_size: int) -> int:
        raise _NeedsFrameError

    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes:
        raise _NeedsFrameError


@lru_cache(maxsize=4096)
def fixed_places(expression: bytes, lanes: tuple[int, ...]) -> tuple[LaneGroup, ...] | None:
    """Where ``expression`` says that a variable is, for each lane, if that is the same in every
    thread: a register by its number. None when it depends on what registers or memory hold.

    Values of such places are not read: ``ValuePlace.values`` is None.
    """
    try:
        return tuple(Evaluator(_NoFrame(), lanes, reads_values=False).place(expression))
    except _NeedsFrameError:
        return None
