"""What pointers point into, and what a kernel may write to."""

from __future__ import annotations

from collections.abc import Iterable

from zedbg.spirv.analysis.kept_pointers import KeptPointers
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.memory_accesses import WRITING_FUNCTIONS
from zedbg.spirv.module.operations import ATOMIC_WRITES, Op, Storage
from zedbg.spirv.module.types import Kind

_CHAINS = frozenset(
    {
        *(Op.ACCESS_CHAIN, Op.IN_BOUNDS_ACCESS_CHAIN, Op.PTR_ACCESS_CHAIN),
        *(Op.IN_BOUNDS_PTR_ACCESS_CHAIN, Op.BITCAST, Op.COPY_OBJECT),
        *(Op.PTR_CAST_TO_GENERIC, Op.GENERIC_CAST_TO_PTR),
    }
)
ASYNC_COPY = 259  # OpGroupAsyncCopy
#: The storage classes of what only one work-item, or one group, has.
NOT_SHARED = (Storage.FUNCTION, Storage.WORKGROUP)


class Provenance:
    """Of the pointers of one module. A *root* is a function's parameter, a variable, or a mark of
    :class:`zedbg.spirv.analysis.kept_pointers.KeptPointers`."""

    def __init__(self, code: SpirvCode) -> None:
        self._code = code
        self._kept = KeptPointers(code, self)
        self._made: dict[int, dict[int, Instruction]] = {}
        self._holding: dict[int, dict[int, list[int]]] = {}
        self._written: dict[int, frozenset[int] | None] = {}
        self._asked: set[int] = set()

    def instructions(self, function: Function) -> dict[int, Instruction]:
        """Those that have a result, by that."""
        if function.result not in self._made:
            self._made[function.result] = {
                item.result: item
                for block in function.blocks.values()
                for item in block.items
                if isinstance(item, Instruction) and item.result
            }
        return self._made[function.result]

    def roots(self, function: Function, pointer: int) -> frozenset[int] | None:
        """What ``pointer`` may point into; None: that cannot be said."""
        found, waiting, seen = set(), [pointer], {pointer}
        made = self.instructions(function)
        while waiting:
            each = waiting.pop()
            if each in function.parameters or each in self._code.storage or self.is_mark(each):
                found.add(each)
                continue
            item = made.get(each)
            if item is None:
                if self._code.constants.get(each) == 0:
                    continue  # a null pointer points to nothing
                return None
            if item.opcode == Op.VARIABLE:
                found.add(each)
                continue
            if item.opcode in _CHAINS:
                following = [item.operands[0]]
            elif item.opcode == Op.SELECT:
                following = list(item.operands[1:3])
            elif item.opcode == Op.PHI:
                following = list(item.operands[0::2])
            elif item.opcode == Op.LOAD:
                held = self._held(function).get(item.operands[0])
                if held is None:
                    mark = self._kept.mark(function, item)
                    if mark is None:
                        return None
                    held = [mark]
                following = held
            else:
                return None
            for source in following:
                if source not in seen:
                    seen.add(source)
                    waiting.append(source)
        return frozenset(found)

    def _held(self, function: Function) -> dict[int, list[int]]:
        """The pointers that are written to each variable of ``function`` which is only loaded from
        and stored to as a whole: what is loaded from it is one of them."""
        if function.result not in self._holding:
            held: dict[int, list[int]] = {}
            variables: set[int] = set()
            others: set[int] = set()  # what is used in another way
            for block in function.blocks.values():
                for item in block.items:
                    if not isinstance(item, Instruction):
                        continue
                    match item.opcode:
                        case Op.VARIABLE if len(item.operands) == 1:  # without an initial value
                            held.setdefault(item.result, [])
                            variables.add(item.result)
                        case Op.LOAD:
                            pass
                        case Op.STORE:
                            target, value = item.operands[:2]
                            held.setdefault(target, []).append(value)
                            others.add(value)
                        case _:
                            others.update(item.operands)
            self._holding[function.result] = {each: held[each] for each in variables - others}
        return self._holding[function.result]

    def is_mark(self, root: int) -> bool:
        """Whether ``root`` stands for pointers to global memory that the program keeps."""
        return root in self._kept.members

    def parameters(self, kernel: Function, roots: Iterable[int] | None) -> frozenset[int] | None:
        """The indices of the parameters of ``kernel`` that ``roots`` of it are; None: those of a
        mark cannot be said."""
        found: set[int] = set()
        for root in roots or ():
            if root in kernel.parameters:
                found.add(kernel.parameters.index(root))
            elif self.is_mark(root):
                kept = self._kept.parameters(kernel, root)
                if kept is None:
                    return None
                found |= kept
        return None if roots is None else frozenset(found)

    def written_parameters(self, kernel: Function) -> frozenset[int] | None:
        """The indices of the parameters of ``kernel`` through which it, or what it calls, may write
        to memory that others see; None: it may write anywhere."""
        return self.parameters(kernel, self._written_by(kernel))

    def _written_by(self, function: Function) -> frozenset[int] | None:
        """The parameters of ``function``, and marks, that point to memory that others see to which
        it, or what it calls, may write; None: it may write anywhere."""
        key = function.result
        if key not in self._written:
            if key in self._asked:
                return None  # it calls itself
            self._asked.add(key)
            self._written[key] = self._find_written(function)
        return self._written[key]

    def may_write(self, function: Function) -> bool:
        """Whether ``function``, or what it calls, may write to memory that others see."""
        return self._written_by(function) != frozenset()

    def _find_written(self, function: Function) -> frozenset[int] | None:
        found: set[int] = set()
        for block in function.blocks.values():
            for item in block.items:
                if not isinstance(item, Instruction):
                    continue
                for pointer in self.pointers_written(item):
                    kind = self._code.type_of.get(pointer)
                    if kind is None or kind.kind is not Kind.POINTER:
                        return None
                    if kind.storage in NOT_SHARED:
                        continue
                    roots = self.roots(function, pointer)
                    if roots is None:
                        return None
                    own = [each for each in roots if each in function.parameters]
                    found.update(own, filter(self.is_mark, roots))
        return frozenset(found)

    def pointers_written(self, item: Instruction) -> list[int]:
        """The pointers through which an instruction may write."""
        operands = list(item.operands)
        if item.opcode in (Op.STORE, Op.COPY_MEMORY, Op.COPY_MEMORY_SIZED):
            return operands[:1]
        if item.opcode in ATOMIC_WRITES:
            return operands[:1]
        if item.opcode == ASYNC_COPY:
            return operands[1:2]
        if item.opcode == Op.EXT_INST and operands[0] in self._code.maths:
            return self.pointers_in(operands[2:]) if operands[1] in WRITING_FUNCTIONS else []
        if item.opcode == Op.FUNCTION_CALL:
            callee = self._code.functions.get(operands[0])
            if callee is None:
                return self.pointers_in(operands[1:])
            written = self._written_by(callee)
            if written is None:
                return [0]
            passed = dict(zip(callee.parameters, operands[1:], strict=True))
            return [passed.get(each, each) for each in written]
        return []

    def pointers_in(self, operands: list[int]) -> list[int]:
        """Those of ``operands`` that are pointers."""
        kinds = self._code.type_of
        return [each for each in operands if each in kinds and kinds[each].kind is Kind.POINTER]
