"""What the function of a frame gives back, for when it has returned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.dwarf import Function
from zedbg.engine.threads.frames import Frame
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.values.threads.returned import is_stack_call, returned_values
from zedbg.values.typed.value import LaneValues


@dataclass(frozen=True)
class Returning:
    """A ``function`` that returns. ``is_known``: whether its ABI says where it leaves its value."""

    function: Function
    is_known: bool

    def values(self, thread: HardwareThread, lanes: Sequence[int]) -> LaneValues | None:
        """What it returned in ``lanes`` of ``thread``, which is where it returned to; None where it
        returns nothing."""
        value_type = self.function.type
        if value_type is None:
            return None
        if self.is_known:
            return returned_values(thread, value_type, lanes)
        reason = Missing(f"{self.function.name} is a subroutine: no ABI defines where its value is")
        return LaneValues(value_type, tuple(lanes), (reason,) * len(lanes))


def returning(thread: HardwareThread, frame: Frame) -> Returning | None:
    """The function that ``frame`` of ``thread`` will return from; None if that was inlined, or is
    not known."""
    unwound = frame.unwound
    if unwound is None or unwound.function is None or unwound.is_inlined:
        return None
    info = thread.debug_info
    known = info is not None and is_stack_call(info, unwound.lookup_address)
    return Returning(unwound.function, known)
