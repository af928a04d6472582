"""The value of an expression in one thread, and all that it depends on there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from zedbg.dwarf.expressions.machine import MemorySpace
from zedbg.dwarf.scopes.scopes import Function, Ranges, Scope
from zedbg.dwarf.types.program_types import Type
from zedbg.engine.breakpoints.all_lanes import AllLanes
from zedbg.engine.breakpoints.watch import Change, before_and_after
from zedbg.engine.engine_errors import BreakpointError, NoThreadError
from zedbg.engine.memory.stored_places import StoredPlace, places_of_home
from zedbg.engine.threads.frames import call_depth
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.device_time import HitKind, RangeSpace, SearchRange, TimeHit
from zedbg.levelzero.device_watches import WatchRequest
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.values.expressions.api import Expression
from zedbg.values.formats.formatting import format_value
from zedbg.values.recomputed.recomputation import Recomputation
from zedbg.values.source.frame_context import FrameContext
from zedbg.values.source.source_changes import statement_starts, value_starts
from zedbg.values.threads.context import ThreadContext
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.values.typed.homes import (
    ComputedHome,
    DataHome,
    Home,
    MemoryHome,
    PartlyKnownHome,
    PartsHome,
    RegisterHome,
)
from zedbg.values.typed.value import LaneValues, Value
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
        self._code = thread.device.code
        self._lane = lane
        self._group = thread.workgroup
        wanted = within.focused_lane if lane is None else lane
        self._expression.evaluate(within, (wanted,))  # what is wrong with it is said now
        self._depth = self._depth_of(thread, within)
        self._boundaries = self._scope_boundaries()
        self._starts: dict[bool, list[int]] = {}
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
        for lane in lanes:
            self._homes.pop(lane, None)
        self._homes |= _homes_in_memory(found)
        return {
            lane: format_value(Value(value.type, value.data, doubt=value.doubt))
            for lane, value in found
            if isinstance(value, Value)
        }

    def stored(self, thread: HardwareThread) -> Mapping[int, str]:
        """Only while ``thread`` is elsewhere: here it has a value, or is not known."""
        return {} if self._is_there(thread) else self.in_memory(thread)

    def in_memory(self, thread: HardwareThread) -> dict[int, str]:
        """What is where the value of each lane was last, as ``thread`` reads it."""
        found = {}
        for lane, (value_type, home) in self._homes.items():
            with contextlib.suppress(LevelZeroError):
                data = thread.read_memory(home.space, home.address, value_type.size)
                found[lane] = format_value(Value(value_type, data))
        return found

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

    def next_instruction(self, thread: HardwareThread) -> WatchRequest:
        return WatchRequest(HitKind.EXECUTES, (_ALL_CODE,), thread.place.fields, group=self._group)

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
        other = self._other_code(thread.pc, found.certainty)
        return [
            *self._of_memory(found.memory),
            self._of_thread(fields, (*_merged(found.registers), *other)),
        ]

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

    def _other_code(self, pc: int, certainty: _Certainty) -> tuple[SearchRange, ...]:
        """The code in which its names may mean something else than at ``pc``, lie elsewhere, or be
        computed in another way."""
        boundaries = self._boundaries
        if certainty is _Certainty.HIDDEN:
            return (_ALL_CODE,)
        if certainty is not _Certainty.STORED:
            boundaries = sorted({*boundaries, *self._starts_of(certainty)})
        if not boundaries:
            return () if certainty is _Certainty.STORED else (_ALL_CODE,)
        first = max((each for each in boundaries if each <= pc), default=0)
        end = min((each for each in boundaries if each > pc), default=_ALL_CODE.end)
        return tuple(each for each in _code_ranges(((0, first), (end, _ALL_CODE.end))))

    def _starts_of(self, certainty: _Certainty) -> list[int]:
        """The code at which what is computed may become something else."""
        is_fixed = certainty is _Certainty.COMPUTED
        if self._info is None or self._function is None:
            return []
        if is_fixed not in self._starts:
            info, function = self._info, self._function
            starts = (
                value_starts(info, function, self._expression.names)
                if is_fixed
                else statement_starts(info, function)
            )
            self._starts[is_fixed] = starts + self._partings
        return self._starts[is_fixed]

    @cached_property
    def _partings(self) -> list[int]:
        """The code in which other lanes may be active than in the instruction before it."""
        found: list[int] = []
        for address, end in () if self._function is None else self._function.ranges:
            while address < end and (instruction := self._code.instruction(address)) is not None:
                if instruction.is_branch:
                    found += [address + each for each in instruction.ways or (instruction.size,)]
                address += instruction.size
        return found

    def _depends(self, thread: HardwareThread) -> _Dependence | None:
        """What its value in all lanes is read from; None: there is more than places."""
        lanes = self._lanes(thread.dispatch_lanes)
        view = AllLanes(thread)
        try:
            sources = self._expression.sources(view, lanes)
        except (EvaluationError, LevelZeroError):
            return _Dependence((), (), _Certainty.ANEW)
        self._homes = _homes_in_memory(sources.values)
        places: list[StoredPlace] = []
        active = self._lanes(thread.active_lanes)
        is_known = all(isinstance(each, Value) for lane, each in sources.values if lane in active)
        certainty = _Certainty.STORED if is_known else self._of_missing(view.pc)
        for home, size in dict.fromkeys(sources.places):
            certainty = max(certainty, self._certainty(home, view))
            if not isinstance(home, Missing | DataHome):
                places += places_of_home(home, size, thread)
        if not places and certainty is _Certainty.STORED:
            is_located = sources.places and self._boundaries
            return _Dependence((), (), certainty) if is_located else None
        ranges = [_range_of(each) for each in places]
        if any(each is None for each in ranges):
            return None
        known = {each for each in ranges if each is not None}
        known |= {SearchRange(RangeSpace.GRF, *each) for each in view.registers_read}
        return _Dependence(
            tuple(each for each in known if each.space in (RangeSpace.MEMORY, RangeSpace.SLM)),
            tuple(each for each in known if each.space in (RangeSpace.GRF, RangeSpace.ARF)),
            certainty,
        )

    def _of_missing(self, pc: int) -> _Certainty:
        """That of a value which is not known at ``pc``."""
        if self._info is None:
            return _Certainty.ANEW
        found = [self._info.variable(each, pc) for each in self._expression.names]
        entries = [entry for each in found if each is not None for entry in each.entries]
        is_placed = any(each.low <= pc < each.high for each in entries)
        return _Certainty.HIDDEN if is_placed else _Certainty.ANEW

    def _certainty(self, home: Home | Missing, view: AllLanes) -> _Certainty:
        """That of one value that was read."""
        if isinstance(home, Missing):  # of a lane that waits, or all of them are
            return _Certainty.COMPUTED
        if isinstance(home, ComputedHome | PartlyKnownHome):
            needs_more = Recomputation.of(view).needs_iterations
            return _Certainty.ANEW if needs_more else _Certainty.COMPUTED
        # A register may have what the variable had before: the SPIR-V knows where it does.
        is_checked = isinstance(home, RegisterHome | PartsHome) and self._expression.names
        has_source = self._info is not None and self._info.spirv is not None
        return _Certainty.COMPUTED if is_checked and has_source else _Certainty.STORED


class _Certainty(IntEnum):
    """What is known of where a value comes from, the most first."""

    STORED = 0  # it is in the places that were read
    COMPUTED = 1  # from what does not change, as long as the SPIR-V says the same
    ANEW = 2  # it may become another one, or be known, at any statement
    HIDDEN = 3  # it has a place that does not hold: it may at any instruction


@dataclass(frozen=True)
class _Dependence:
    """Bytes that a value is read from, or computed."""

    memory: tuple[SearchRange, ...]
    registers: tuple[SearchRange, ...]
    certainty: _Certainty


def _inside(scope: Scope) -> list[Scope]:
    return [scope, *(each for child in scope.children for each in _inside(child))]


def _homes_in_memory(values: LaneValues) -> dict[int, tuple[Type, MemoryHome]]:
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
