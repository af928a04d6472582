"""What a watchpoint looks at, and what it sees: by itself, or by what the driver says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Protocol

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.engine.engine_errors import BreakpointError
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.debug_events import ThreadFields
from zedbg.levelzero.device_time import ANY_THREAD, HitKind, RangeSpace, SearchRange, TimeHit
from zedbg.levelzero.device_watches import WatchRequest
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.values.expressions.api import Expression
from zedbg.values.formats.formatting import format_value, without_mark
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.homes import MemoryHome
from zedbg.values.typed.value import Value
from zedbg.xe.flow.places import MemoryPlace, Space

_READS = HitKind.READS_MEMORY | HitKind.READS_SLM
_WRITES = HitKind.WRITES_MEMORY | HitKind.WRITES_SLM
_OF_SLM = HitKind.READS_SLM | HitKind.WRITES_SLM


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
class Actor:
    """Whose accesses count: any thread's, and any lane's (``lanes`` 0), unless it says more."""

    thread: ThreadFields = ANY_THREAD
    lanes: int = 0
    workgroup: tuple[int, int, int] | None = None


class Sample(Protocol):
    """What is watched. ``is_fixed``: one place, whatever its thread executes."""

    @property
    def is_fixed(self) -> bool: ...

    def __call__(self, thread: HardwareThread) -> Mapping[int, str]:
        """Its value in stopped ``thread`` as text, by lane; lanes where it has none just now are
        left out."""

    def stored(self, thread: HardwareThread) -> Mapping[int, str]:
        """What the memory holds that it was last seen in, by lane, while ``thread`` is in a
        function that was called."""

    def is_over(self, thread: HardwareThread) -> bool:
        """Whether it means nothing any more in ``thread``, which has stopped elsewhere."""

    def requests(self, thread: HardwareThread) -> list[WatchRequest]:
        """What a driver is asked to watch for stopped ``thread``: all that can change the value.
        Nothing: no driver can watch it."""

    def around(self, thread: HardwareThread, hits: Sequence[TimeHit]) -> list[Change]:
        """What it was before and after the instruction of ``thread`` that ``hits`` are of."""


@dataclass
class Watch:
    """What a watchpoint looks at in ``thread``. ``known``: what each lane had when it had a value
    last. ``by_driver``: the driver watches, for ``access`` of any thread; else the thread is
    stepped. ``armed``: the driver's numbers for it, while it is enabled; ``looks_soon``: one of
    them is for the next instruction of ``thread``. ``known_at``: the moment of the past at which
    it stopped last."""

    thread: HardwareThread
    sample: Sample
    access: WatchAccess = WatchAccess.WRITE
    by_driver: bool = False
    armed: tuple[int, ...] = ()
    looks_soon: bool = False
    known: dict[int, str] = field(default_factory=dict)
    known_at: object = None

    def changes(self) -> list[Change]:
        """The lanes whose value is another one than when it was known last."""
        return self.changed_to(self.sample(self.thread) or self.sample.stored(self.thread))

    def changed_to(self, now: Mapping[int, str]) -> list[Change]:
        """The lanes whose value ``now`` is another one than when it was known last."""
        return changes_between(self.known, now)

    def seen(self, thread: HardwareThread, hits: Sequence[TimeHit]) -> list[Change]:
        """What stopped ``thread`` did by the instruction that ``hits`` (not none) are of."""
        if not self.sample.is_fixed and thread is self.thread:
            now = self.sample(thread)
            if now:
                return self.changed_to(now)
        found = self.sample.around(thread, hits)
        self.known.update({each.lane: each.new for each in found})
        if self.access is WatchAccess.READ:
            found = [replace(each, old=each.new) for each in found]
        return found


def changes_between(known: dict[int, str], now: Mapping[int, str]) -> list[Change]:
    """The lanes whose value is another one than ``known`` has; that is known from here on. That it
    becomes doubtful is no change."""
    found = [
        Change(lane, known[lane], text)
        for lane, text in now.items()
        if without_mark(known.get(lane, text)) != without_mark(text)
    ]
    known.update(now)
    return found


def before_and_after(data: bytes, address: int, hits: Sequence[TimeHit]) -> tuple[bytes, bytes]:
    """What was at ``address``, where ``data`` are now, before and after ``hits``: bytes of which
    they do not speak are those that are there now."""
    old, new = bytearray(data), bytearray(data)
    for each in hits:
        first = max(each.address, address)
        end = min(each.address + each.size, address + len(data))
        if first < end:
            inside = slice(first - each.address, end - each.address)
            old[first - address : end - address] = each.old[inside]
            new[first - address : end - address] = each.new[inside]
    return bytes(old), bytes(new)


class LocationSample:
    """What memory holds at the place that an expression names now in lane ``lane``.

    ``within``: the frame of ``thread`` that it is evaluated in. ``actor``: whose accesses count.
    Raises EvaluationError when it has no value there, BreakpointError when that is not in memory.
    """

    is_fixed = True

    def __init__(
        self,
        text: str,
        lane: int,
        thread: HardwareThread,
        within: ThreadContext,
        access: WatchAccess = WatchAccess.WRITE,
        actor: Actor = Actor(),
    ) -> None:
        value = Expression(text, within.debug_info).evaluate(within, (lane,)).first
        if isinstance(value, Missing):
            raise BreakpointError(f"{text} has no value: {value.reason}.")
        if not isinstance(value.home, MemoryHome):
            instead = "watch it without -l" if access is WatchAccess.WRITE else "use watch"
            raise BreakpointError(f"{text} is not in memory: {instead}.")
        self._type, self._home, self._lane = value.type, value.home, lane
        #: Why it may be another place.
        self.doubt = value.doubt
        self._access, self._actor = access, actor
        self._workgroup = thread.workgroup if value.home.space is MemorySpace.SLM else None

    def is_over(self, thread: HardwareThread) -> bool:
        return False

    def requests(self, thread: HardwareThread) -> list[WatchRequest]:
        return [self.request]

    @property
    def request(self) -> WatchRequest:
        """What a driver is asked to watch."""
        home, access, actor = self._home, self._access, self._actor
        is_local = home.space is MemorySpace.SLM
        space = RangeSpace.SLM if is_local else RangeSpace.MEMORY
        return WatchRequest(
            access.kinds & (_OF_SLM if is_local else ~_OF_SLM),
            (SearchRange(space, home.address, home.address + self._type.size),),
            actor.thread,
            actor.lanes,
            changes_only=access is WatchAccess.WRITE,
            group=actor.workgroup or self._workgroup,
        )

    @property
    def place(self) -> MemoryPlace:
        """The bytes that are watched."""
        space = Space.LOCAL if self._home.space is MemorySpace.SLM else Space.GLOBAL
        return MemoryPlace(space, self._home.address, self._type.size)

    def __call__(self, thread: HardwareThread) -> Mapping[int, str]:
        data = self._data(thread)
        return {} if data is None else {self._lane: self._text(data)}

    def stored(self, thread: HardwareThread) -> Mapping[int, str]:
        return {}  # it has one place, and always a value

    def around(self, thread: HardwareThread, hits: Sequence[TimeHit]) -> list[Change]:
        """Bytes that ``hits`` do not say are those that are there now."""
        data = self._data(thread)
        if data is None:
            return []
        old, new = before_and_after(data, self._home.address, hits)
        return [Change(hits[0].lane, self._text(old), self._text(new))]

    def _data(self, thread: HardwareThread) -> bytes | None:
        try:
            return thread.read_memory(self._home.space, self._home.address, self._type.size)
        except LevelZeroError:
            return None

    def _text(self, data: bytes) -> str:
        return format_value(Value(self._type, data))
