"""The way of a work-item from one barrier to the next."""

from __future__ import annotations

from collections.abc import Callable

from zedbg.spirv.analysis.private_memory import NotReached, Visit
from zedbg.spirv.group.phase_stores import Store
from zedbg.spirv.group.phases import Moment, Phases, Writer
from zedbg.spirv.numbers.arithmetic import UnknownValue

IN_ONE_PHASE = "it is loaded from local memory that is written to without a barrier in between"


class WayFrom:
    """The way of a work-item from a border to the next one, as far as that was asked for."""

    def __init__(
        self, border: Moment, follow: Callable[[Visit], Visit | None], phases: Phases
    ) -> None:
        """``follow`` gives the visit after one, None where the kernel ends."""
        self._follow = follow
        self._phases = phases
        #: The order of its visits.
        self.places = {border.visit: 0}
        self._last: Visit | None = border.visit
        self._index = border.index
        self._is_asked = False
        #: The border after it, once it has ended.
        self.end: Moment | None = None

    def comes_to(self, visit: Visit) -> bool:
        """Whether ``visit`` is on it. Raises UnknownValue."""
        while visit not in self.places and self._last is not None:
            self._go_on()
        return visit in self.places

    def is_in_front(self, writer: Writer, moment: Moment) -> bool:
        """Whether ``writer`` comes in front of ``moment`` on it. Raises NotReached where that is
        not on it, and UnknownValue."""
        if not self.comes_to(moment.visit):
            raise NotReached
        at, here = self.places.get(writer.visit), self.places[moment.visit]
        return at is not None and (at, writer.index) < (here, moment.index)

    def order(self, store: Store) -> tuple[int, int]:
        """What is greater for a later store on it."""
        return self.places[store.writer.visit], store.writer.index

    def followed(self) -> WayFrom:
        """The same, to its end. Raises UnknownValue."""
        while self._last is not None:
            self._go_on()
        return self

    def _go_on(self) -> None:
        last = self._last
        assert last is not None
        barrier = self._phases.next_barrier(last.block, self._index)
        if barrier is not None:
            self.end, self._last = Moment(last, barrier), None
            return
        if self._is_asked:
            raise UnknownValue(IN_ONE_PHASE)  # the way depends on what is loaded on it
        self._is_asked = True
        try:
            following = self._follow(last)
        finally:
            self._is_asked = False
        if following is not None:
            self.places[following] = len(self.places)
        self._last, self._index = following, -1
