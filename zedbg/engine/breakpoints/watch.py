"""What a watchpoint looks at, and what it sees: by itself, or by what the driver says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.engine_errors import BreakpointError
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.device_time import HitKind, RangeSpace, SearchRange, TimeHit
from zedbg.levelzero.device_watches import WatchRequest
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.values.api import Expression
from zedbg.values.context import ThreadContext
from zedbg.values.evaluation_error import EvaluationError
from zedbg.values.formatting import format_value
from zedbg.values.homes import MemoryHome
from zedbg.values.value import Value
from zedbg.xe.coordinates import lanes_of

_READS = HitKind.READS_MEMORY | HitKind.READS_SLM
_WRITES = HitKind.WRITES_MEMORY | HitKind.WRITES_SLM


class WatchAccess(Enum):
    """What a watchpoint stops at; the values are those of the Python API."""

    WRITE = "write"  # that changes the value
    READ = "read"
    ACCESS = "access"  # any of both

    @property
    def kinds(self) -> HitKind:
        """In either space."""
        match self:
            case WatchAccess.WRITE:
                return _WRITES
            case WatchAccess.READ:
                return _READS
            case WatchAccess.ACCESS:
                return _WRITES | _READS


@dataclass(frozen=True)
class Change:
    """What a watched value was in a lane, and what it is now, as text; the same where it was only
    read."""

    lane: int
    old: str
    new: str


@dataclass(frozen=True)
class WatchedBytes:
    """Where a watched value lies for good. ``workgroup``: of shared local memory, whose."""

    space: MemorySpace
    address: int
    size: int
    workgroup: tuple[int, int, int] | None = None

    def kinds(self, access: WatchAccess) -> HitKind:
        """What ``access`` is of it."""
        in_slm = HitKind.READS_SLM | HitKind.WRITES_SLM
        return access.kinds & (in_slm if self.space is MemorySpace.SLM else ~in_slm)

    @property
    def bounds(self) -> SearchRange:
        """As a driver counts them."""
        space = RangeSpace.SLM if self.space is MemorySpace.SLM else RangeSpace.MEMORY
        return SearchRange(space, self.address, self.address + self.size)

    def request(self, access: WatchAccess) -> WatchRequest:
        """What a driver is asked to watch for ``access``."""
        return WatchRequest(
            self.kinds(access),
            (self.bounds,),
            changes_only=access is WatchAccess.WRITE,
            group=self.workgroup,
        )


class Sample(Protocol):
    """What is watched."""

    @property
    def place(self) -> WatchedBytes | None:
        """Where it lies, whatever the thread executes; None: that changes, or is not in memory."""

    def __call__(self, thread: HardwareThread) -> Mapping[int, str]:
        """Its value in stopped ``thread`` as text, by lane; lanes where it has none just now are
        left out."""

    def around(self, thread: HardwareThread, hits: Sequence[TimeHit]) -> tuple[str, str] | None:
        """What it was before and after the instruction of ``thread`` that ``hits`` are of; None:
        no value."""


@dataclass
class Watch:
    """What a watchpoint looks at in ``thread``. ``known``: what each lane had when it had a value
    last. ``by_driver``: the driver watches, for ``access`` of any thread; else the thread is
    stepped. ``armed``: the driver's number for it, while it is enabled."""

    thread: HardwareThread
    sample: Sample
    access: WatchAccess = WatchAccess.WRITE
    by_driver: bool = False
    armed: int | None = None
    known: dict[int, str] = field(default_factory=dict)

    def changes(self) -> list[Change]:
        """The lanes whose value is another one than when it was known last."""
        now = self.sample(self.thread)
        found = [
            Change(lane, self.known[lane], text)
            for lane, text in now.items()
            if self.known.get(lane, text) != text
        ]
        self.known.update(now)
        return found

    def seen(self, thread: HardwareThread, hits: Sequence[TimeHit]) -> list[Change]:
        """What stopped ``thread`` did by the instruction that ``hits`` (not none) are of."""
        values = self.sample.around(thread, hits)
        if values is None:
            return []
        old, new = values
        if self.access is WatchAccess.READ:
            old = new
        return [Change(hits[0].lane, old, new)]


class ExpressionSample:
    """The value of an expression in each active lane, where its variables are in scope.

    ``within``: the frame of ``thread`` that it is read and evaluated in now. Raises EvaluationError
    when it has no value there, BreakpointError when it assigns.
    """

    def __init__(self, text: str, thread: HardwareThread, within: ThreadContext) -> None:
        self._expression = Expression(text, within.debug_info)
        if self._expression.assigns:
            raise BreakpointError("A watch expression cannot assign.")
        self._info = within.debug_info
        self._function = self._function_of(thread)
        self._expression.evaluate(within)  # what is wrong with it is said now

    @property
    def place(self) -> None:
        """Variables move as the thread goes on."""
        return None

    def around(self, thread: HardwareThread, hits: Sequence[TimeHit]) -> None:
        """No driver watches it."""
        return None

    def _function_of(self, thread: HardwareThread) -> object:
        return None if self._info is None else self._info.function_at(thread.pc)

    def __call__(self, thread: HardwareThread) -> Mapping[int, str]:
        """In a called function the expression means nothing, or something else."""
        if thread.debug_info is not self._info or self._function_of(thread) is not self._function:
            return {}
        try:
            found = self._expression.evaluate(thread, lanes_of(thread.active_lanes))
        except (EvaluationError, LevelZeroError):
            return {}
        return {lane: format_value(value) for lane, value in found if isinstance(value, Value)}


class LocationSample:
    """What memory holds at the place that an expression names now in the focused lane.

    ``within``: the frame of ``thread`` that it is evaluated in. Raises EvaluationError when it has
    no value there, BreakpointError when that is not in memory.
    """

    def __init__(
        self,
        text: str,
        lane: int,
        thread: HardwareThread,
        within: ThreadContext,
        access: WatchAccess = WatchAccess.WRITE,
    ) -> None:
        value = Expression(text, within.debug_info).evaluate(within).first
        if isinstance(value, Missing):
            raise BreakpointError(f"{text} has no value: {value.reason}.")
        if not isinstance(value.home, MemoryHome):
            instead = "watch it without -l" if access is WatchAccess.WRITE else "use watch"
            raise BreakpointError(f"{text} is not in memory: {instead}.")
        self._type, self._home, self._lane = value.type, value.home, lane
        self._workgroup = thread.workgroup if value.home.space is MemorySpace.SLM else None

    @property
    def place(self) -> WatchedBytes:
        home = self._home
        return WatchedBytes(home.space, home.address, self._type.size, self._workgroup)

    def __call__(self, thread: HardwareThread) -> Mapping[int, str]:
        data = self._data(thread)
        return {} if data is None else {self._lane: self._text(data)}

    def around(self, thread: HardwareThread, hits: Sequence[TimeHit]) -> tuple[str, str] | None:
        """Bytes that ``hits`` do not say are those that are there now."""
        data = self._data(thread)
        if data is None:
            return None
        old, new = bytearray(data), bytearray(data)
        for each in hits:
            first = each.address - self._home.address
            old[first : first + each.size] = each.old
            new[first : first + each.size] = each.new
        return self._text(bytes(old)), self._text(bytes(new))

    def _data(self, thread: HardwareThread) -> bytes | None:
        try:
            return thread.read_memory(self._home.space, self._home.address, self._type.size)
        except LevelZeroError:
            return None

    def _text(self, data: bytes) -> str:
        return format_value(Value(self._type, data))
