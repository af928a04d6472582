"""Breakpoints: what the user asked for, and where that turned out to be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TypedDict

from zedbg.engine.breakpoints.breakpoint_specs import (
    BreakpointSpec,
    ExceptionSpec,
    LaunchSpec,
    ModuleSpec,
    WatchSpec,
)
from zedbg.engine.breakpoints.conditions import Condition
from zedbg.engine.breakpoints.hit_condition import HitCondition
from zedbg.engine.breakpoints.lane_logs import LaneLog
from zedbg.engine.breakpoints.watch import Watch
from zedbg.engine.engine_errors import BreakpointError
from zedbg.engine.ground.notifier import Notification
from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.locations import CodeLocation
from zedbg.engine.threads.device import Device
from zedbg.engine.threads.thread import HardwareThread
from zedbg.missing import Missing


class Disposition(Enum):
    """What becomes of a breakpoint after a stop; the values are GDB's words."""

    KEEP = "keep"
    DISABLE = "dis"
    DELETE = "del"


class BreakpointOptions(TypedDict, total=False):
    """What a new breakpoint may be given; see the fields of :class:`Breakpoint`.

    ``condition``: an expression; the breakpoint hits in the lanes where it is not zero. ``log``: a
    text with ``{expressions}`` to write instead of stopping; ``printf``: the same as C's printf has
    it, a format in quotes and arguments.
    """

    condition: str | None
    thread: tuple[int, int] | None
    lane: int | None
    work_item: tuple[int, int, int] | None
    workgroup: tuple[int, int, int] | None
    log: str | None
    printf: str | None


@dataclass(frozen=True)
class BreakpointLocation:
    """One instruction that a breakpoint is at."""

    device: Device
    module: LoadedModule
    address: int
    code: CodeLocation


@dataclass
class Breakpoint:
    """A breakpoint or catchpoint of the user's.

    ``thread`` (device, number), ``lane``, ``work_item`` (global id) and ``workgroup`` restrict it.
    ``arrivals`` counts the threads that came to it in this run, ``lanes_tried`` their lanes that
    the restrictions left, ``hits`` the threads for which these and the condition held, ``stops``
    the stops that they made, with those that they would have made had they not been ignored:
    ``ignore_count`` of the next hits go on unreported, and then those that do not fit
    ``hit_condition``.
    ``stops_left``: after that many stops ``disposition`` takes effect; None: it never does.
    ``commands`` are command lines for the front end to carry out after a stop. ``note`` says where
    it went when the line that was asked for has no code.
    """

    number: int
    text: str
    spec: BreakpointSpec
    disposition: Disposition = Disposition.KEEP
    stops_left: int | None = None
    enabled: bool = True
    condition: Condition | None = None
    ignore_count: int = 0
    hit_condition: HitCondition | None = None
    thread: tuple[int, int] | None = None
    lane: int | None = None
    work_item: tuple[int, int, int] | None = None
    workgroup: tuple[int, int, int] | None = None
    hits: int = 0
    stops: int = 0
    met: bool = False  # whether a thread hit it since the last stop was reported
    arrivals: int = 0
    lanes_tried: int = 0
    log: LaneLog | None = None  # what it writes instead of stopping
    commands: list[str] = field(default_factory=list)
    note: str = ""
    resolved: bool = False  # whether it had a place at any time of this run
    locations: list[BreakpointLocation] = field(default_factory=list)
    disabled: set[BreakpointLocation] = field(default_factory=set)  # of the locations
    watch: Watch | None = None  # a watchpoint's: it has no location
    stop_lanes: Callable[[HardwareThread, int], int] | None = None
    """Of the lanes that the condition holds in, those that it stops for: asked last, by scripts."""

    @property
    def is_catchpoint(self) -> bool:
        """Whether it waits for something that happens, not for a place in code."""
        return isinstance(self.spec, LaunchSpec | ModuleSpec | ExceptionSpec)

    @property
    def has_places(self) -> bool:
        """Whether it stands for places in code, which modules may bring."""
        return not isinstance(self.spec, ModuleSpec | ExceptionSpec | WatchSpec)

    @property
    def pending(self) -> bool:
        """Whether no loaded module has the place yet."""
        return self.has_places and not self.locations

    @property
    def temporary(self) -> bool:
        """Whether the next stop deletes it."""
        return self.disposition is Disposition.DELETE

    def is_at(self, device: DeviceContents, address: int) -> bool:
        """Whether it has an enabled place at ``address`` of ``device``."""
        return any(
            place.address == address and place.device is device and place not in self.disabled
            for place in self.locations
        )

    def location(self, number: int) -> BreakpointLocation:
        """Location ``number``, from 1; BreakpointError when there is none."""
        if not 1 <= number <= len(self.locations):
            raise BreakpointError(f"Bad breakpoint location number '{number}'")
        return self.locations[number - 1]

    def hit_lanes(self, thread: HardwareThread, notify: Callable[[Notification], None]) -> int:
        """The lanes of ``thread``, stopped here, that this breakpoint is meant for and whose
        condition is true; counts a hit and honours the ignore count. A log is no stop: it is
        given to ``notify``, and there are no lanes.

        No active lane at all (at a ``join``) counts as the thread itself: lane 0 stands for it.
        """
        self.arrivals += 1
        lanes = self._meant(thread, thread.active_lanes or 1)
        self.lanes_tried += lanes.bit_count()
        if lanes and self.condition is not None:
            lanes = self.condition.lanes(thread, lanes) & lanes
        if lanes and self.stop_lanes is not None:
            lanes = self.stop_lanes(thread, lanes) & lanes
        if not lanes:
            return 0
        self.hits += 1
        if self.is_ignored():
            return 0
        if self.log is not None:
            for each in self.log.logged(self.number, thread, lanes):
                notify(each)
            return 0
        self.met = True
        return lanes

    @property
    def times(self) -> int:
        """How often it was hit, as users count: its stops, or what it logged."""
        return self.stops if self.log is None else self.hits

    def is_ignored(self) -> bool:
        """Whether the hit that was just counted goes on unreported."""
        if self.ignore_count > 0:
            self.ignore_count -= 1
        elif self.hit_condition is None or self.hit_condition.holds(self.hits):
            return False
        self.stops += 1
        return True

    def _meant(self, thread: HardwareThread, lanes: int) -> int:
        """Those of ``lanes`` that the restrictions leave."""
        if self.thread is not None and self.thread != (thread.device.number, thread.number):
            return 0
        if isinstance(self.spec, LaunchSpec) and not thread.is_first_of_launch:
            return 0
        if self.workgroup is not None and self.workgroup != thread.workgroup:
            return 0
        if self.lane is not None:
            lanes &= 1 << self.lane
        if self.work_item is not None:
            ids = thread.global_ids()
            if isinstance(ids, Missing):
                self.note = f"It cannot distinguish work-items: {ids.reason}."
                return 0
            lanes &= sum(1 << lane for lane, each in enumerate(ids) if each == self.work_item)
        return lanes


@dataclass(frozen=True)
class BreakpointMade(Notification):
    """The user, or a script, made a breakpoint."""

    breakpoint: Breakpoint


@dataclass(frozen=True)
class BreakpointGone(Notification):
    """A breakpoint was deleted, by whomever."""

    breakpoint: Breakpoint


@dataclass(frozen=True)
class BreakpointChanged(Notification):
    """A breakpoint got or lost locations, or was deleted after it was hit."""

    breakpoint: Breakpoint
    deleted: bool = False
