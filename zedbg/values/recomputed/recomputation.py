"""Variables of a frame computed again from the module's SPIR-V: what they must be, by the source.

The line of a frame's code is looked up in the SPIR-V, which says which value each variable has in
front of it, and how that is made. What depends on arguments, ids, sizes, constants and memory that
cannot have changed is computed for any lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from zedbg.dwarf import DebugInfo, Variable
from zedbg.dwarf.scopes.scopes import InlinedCall, Scope
from zedbg.missing import Missing
from zedbg.spirv.analysis.damage import DAMAGES
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.group.columns import Column, Columns
from zedbg.spirv.group.lanes_at_once import NotAtOnce, Step, run
from zedbg.spirv.module.types import Kind
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.work_item.activation import TooMuch
from zedbg.values.counters.counted_loops import CountedLoop, counted_loop
from zedbg.values.counters.proved_counters import LoopPlace
from zedbg.values.recomputed.calls_on_line import tell_calls_apart
from zedbg.values.recomputed.lane_variables import LaneVariables, as_pointer
from zedbg.values.source.frame_context import FrameContext, frame_level, lookup_address
from zedbg.values.source.source_frame import SourceFrame, in_code
from zedbg.values.source.source_positions import (
    SourcePosition,
    States,
    VariableProgram,
    is_unoptimised,
    position_at,
    program_of_variable,
    states_of,
    unclear_call,
)
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.thread_group import ThreadGroup
from zedbg.values.threads.work_items import WorkItems
from zedbg.xe.coordinates import mask_of

_NOTES_LIMIT = 20_000  # what is kept of a module's places and variables


class Recomputation:
    """The values of the variables of ``context``'s frame."""

    def __init__(self, context: ThreadContext) -> None:
        self._context = context
        self._items = WorkItems(context)
        self._info: DebugInfo | None = context.debug_info
        self._model: Model | None = None if self._info is None else self._info.spirv
        # What was computed in some lanes, by the steps of programs, which are kept with it.
        self._columns: dict[tuple[int, tuple[int, ...]], tuple[list[Step], Columns]] = {}
        self._exhausting: dict[Variable, UnknownValue] = {}
        self._by_lane: LaneVariables | None = None  # made when it is needed
        self._is_counted = False  # something that needed it was computed for all lanes at once

    @classmethod
    def of(cls, context: ThreadContext) -> Recomputation:
        """That of the frame of ``context``, kept for as long as its thread is stopped."""
        key = cls, lookup_address(context), _frame_scope(context), frame_level(context)
        kept = context.stop_cache
        found = kept.get(key)
        if not isinstance(found, Recomputation):
            found = kept[key] = cls(context)
        return found

    @property
    def has_model(self) -> bool:
        """Whether the module carries SPIR-V that says what its variables are."""
        return self._model is not None

    @property
    def _is_damaged(self) -> bool:
        return self._model is not None and self._model.is_damaged

    @cached_property
    def has_source(self) -> bool:
        """Whether the module carries SPIR-V that the frame is found in."""
        try:
            return self._position is not None
        except DAMAGES:
            if not self._is_damaged:
                raise
            return False

    @cached_property
    def _position(self) -> SourcePosition | None:
        if self._model is None:
            return None
        key = lookup_address(self._context), _frame_scope(self._context)
        notes = self._model.notes
        if len(notes) > _NOTES_LIMIT:
            notes.clear()
        if key not in notes:
            assert self._info is not None
            position = position_at(self._info, self._model, *key)
            if position is None:
                unclear = unclear_call(self._info, self._model, *key)
                if unclear is not None:  # at another stop it may be clear
                    return self._told_apart(self._info, self._model, *unclear)
            notes[key] = position
        found = notes[key]
        return found if isinstance(found, SourcePosition) else None

    def _told_apart(
        self, info: DebugInfo, model: Model, around: Scope, call: InlinedCall
    ) -> SourcePosition | None:
        """Where the frame is, in ``call`` or what that calls, which is one of several on a line in
        ``around``; None where it is not known which one."""
        context, address = self._context, lookup_address(self._context)
        outer = position_at(info, model, address, around)
        if outer is None or isinstance(context, ThreadGroup) or frame_level(context):
            return None
        frame = in_code(context, info, model, outer)
        if not tell_calls_apart(frame, self._items, around, call):
            return None
        return position_at(info, model, address, _frame_scope(context))

    def _states_of(self, variable: Variable) -> States | None:
        """What the variable has at each place of the line; None if the SPIR-V does not know it."""
        if self._model is None or self._position is None:
            return None
        return states_of(self._model, self._position, variable)

    def names(self, variable: Variable) -> bool:
        """Whether the SPIR-V knows it as a local variable of the frame."""
        return self._states_of(variable) is not None

    @cached_property
    def is_unoptimised(self) -> bool:
        """Whether the SPIR-V has all variables of the function in memory, as without -O."""
        model, position = self._model, self._position
        return model is not None and position is not None and is_unoptimised(model, position)

    def is_in_frame(self, variable: Variable) -> bool:
        """Whether the code has the frame that the place of ``variable`` in memory is counted from:
        neither in a function's prologue, which stores its parameters, nor in its epilogue."""
        address, info = lookup_address(self._context), self._info
        if info is None:
            return False
        expression = info.location_expression(variable, address)
        return isinstance(expression, Missing) or info.code.has_frame(expression, address)

    @property
    def needs_iterations(self) -> bool:
        """Whether something that was asked for needed the iteration that lanes are in."""
        by_lane = self._by_lane is not None and self._by_lane.needs_iterations
        return self._is_counted or by_lane

    def value(self, variable: Variable, lane: int) -> bytes:
        """The bytes of ``variable`` in ``lane``. Raises UnknownValue."""
        found = self.values(variable, (lane,))[0]
        if isinstance(found, UnknownValue):
            raise found
        return found

    def values(self, variable: Variable, lanes: Sequence[int]) -> list[bytes | UnknownValue]:
        """The bytes of ``variable`` in each of ``lanes``, or why they are not known."""
        at_once = self.values_at_once(variable, lanes)
        return [self._one(variable, lane) for lane in lanes] if at_once is None else at_once

    def values_at_once(
        self, variable: Variable, lanes: Sequence[int]
    ) -> list[bytes | UnknownValue] | None:
        """The same, where that takes nothing which differs in how lanes came here; None where it
        does. ``context`` may be a :class:`ThreadGroup`."""
        try:
            return self._at_once(variable, lanes)
        except DAMAGES:
            if not self._is_damaged:
                raise
            return None

    def _one(self, variable: Variable, lane: int) -> bytes | UnknownValue:
        if variable in self._exhausting:
            return self._exhausting[variable]
        try:
            return self._value(variable, lane)
        except TooMuch as error:
            self._exhausting[variable] = error  # for other lanes it would be no less
            return error
        except UnknownValue as error:
            return error
        except DAMAGES:
            if not self._is_damaged:
                raise
            return UnknownValue("the module's SPIR-V is damaged")

    def _at_once(
        self, variable: Variable, lanes: Sequence[int]
    ) -> list[bytes | UnknownValue] | None:
        """As :meth:`values_at_once`; raises DAMAGES."""
        model, position = self._model, self._position
        if model is None or position is None:
            return None
        found = program_of_variable(model, position, variable)
        if found is None:
            return None
        steps, program = found.program.steps, found.program
        kept, known = self._columns.setdefault((id(steps), tuple(lanes)), (steps, {}))
        assert kept is steps
        try:
            if program.is_in_loop and not self._counted(found, lanes, known):
                return None
            column = run(program, self._items, lanes, known)
        except NotAtOnce:
            return None
        if not column.is_known:
            return None  # it may be in a register, or known otherwise where a lane is
        self._is_counted |= program.is_in_loop
        values = found.data(column.values, variable.type)
        if found.kind.kind is Kind.POINTER:
            values = [
                each if isinstance(each, UnknownValue) else as_pointer(variable, found.kind, each)
                for each in values
            ]
        return values * len(lanes) if column.is_uniform else values

    def _counted(self, found: VariableProgram, lanes: Sequence[int], known: Columns) -> bool:
        """Whether the iterations that all of ``lanes`` are in are known; they are noted."""
        context, model, position = self._context, self._model, self._position
        assert self._info is not None and model is not None and position is not None
        if isinstance(context, ThreadGroup):
            return False
        inactive = mask_of(lanes) & ~context.active_lanes
        if inactive or self.is_unoptimised or frame_level(context):
            return False
        key = lookup_address(context), tuple(lanes)
        if key not in found.loops:
            found.loops[key] = self._counted_loops(found, lanes)
        for step, loops in found.loops[key]:
            if step in known:
                continue
            numbers, coming = set[int](), []
            for loop in loops:
                if loop is None:
                    return False
                number = loop.iteration(context, self._items, lanes, known)
                if number is None:
                    return False
                numbers.add(number)
                coming.append(loop.comes(number, self._items, lanes, known))
            if len(numbers) != 1 or not all(map(any, zip(*coming, strict=True))):
                return False
            known[step] = Column([*numbers], True, True)
        return True

    def _counted_loops(
        self, found: VariableProgram, lanes: Sequence[int]
    ) -> list[tuple[int, list[CountedLoop | None]]]:
        """Of each loop around ``found``, the step that has its iteration, and what says that at
        each place of the line."""
        model, position = self._model, self._position
        assert self._info is not None and model is not None and position is not None
        flow = model.flow(position.function)
        calls = position.inlined_calls()
        address = lookup_address(self._context)
        loops = []
        for header in flow.loops_around(found.blocks[0]):
            places = [
                LoopPlace(address, position.function, flow.loops[header], block, calls)
                for block in found.blocks
            ]
            counted = [
                counted_loop(self._info, model, found.programs, place, lanes) for place in places
            ]
            loops.append((found.programs.iteration(header), counted))
        return loops

    def _value(self, variable: Variable, lane: int) -> bytes:
        info, model, position = self._info, self._model, self._position
        if info is None or model is None or position is None:
            raise UnknownValue("the module has no SPIR-V that this code is found in")
        states = states_of(model, position, variable)
        if states is None:
            data = model.constant_bytes(variable.name, variable.line or 0)
            if data is not None and len(data) == variable.type.size:
                return data
            raise UnknownValue("the module's SPIR-V does not say which value it has")
        if not states:
            raise UnknownValue("the module's SPIR-V has no code of this line")
        if self._by_lane is None:
            frame = SourceFrame(self._context, info, model, position)
            self._by_lane = LaneVariables(frame, self._items)
        return self._by_lane.value(variable, states, lane)


def _frame_scope(context: ThreadContext) -> Scope | None:
    return context.frame.scope if isinstance(context, FrameContext) else None
