"""The value of an expression in one thread, and all that it depends on there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.scopes.scopes import Function, Ranges, Scope
from zedbg.dwarf.types.program_types import Type
from zedbg.engine.breakpoints.watch import Change, before_and_after
from zedbg.engine.engine_errors import BreakpointError, NoThreadError
from zedbg.engine.memory.stored_places import StoredPlace, places_of_home
from zedbg.engine.threads.frames import call_depth
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.device_time import HitKind, RangeSpace, SearchRange, TimeHit
from zedbg.levelzero.device_watches import WatchRequest
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.values.api import Expression, Sources
from zedbg.values.context import ThreadContext
from zedbg.values.evaluation_error import EvaluationError
from zedbg.values.formatting import format_value
from zedbg.values.frame_context import FrameContext
from zedbg.values.homes import DataHome, MemoryHome
from zedbg.values.thread_view import ThreadView
from zedbg.values.value import Value
from zedbg.xe.coordinates import lanes_of
from zedbg.xe.flow.places import RegisterPlace, Space
from zedbg.xe.registers import RegisterKind

# Sets of which a driver sees each write.
_STORED = {RegisterKind.ADDR, RegisterKind.FLAG, RegisterKind.ACC}
_ALL_CODE = SearchRange(RangeSpace.CODE, 0, (1 << 64) - 1)


class ExpressionSample:
    """The value of an expression in each active lane, where its variables are in scope.

    ``within``: the frame of ``thread`` that it is read and evaluated in now. ``lane``: the one that
    counts; None: each. Raises EvaluationError when it has no value there, BreakpointError when it
    assigns.
    """

    is_fixed = False

    def __init__(
        self, text: str, thread: HardwareThread, within: ThreadContext, lane: int | None = None
    ) -> None:
        self._expression = Expression(text, within.debug_info)
        if self._expression.assigns:
            raise BreakpointError("A watch expression cannot assign.")
        self._info = within.debug_info
        self._function = None if self._info is None else self._info.function_at(within.pc)
        self._lane = lane
        self._group = thread.workgroup
        wanted = within.focused_lane if lane is None else lane
        self._expression.evaluate(within, (wanted,))  # what is wrong with it is said now
        self._depth = self._depth_of(thread, within)
        self._boundaries = self._scope_boundaries()
        # Where the value of each lane was in memory when that was known last.
        self._homes: dict[int, tuple[Type, MemoryHome]] = {}

    def _depth_of(self, thread: HardwareThread, within: ThreadContext) -> int | None:
        """How many calls deep the frame is; None: a kernel's own, or not known."""
        if self._function is None or self._function.is_kernel:
            return None
        depth = call_depth(thread)
        is_outer = isinstance(within, FrameContext) and within.pc != thread.pc
        return None if depth is None or is_outer else depth

    def _scope_boundaries(self) -> list[int]:
        """The addresses at which what its names mean may change, or where they lie."""
        if self._function is None:
            return []
        names = self._expression.names
        ranges = list(self._function.ranges)
        for scope in _inside(self._function):
            named = [each for each in scope.variables if each.name in names]
            ranges += scope.ranges if named else ()
            ranges += [(entry.low, entry.high) for each in named for entry in each.entries]
        return sorted({bound for pair in ranges for bound in pair})

    # --- its value -------------------------------------------------------------------------------

    def __call__(self, thread: HardwareThread) -> Mapping[int, str]:
        """In a called function the expression means nothing, or something else."""
        if not self._is_there(thread):
            return {}
        lanes = self._lanes(thread.active_lanes)
        if not lanes:
            return {}
        try:
            found = self._expression.evaluate(thread, lanes)
        except (EvaluationError, LevelZeroError):
            return {}
        # That it becomes doubtful is no change.
        return {
            lane: format_value(Value(value.type, value.data))
            for lane, value in found
            if isinstance(value, Value)
        }

    def _lanes(self, mask: int) -> list[int]:
        return [each for each in lanes_of(mask) if self._lane in (None, each)]

    def _is_there(self, thread: HardwareThread) -> bool:
        """Whether ``thread`` is in the code, and at the work, that the expression is of."""
        return thread.debug_info is self._info and self._function_at(thread) is self._function

    def _function_at(self, thread: HardwareThread) -> Function | None:
        return None if self._info is None else self._info.function_at(thread.pc)

    def is_over(self, thread: HardwareThread) -> bool:
        """Whether ``thread`` has left the frame for good, or has other work."""
        try:
            if thread.workgroup != self._group:
                return True
            if self._depth is None or self._is_there(thread):
                return False
            depth = call_depth(thread)
        except (LevelZeroError, NoThreadError, ValueError):
            return False
        return depth is not None and depth < self._depth

    def around(self, thread: HardwareThread, hits: Sequence[TimeHit]) -> list[Change]:
        """Of values that lie in memory, in each lane that they are of."""
        changes = []
        for lane, (value_type, home) in self._homes.items():
            near = [each for each in hits if _meets(each, home, value_type.size)]
            if not near:
                continue
            try:
                data = thread.read_memory(home.space, home.address, value_type.size)
            except LevelZeroError:
                continue
            old, new = before_and_after(data, home.address, near)
            if old != new:
                texts = [format_value(Value(value_type, each)) for each in (old, new)]
                changes.append(Change(lane, *texts))
        return changes

    # --- what it depends on ----------------------------------------------------------------------

    @property
    def group(self) -> tuple[int, int, int]:
        """The work-group whose thread it is of."""
        return self._group

    def requests(self, thread: HardwareThread) -> list[WatchRequest]:
        """Those of memory are for any thread, that of registers and code for ``thread``."""
        fields = thread.place.fields
        if not self._expression.reads_only_places or thread.workgroup != self._group:
            return []
        if not self._is_there(thread):
            # Maybe it was called from there: then its memory may change meanwhile.
            memory = [
                SearchRange(_space(home.space), home.address, home.address + value_type.size)
                for value_type, home in self._homes.values()
            ]
            back = _code_ranges(() if self._function is None else self._function.ranges)
            return [*self._of_memory(memory), self._of_thread(fields, back)]
        found = self._depends(thread)
        if found is None:
            return []
        registers = (
            (_ALL_CODE,) if found.is_uncertain else (*found.registers, *self._other_code(thread.pc))
        )
        return [*self._of_memory(found.memory), self._of_thread(fields, registers)]

    def _of_memory(self, ranges: Iterable[SearchRange]) -> list[WatchRequest]:
        merged = _merged(ranges)
        local = tuple(each for each in merged if each.space is RangeSpace.SLM)
        other = tuple(each for each in merged if each.space is not RangeSpace.SLM)
        found = []
        if other:
            found.append(WatchRequest(HitKind.WRITES_MEMORY, other, changes_only=True))
        if local:
            found.append(
                WatchRequest(HitKind.WRITES_SLM, local, changes_only=True, group=self._group)
            )
        return found

    def _of_thread(
        self, fields: tuple[int, int, int, int], ranges: tuple[SearchRange, ...]
    ) -> WatchRequest:
        kinds = HitKind.ENDS
        if any(each.space is RangeSpace.CODE for each in ranges):
            kinds |= HitKind.EXECUTES
        if any(each.space is not RangeSpace.CODE for each in ranges):
            kinds |= HitKind.WRITES_REGISTERS
        return WatchRequest(kinds, ranges, fields, group=self._group)

    def _other_code(self, pc: int) -> tuple[SearchRange, ...]:
        """The code in which its names may mean something else than at ``pc``, or lie elsewhere."""
        if not self._boundaries:
            return ()
        first = max((each for each in self._boundaries if each <= pc), default=0)
        end = min((each for each in self._boundaries if each > pc), default=_ALL_CODE.end)
        return tuple(each for each in _code_ranges(((0, first), (end, _ALL_CODE.end))))

    def _depends(self, thread: HardwareThread) -> _Dependence | None:
        """What its value in all lanes is read from; None: there is more than places."""
        lanes = self._lanes(thread.dispatch_lanes)
        try:
            sources = self._expression.sources(_AllLanes(thread), lanes)
        except (EvaluationError, LevelZeroError):
            return _Dependence((), (), bool(self._has_place(thread)))
        self._homes = _homes_in_memory(sources)
        places: list[StoredPlace] = []
        uncertain = False
        for home, size in dict.fromkeys(sources.places):
            if isinstance(home, Missing):
                uncertain |= self._has_place(thread)
            elif isinstance(home, DataHome):
                uncertain |= type(home) is not DataHome  # it was computed from others
            else:
                places += places_of_home(home, size, thread)
        if not places and not uncertain:
            return (
                None if not sources.places or not self._boundaries else _Dependence((), (), False)
            )
        ranges = [_range_of(each) for each in places]
        if any(each is None for each in ranges):
            return None
        known = [each for each in ranges if each is not None]
        return _Dependence(
            tuple(each for each in known if each.space in (RangeSpace.MEMORY, RangeSpace.SLM)),
            tuple(each for each in known if each.space in (RangeSpace.GRF, RangeSpace.ARF)),
            uncertain,
        )

    def _has_place(self, thread: HardwareThread) -> bool:
        """Whether the compiler gives each of its variables a place at the pc: what is missing then
        may come back at any instruction."""
        assert self._info is not None or not self._expression.names
        for name in self._expression.names:
            variable = None if self._info is None else self._info.variable(name, thread.pc)
            if variable is None:
                continue
            inside = any(each.low <= thread.pc < each.high for each in variable.entries)
            if variable.entries and not inside:
                return False
        return True


