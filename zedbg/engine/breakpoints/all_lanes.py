"""A thread with all of its lanes, of which it is noted what registers are looked at."""

from __future__ import annotations

from typing import SupportsIndex, overload

from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.thread_view import ThreadView
from zedbg.xe.registers import RegisterKind


class _NotedBytes(bytes):
    """Registers, of which it is noted which bytes are taken."""

    noted: set[tuple[int, int]]

    @overload
    def __getitem__(self, index: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> bytes: ...
    def __getitem__(self, index: SupportsIndex | slice) -> int | bytes:
        if isinstance(index, slice):
            first, end, _ = index.indices(len(self))
            if first < end:
                self.noted.add((first, end))
        return super().__getitem__(index)


class AllLanes(ThreadView):
    """``thread`` as if all of its lanes were active: those that wait have variables, too."""

    def __init__(self, thread: ThreadContext) -> None:
        super().__init__(thread)
        self._found: dict[object, object] = {}
        #: Stretches of bytes of the general registers that were looked at: first and end.
        self.registers_read: set[tuple[int, int]] = set()

    @property
    def active_lanes(self) -> int:
        return self.thread.dispatch_lanes

    @property
    def stop_cache(self) -> dict[object, object]:
        """One of its own: what is found for all lanes is not what the thread's own are."""
        return self._found

    def read_registers(self, kind: RegisterKind) -> bytes:
        found = self.thread.read_registers(kind)
        if kind is RegisterKind.GRF:
            found = _NotedBytes(found)
            found.noted = self.registers_read
        return found
