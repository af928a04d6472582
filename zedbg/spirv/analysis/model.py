"""What a SPIR-V module says that is the same for all work-items: found out once, when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from zedbg.spirv.analysis.damage import is_damaged
from zedbg.spirv.analysis.inductions import (
    Induction,
    Shifting,
    Stepping,
    Striding,
    inductions,
    shiftings,
    steppings,
    stridings,
)
from zedbg.spirv.analysis.private_memory import LIFETIMES, MAY_WRITE, Writers
from zedbg.spirv.analysis.provenance import Provenance
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.flow import Flow, Loop
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import Op, Storage
from zedbg.spirv.module.types import Kind
from zedbg.spirv.module.variables import VariableValues
from zedbg.spirv.numbers.computations import Computation, MachineCode, NoMachineCode, computation

_GIVES_AWAY = frozenset(
    {Op.STORE, Op.COMPOSITE_CONSTRUCT, Op.COMPOSITE_INSERT, Op.CONVERT_PTR_TO_U}
)
_SHARED = (Storage.CROSS_WORKGROUP, Storage.WORKGROUP, Storage.UNIFORM_CONSTANT)

# Of whole numbers; those of two operands.
_IN_ANY_ORDER = frozenset(
    {Op.I_ADD, Op.I_MUL, Op.BITWISE_AND, Op.BITWISE_OR, Op.BITWISE_XOR, Op.I_EQUAL, Op.I_NOT_EQUAL}
)
_Carried = TypeVar("_Carried", Shifting, Striding)


class Model:
    """What is the same for all work-items: blocks, loops, and where values are made."""

    def __init__(self, code: SpirvCode, machine_code: MachineCode | None = None) -> None:
        """``machine_code``: what compilers made of it, None where that is not known."""
        self.code = code
        self._machine_code = machine_code or NoMachineCode()
        self.provenance = Provenance(code)
        self._flows: dict[int, Flow] = {}
        self._made: dict[int, dict[int, tuple[int, Instruction]]] = {}
        self._variables: dict[int, VariableValues] = {}
        self._computations: dict[int, Computation | None] = {}  # of results
        self._indices: dict[int, dict[int, int]] = {}
        self._inductions: dict[tuple[int, int], dict[int, Induction]] = {}
        self._steppings: dict[tuple[int, int], list[Stepping]] = {}
        self._shiftings: dict[tuple[int, int], list[Shifting]] = {}
        self._stridings: dict[tuple[int, int], list[Striding]] = {}
        self._writers: dict[tuple[int, int | None], Writers] = {}
        self._are_writing: dict[int, bool] = {}
        self._are_writing_through: dict[tuple[int, int], bool] = {}
        self._escapes: dict[int, frozenset[int]] = {}
        self._twins: dict[int, dict[int, list[Instruction]]] = {}
        self._initial: dict[int, bytes | None] = {}
        #: How many of :mod:`zedbg.spirv.group.inlined_kernel` were made, each with ids of its own.
        self.inlined_kernels = 0
        #: For what others find out about the module, and may find out again.
        self.notes: dict[object, object] = {}
        #: For what they make of it that has to stay the same object.
        self.objects: dict[object, object] = {}

    @cached_property
    def computes_precisely(self) -> bool:
        """See :class:`zedbg.spirv.numbers.computations.MachineCode`."""
        return not self.code.fast and self._machine_code.computes_precisely()

    @cached_property
    def is_damaged(self) -> bool:
        """Whether the module's code does not fit together: see
        :mod:`zedbg.spirv.analysis.damage`."""
        return is_damaged(self.code)

    def variables(self, function: Function) -> VariableValues:
        """The values of the variables of ``function``."""
        if function.result not in self._variables:
            self._variables[function.result] = VariableValues(self.code, self.flow(function))
        return self._variables[function.result]

    def flow(self, function: Function) -> Flow:
        """The blocks of ``function``."""
        if function.result not in self._flows:
            self._flows[function.result] = Flow(function)
        return self._flows[function.result]

    def made(self, function: Function) -> dict[int, tuple[int, Instruction]]:
        """The block and the instruction of each result in ``function``."""
        if function.result not in self._made:
            self._made[function.result] = {
                item.result: (label, item)
                for label, block in function.blocks.items()
                for item in block.items
                if isinstance(item, Instruction) and item.result
            }
        return self._made[function.result]

    def computation(self, item: Instruction) -> Computation | None:
        """How ``item`` makes its result of the values of its operands; None where that takes
        more."""
        found = self._computations.get(item.result, _NOT_ASKED)
        if not isinstance(found, _NotAsked):
            return found
        self._computations[item.result] = made = computation(self.code, item, self._machine_code)
        return made

    def inductions(self, function: Function, loop: Loop) -> dict[int, Induction]:
        """By result, the values that each iteration of ``loop`` adds the same to."""
        key = function.result, loop.header
        if key not in self._inductions:
            found = inductions(self.code, self.flow(function), self.made(function), loop)
            self._inductions[key] = {each.result: each for each in found}
        return self._inductions[key]

    def steppings(self, function: Function, loop: Loop) -> list[Stepping]:
        """What is made of the inductions of ``loop`` in each iteration."""
        key = function.result, loop.header
        if key not in self._steppings:
            known = self.inductions(function, loop)
            self._steppings[key] = list(steppings(self.code, self.flow(function), loop, known))
        return self._steppings[key]

    def shiftings(self, function: Function, loop: Loop) -> list[Shifting]:
        """The values that each iteration of ``loop`` shifts by the same; several times those that
        it shifts for something else, too."""
        key = function.result, loop.header
        if key not in self._shiftings:
            found = shiftings(self.code, self.flow(function), self.made(function), loop)
            self._shiftings[key] = list(self._with_twins(function, found))
        return self._shiftings[key]

    def stridings(self, function: Function, loop: Loop) -> list[Striding]:
        """The values that each iteration of ``loop`` adds a result to which it does not change;
        several times those that it adds that to for something else, too."""
        key = function.result, loop.header
        if key not in self._stridings:
            found = stridings(self.code, self.flow(function), self.made(function), loop)
            self._stridings[key] = list(self._with_twins(function, found))
        return self._stridings[key]

    def _with_twins(self, function: Function, found: Iterable[_Carried]) -> Iterator[_Carried]:
        """``found``, with each line where an instruction makes the same as that which makes the
        next one."""
        for each in found:
            lines = {each.line}
            yield each
            for twin in self.twins(function, each.following):
                if twin.line is not None and twin.line not in lines:
                    lines.add(twin.line)
                    yield replace(each, line=twin.line)

    def twins(self, function: Function, result: int) -> list[Instruction]:
        """The instructions of ``function`` that make the same as ``result`` of the same values, as
        that itself does: compilers keep one of them."""
        if function.result not in self._twins:
            self._twins[function.result] = _twins(self, function)
        return self._twins[function.result].get(result, [])

    def index(self, function: Function, item: Instruction) -> int:
        """The number of ``item`` in its block of ``function``."""
        if function.result not in self._indices:
            self._indices[function.result] = {
                id(each): index
                for block in function.blocks.values()
                for index, each in enumerate(block.items)
            }
        return self._indices[function.result][id(item)]

    def initial_bytes(self, variable: int) -> bytes | None:
        """What a variable outside of functions begins with; None where nothing says it."""
        if variable not in self._initial:
            code = self.code
            constant = code.constants.get(code.initializers.get(variable, 0))
            kind = code.type_of[variable].members[0]
            self._initial[variable] = None if constant is None else kind.encode(constant)
        return self._initial[variable]

    def constant_bytes(self, name: str, line: int) -> bytes | None:
        """What the variable outside of functions has that is called ``name`` and declared at
        ``line``, where the program cannot change it; None where that is not known."""
        found = self.code.global_variables.get((name, line), [])
        if len(found) != 1 or self.code.storage.get(found[0]) != Storage.UNIFORM_CONSTANT:
            return None
        return self.initial_bytes(found[0])

    def writers(self, function: Function, variable: int | None) -> Writers:
        """The instructions of ``function`` that may write to its ``variable``, by block, of those
        blocks that have any; None: to those of its callers. Where a lifetime ends for good is none
        of them: one may still want to see what the variable had."""
        key = function.result, variable
        if key not in self._writers:
            passed = set(function.parameters) - self.code.by_value
            of = passed if variable is None else {variable}
            by_block = {
                label: [
                    (index, item)
                    for index, item in enumerate(block.items)
                    if isinstance(item, Instruction)
                    and (item.opcode != Op.LIFETIME_STOP or self.flow(function).loops_around(label))
                    and self._may_write(function, item, of)
                ]
                for label, block in function.blocks.items()
            }
            self._writers[key] = {label: items for label, items in by_block.items() if items}
        return self._writers[key]

    def _may_write(self, function: Function, item: Instruction, of: Set[int]) -> bool:
        """Whether it may write to one ``of`` the variables of ``function``, or to what one of its
        parameters points to."""
        if item.opcode in LIFETIMES:  # after these the variable has nothing
            pointers = list(item.operands[:1])
        elif item.opcode in MAY_WRITE:
            pointers = self.provenance.pointers_written(item)
        else:
            return False
        if item.opcode == Op.FUNCTION_CALL:
            pointers = self.provenance.pointers_in(list(item.operands))
            callee = self.code.functions.get(item.operands[0])
            if callee is not None and not self._writes_to_callers(callee):
                return False
            if not of.isdisjoint(self._escaping(function)):
                return True
            if callee is not None:
                passed = zip(item.operands[1:], callee.parameters, strict=True)
                written = {each for each, own in passed if self._writes_through(callee, own)}
                pointers = [each for each in pointers if each in written]
        variables = {each for each in of if not self._points_elsewhere(each)}
        roots = [
            self.provenance.roots(function, each)
            for each in pointers
            if not self._points_elsewhere(each)
        ]
        return any(each is None or not variables.isdisjoint(each) for each in roots)

    def _escaping(self, function: Function) -> frozenset[int]:
        """The variables of ``function`` whose address it writes to memory, or makes a part of
        something: what it calls may find it there."""
        key = function.result
        if key not in self._escapes:
            found: set[int] = set()
            for block in function.blocks.values():
                for item in block.items:
                    if isinstance(item, Instruction) and item.opcode in _GIVES_AWAY:
                        pointers = self.provenance.pointers_in(list(item.operands))
                        given = pointers[1:] if item.opcode == Op.STORE else pointers
                        for each in given:
                            found |= self.provenance.roots(function, each) or frozenset()
            self._escapes[key] = frozenset(found)
        return self._escapes[key]

    def _writes_to_callers(self, function: Function) -> bool:
        """Whether ``function`` may write to variables of functions that its parameters point to, or
        to its own copies of what was passed by value."""
        key = function.result
        if key not in self._are_writing:
            self._are_writing[key] = True  # a function that calls itself
            self._are_writing[key] = self._writes(function, set(function.parameters))
        return self._are_writing[key]

    def _writes_through(self, function: Function, parameter: int) -> bool:
        """Whether ``function`` may write to what one of its parameters points to, of the caller."""
        if parameter in self.code.by_value:
            return False  # it has a copy
        key = function.result, parameter
        if key not in self._are_writing_through:
            self._are_writing_through[key] = True  # a function that calls itself
            self._are_writing_through[key] = self._writes(function, {parameter})
        return self._are_writing_through[key]

    def writes_to_copies(self, function: Function) -> bool:
        """Whether ``function`` may write to its own copies of what was passed by value."""
        copies = self.code.by_value.intersection(function.parameters)
        return bool(copies) and self._writes(function, copies)

    def _writes(self, function: Function, of: Set[int]) -> bool:
        return any(
            self._may_write(function, item, of)
            for block in function.blocks.values()
            for item in block.items
            if isinstance(item, Instruction)
        )

    def _points_elsewhere(self, pointer: int) -> bool:
        """Whether it points to memory in which no variable of a function lies."""
        kind = self.code.type_of.get(pointer)
        return kind is not None and kind.kind is Kind.POINTER and kind.storage in _SHARED


def _twins(model: Model, function: Function) -> dict[int, list[Instruction]]:
    """By result, the instructions that make it of the same values: of each set, those of which each
    operand is the same result, or another one of its set, in whichever order where it is no
    matter."""
    first: dict[tuple[object, ...], int] = {}
    same: dict[int, int] = {}
    sets: dict[int, list[Instruction]] = {}
    for label in model.flow(function).order:
        for item in function.blocks[label].items:
            if not isinstance(item, Instruction) or not item.result:
                continue
            made = model.computation(item)
            if made is None and not (
                item.opcode == Op.LOAD and item.operands[0] in model.code.built_ins
            ):
                continue
            of = tuple(item.operands[:1]) if made is None else made.operands
            begin = 2 if item.opcode == Op.EXT_INST else 0
            if tuple(item.operands[begin : begin + len(of)]) != of:
                continue
            literals = (*item.operands[:begin], *item.operands[begin + len(of) :])
            kind = model.code.type_of[item.result]
            values = [same.get(each, each) for each in of]
            if item.opcode in _IN_ANY_ORDER:
                values.sort()
            key = (item.opcode, kind.kind, kind.size, *literals, None, *values)
            same[item.result] = first.setdefault(key, item.result)
            sets.setdefault(same[item.result], []).append(item)
    return {result: sets[one] for result, one in same.items()}


class _NotAsked:
    """No computation has been asked for."""


_NOT_ASKED = _NotAsked()
