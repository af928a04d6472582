"""Breakpoints: what the user asked for, and where that turned out to be."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from zedbg.engine.errors import BreakpointError
from zedbg.engine.locations import CodeLocation

if TYPE_CHECKING:
    from zedbg.engine.device import Device
    from zedbg.engine.modules import LoadedModule
    from zedbg.engine.thread import HardwareThread

Log = Callable[[int, "HardwareThread", int], None]
"""Takes a breakpoint's number, a stopped thread and the mask of the lanes that hit."""

Condition = Callable[["HardwareThread", int], int]
"""Takes a stopped thread and a mask of lanes, gives the mask of those where it is true."""


@dataclass(frozen=True)
class LineSpec:
    """``FILE:LINE``, or ``LINE`` alone (``file`` None: every file)."""

    file: str | None
    line: int


@dataclass(frozen=True)
class FunctionSpec:
    """A kernel, or a function that kernels call."""

    name: str


@dataclass(frozen=True)
class AddressSpec:
    """``*ADDRESS`` on every device that has code there."""

    address: int


@dataclass(frozen=True)
class KernelSpec:
    """``kernel GLOB``: every kernel whose name fits, ``*`` and ``?`` as in file names."""

    pattern: str


BreakpointSpec = LineSpec | FunctionSpec | AddressSpec | KernelSpec


def parse_spec(text: str) -> BreakpointSpec:
    """Reads ``FILE:LINE``, ``LINE``, ``NAME``, ``*ADDRESS`` or ``kernel GLOB``; BreakpointError
    when it is none."""
    text = text.strip()
    if not text:
        raise BreakpointError("A breakpoint needs FILE:LINE, a function, or *ADDRESS.")
    if text.startswith("*"):
        try:
            return AddressSpec(int(text[1:].strip(), 0))
        except ValueError:
            raise BreakpointError(f'"{text[1:].strip()}" is not an address.') from None
    kernel = re.fullmatch(r"kernel\s+(\S+)", text)
    if kernel:
        return KernelSpec(kernel[1])
    if re.fullmatch(r"\d+", text):
        return LineSpec(None, int(text))
    match = re.fullmatch(r"(.+):(\d+)", text)
    if match:
        return LineSpec(match[1], int(match[2]))
    if re.fullmatch(r"[A-Za-z_$][\w$:<>,.*& ()~\[\]-]*(?<!:)", text):
        return FunctionSpec(text)
    raise BreakpointError(f'"{text}" is no FILE:LINE, function or *ADDRESS.')


@dataclass(frozen=True)
class BreakpointLocation:
    """One instruction that a breakpoint is at."""

    device: Device
    module: LoadedModule
    address: int
    code: CodeLocation


@dataclass
class Breakpoint:
    """A breakpoint of the user's. ``thread`` and ``lane`` restrict it to one of each.

    ``hits`` counts the threads that arrived; ``ignore_count`` of the next ones go on unreported.
    ``note`` says where it went when the line that was asked for has no code.
    """

    number: int
    text: str
    spec: BreakpointSpec
    temporary: bool = False
    enabled: bool = True
    condition_text: str | None = None
    condition: Condition | None = None
    ignore_count: int = 0
    thread: tuple[int, int] | None = None  # device number, thread number
    lane: int | None = None
    hits: int = 0
    log_text: str | None = None
    log: Log | None = None  # called instead of stopping
    note: str = ""
    resolved: bool = False  # whether it had a place at any time of this run
    locations: list[BreakpointLocation] = field(default_factory=list)

    @property
    def pending(self) -> bool:
        """Whether no loaded module has the place yet."""
        return not self.locations

    def is_at(self, device: Device, address: int) -> bool:
        return any(place.address == address and place.device is device for place in self.locations)

    def hit_lanes(self, thread: HardwareThread) -> int:
        """The lanes of ``thread``, stopped here, that this breakpoint is meant for and whose
        condition is true; counts a hit and honours the ignore count. A log is no stop: 0.

        No active lane at all (at a ``join``) counts as the thread itself: lane 0 stands for it.
        """
        if self.thread is not None and self.thread != (thread.device.number, thread.number):
            return 0
        lanes = thread.active_lanes or 1
        if self.lane is not None:
            lanes &= 1 << self.lane
        if lanes and self.condition is not None:
            lanes = self.condition(thread, lanes) & lanes
        if not lanes:
            return 0
        self.hits += 1
        if self.ignore_count > 0:
            self.ignore_count -= 1
            return 0
        if self.log is not None:
            self.log(self.number, thread, lanes)
            return 0
        return lanes
