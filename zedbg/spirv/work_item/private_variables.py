"""What a function's variables have that lie in memory, as the work-item's writes left them."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import (
    LIFETIMES,
    Bytes,
    Visit,
    Writers,
    WrittenBytes,
)
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import Op, Storage
from zedbg.spirv.module.types import Kind, Type, Value
from zedbg.spirv.numbers.arithmetic import UnknownValue, whole
from zedbg.spirv.numbers.computations import Place, known
from zedbg.spirv.work_item.activation import Activation, Values
from zedbg.spirv.work_item.given_values import GivenValues
from zedbg.spirv.work_item.unknown_number import loaded_value
from zedbg.spirv.work_item.ways import Ways

_COPIED = 1 << 16  # bytes


class _StoredPlace(UnknownValue):
    """What a byte of a pointer is that was stored, where that is a ``place``."""

    def __init__(self, place: Place) -> None:
        super().__init__("an address that is not known")
        self.place = place


class PrivateVariables:
    """Those of one work-item, which is ``given`` something, goes its ``ways``, and writes
    ``values``."""

    def __init__(self, model: Model, values: Values, given: GivenValues, ways: Ways) -> None:
        self._model = model
        self._given = given
        self._code = model.code
        self._values = values
        self._ways = ways

    def bytes_at(
        self, call: Activation, place: Place, size: int, visit: Visit, index: int
    ) -> Bytes:
        """The bytes at ``place``, in a variable of the call or of one that led to it, in front of
        item ``index`` of a block. Raises UnknownValue where none of them is known, NeedsIteration
        of them."""
        writers = self._writers(call, place.variable)
        if not writers:
            return self._before(call, place.variable, place.offset, size)
        if self._ways.way(call).is_followed:  # to a place that depends on this
            stored = self._just_stored(call, place, size, visit, index)
            if stored is not None:
                return stored
        visit, index = self._ways.known_place(call, visit, index, writers)
        return self._written_bytes(call, place.variable).at(visit, index, place.offset, size)

    def _just_stored(
        self, call: Activation, place: Place, size: int, visit: Visit, index: int
    ) -> Bytes | None:
        """The same, by the store that the work-item executed last, on the only way that leads to
        ``visit`` from there; None where that does not say all of it. This needs nothing of the
        work-item's way to there."""
        writers, flow = self._writers(call, place.variable), self._model.flow(call.function)
        block, around = visit.block, flow.loops_around(visit.block)
        while True:
            before = [item for at, item in writers.get(block, ()) if at < index]
            if before:
                at = Visit(block, visit.iterations)
                return self._stored(call, before[-1], at, place, size)
            came = flow.before[block]
            if len(came) != 1 or block in around or flow.loops_around(came[0]) != around:
                return None
            block, index = came[0], len(call.function.blocks[came[0]].items)

    def _stored(
        self, call: Activation, item: Instruction, at: Visit, place: Place, size: int
    ) -> Bytes | None:
        """The bytes at ``place`` that ``item`` stores, if it is a store of all of them."""
        if item.opcode != Op.STORE:
            return None
        for start, data in self._written(call, item, at, place.variable):
            stored = data[place.offset - start :][:size] if place.offset >= start else ()
            if len(stored) == size:
                return stored
        return None

    def _is_own(self, call: Activation, variable: int) -> bool:
        """Whether it is one of the function, or its copy of what was passed by value."""
        is_copy = variable in call.function.parameters
        return is_copy or variable in self._model.made(call.function)

    def _writers(self, call: Activation, variable: int) -> Writers:
        own = variable if self._is_own(call, variable) else None
        return self._model.writers(call.function, own)

    def _written_bytes(self, call: Activation, variable: int) -> WrittenBytes:
        """What the call writes to ``variable``. Raises UnknownValue."""
        if variable not in call.written:

            def written(item: Instruction, at: Visit) -> Sequence[tuple[int, Bytes]]:
                return self._written(call, item, at, variable)

            def before(start: int, size: int) -> Bytes:
                return self._before(call, variable, start, size)

            writers = self._writers(call, variable)
            call.written[variable] = WrittenBytes(self._ways.way(call), writers, written, before)
        return call.written[variable]

    def _before(self, call: Activation, variable: int, start: int, size: int) -> Bytes:
        """The bytes of ``variable``, ``size`` of them from one on, where the call begins. Raises
        UnknownValue."""
        parameters = call.function.parameters
        if call.caller is None:
            if variable in parameters:
                return list(self._given.passed_bytes(variable, start, size))
            if self._is_own(call, variable):
                return [None] * size
            raise UnknownValue("it depends on what was passed in a call")
        caller, item, visit = call.caller
        if variable in parameters:
            passed = item.operands[1 + parameters.index(variable)]
            return self._pointed_to(caller, item, passed, start, size, visit)
        if self._is_own(call, variable) or self._is_returned(call, variable):
            return [None] * size
        return self._read(caller, item, Place(variable, start), size, visit)

    def _is_returned(self, call: Activation, variable: int) -> bool:
        """Whether ``call`` returns all of ``variable``, one of its caller's: it has nothing yet."""
        assert call.caller is not None
        caller, item, visit = call.caller
        for parameter in self._code.returned.intersection(call.function.parameters):
            passed = item.operands[1 + call.function.parameters.index(parameter)]
            if self._values.of(caller, passed, visit.block, visit.iterations) == Place(variable):
                pointed = [self._code.type_of[each].members for each in (parameter, variable)]
                return all(pointed) and pointed[0][0].size == pointed[1][0].size
        return False

    def loaded(
        self, call: Activation, item: Instruction, place: Place, kind: Type, visit: Visit
    ) -> Value | Place:
        """What ``item``, a load of ``kind`` from ``place``, gives at ``visit``. Raises
        UnknownValue."""
        if place.offset < 0 or not kind.size:
            raise UnknownValue("the program reads outside of a variable")
        data = self._read(call, item, place, kind.size, visit)
        stored = data[0]
        is_whole = kind.kind is Kind.POINTER and all(each is stored for each in data)
        if isinstance(stored, _StoredPlace) and is_whole:
            return stored.place
        return loaded_value(kind, data)

    def _read(
        self, call: Activation, item: Instruction, place: Place, size: int, visit: Visit
    ) -> Bytes:
        index = self._model.index(call.function, item)
        return self.bytes_at(call, place, size, visit, index)

    def _written(
        self, call: Activation, item: Instruction, at: Visit, variable: int
    ) -> Sequence[tuple[int, Bytes]]:
        """What an instruction writes to ``variable``, and where; see
        :data:`zedbg.spirv.analysis.private_memory.Written`."""
        self._values.step()
        if item.opcode == Op.FUNCTION_CALL:
            called = self._values.called(call, item, at)
            return self._written_bytes(called, variable).at_end()
        if item.opcode == Op.EXT_INST:
            raise UnknownValue("a function may write to it through a pointer")
        target = self._values.of(call, item.operands[0], at.block, at.iterations)
        if not isinstance(target, Place):
            raise UnknownValue("it is written to through a pointer that is not known")
        if target.variable != variable:
            return []
        if item.opcode in LIFETIMES:
            pointed = self._code.type_of[variable].members[0]
            return [(target.offset, [None] * (item.operands[1] or pointed.size))]
        if item.opcode != Op.STORE:
            return [(target.offset, self._copied(call, item, at))]
        kind = self._code.type_of[item.operands[1]]
        try:
            value = self._values.of(call, item.operands[1], at.block, at.iterations)
        except UnknownValue as error:
            return [(target.offset, [error] * kind.size)]
        if isinstance(value, Place):
            return [(target.offset, [_StoredPlace(value)] * kind.size)]
        return [(target.offset, kind.encode_parts(value))]

    def _copied(self, call: Activation, item: Instruction, at: Visit) -> Bytes:
        if item.opcode == Op.COPY_MEMORY_SIZED:
            size = whole(known(self._values.of(call, item.operands[2], at.block, at.iterations)))
        else:
            size = self._code.type_of[item.operands[0]].members[0].size
        return self._pointed_to(call, item, item.operands[1], 0, size, at)

    def _pointed_to(
        self,
        call: Activation,
        item: Instruction,
        pointer: int,
        start: int,
        size: int,
        at: Visit,
    ) -> Bytes:
        """What ``item`` copies, ``size`` bytes that lie ``start`` bytes after where ``pointer``
        points. Raises UnknownValue."""
        source = self._values.of(call, pointer, at.block, at.iterations)
        if size > _COPIED or (isinstance(source, Place) and source.offset < 0):
            raise UnknownValue("what was copied to it is not known")
        if not isinstance(source, Place):
            if self._code.type_of[pointer].storage == Storage.WORKGROUP:
                raise UnknownValue("what was copied to it is not known")
            return self._given.bytes_at(call, pointer, whole(known(source)) + start, size)
        begin = source.offset + start
        if source.variable in self._code.storage:
            data = self._model.initial_bytes(source.variable)
            if data is None or len(data) < begin + size:
                raise UnknownValue("what was copied to it is not known")
            return data[begin : begin + size]
        return self._read(call, item, Place(source.variable, begin), size, at)
