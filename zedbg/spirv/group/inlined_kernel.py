"""A kernel with the functions that it calls in place of the calls: as one function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Visit
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.instructions import Block, Function, Instruction
from zedbg.spirv.module.operations import Op, Storage
from zedbg.spirv.work_item.activation import Activation

_FIRST = 1 << 32  # more than any id of a module
_MOST_CALLS = 500
_DEEP = 20

Path = tuple[int, ...]  # the results of calls in each other, the outermost first
Calls = Sequence[tuple[Function, Instruction]]  # these, each with the function that makes it


@dataclass(frozen=True)
class MadeFrom:
    """An instruction of ``function``, which the kernel has called by ``path``: the calls, each with
    the function that makes it, the outermost first."""

    path: Calls
    function: Function
    item: Instruction


class NotInlinedError(Exception):
    """The kernel calls too much, or itself."""


class InlinedKernel:
    """``kernel`` of ``model`` with calls of the functions for which ``wanted`` is true inlined.
    What is added to the module has ids that it does not use. Raises NotInlinedError."""

    def __init__(self, model: Model, kernel: Function, wanted: Callable[[Function], bool]) -> None:
        self._model = model
        self._code: SpirvCode = model.code
        self._wanted = wanted
        model.inlined_kernels += 1
        self._next = _FIRST * model.inlined_kernels
        self._calls = 0
        self._are_inlined: dict[int, bool] = {}
        self._renamed: dict[Path, dict[int, int]] = {}
        self._kernel = kernel
        self._made_from: dict[int, MadeFrom] = {}  # what has another id here
        #: It, with all blocks.
        self.function = Function(self._id(), list(kernel.parameters))
        self._add(kernel, (), {})

    def _id(self) -> int:
        self._next += 1
        return self._next

    def place(self, call: Activation, item: Instruction, visit: Visit) -> tuple[Instruction, Visit]:
        """``item`` as it is here, which ``call`` executes at ``visit``."""
        path: list[int] = []
        iterations = visit.iterations
        while call.caller is not None:
            call, instruction, visit = call.caller
            path.insert(0, instruction.result)
            if not self._is_inlined(instruction):
                item, path, iterations = instruction, [], visit.iterations
            else:
                iterations = visit.iterations + iterations
        result = self._renamed[tuple(path)].get(item.result, item.result)
        label, found = self._model.made(self.function)[result]
        return found, Visit(label, iterations)

    def made_from(self, item: Instruction) -> MadeFrom:
        """What ``item``, which has a result here, is in the module."""
        return self._made_from.get(item.result) or MadeFrom((), self._kernel, item)

    def _is_inlined(self, call: Instruction) -> bool:
        result = call.operands[0]
        if result not in self._are_inlined:
            callee = self._code.functions.get(result)
            self._are_inlined[result] = callee is not None and self._wanted(callee)
        return self._are_inlined[result]

    def _add(
        self, function: Function, calls: Calls, names: dict[int, int]
    ) -> list[tuple[int, Instruction]]:
        """Adds the blocks of ``function``, which ``calls`` lead to and whose ids are ``names``
        here; gives those with which it ends, with the instruction that returns."""
        self._renamed[tuple(call.result for _, call in calls)] = names
        lasts: dict[int, int] = {}  # of blocks that are several now
        added: list[Block] = []
        ends: list[tuple[int, Instruction]] = []
        for label, block in function.blocks.items():
            current = Block(names.get(label, label))
            self.function.blocks[current.label] = current
            added.append(current)
            for item in block.items:
                if not isinstance(item, Instruction):
                    continue
                made = self._renamed_item(item, names)
                if made.result != item.result:
                    self._made_from[made.result] = MadeFrom(calls, function, item)
                if item.opcode in (Op.RETURN, Op.RETURN_VALUE):
                    ends.append((current.label, made))
                    current.items.append(made)
                elif item.opcode == Op.FUNCTION_CALL and self._is_inlined(item):
                    following = Block(self._id())
                    self._insert(made, [*calls, (function, item)], current, following)
                    current = following
                    self.function.blocks[current.label] = current
                    added.append(current)
                else:
                    current.items.append(made)
            lasts[names.get(label, label)] = current.label
        for each in added:
            each.items[:] = [
                replace(item, operands=_later(item.operands, lasts))
                if isinstance(item, Instruction) and item.opcode == Op.PHI
                else item
                for item in each.items
            ]
        return ends

    def _insert(self, call: Instruction, calls: Calls, before: Block, after: Block) -> None:
        """Adds what ``call``, the last of ``calls``, executes between ``before`` and ``after``."""
        self._calls += 1
        if self._calls > _MOST_CALLS or len(calls) > _DEEP:
            raise NotInlinedError
        callee = self._code.functions[call.operands[0]]
        names = dict(zip(callee.parameters, call.operands[1:], strict=True))
        if self._model.writes_to_copies(callee):
            for parameter in self._code.by_value.intersection(callee.parameters):
                names[parameter] = self._copy_of(parameter, names[parameter], call, before)
        for label, block in callee.blocks.items():
            names[label] = self._id()
            for item in block.items:
                if isinstance(item, Instruction) and item.result:
                    names[item.result] = self._copied_id(item.result)
        before.items.append(_jump(call, names[callee.entry]))
        ends = self._add(callee, calls, names)
        operands = [
            each
            for label, jump in ends
            if jump.opcode == Op.RETURN_VALUE
            for each in (jump.operands[0], label)
        ]
        for label, jump in ends:
            self.function.blocks[label].items[-1] = _jump(jump, after.label)
        if operands:
            after.items.append(replace(call, opcode=Op.PHI, operands=operands))

    def _copy_of(self, parameter: int, passed: int, call: Instruction, before: Block) -> int:
        """A variable with what ``call`` has ``passed`` by value, where ``before`` ends."""
        variable = self._copied_id(parameter)
        made = replace(call, opcode=Op.VARIABLE, result=variable, operands=[Storage.FUNCTION])
        copied = replace(call, opcode=Op.COPY_MEMORY, result=0, operands=[variable, passed])
        before.items += [made, copied]
        return variable

    def _copied_id(self, result: int) -> int:
        code, copied = self._code, self._id()
        if result in code.type_of:
            code.type_of[copied] = code.type_of[result]
        if result in code.fast:
            code.fast.add(copied)
        if result in code.rounding:
            code.rounding[copied] = code.rounding[result]
        if result in code.saturated:
            code.saturated.add(copied)
        return copied

    def _renamed_item(self, item: Instruction, names: dict[int, int]) -> Instruction:
        if not names:
            return item
        operands = [names.get(each, each) for each in item.operands]
        for index in _literals(self._code, item):
            operands[index] = item.operands[index]
        return replace(item, result=names.get(item.result, item.result), operands=operands)


def _literals(code: SpirvCode, item: Instruction) -> Sequence[int]:
    """Which operands are numbers and no ids."""
    count = len(item.operands)
    match item.opcode:
        case Op.LOAD | Op.COMPOSITE_EXTRACT | Op.BRANCH_CONDITIONAL:
            begin = 3 if item.opcode == Op.BRANCH_CONDITIONAL else 1
        case Op.STORE | Op.COMPOSITE_INSERT | Op.VECTOR_SHUFFLE | Op.COPY_MEMORY:
            begin = 2
        case Op.COPY_MEMORY_SIZED:
            begin = 3
        case Op.VARIABLE:
            return [0]
        case Op.EXT_INST:
            return [1]
        case Op.SWITCH:
            return range(2, count, 2)
        case Op.LOOP_MERGE | Op.SELECTION_MERGE | Op.LIFETIME_START | Op.LIFETIME_STOP:
            begin = 2 if item.opcode == Op.LOOP_MERGE else 1
        case _:
            return []
    return range(begin, count)


def _jump(item: Instruction, target: int) -> Instruction:
    return replace(item, opcode=Op.BRANCH, type=0, result=0, operands=[target])


def _later(operands: Sequence[int], lasts: dict[int, int]) -> list[int]:
    """Those of an OpPhi, from the last ones of blocks that are several now."""
    found = list(operands)
    found[1::2] = [lasts.get(each, each) for each in found[1::2]]
    return found