@dataclass(frozen=True)
class _Dependence:
    """Bytes that a value is read from; ``is_uncertain``: there may be others."""

    memory: tuple[SearchRange, ...]
    registers: tuple[SearchRange, ...]
    is_uncertain: bool


class _AllLanes(ThreadView):
    """``thread`` as if all of its lanes were active: those that wait have variables, too."""

    def __init__(self, thread: ThreadContext) -> None:
        super().__init__(thread)
        self._found: dict[object, object] = {}

    @property
    def active_lanes(self) -> int:
        return self.thread.dispatch_lanes

    @property
    def stop_cache(self) -> dict[object, object]:
        """One of its own: what is found for all lanes is not what the thread's own are."""
        return self._found


def _inside(scope: Scope) -> list[Scope]:
    return [scope, *(each for child in scope.children for each in _inside(child))]


def _homes_in_memory(sources: Sources) -> dict[int, tuple[Type, MemoryHome]]:
    values = sources.values
    return {
        lane: (value.type, value.home)
        for lane, value in values
        if isinstance(value, Value) and isinstance(value.home, MemoryHome)
    }


def _meets(hit: TimeHit, home: MemoryHome, size: int) -> bool:
    kinds = HitKind.WRITES_SLM if home.space is MemorySpace.SLM else HitKind.WRITES_MEMORY
    inside = hit.address < home.address + size and home.address < hit.address + hit.size
    return inside and bool(hit.kind & kinds)


