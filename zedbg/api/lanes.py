"""The lanes of a stopped thread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.api.stopped_state import StoppedState
from zedbg.engine.engine_errors import LaneError
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing
from zedbg.xe.coordinates import format_lanes, lanes_of

Ids = tuple[int, int, int]


@dataclass(frozen=True)
class Lane:
    """One lane of a thread. ``active``: enabled at the pc; ``dispatched``: it holds a work-item;
    the ids of that say why when they are not known.

    >>> thread.lanes[3].global_id
    (3, 0, 0)
    """

    index: int
    active: bool
    dispatched: bool
    global_id: Ids | Missing
    local_id: Ids | Missing


class Lanes:
    """The lanes of a stopped thread.

    >>> thread.lanes.active
    [0, 1, 2, 3, 4, 5, 6, 7]
    """

    def __init__(self, state: StoppedState, thread: HardwareThread, hit: int) -> None:
        self._state = state
        self._thread = thread
        self._hit = hit

    @property
    def active(self) -> list[int]:
        """The lanes that are enabled at the pc.

        >>> len(thread.lanes.active)
        8
        """
        with self._state.looking():
            return list(lanes_of(self._thread.active_lanes))

    @property
    def dispatched(self) -> list[int]:
        """The lanes that hold a work-item.

        >>> thread.lanes.dispatched == thread.lanes.active
        True
        """
        with self._state.looking():
            return list(lanes_of(self._thread.dispatch_lanes))

    @property
    def hit(self) -> list[int]:
        """The lanes for which the thread stopped; none when it was only halted with the rest.

        >>> thread.lanes.hit
        [0, 1, 2, 3, 4, 5, 6, 7]
        """
        return list(lanes_of(self._hit))

    @property
    def width(self) -> int:
        """The kernel's number of lanes (SIMD width).

        >>> thread.lanes.width
        8
        """
        with self._state.looking():
            return self._thread.simd_width

    def __len__(self) -> int:
        return self.width

    def __getitem__(self, index: int) -> Lane:
        """Lane ``index``; :class:`~zedbg.LaneError` when the kernel has no such lane."""
        with self._state.looking():
            thread = self._thread
            if not 0 <= index < thread.simd_width:
                raise LaneError(f"The kernel has lanes 0 to {thread.simd_width - 1}.")
            lane = thread.lanes[index]
            item = lane.work_item
            if isinstance(item, Missing):
                return Lane(index, lane.active, lane.dispatched, item, item)
            return Lane(index, lane.active, lane.dispatched, item.global_id, item.local_id)

    def __iter__(self) -> Iterator[Lane]:
        return (self[index] for index in range(self.width))

    def __repr__(self) -> str:
        active = sum(1 << lane for lane in self.active)
        return f"<Lanes {format_lanes(active)} of {self.width}>"
