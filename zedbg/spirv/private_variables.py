"""What a function's variables have that lie in memory, as the work-item's writes left them."""

from __future__ import annotations

from zedbg.spirv.activation import Activation, NeedsIteration, Values
from zedbg.spirv.arithmetic import UnknownValue, whole
from zedbg.spirv.code import Instruction
from zedbg.spirv.computations import Place, known
from zedbg.spirv.model import Model
from zedbg.spirv.operations import Op
from zedbg.spirv.private_memory import Bytes, Visit, Way, WrittenBytes
from zedbg.spirv.types import Type, Undefined, Value
from zedbg.spirv.ways import Ways

_COPIED = 1 << 16  # bytes


class PrivateVariables:
    """Those of one work-item, which goes its ``ways`` and writes ``values``."""

    def __init__(self, model: Model, values: Values, ways: Ways) -> None:
        self._model = model
        self._code = model.code
        self._values = values
        self._ways = ways

    def bytes_at(
        self, call: Activation, place: Place, size: int, visit: Visit, index: int
    ) -> list[int | None]:
        """The bytes at ``place`` in front of item ``index`` of a block; None of those that the
        work-item has not set. Raises UnknownValue, NeedsIteration of them."""
        flow, variable = self._ways.structured(call), place.variable
        writers = self._model.writers(call.function, variable)
        around = zip(flow.loops_around(visit.block), visit.iterations, strict=True)
        for depth, (header, number) in enumerate(around):
            if number is None:
                if any(writers[each] for each in flow.loops[header].blocks):
                    raise NeedsIteration(header)
                # What the loop begins with.
                visit, index = Visit(header, (*visit.iterations[:depth], 0)), 0
                break
        if call.way is None:
            call.way = Way(self._ways.visits(call))
        if variable not in call.written:
            call.written[variable] = WrittenBytes(
                call.way, writers, lambda item, at: self._written(call, item, at, variable)
            )
        return call.written[variable].at(visit, index, place.offset, size)

    def loaded(
        self, call: Activation, item: Instruction, place: Place, kind: Type, visit: Visit
    ) -> Value:
        """What ``item``, a load of ``kind`` from ``place``, gives at ``visit``. Raises
        UnknownValue."""
        if place.offset < 0 or not kind.size:
            raise UnknownValue("the program reads outside of a variable")
        while place.variable not in self._model.made(call.function):
            if call.caller is None or self._model.writes_to_callers(call.function):
                raise UnknownValue("it is a caller's, which the function may have written to")
            call, item, visit = call.caller
        value = kind.decode_parts(self._read(call, item, place, kind.size, visit))
        if isinstance(value, Undefined):
            raise UnknownValue("the program has not set it")
        return value

    def _read(
        self, call: Activation, item: Instruction, place: Place, size: int, visit: Visit
    ) -> list[int | None]:
        index = self._model.index(call.function, item)
        return self.bytes_at(call, place, size, visit, index)

    def _written(
        self, call: Activation, item: Instruction, at: Visit, variable: int
    ) -> tuple[int, Bytes] | None:
        """What an instruction writes to ``variable``, and where; see
        :data:`zedbg.spirv.private_memory.Written`."""
        self._values.step()
        if item.opcode in (Op.FUNCTION_CALL, Op.EXT_INST):
            raise UnknownValue("a function may write to it through a pointer")
        target = self._values.of(call, item.operands[0], at.block, at.iterations)
        if not isinstance(target, Place):
            raise UnknownValue("it is written to through a pointer that is not known")
        if target.variable != variable:
            return None
        if item.opcode != Op.STORE:
            return target.offset, self._copied(call, item, at)
        kind = self._code.type_of[item.operands[1]]
        try:
            value = self._values.of(call, item.operands[1], at.block, at.iterations)
        except UnknownValue as error:
            return target.offset, [error] * kind.size
        if isinstance(value, Place):
            return target.offset, [UnknownValue("what was written to it is not known")] * kind.size
        return target.offset, kind.encode_parts(value)

    def _copied(self, call: Activation, item: Instruction, at: Visit) -> Bytes:
        if item.opcode == Op.COPY_MEMORY_SIZED:
            size = whole(known(self._values.of(call, item.operands[2], at.block, at.iterations)))
        else:
            size = self._code.type_of[item.operands[0]].members[0].size
        source = self._values.of(call, item.operands[1], at.block, at.iterations)
        if not isinstance(source, Place) or source.offset < 0 or size > _COPIED:
            raise UnknownValue("what was copied to it is not known")
        if source.variable in self._code.storage:
            data = self._model.initial_bytes(source.variable)
            if data is None or len(data) < source.offset + size:
                raise UnknownValue("what was copied to it is not known")
            return data[source.offset : source.offset + size]
        return self._read(call, item, source, size, at)