def _space(space: MemorySpace) -> RangeSpace:
    return RangeSpace.SLM if space is MemorySpace.SLM else RangeSpace.MEMORY


def _code_ranges(ranges: Ranges | tuple[tuple[int, int], ...]) -> tuple[SearchRange, ...]:
    return tuple(SearchRange(RangeSpace.CODE, first, end) for first, end in ranges if first < end)


def _range_of(place: StoredPlace) -> SearchRange | None:
    """The bytes of ``place`` as a driver counts them; None: it sees no writes to them."""
    if not isinstance(place, RegisterPlace):
        space = RangeSpace.SLM if place.space is Space.LOCAL else RangeSpace.MEMORY
        return SearchRange(space, place.address, place.address + place.size)
    first, end = place.first_bit // 8, -(-(place.first_bit + place.bits) // 8)
    if place.kind is RegisterKind.GRF:
        return SearchRange(RangeSpace.GRF, first, end)
    if place.kind not in _STORED:
        return None
    of_set = int(place.kind) << 32
    return SearchRange(RangeSpace.ARF, of_set | first, of_set | end)


def _merged(ranges: Iterable[SearchRange]) -> list[SearchRange]:
    """``ranges`` without what two of them have in common."""
    found: list[SearchRange] = []
    for each in sorted(ranges, key=lambda one: (one.space, one.begin, one.end)):
        last = found[-1] if found else None
        if last is not None and last.space is each.space and each.begin <= last.end:
            found[-1] = SearchRange(last.space, last.begin, max(last.end, each.end))
        else:
            found.append(each)
    return found
