"""A stop is one object: everything that stopped together, grouped the way people think of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from zedbg.dwarf.machine import Missing
from zedbg.engine.locations import CodeLocation

if TYPE_CHECKING:
    from zedbg.engine.breakpoints import Breakpoint
    from zedbg.engine.thread import HardwareThread


class StopReason(Enum):
    """Why threads stopped; the values are those of the JSON view."""

    BREAKPOINT = "breakpoint"
    STEP = "step"
    INTERRUPT = "interrupt"
    PROGRAM_BREAKPOINT = "program-breakpoint"  # a breakpoint bit that the code brought along
    PAGE_FAULT = "page-fault"
    ILLEGAL_INSTRUCTION = "illegal-instruction"
    SOFTWARE_EXCEPTION = "software-exception"
    THREAD_ENDED = "thread-ended"


@dataclass(frozen=True)
class StoppedThread:
    """One thread of a stop; ``lanes`` is the mask of the lanes that hit."""

    thread: HardwareThread
    lanes: int


@dataclass(frozen=True)
class StopGroup:
    """Threads that stopped for one reason at one place in one work-group."""

    reason: StopReason
    breakpoint: Breakpoint | None
    kernel: str | None
    location: CodeLocation
    workgroup: tuple[int, int, int] | Missing
    threads: tuple[StoppedThread, ...]


@dataclass(frozen=True)
class Stop:
    """All that stopped. ``groups`` is empty when nothing was running on a device.

    ``reason`` is that of the focused thread's group; ``detail`` is one line more where there is
    one (the faulting address).
    """

    reason: StopReason
    groups: tuple[StopGroup, ...] = ()
    focus: StoppedThread | None = None
    detail: str = ""

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
        """The breakpoint that the focused thread hit."""
        return self.group.breakpoint if self.group else None

    @property
    def location(self) -> CodeLocation | None:
        """Where the focused thread is."""
        return self.group.location if self.group else None


@dataclass(frozen=True)
class Exited:
    """The program is gone. ``code`` is its exit code, ``signal`` what killed it; both are None
    when it was no child of zedbg, or was detached from."""

    code: int | None = None
    signal: int | None = None


Outcome = Stop | Exited
"""What running ends with."""
