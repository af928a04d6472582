"""Lanes of a hardware thread, and the work-items that they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zedbg.missing import Missing

if TYPE_CHECKING:
    from zedbg.engine.threads.thread import HardwareThread


@dataclass(frozen=True)
class WorkItem:
    """One work-item; ``global_id`` and ``local_id`` say why when they are not known."""

    thread: HardwareThread
    lane: int
    global_id: tuple[int, int, int] | Missing
    local_id: tuple[int, int, int] | Missing


@dataclass(frozen=True)
class Lane:
    """One SIMD lane of a stopped thread. ``active``: enabled at the pc; ``dispatched``: it holds
    a work-item."""

    thread: HardwareThread
    index: int
    active: bool
    dispatched: bool

    @property
    def work_item(self) -> WorkItem | Missing:
        if not self.dispatched:
            return Missing(f"lane {self.index} holds no work-item")
        local, everywhere = self.thread.local_ids(), self.thread.global_ids()
        return WorkItem(
            self.thread,
            self.index,
            everywhere if isinstance(everywhere, Missing) else everywhere[self.index],
            local if isinstance(local, Missing) else local[self.index],
        )
