"""Which work-items of a launch may store at an address of global memory, at any time of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.provenance import NOT_SHARED
from zedbg.spirv.group.inlined_kernel import InlinedKernel, NotInlinedError
from zedbg.spirv.group.linear_values import LinearValues
from zedbg.spirv.group.phases import is_group_barrier
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import ATOMIC_WRITES, Op
from zedbg.spirv.module.types import Kind
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.linear import Condition, Linear, TooManyError, Unknown
from zedbg.spirv.work_item.changed_memory import LoadHere
from zedbg.spirv.work_item.given_values import GivenValues, WorkItem

_ANYWHERE = UnknownValue("the kernel may write anywhere")


@dataclass(frozen=True)
class _Writer:
    """Item ``index`` of ``block``, which writes ``size`` bytes to global memory; ``roots``: the
    kernel's parameters that its pointer may point into, None where that is not known."""

    block: int
    index: int
    pointer: int
    size: int
    roots: frozenset[int] | None


class Storing(NamedTuple):
    """Who may store at an address."""

    is_own: bool  # the work-item that asks, or one of its group after a barrier
    are_others: bool


class GlobalStores:
    """Those of a launch of ``kernel``, which ``item`` is a work-item of. Raises UnknownValue where
    the kernel may write in ways that are not followed."""

    def __init__(
        self, model: Model, kernel: Function, item: WorkItem, groups: tuple[int, int, int]
    ) -> None:
        """``groups``: how many the launch has at most, in each dimension."""
        inlined = _inlined(model, kernel)
        self._model = model
        self._inlined = inlined
        self._kernel = inlined.function
        given = GivenValues(model, self._kernel, item)
        self._writers = list(_writers(model, self._kernel))
        self._values = LinearValues(model, self._kernel, given, item, groups)
        self._places: dict[_Writer, tuple[Linear, list[Condition]]] = {}
        self._storing: dict[object, Storing] = {}

    def at(
        self,
        address: int,
        size: int,
        roots: frozenset[int],
        item: WorkItem,
        load: LoadHere | None = None,
    ) -> Storing:
        """Who may store to ``size`` bytes at ``address``, where ``item`` asks; ``roots``: the
        parameters of the kernel that may point to their memory. ``load``: what loads them; another
        work-item of the same group that stores after a barrier which all come to after that is not
        one of the others. Raises UnknownValue."""
        own = self._values.ids(item)
        loading = None if load is None else self._result_of(load)
        key = address, size, roots, frozenset(own.items()), loading
        if key not in self._storing:
            self._storing[key] = self._found(address, size, roots, own, loading)
        return self._storing[key]

    def _result_of(self, load: LoadHere) -> int | None:
        """The result of ``load`` in the kernel that has the calls inlined."""
        try:
            found, _ = self._inlined.place(*load)
        except KeyError:
            return None  # it is one of another such kernel
        return found.result

    def _found(
        self,
        address: int,
        size: int,
        roots: frozenset[int],
        own: Mapping[Unknown, int],
        loading: int | None,
    ) -> Storing:
        is_own = are_others = False
        for writer in self._writers:
            if writer.roots is not None and writer.roots.isdisjoint(roots):
                continue
            there = range(address - writer.size + 1, address + size)
            is_later = loading is not None and self._is_after_barrier(writer, loading)
            ids = {each: own[each] for each in self._values.groups} if is_later else own
            found = _who(*self._place(writer), there, ids)
            is_own, are_others = is_own or found.is_own, are_others or found.are_others
            if are_others:
                break
        return Storing(is_own or are_others, are_others)

    def _is_after_barrier(self, writer: _Writer, loading: int) -> bool:
        """Whether each way to ``writer`` goes through a barrier after which a work-item does not
        come to the instruction with the result ``loading``."""
        flow = self._model.flow(self._kernel)
        block, item = self._model.made(self._kernel)[loading]
        index = self._model.index(self._kernel, item)

        def parts(at: int, number: int) -> bool:
            if not flow.dominates(at, writer.block) or block in flow.following(at):
                return False
            is_before = at != writer.block or number < writer.index
            return is_before and (at != block or index < number)

        return any(parts(*each) for each in self._barriers)

    @cached_property
    def _barriers(self) -> list[tuple[int, int]]:
        """Where all work-items of a group wait for each other: blocks, and numbers of items."""
        return [
            (label, index)
            for label, block in self._kernel.blocks.items()
            if label in self._model.flow(self._kernel).dominator
            for index, item in enumerate(block.items)
            if isinstance(item, Instruction) and is_group_barrier(self._model.code, item)
        ]

    def _place(self, writer: _Writer) -> tuple[Linear, list[Condition]]:
        """Where it writes, and when."""
        if writer not in self._places:
            values, block = self._values, writer.block
            self._places[writer] = values.address(writer.pointer, block), values.conditions(block)
        return self._places[writer]


def _who(
    number: Linear, conditions: list[Condition], there: range, own: Mapping[Unknown, int]
) -> Storing:
    """Who may have ``number`` ``there`` under ``conditions``: the work-item, or the group, that the
    ids in ``own`` are of, and others."""
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


def _inlined(model: Model, kernel: Function) -> InlinedKernel:
    """``kernel`` with what it calls that writes to global memory. Raises UnknownValue."""
    key = "with all that stores", kernel.result
    found = model.objects.get(key)
    if not isinstance(found, InlinedKernel):
        try:
            found = InlinedKernel(model, kernel, model.provenance.may_write)
        except NotInlinedError as error:
            raise _ANYWHERE from error
        model.objects[key] = found
    return found


def _writers(model: Model, kernel: Function) -> Iterator[_Writer]:
    """What writes to global memory. Raises UnknownValue."""
    for block in kernel.blocks.values():
        for index, item in enumerate(block.items):
            if isinstance(item, Instruction):
                for pointer in model.provenance.pointers_written(item):
                    kind = model.code.type_of.get(pointer)
                    if kind is None or kind.kind is not Kind.POINTER:
                        raise _ANYWHERE
                    if kind.storage not in NOT_SHARED:
                        yield _writer(model, kernel, (block.label, index), item, pointer)


def _writer(
    model: Model, kernel: Function, at: tuple[int, int], item: Instruction, pointer: int
) -> _Writer:
    if item.opcode == Op.STORE:
        size = model.code.type_of[item.operands[1]].size
    elif item.opcode in ATOMIC_WRITES or item.opcode == Op.COPY_MEMORY:
        size = model.code.type_of[pointer].members[0].size
    else:
        raise _ANYWHERE
    provenance = model.provenance
    roots = provenance.parameters(kernel, provenance.roots(kernel, pointer))
    return _Writer(*at, pointer, size, roots)
