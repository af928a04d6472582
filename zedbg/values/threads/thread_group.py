"""Several stopped threads as one, with the lanes of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from zedbg.missing import Missing
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.thread_view import ThreadView
from zedbg.xe.registers import RegisterKind

Ids = tuple[int, int, int]


class ThreadGroup(ThreadView):
    """``threads`` of one launch that are stopped at one instruction, the same lanes active.

    Their ``own_lanes`` are counted on from thread to thread, as ``lanes``. It stands for plans
    (:mod:`zedbg.values.expressions.plan_parts`), which take from it what threads have in common,
    work-items, and memory; what takes registers looks at each of ``threads``.
    """

    def __init__(self, threads: Sequence[ThreadContext], own_lanes: Sequence[int]) -> None:
        super().__init__(threads[0])
        self.threads = threads
        self.own_lanes = tuple(own_lanes)
        self.lanes = range(len(threads) * len(own_lanes))
        self._found: dict[object, object] = {}

    @property
    def stop_cache(self) -> dict[object, object]:
        """One of its own: what is found for the lanes of all is not what one thread's are."""
        return self._found

    @cached_property
    def is_changed_by_hand(self) -> bool:
        return any(each.is_changed_by_hand for each in self.threads)

    def is_memory_changed_by_hand(self, address: int, size: int) -> bool:
        return any(each.is_memory_changed_by_hand(address, size) for each in self.threads)

    def read_registers(self, kind: RegisterKind) -> bytes:
        raise TypeError("each thread has registers of its own")

    def global_ids(self) -> list[Ids] | Missing:
        return self._of_lanes([each.global_ids() for each in self.threads])

    def local_ids(self) -> list[Ids] | Missing:
        return self._of_lanes([each.local_ids() for each in self.threads])

    def work_identity(self, arguments: Sequence[int]) -> None:
        """Another stop has other threads."""

    def _of_lanes(self, ids: Sequence[list[Ids] | Missing]) -> list[Ids] | Missing:
        found: list[Ids] = []
        for each in ids:
            if isinstance(each, Missing):
                return each
            if len(each) <= max(self.own_lanes):
                return Missing("a lane has no work-item")
            found += [each[lane] for lane in self.own_lanes]
        return found

    def convenience(self, name: str) -> object | Missing:
        """A list of each lane's for ``_workgroup``, in which threads differ."""
        if name != "_workgroup":
            return super().convenience(name)
        count = len(self.own_lanes)
        return [own for each in self.threads for own in [each.convenience(name)] * count]
