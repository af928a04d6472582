"""What the evaluation of a location expression asks of what is around it: frame, callers, unit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from zedbg.dwarf.expressions.expression_unit import ExpressionUnit
from zedbg.dwarf.expressions.machine import MemorySpace


class FrameReader(Protocol):
    """What an evaluation reads from a frame; :class:`FrameState` is one."""

    def register_bits(self, number: int, bit_offset: int, bit_size: int) -> int:
        """Bits of the register that DWARF calls ``number``."""

    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes:
        """``size`` bytes at ``address``."""


@dataclass(frozen=True)
class Surroundings:
    """What an expression asks of the frame and of the unit that it stands in; None: not known.

    ``cfa`` gives the canonical frame address, ``frame_base`` what fbreg counts from (the CFA, when
    it is None), ``entry_value`` the number that an expression had when the function was entered:
    all raise MissingError when they cannot.
    """

    cfa: Callable[[], int] | None = None
    frame_base: Callable[[], int] | None = None
    entry_value: Callable[[bytes], int] | None = None
    unit: ExpressionUnit | None = None


NOTHING_AROUND = Surroundings()
