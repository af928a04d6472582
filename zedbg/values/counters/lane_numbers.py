"""The numbers of one lane in a loop: what results begin with, and what registers hold now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.trust.counter_history import Origin
from zedbg.dwarf.trust.lane_places import LanePlaces
from zedbg.spirv.analysis.model import Model
from zedbg.values.counters.proved_counters import LoopPlace, function_start, is_ahead, is_set_to


class RegisterCounter(Protocol):
    """A number of ``size`` bytes in registers, which only ``origins`` set in front of a loop."""

    @property
    def size(self) -> int:
        """How many bytes it has."""

    @property
    def origins(self) -> tuple[Origin, ...]:
        """What may set it."""


@dataclass(frozen=True)
class LaneNumbers:
    """``lane`` in the loop at ``place``. ``first`` gives what a result of the SPIR-V is in the
    first iteration, ``held`` the number at a byte of the general registers, of a size in bytes;
    None: it is not known. ``is_recorded``: whether the device has recorded that what sets a counter
    gave it a number, and no other one."""

    info: DebugInfo
    model: Model
    place: LoopPlace
    lane: int
    first: Callable[[int], int | None]
    held: Callable[[int, int], int | None]
    is_recorded: Callable[[RegisterCounter, int], bool]

    def now(self, places: LanePlaces, size: int) -> int | None:
        """The lane's number at ``places``, of ``size`` bytes; None where it has none."""
        at = places.place(self.lane)
        return None if at is None else self.held(at, size)

    def address(self, offset: int) -> int:
        """Where ``offset`` of the place's function is."""
        return function_start(self.info, self.place) + offset

    def is_set_to(self, counter: RegisterCounter, start: int, begin: int) -> bool:
        """Whether ``counter`` begins with ``begin``, which is what ``start`` (a result of the
        SPIR-V) is."""
        return all(
            is_set_to(self.info, self.model, self.place, each, start, begin)
            for each in counter.origins
        ) or self.is_recorded(counter, begin)

    def is_ahead(self, offset: int) -> bool:
        """Whether the lane is past the instruction, at ``offset`` of the function, that makes a
        counter that of the next iteration."""
        return is_ahead(self.model, self.place, self.address(offset))

    def is_between_making_and_copy(self, made_at: int, stepped_at: int) -> bool:
        """Whether the lane decides whether to go on where the number of the next iteration is made,
        by the instruction at the offset ``made_at``, but not yet in the counter, into which that
        at ``stepped_at`` copies it: it may be that of either iteration."""
        is_between = self.address(made_at) < self.place.address <= self.address(stepped_at)
        return is_between and self.place.is_condition(self.model)
