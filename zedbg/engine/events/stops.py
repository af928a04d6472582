"""A stop is one object: everything that stopped together, grouped the way people think of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.engine.breakpoints.breakpoint import Breakpoint
from zedbg.engine.breakpoints.watch import Change
from zedbg.engine.ground.stop_reason import StopReason
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.process.exited import Exited
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing


@dataclass(frozen=True)
class StoppedThread:
    """One thread of a stop; ``lanes`` is the mask of the lanes that hit."""

    thread: HardwareThread
    lanes: int


@dataclass(frozen=True)
class StopGroup:
    """Threads that stopped for one reason at one place in one work-group; ``changes`` are what a
    watchpoint saw."""

    reason: StopReason
    breakpoint: Breakpoint | None
    kernel: str | None
    location: CodeLocation
    workgroup: tuple[int, int, int] | Missing
    threads: tuple[StoppedThread, ...]
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Stop:
    """All that stopped. ``groups`` is empty when nothing was running on a device.

    ``reason`` is that of the focused thread's group; ``detail`` is one line more where there is
    one. ``catchpoint`` is what caught something that no thread did. ``fault_address``: where the
    driver saw a page fault since the last stop, if it reported one.
    """

    reason: StopReason
    groups: tuple[StopGroup, ...] = ()
    focus: StoppedThread | None = None
    detail: str = ""
    catchpoint: Breakpoint | None = None
    fault_address: int | None = None

    @property
    def threads(self) -> tuple[StoppedThread, ...]:
        """Every thread that hit."""
        return tuple(self)

    def __iter__(self) -> Iterator[StoppedThread]:
        for group in self.groups:
            yield from group.threads

    @property
    def group(self) -> StopGroup | None:
        """The group of the focused thread."""
        for group in self.groups:
            if self.focus in group.threads:
                return group
        return None

    @property
    def breakpoint(self) -> Breakpoint | None:
        """The breakpoint that the focused thread hit, or the catchpoint of a stop without one."""
        return self.group.breakpoint if self.group else self.catchpoint

    @property
    def breakpoints(self) -> list[Breakpoint]:
        """Every breakpoint that was hit, each once, the focused thread's first."""
        every = [self.breakpoint, *(group.breakpoint for group in self.groups), self.catchpoint]
        return list({each.number: each for each in every if each is not None}.values())

    @property
    def location(self) -> CodeLocation | None:
        """Where the focused thread is."""
        return self.group.location if self.group else None


Outcome = Stop | Exited
"""What running ends with."""
