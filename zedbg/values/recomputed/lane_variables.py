"""Variables of a frame in one lane, by what the SPIR-V says that they have at the lane's place."""

from __future__ import annotations

from zedbg.dwarf import Variable
from zedbg.dwarf.types.program_types import PointerType
from zedbg.spirv.analysis.private_memory import NotReached, Visit
from zedbg.spirv.module.operations import Storage
from zedbg.spirv.module.types import UNDEFINED, Kind, Type, Value
from zedbg.spirv.module.variables import Given, Point, State
from zedbg.spirv.numbers.arithmetic import UnknownValue, UnsetValue
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.activation import NeedsIteration, TooMuch
from zedbg.spirv.work_item.unknown_number import UnknownNumber, has_its_components
from zedbg.values.recomputed.lane_calls import LaneCalls
from zedbg.values.source.assigned_on_way import assigned_on_way
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import States
from zedbg.values.source.variables_in_memory import bytes_in_memory
from zedbg.values.threads.work_items import WorkItems
from zedbg.values.typed.locate import generic_local_address
from zedbg.values.typed.padding import meaningful_bytes
from zedbg.values.typed.partly_known_error import (
    PartlyKnownError,
    in_common,
    partly_known_error,
    unset_error,
)


class LaneVariables:
    """Those of ``frame``."""

    def __init__(self, frame: SourceFrame, items: WorkItems) -> None:
        self._model = frame.model
        self._position = frame.position
        self._calls = LaneCalls(frame, items)
        self._in_loops: set[tuple[Point, int]] = set()  # what needs the iteration

    @property
    def needs_iterations(self) -> bool:
        """Whether something that was asked for needed the iteration that a lane is in."""
        return bool(self._in_loops)

    def value(self, variable: Variable, states: States, lane: int) -> bytes:
        """The bytes of ``variable`` in ``lane``: it has ``states`` at the places of the line, which
        are some. Raises UnknownValue."""
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
            raise _not_given(variable)
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
        if given.in_memory and given.value is not None:
            return 0, self._memory(variable, lane, point, given.value), True
        if not given.is_set:
            raise _not_given(variable)
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
        assert given.value is not None
        if isinstance(value, Place):
            raise UnknownValue("an address that is not known")
        kind = self._model.code.type_of[given.value]
        data = kind.encode(value)
        if data is None and given.fragment is None:
            raise unset_error(variable.type, kind.encode_parts(value))
        if data is None:
            raise UnsetValue
        data = as_pointer(variable, kind, data)
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

    def _memory(self, variable: Variable, lane: int, point: Point, pointer: int) -> bytes:
        """The bytes of a variable that lies in memory, in which padding is zero."""
        held = bytes_in_memory(self._calls, lane, point, pointer, variable.type.size)
        known = {number for number, each in enumerate(held) if isinstance(each, int)}
        data = bytes(each if isinstance(each, int) else 0 for each in held)
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
        return as_pointer(variable, held_in.members[0], data) if held_in.members else data

    def _partly_known(self, variable: Variable, kind: Type, number: UnknownNumber) -> UnknownValue:
        """``number``, which ``variable`` has as a ``kind``; of a vector what is known of it."""
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


def as_pointer(variable: Variable, kind: Type, data: bytes) -> bytes:
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


def _not_given(variable: Variable) -> UnknownValue:
    """Why ``variable`` has no value, which nothing in the SPIR-V has given one yet."""
    return UnknownValue("it has no value yet") if variable.is_parameter else UnsetValue()
