"""Which work-items of a launch may store at an address of global memory, at any time of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.provenance import NOT_SHARED
from zedbg.spirv.group.inlined_kernel import InlinedKernel, NotInlinedError
from zedbg.spirv.group.linear_values import LinearValues
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import ATOMIC_WRITES, Op
from zedbg.spirv.module.types import Kind
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.linear import Condition, Linear, TooManyError, Unknown
from zedbg.spirv.work_item.given_values import GivenValues, WorkItem

_ANYWHERE = UnknownValue("the kernel may write anywhere")


@dataclass(frozen=True)
class _Writer:
    """An instruction in ``block`` that writes ``size`` bytes to global memory; ``roots``: the
    kernel's parameters that its pointer may point into, None where that is not known."""

    block: int
    pointer: int
    size: int
    roots: frozenset[int] | None


class Storing(NamedTuple):
    """Who may store at an address."""

    is_own: bool  # the work-item that asks
    are_others: bool


class GlobalStores:
    """Those of a launch of ``kernel``, which ``item`` is a work-item of. Raises UnknownValue where
    the kernel may write in ways that are not followed."""

    def __init__(
        self, model: Model, kernel: Function, item: WorkItem, groups: tuple[int, int, int]
    ) -> None:
        """``groups``: how many the launch has at most, in each dimension."""
        inlined = _inlined(model, kernel)
        given = GivenValues(model, inlined, item)
        self._writers = list(_writers(model, inlined))
        self._values = LinearValues(model, inlined, given, item, groups)
        self._places: dict[_Writer, tuple[Linear, list[Condition]]] = {}
        self._storing: dict[object, Storing] = {}

    def at(self, address: int, size: int, roots: frozenset[int], item: WorkItem) -> Storing:
        """Who may store to ``size`` bytes at ``address``, where ``item`` asks; ``roots``: the
        parameters of the kernel that may point to their memory. Raises UnknownValue."""
        own = self._values.ids(item)
        key = address, size, roots, frozenset(own.items())
        if key not in self._storing:
            self._storing[key] = self._found(address, size, roots, own)
        return self._storing[key]

    def _found(
        self, address: int, size: int, roots: frozenset[int], own: Mapping[Unknown, int]
    ) -> Storing:
        is_own = are_others = False
        for writer in self._writers:
            if writer.roots is not None and writer.roots.isdisjoint(roots):
                continue
            there = range(address - writer.size + 1, address + size)
            found = _who(*self._place(writer), there, own)
            is_own, are_others = is_own or found.is_own, are_others or found.are_others
            if are_others:
                break
        return Storing(is_own or are_others, are_others)

    def _place(self, writer: _Writer) -> tuple[Linear, list[Condition]]:
        """Where it writes, and when."""
        if writer not in self._places:
            values, block = self._values, writer.block
            self._places[writer] = values.address(writer.pointer, block), values.conditions(block)
        return self._places[writer]


def _who(
    number: Linear, conditions: list[Condition], there: range, own: Mapping[Unknown, int]
) -> Storing:
    """Who may have ``number`` ``there`` under ``conditions``: the work-item that the ids in ``own``
    are of, and others."""
    for sum_, holding in ((number, conditions), (number.without_parts(), [])):
        is_own = False
        try:
            for found in sum_.solutions(there.start, there.stop - 1, holding):
                is_own |= all(found.get(each, id_) == id_ for each, id_ in own.items())
                if any(found[a] != id_ if a in found else a.last > 0 for a, id_ in own.items()):
                    return Storing(True, True)
            return Storing(is_own, False)
        except TooManyError:
            pass
    return Storing(True, True)


def _inlined(model: Model, kernel: Function) -> Function:
    """``kernel`` with what it calls that writes to global memory. Raises UnknownValue."""
    key = "with all that stores", kernel.result
    found = model.objects.get(key)
    if not isinstance(found, Function):
        try:
            inlined = InlinedKernel(model, kernel, model.provenance.may_write)
        except NotInlinedError as error:
            raise _ANYWHERE from error
        found = model.objects[key] = inlined.function
    return found


def _writers(model: Model, kernel: Function) -> Iterator[_Writer]:
    """What writes to global memory. Raises UnknownValue."""
    for block in kernel.blocks.values():
        for item in block.items:
            if isinstance(item, Instruction):
                for pointer in model.provenance.pointers_written(item):
                    kind = model.code.type_of.get(pointer)
                    if kind is None or kind.kind is not Kind.POINTER:
                        raise _ANYWHERE
                    if kind.storage not in NOT_SHARED:
                        yield _writer(model, kernel, block.label, item, pointer)


def _writer(model: Model, kernel: Function, block: int, item: Instruction, pointer: int) -> _Writer:
    if item.opcode == Op.STORE:
        size = model.code.type_of[item.operands[1]].size
    elif item.opcode in ATOMIC_WRITES or item.opcode == Op.COPY_MEMORY:
        size = model.code.type_of[pointer].members[0].size
    else:
        raise _ANYWHERE
    roots = model.provenance.roots(kernel, pointer)
    if roots is None:
        return _Writer(block, pointer, size, None)
    parameters = kernel.parameters
    indices = frozenset(parameters.index(each) for each in roots if each in parameters)
    return _Writer(block, pointer, size, indices)
