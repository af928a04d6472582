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
from zedbg.dwarf.types.program_types import PointerType
from zedbg.missing import Missing
from zedbg.spirv.analysis.damage import DAMAGES
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import NotReached, Visit
from zedbg.spirv.group.columns import Column, Columns
from zedbg.spirv.group.lanes_at_once import NotAtOnce, Step, run
from zedbg.spirv.module.operations import Storage
from zedbg.spirv.module.types import UNDEFINED, Kind, Type, Value
from zedbg.spirv.module.variables import Given, Point, State
from zedbg.spirv.numbers.arithmetic import UnknownValue, UnsetValue
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.activation import NeedsIteration, TooMuch
from zedbg.spirv.work_item.unknown_number import UnknownNumber, has_its_components
from zedbg.values.counters.counted_loops import CountedLoop, counted_loop
from zedbg.values.counters.proved_counters import LoopPlace
from zedbg.values.recomputed.calls_on_line import tell_calls_apart
from zedbg.values.recomputed.lane_calls import LaneCalls
from zedbg.values.source.assigned_on_way import assigned_on_way
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
from zedbg.values.source.variables_in_memory import bytes_in_memory
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.thread_group import ThreadGroup
from zedbg.values.threads.work_items import WorkItems
from zedbg.values.typed.locate import generic_local_address
from zedbg.values.typed.padding import meaningful_bytes
from zedbg.values.typed.partly_known_error import (
    PartlyKnownError,
    in_common,
    partly_known_error,
    unset_error,
)
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
        self._in_loops: set[tuple[Point, int]] = set()  # what needs the iteration
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
        return self._is_counted or bool(self._in_loops)

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
        if not column.is_known and (
            program.is_in_loop or any(isinstance(each, NotReached) for each in column.values)
        ):
            return None  # it may be known in other iterations, or at another place of the line
        self._is_counted |= program.is_in_loop
        values = found.data(column.values, variable.type)
        if found.kind.kind is Kind.POINTER:
            values = [
                each if isinstance(each, UnknownValue) else _as_pointer(variable, found.kind, each)
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
            numbers = {
                None if loop is None else loop.iteration(context, self._items, lanes, known)
                for loop in loops
            }
            number = numbers.pop()
            if number is None or numbers:
                return False
            known[step] = Column([number], True, True)
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
        if self._position is None:
            raise UnknownValue("the module has no SPIR-V that this code is found in")
        states = self._states_of(variable)
        if states is None:
            assert self._model is not None
            data = self._model.constant_bytes(variable.name, variable.line or 0)
            if data is not None and len(data) == variable.type.size:
                return data
            raise UnknownValue("the module's SPIR-V does not say which value it has")
        if not states:
            raise UnknownValue("the module's SPIR-V has no code of this line")
        found: bytes | PartlyKnownError | None = None
        here: bytes | PartlyKnownError
        elsewhere: NotReached | None = None
        for point, parts in states:
            try:
                here = self._data(variable, lane, point, parts)
            except NotReached as error:
                elsewhere = error  # then the lane is at another place of the line
                continue
            except PartlyKnownError as error:
                here = error
            found = here if found is None else in_common(variable.type, found, here)
        if isinstance(found, PartlyKnownError):
            raise found
        if found is None:
            assert elsewhere is not None
            raise elsewhere
        return found

    def _data(self, variable: Variable, lane: int, point: Point, parts: list[State]) -> bytes:
        size = variable.type.size
        if not parts:
            raise UnknownValue("it has no value yet")
        data, known = bytearray(size), set[int]()
        unknown: UnknownValue | None = None
        for state in parts:
            try:
                offset, piece, is_whole = self._joined(variable, lane, point, state)
            except (NotReached, TooMuch):
                raise
            except UnknownValue as error:
                if len(parts) == 1:
                    raise
                unknown = error
                continue
            if offset + len(piece) > size or (is_whole and len(piece) != size):
                raise UnknownValue("its type in the SPIR-V has another size")
            data[offset : offset + len(piece)] = piece
            known.update(range(offset, offset + len(piece)))
        if not known.issuperset(meaningful_bytes(variable.type)):
            why = unknown or "a part of it has no value"
            raise partly_known_error(variable.type, bytes(data), known, why)
        return bytes(data)

    def _given_data(
        self, variable: Variable, lane: int, point: Point, given: Given
    ) -> tuple[int, bytes, bool]:
        assert self._model is not None
        if given.in_memory and given.value is not None:
            return 0, self._memory(variable, lane, point, given.value), True
        if given.value is None:
            raise UnknownValue("the SPIR-V does not say its value in a way that is known")
        try:
            value = self._in_iteration(lane, point, given.value)
        except UnknownNumber as number:
            if given.fragment is not None:
                raise
            kind = self._model.code.type_of[given.value]
            raise self._partly_known(variable, kind, number) from None
        return self._encoded(variable, given, value)

    def _joined(
        self, variable: Variable, lane: int, point: Point, state: State
    ) -> tuple[int, bytes, bool]:
        """As :meth:`_given_data`, where ways meet that gave it each of ``state``."""
        if len(state) == 1:
            return self._given_data(variable, lane, point, next(iter(state)))
        try:
            return self._on_way(variable, lane, point, state)
        except (NotReached, PartlyKnownError):
            raise
        except UnknownValue as error:
            try:
                pieces = {self._given_data(variable, lane, point, each) for each in state}
            except PartlyKnownError:
                raise error from None  # it need not be what the lane's way gave it
            if len(pieces) != 1:
                raise error
            return pieces.pop()

    def _on_way(
        self, variable: Variable, lane: int, point: Point, state: State
    ) -> tuple[int, bytes, bool]:
        """As :meth:`_given_data`, of what the lane's way gave it of ``state``."""
        assert self._model is not None and self._position is not None
        values, inlined = self._model.variables(self._position.function), self._position.inlined
        declared = values.declared(variable.name, variable.line, inlined)
        for in_iteration in (False, True):
            evaluation, activation = self._calls.innermost(lane, in_iteration)
            iterations = self._calls.iterations(lane, point.block, in_iteration)
            visit = Visit(point.block, iterations)
            try:
                given, value = assigned_on_way(
                    values, declared, inlined, state, evaluation, activation, visit
                )
                break
            except NeedsIteration:
                if in_iteration:
                    raise
        if value is None:
            return self._given_data(variable, lane, point, given)
        return self._encoded(variable, given, value)

    def _encoded(
        self, variable: Variable, given: Given, value: Value | Place
    ) -> tuple[int, bytes, bool]:
        assert self._model is not None and given.value is not None
        if isinstance(value, Place):
            raise UnknownValue("an address that is not known")
        kind = self._model.code.type_of[given.value]
        data = kind.encode(value)
        if data is None and given.fragment is None:
            raise unset_error(variable.type, kind.encode_parts(value))
        if data is None:
            raise UnsetValue
        data = _as_pointer(variable, kind, data)
        if given.fragment is None:
            return 0, data, True
        if given.fragment.offset % 8 or given.fragment.size != 8 * len(data):
            raise UnknownValue("a part of it has another size")
        return given.fragment.offset // 8, data, False

    def _in_iteration(self, lane: int, point: Point, result: int) -> Value | Place:
        """What ``result`` is at ``point``, in the iteration that the lane is in if that matters."""
        key = point, result
        try:
            return self._evaluated(lane, point, result, in_iteration=key in self._in_loops)
        except NeedsIteration:
            if key in self._in_loops:
                raise
        self._in_loops.add(key)  # and so it is for other lanes
        return self._evaluated(lane, point, result, in_iteration=True)

    def _partly_known(self, variable: Variable, kind: Type, number: UnknownNumber) -> UnknownValue:
        """``number``, which ``variable`` has as a ``kind``; of a vector what is known of it."""
        assert self._model is not None
        is_vector = kind.kind is Kind.VECTOR and kind.size == variable.type.size
        is_same = has_its_components(kind, self._model.code.type_of[number.item.result])
        if not is_vector or not is_same:
            return number
        parts = [number.component(index) for index in range(kind.count)]
        data = kind.encode_parts(tuple(UNDEFINED if each is None else each for each in parts))
        known = {at for at, each in enumerate(data) if each is not None}
        return partly_known_error(
            variable.type, bytes(each or 0 for each in data), known, str(number)
        )

    def _memory(self, variable: Variable, lane: int, point: Point, pointer: int) -> bytes:
        """The bytes of a variable that lies in memory, in which padding is zero."""
        held = bytes_in_memory(self._calls, lane, point, pointer, variable.type.size)
        known = {number for number, each in enumerate(held) if isinstance(each, int)}
        data = bytes(each if isinstance(each, int) else 0 for each in held)
        assert self._model is not None
        held_in = self._model.code.type_of[pointer]
        one = held[0]
        if isinstance(one, UnknownNumber) and all(each is one for each in held):
            raise self._partly_known(variable, held_in.members[0], one)
        if not known.issuperset(meaningful_bytes(variable.type)):
            why = next((each for each in held if isinstance(each, UnknownValue)), None)
            if why is None and not known:
                raise UnsetValue
            reason = why or "the program has not set all of it"
            raise partly_known_error(variable.type, data, known, reason)
        return _as_pointer(variable, held_in.members[0], data) if held_in.members else data

    def _evaluated(
        self, lane: int, point: Point, result: int, *, in_iteration: bool
    ) -> Value | Place:
        """What ``result`` is at ``point``; ``in_iteration``: of the one that the lane is in."""
        evaluation, activation = self._calls.innermost(lane, in_iteration)
        iterations = self._calls.iterations(lane, point.block, in_iteration)
        try:
            return evaluation.value(activation, result, point.block, iterations)
        except NeedsIteration:
            if not in_iteration:
                raise
            found = self._same_in_all(lane, point, result)
            if found is None:
                raise
            return found

    def _same_in_all(self, lane: int, point: Point, result: int) -> Value | None:
        """What ``result`` is in all iterations that the lane may be in; None where these differ, or
        are not known."""
        assert self._model is not None
        evaluation, activation = self._calls.innermost(lane, True)
        kind, found = self._model.code.type_of[result], None
        for iterations in self._calls.possible(lane, point.block):
            try:
                value = evaluation.value(activation, result, point.block, iterations)
            except NotReached:
                return None
            if isinstance(value, Place):
                return None
            if found is not None and kind.encode(value) != kind.encode(found):
                return None
            found = value
        return found

    @cached_property
    def _calls(self) -> LaneCalls:
        assert self._info is not None and self._model is not None and self._position is not None
        frame = SourceFrame(self._context, self._info, self._model, self._position)
        return LaneCalls(frame, self._items)


def _as_pointer(variable: Variable, kind: Type, data: bytes) -> bytes:
    """``data`` of ``variable``, which is a ``kind``: a pointer to local memory says so itself where
    its type does not."""
    declared = variable.type.stripped()
    if (
        kind.kind is Kind.POINTER
        and kind.storage == Storage.WORKGROUP
        and isinstance(declared, PointerType)
        and declared.address_class is None
    ):
        return generic_local_address(int.from_bytes(data, "little")).to_bytes(8, "little")
    return data


def _frame_scope(context: ThreadContext) -> Scope | None:
    return context.frame.scope if isinstance(context, FrameContext) else None
