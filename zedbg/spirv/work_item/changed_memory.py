"""What a work-item loads from global memory that the kernel writes to.

Where no other work-item stores, it is what the last store of its own has left there, or what the
memory had when the launch began.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Bytes, Visit, Writers, WrittenBytes
from zedbg.spirv.analysis.provenance import NOT_SHARED
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Value
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import known
from zedbg.spirv.work_item.activation import Activation, Values
from zedbg.spirv.work_item.given_values import GivenValues
from zedbg.spirv.work_item.unknown_number import loaded_value
from zedbg.spirv.work_item.ways import Ways

_Roots = frozenset[int]  # parameters of the kernel
#: An instruction that loads, in the call that executes it, at a visit of its block.
LoadHere = tuple[Activation, Instruction, Visit]
_ANYWHERE = UnknownValue("it is loaded from memory that the kernel may write to")


class MemoryBefore(Protocol):
    """Global memory as a work-item finds it where it has not stored there, in the memory that one
    of some parameters of the kernel may point to."""

    def bytes_at(self, address: int, size: int, roots: frozenset[int]) -> bytes:
        """What was there when the launch began, or is there where nobody stores. Raises
        UnknownValue."""

    def require_own(self, address: int, size: int, roots: frozenset[int], load: LoadHere) -> None:
        """Raises UnknownValue where another work-item may store there before ``load``, or in no
        order with it."""


class ChangedMemory:
    """That of one work-item, which is ``given`` something, goes its ``ways``, and stores
    ``values``; ``before``: what it finds."""

    def __init__(
        self,
        model: Model,
        values: Values,
        given: GivenValues,
        ways: Ways,
        before: MemoryBefore,
    ) -> None:
        self._model = model
        self._code = model.code
        self._values = values
        self._given = given
        self._ways = ways
        self._before = before

    def loaded(self, call: Activation, item: Instruction, address: int, visit: Visit) -> Value:
        """What ``item``, a load from ``address``, gives at ``visit``. Raises UnknownValue."""
        kind, index = self._code.type_of[item.result], self._model.index(call.function, item)
        roots = self._given.sharing(call, item.operands[0])
        # Another one may have stored there after the work-item has.
        self._before.require_own(address, kind.size, roots, (call, item, visit))
        return loaded_value(kind, self._bytes_at(call, roots, address, kind.size, visit, index))

    def _bytes_at(
        self, call: Activation, roots: _Roots, address: int, size: int, visit: Visit, index: int
    ) -> Bytes:
        writers = self._writers(call, roots)
        flow = self._ways.structured(call)
        earlier = {label for label in writers if visit.block in flow.following(label)}
        if not earlier and all(each >= index for each, _ in writers.get(visit.block, ())):
            return self._at_begin(call, roots, address, size)
        visit, index = self._ways.known_place(call, visit, index, earlier)
        return self._written(call, roots).at(visit, index, address, size)

    def _at_begin(self, call: Activation, roots: _Roots, address: int, size: int) -> Bytes:
        """What the call begins with."""
        if call.caller is None:
            return self._before.bytes_at(address, size, roots)
        caller, item, visit = call.caller
        index = self._model.index(caller.function, item)
        return self._bytes_at(caller, roots, address, size, visit, index)

    def _written(self, call: Activation, roots: _Roots) -> WrittenBytes:
        """What the call writes where one of ``roots`` points to."""
        if roots not in call.stored:

            def written(item: Instruction, at: Visit) -> Sequence[tuple[int, Bytes]]:
                return self._written_by(call, item, at, roots)

            def before(start: int, size: int) -> Bytes:
                return self._at_begin(call, roots, start, size)

            writers = self._writers(call, roots)
            call.stored[roots] = WrittenBytes(self._ways.way(call), writers, written, before)
        return call.stored[roots]

    def _writers(self, call: Activation, roots: _Roots) -> Writers:
        """By block, the instructions of a call that may write where one of ``roots`` points to."""
        if roots not in call.storing:
            found: dict[int, list[tuple[int, Instruction]]] = {}
            for label, block in call.function.blocks.items():
                for index, item in enumerate(block.items):
                    if isinstance(item, Instruction) and self._may_write(call, item, roots):
                        found.setdefault(label, []).append((index, item))
            call.storing[roots] = found
        return call.storing[roots]

    def _may_write(self, call: Activation, item: Instruction, roots: _Roots) -> bool:
        for pointer in self._model.provenance.pointers_written(item):
            kind = self._code.type_of.get(pointer)
            if kind is not None and kind.storage in NOT_SHARED:
                continue
            into = self._given.roots(call, pointer) if kind is not None else None
            if into is None or not into.isdisjoint(roots):
                return True
        return False

    def _written_by(
        self, call: Activation, item: Instruction, at: Visit, roots: _Roots
    ) -> Sequence[tuple[int, Bytes]]:
        """What an instruction writes, and where; see
        :data:`zedbg.spirv.analysis.private_memory.Written`."""
        self._values.step()
        if item.opcode == Op.FUNCTION_CALL:
            return self._written(self._values.called(call, item, at), roots).at_end()
        if item.opcode != Op.STORE:
            raise _ANYWHERE
        target, stored = item.operands[:2]
        address = self._values.of(call, target, at.block, at.iterations)
        if not isinstance(address, int):
            raise _ANYWHERE
        kind = self._code.type_of[stored]
        try:
            value = known(self._values.of(call, stored, at.block, at.iterations))
            data: Bytes = kind.encode_parts(value)
        except UnknownValue as error:
            data = [error] * kind.size
        return [(address, data)]
