"""Pointers to global memory that a program keeps in its work-items' own memory.

A structure ``reader`` has ``global const uchar *bytes``: what ``reader->bytes`` points into is what
was stored to that member, somewhere in the kernel or in what it calls. Which of the stores it was
is not asked. Members are told apart by the type of their structure. That holds for a program that
keeps its pointers as pointers: of one that makes them of integers, or goes by another type to the
memory that they lie in, nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import Op, Storage
from zedbg.spirv.module.types import Kind, Type

_OWN = (Storage.FUNCTION, Storage.GENERIC)  # what the storage of work-items' own memory may be
_CHAINS = (Op.ACCESS_CHAIN, Op.IN_BOUNDS_ACCESS_CHAIN)
_CHAINS_OF_ELEMENTS = (Op.PTR_ACCESS_CHAIN, Op.IN_BOUNDS_PTR_ACCESS_CHAIN)
_SAME_TYPE = (Op.COPY_OBJECT, Op.PTR_CAST_TO_GENERIC, Op.GENERIC_CAST_TO_PTR)
#: Of what uses bytes: how many of its first operands point to them.
_USE_BYTES: dict[int, int] = {
    **dict.fromkeys((Op.BITCAST, Op.LOAD, Op.STORE, Op.LIFETIME_START, Op.LIFETIME_STOP), 1),
    Op.COPY_MEMORY_SIZED: 2,
}

#: A structure and the number of its member; None: another place, which may be any of them.
Member = tuple[Type, int] | None


class Roots(Protocol):
    """What pointers point into."""

    def instructions(self, function: Function) -> dict[int, Instruction]:
        """Those that have a result, by that."""

    def roots(self, function: Function, pointer: int) -> frozenset[int] | None:
        """What ``pointer`` may point into; None: that cannot be said."""


class KeptPointers:
    """Of one module. What is loaded from each member has a *mark*, a result that no instruction
    has, which stands for what may have been stored there."""

    def __init__(self, code: SpirvCode, provenance: Roots) -> None:
        self._code = code
        self._provenance = provenance
        self._marks: dict[Member, int] = {}
        self.members: dict[int, Member] = {}  # by mark
        self._programs: dict[int, _Program | None] = {}

    def mark(self, function: Function, load: Instruction) -> int | None:
        """That of a pointer to global memory that ``load`` loads; None: it is none, or comes from
        memory that others see."""
        kinds, pointer = self._code.type_of, load.operands[0]
        if kinds[load.result].storage != Storage.CROSS_WORKGROUP:
            return None
        if kinds[pointer].storage not in _OWN:
            return None
        member = member_of(self._code, self._provenance.instructions(function), pointer)
        if member not in self._marks:
            mark = self._code.new_result(kinds[load.result])
            self._marks[member] = mark
            self.members[mark] = member
        return self._marks[member]

    def parameters(self, kernel: Function, mark: int) -> frozenset[int] | None:
        """The indices of the parameters of ``kernel`` that a pointer with ``mark`` may point into;
        None: that cannot be said."""
        key = kernel.result
        if key not in self._programs:
            program = _Program(self._code, self._provenance, kernel)
            self._programs[key] = program if program.keeps_pointers else None
        found = self._programs[key]
        return None if found is None else found.kept(self.members[mark], self.members)


def member_of(code: SpirvCode, made: dict[int, Instruction], pointer: int) -> Member:
    """The innermost structure, and the number of its member, in which the place is that ``pointer``
    points to."""
    item = made.get(pointer)
    if item is not None and item.opcode in _SAME_TYPE:
        return member_of(code, made, item.operands[0])
    if item is None or item.opcode not in _CHAINS + _CHAINS_OF_ELEMENTS:
        return None
    base, *indices = item.operands
    kind, found = code.type_of[base].members[0], None
    for each in indices[1:] if item.opcode in _CHAINS_OF_ELEMENTS else indices:
        if kind.kind is not Kind.STRUCTURE:
            kind = kind.members[0]
            continue
        index = code.constants[each]
        assert isinstance(index, int)
        kind, found = kind.members[index], (kind, index)
    return found if found is not None else member_of(code, made, base)


class _Store(NamedTuple):
    """``function`` stores ``pointer`` to ``member``."""

    function: Function
    pointer: int
    member: Member


class _Program:
    """``kernel`` and all that it calls."""

    def __init__(self, code: SpirvCode, provenance: Roots, kernel: Function) -> None:
        self._code = code
        self._provenance = provenance
        self._kernel = kernel
        #: Whether its caller may pass it memory of the work-item that has pointers.
        self._is_passed_any = any(code.type_of[each].storage in _OWN for each in kernel.parameters)
        #: Of each function, by which calls in which functions it is called.
        self._calls: dict[int, list[tuple[Function, Instruction]]] = {kernel.result: []}
        self._functions = [kernel]
        self._stores: list[_Store] = []
        #: Whether all pointers to global memory that it loads are those that it has stored.
        self.keeps_pointers = self._reads_all()

    def _reads_all(self) -> bool:
        for function in self._functions:  # which grow
            for item in _items(function):
                if item.opcode == Op.FUNCTION_CALL and not self._follow(function, item):
                    return False
        return all(
            self._is_plain(function, item)
            for function in self._functions
            for item in _items(function)
        )

    def _follow(self, function: Function, call: Instruction) -> bool:
        callee = self._code.functions.get(call.operands[0])
        if callee is None:
            kinds = [self._code.type_of.get(each) for each in call.operands[1:]]
            return not any(kind and kind.storage in _OWN for kind in kinds)
        if callee.result not in self._calls:
            self._calls[callee.result] = []
            self._functions.append(callee)
        self._calls[callee.result].append((function, call))
        return True

    def _is_plain(self, function: Function, item: Instruction) -> bool:
        """Whether ``item`` takes pointers for pointers. Notes which ones it stores."""
        kinds = self._code.type_of
        match item.opcode:
            case Op.CONVERT_U_TO_PTR:
                return kinds[item.result].storage not in _OWN
            case Op.BITCAST if kinds[item.result].storage in _OWN:
                return self._is_plain_cast(function, item)
            case Op.LOAD if kinds[item.operands[0]].storage in _OWN:
                is_kept = _has_pointers(kinds[item.result])
                return not is_kept or self._is_own(function, item.operands[0])
            case Op.STORE if kinds[item.operands[0]].storage in _OWN:
                return self._is_plain_store(function, item)
            case Op.COPY_MEMORY | Op.COPY_MEMORY_SIZED:
                return self._is_plain_copy(function, *item.operands[:2])
        return True

    def _is_plain_cast(self, function: Function, cast: Instruction) -> bool:
        old, new = self._under_casts(function, cast.operands[0]), self._pointed(cast.result)
        if old == new or not (_has_pointers(old) or _has_pointers(new)):
            return True
        return _is_bytes(new) and all(
            cast.result in item.operands[: _USE_BYTES.get(item.opcode, 0)]
            for item in _items(function)
            if cast.result in item.operands
        )

    def _is_plain_store(self, function: Function, store: Instruction) -> bool:
        target, value = store.operands[:2]
        kind, made = self._code.type_of[value], self._provenance.instructions(function)
        if kind.kind is Kind.POINTER:
            if kind.storage in (Storage.CROSS_WORKGROUP, Storage.GENERIC):
                member = member_of(self._code, made, target)
                self._stores.append(_Store(function, value, member))
            return True
        if not _has_pointers(kind) and not _is_bytes(kind):
            return True
        load = made.get(value)
        if load is not None and load.opcode == Op.LOAD:
            return self._is_plain_copy(function, target, load.operands[0])
        return not _has_pointers(self._under_casts(function, target))

    def _is_plain_copy(self, function: Function, target: int, source: int) -> bool:
        into, out_of = (self._under_casts(function, each) for each in (target, source))
        if not _has_pointers(into):
            return True
        return into == out_of and self._is_own(function, source)

    def _under_casts(self, function: Function, pointer: int) -> Type:
        """What ``pointer`` points to, which may be taken for bytes."""
        item = self._provenance.instructions(function).get(pointer)
        while item is not None and item.opcode == Op.BITCAST:
            pointer = item.operands[0]
            item = self._provenance.instructions(function).get(pointer)
        return self._pointed(pointer)

    def _pointed(self, pointer: int) -> Type:
        return self._code.type_of[pointer].members[0]

    def _is_own(self, function: Function, pointer: int) -> bool:
        """Whether ``pointer`` points to a variable of one of the functions."""
        kinds = self._code.type_of
        if not self._is_passed_any and kinds[pointer].storage == Storage.FUNCTION:
            return True
        variables = self._resolved(function, pointer, set())
        return variables is not None and all(
            isinstance(each, Instruction) and kinds[each.result].storage in _OWN
            for each in variables
        )

    def _resolved(
        self, function: Function, pointer: int, asked: set[tuple[int, int]]
    ) -> list[Instruction | int] | None:
        """What ``pointer`` may point into: OpVariables of functions, parameters of the kernel,
        variables outside of functions, and marks; None: that cannot be said."""
        if (function.result, pointer) in asked:
            return []
        asked.add((function.result, pointer))
        roots, found = self._provenance.roots(function, pointer), list[Instruction | int]()
        for root in roots or ():
            variable = self._provenance.instructions(function).get(root)
            if variable is not None:
                found.append(variable)
            elif root not in function.parameters or function is self._kernel:
                found.append(root)
            else:
                index = function.parameters.index(root)
                for caller, call in self._calls[function.result]:
                    passed = self._resolved(caller, call.operands[1 + index], asked)
                    if passed is None:
                        return None
                    found += passed
        return None if roots is None else found

    def kept(self, member: Member, marked: dict[int, Member]) -> frozenset[int] | None:
        """The indices of the kernel's parameters that pointers may point into that ``member`` has;
        ``marked``: the members of marks. None: that cannot be said."""
        found, waiting, seen = set[int](), [member], {member}
        parameters = self._kernel.parameters
        while waiting:
            asked = waiting.pop()
            for store in self._stores:
                if asked is not None and store.member not in (asked, None):
                    continue
                roots = self._resolved(store.function, store.pointer, set())
                if roots is None:
                    return None
                for root in roots:
                    if root in parameters:
                        found.add(parameters.index(root))
                    elif root in marked and marked[root] not in seen:
                        seen.add(marked[root])
                        waiting.append(marked[root])
        return frozenset(found)


def _items(function: Function) -> Iterator[Instruction]:
    for block in function.blocks.values():
        for item in block.items:
            if isinstance(item, Instruction):
                yield item


def _has_pointers(kind: Type) -> bool:
    """Whether values of a type are, or have, pointers."""
    if kind.kind is Kind.POINTER:
        return kind.storage in (Storage.CROSS_WORKGROUP, Storage.GENERIC)
    return kind.is_composite and any(map(_has_pointers, kind.members))


def _is_bytes(kind: Type) -> bool:
    """Whether it is the type of bytes that may be anything."""
    if kind.kind is Kind.ARRAY:
        return _is_bytes(kind.members[0])
    return kind.kind is Kind.INTEGER and kind.bits == 8
