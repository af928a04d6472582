"""What all work-items of a group store in local memory between two barriers, and where.

The stores of one phase are looked at together: all that may be executed then, at the addresses
that each work-item has for them. Whether one really comes there is found out when it matters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Protocol

from zedbg.spirv.analysis.closed_values import ends_by_constants
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Iterations, Visit
from zedbg.spirv.group.columns import Column, Columns, LaneValue
from zedbg.spirv.group.inlined_kernel import InlinedKernel
from zedbg.spirv.group.lanes_at_once import Lanes, NotAtOnce, Programs, run
from zedbg.spirv.group.phase_stores import Byte, PhaseStores, Store
from zedbg.spirv.group.phases import Moment, Phases, Writer
from zedbg.spirv.group.way_from_border import IN_ONE_PHASE, WayFrom
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import Op, Storage
from zedbg.spirv.module.types import Kind, Type, Value
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.activation import KnownValues, TooMuch
from zedbg.spirv.work_item.changed_memory import MemoryBefore
from zedbg.spirv.work_item.computed_values import Certainty
from zedbg.spirv.work_item.device_numbers import Held
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.spirv.work_item.given_values import WorkItem
from zedbg.spirv.work_item.local_loads import LocalLoads

_MOST_STEPS = 100_000  # stores, and blocks of single work-items, that are looked at
_MOST_IN_LOOPS = 20_000  # stores in loops that are computed for all work-items at once


class WorkGroup(Lanes, Protocol):
    """The work-items of a group, numbered in the order of their local ids; as lanes, and each by
    itself."""

    @property
    def count(self) -> int:
        """How many they are. Raises UnknownValue."""

    def item(self, number: int) -> WorkItem:
        """One of them."""

    def before(self, number: int) -> MemoryBefore | None:
        """What that one finds in global memory that the kernel writes to; None: nobody knows."""

    def held(self, number: int, kernel: InlinedKernel) -> Held | None:
        """What the device gave that one in ``kernel``; None: nobody knows."""

    def require_local_memory(self, address: int | None, size: int) -> None:
        """Raises UnknownValue where these bytes are not the group's, or may hold something else
        than the program stored there. ``address`` None: they are the group's."""


@dataclass
class _Search:
    """The stores to a variable that are ``found`` yet, and what may store to it and has still to be
    looked at: None where that is not known."""

    found: list[tuple[int, Store]] = field(default_factory=list)
    left: Sequence[Writer] | None = None


class GroupStores:
    """Those of ``group``, which executes ``kernel``. Every question raises UnknownValue where the
    answer is not known, TooMuch of them where it would take long."""

    def __init__(
        self,
        model: Model,
        kernel: Function,
        phases: Phases,
        group: WorkGroup,
        loads: Callable[[int], LocalLoads],
        held: Callable[[int], Held | None],
    ) -> None:
        """``phases`` are those of ``kernel``; by the number of a work-item, ``loads``: what it
        loads from local memory, and ``held``: what the device gave it."""
        self._model = model
        self._code = model.code
        self._kernel = kernel
        self._group = group
        self._loads = loads
        self._held = held
        #: The code between barriers.
        self.phases = phases
        self._evaluations: dict[int, Evaluation] = {}
        self._known_values: dict[int, KnownValues] = {}
        self._certainty = Certainty()
        self._stores: dict[Moment, PhaseStores | UnknownValue] = {}
        self._asked: set[Moment] = set()
        # As long as it is not known where all stores of a phase go: those of one variable.
        self._of_variables: dict[tuple[Moment, int], PhaseStores] = {}
        # Of those that are asked for now: what is found yet, and what is looked at next.
        self._asked_variables: dict[tuple[Moment, int], _Search] = {}
        self._is_assumed = False
        #: Increases where what was computed counts no more.
        self.generation = 0
        self._ways: dict[tuple[int, Moment], WayFrom] = {}
        self._steps = 0

    @property
    def is_of_stop(self) -> bool:
        """Whether what was given may be known at this stop only."""
        return self._certainty.is_of_stop or self._is_assumed

    def begin_stop(self) -> None:
        """Looks at the group anew: what was not ``is_of_stop`` is known as before."""
        self._evaluations.clear()
        self._ways.clear()
        self._steps = 0

    def evaluation(self, number: int) -> Evaluation:
        """Answers questions about one work-item."""
        if number not in self._evaluations:
            self._evaluations[number] = Evaluation(
                self._model,
                self._kernel,
                self._group.item(number),
                held=self._held(number),
                local=self._loads(number),
                before=self._group.before(number),
                known_values=self._known_values.setdefault(number, KnownValues()),
                certainty=self._certainty,
                is_made=True,
            )
        return self._evaluations[number]

    def value(self, number: int, result: int, visit: Visit) -> Value | Place:
        """What ``result`` of the kernel is to a work-item at ``visit``."""
        evaluation = self.evaluation(number)
        return evaluation.value(evaluation.outermost, result, visit.block, visit.iterations)

    def step(self, count: int = 1) -> None:
        """Counts what is looked at. Raises TooMuch."""
        self._steps += count
        if self._steps > _MOST_STEPS:
            raise TooMuch

    def after(self, border: Moment, byte: Byte) -> PhaseStores:
        """What may be stored to the variable of ``byte``, or the memory of the argument, after
        ``border`` and before the next one, and maybe to others. Raises UnknownValue."""
        if border not in self._stores:
            if border in self._asked:
                # Where it is stored to others depends on what is loaded from this one.
                return self._of_variable(border, byte[0] or self._argument_with(byte[1]))
            self._asked.add(border)
            try:
                self._stores[border] = PhaseStores(list(self._find_stores(border)))
            except UnknownValue as error:
                self._stores[border] = error
                if self._is_assumed:
                    self._forget()
            finally:
                self._asked.remove(border)
            self._is_assumed &= bool(self._asked)
        found = self._stores[border]
        if isinstance(found, UnknownValue):
            raise found
        return found

    def _of_variable(self, border: Moment, variable: int) -> PhaseStores:
        """As :meth:`after`, of ``variable`` only, or an argument, by its result. That others are
        not stored to outside of them is assumed, until all stores are known."""
        key = border, variable
        if key in self._of_variables:
            return self._of_variables[key]
        if key in self._asked_variables:
            # Where it is stored depends on what is loaded: it may be what was stored before.
            search = self._asked_variables[key]
            if search.left is None:
                raise UnknownValue(IN_ONE_PHASE)
            self.step(len(search.found))
            return PhaseStores(search.found, search.left)
        self._is_assumed = True
        search = self._asked_variables[key] = _Search()
        try:
            for each in self._find_stores(border, variable, search):
                search.found.append(each)
            self._of_variables[key] = PhaseStores(search.found)
        finally:
            del self._asked_variables[key]
        return self._of_variables[key]

    def _forget(self) -> None:
        """Drops what was computed with what was assumed."""
        self._is_assumed = False
        self.generation += 1
        self._evaluations.clear()
        self._known_values.clear()
        self._ways.clear()
        self._of_variables.clear()
        for border, found in list(self._stores.items()):
            if isinstance(found, PhaseStores):
                del self._stores[border]

    def _may_store(self, item: Instruction, variable: int) -> bool:
        """Whether ``item`` may store to ``variable``, or an argument, 0 being any of these."""
        roots, arguments = self._roots(item), self._kernel.parameters
        are_known = bool(roots) and roots <= {*arguments, *self._code.storage}
        is_any = not variable and not roots.isdisjoint(arguments)
        return variable in roots or is_any or not are_known

    def _roots(self, item: Instruction) -> set[int]:
        """The variables and arguments that ``item`` may store to; none where they are not known."""
        return {*(self._model.provenance.roots(self._kernel, item.operands[0]) or ())}

    def _require_own(self, item: Instruction, byte: Byte, size: int) -> None:
        """Raises UnknownValue where ``item`` stores so many bytes to the memory of another argument
        than the one that the program names."""
        variable, start = byte
        if variable:
            return
        arguments = {self._argument_with(each) for each in (start, start + size - 1)}
        roots = self._roots(item)
        if roots and not arguments <= {0, *roots}:
            raise UnknownValue("the program goes outside of an argument's local memory")

    def place(self, source: LaneValue, size: int) -> Byte:
        """The first of so many bytes at an address. Raises UnknownValue."""
        if isinstance(source, UnknownValue):
            raise source
        if not size:
            raise UnknownValue("what is loaded has no size")
        if isinstance(source, Place):
            if self._code.storage.get(source.variable) != Storage.WORKGROUP:
                raise UnknownValue("it is not in local memory")
            whole = self._code.type_of[source.variable].members[0].size
            if not 0 <= source.offset <= whole - size:
                raise UnknownValue("the program goes outside of a variable in local memory")
            return source.variable, source.offset
        arguments = self._arguments
        first = min(filter(None, arguments.values()), default=1 << 64)
        if not isinstance(source, int) or source < first:
            raise UnknownValue("an address in local memory that is not known")
        return 0, source

    @cached_property
    def _arguments(self) -> Mapping[int, int | None]:
        """Where the memory of each argument begins, by its result; None where that is not known.
        Variables are in front of it."""
        found: dict[int, int | None] = {}
        item = self._group.item(0)
        for index, parameter in enumerate(self._kernel.parameters):
            kind = self._code.type_of[parameter]
            if kind.kind is Kind.POINTER and kind.storage == Storage.WORKGROUP:
                try:
                    data = item.argument(index, kind.size)
                except UnknownValue:
                    found[parameter] = None
                    continue
                found[parameter] = int.from_bytes(data[: kind.size], "little")
        return found

    def _argument_with(self, address: int) -> int:
        """The argument whose memory has ``address``; 0 where that is not known."""
        index = bisect_right(self._begins, (address, 1 << 64))
        return self._begins[index - 1][1] if index else 0

    @cached_property
    def _begins(self) -> list[tuple[int, int]]:
        """Where the memory of each argument begins, in that order, and the argument; none where
        that is not known of all of them."""
        begins = [(begin, each) for each, begin in self._arguments.items() if begin is not None]
        return sorted(begins) if len(begins) == len(self._arguments) else []

    # --- what work-items do after a border -----------------------------------------------------

    def way(self, number: int, border: Moment) -> WayFrom:
        """The way of a work-item from ``border`` on."""
        key = number, border
        if key not in self._ways:
            follow = partial(self._follow, self.evaluation(number))
            self._ways[key] = WayFrom(border, follow, self.phases)
        return self._ways[key]

    def _follow(self, evaluation: Evaluation, visit: Visit) -> Visit | None:
        self.step()
        outside = self.phases.after_quiet_loop(visit)
        if outside is not None:
            return outside
        following = evaluation.next_block(evaluation.outermost, visit.block, visit.iterations)
        return None if following is None else self.phases.after(visit, following)

    def _find_stores(
        self, border: Moment, of: int | None = None, search: _Search | None = None
    ) -> Iterator[tuple[int, Store]]:
        """The stores after ``border``, each with the variable that it stores to; ``of``: those that
        may be to that one only, which ``search`` looks for."""
        for number, writer, address in self._addresses(border, of, search or _Search()):
            kind = self._kind(writer.item)
            try:
                variable, start = self.place(address, kind.size)
                self._require_own(writer.item, (variable, start), kind.size)
            except UnknownValue:
                if self.way(number, border).comes_to(writer.visit):
                    raise
                continue
            yield variable, Store(number, writer, start, kind)

    def _kind(self, item: Instruction) -> Type:
        """What an instruction writes."""
        if item.opcode == Op.STORE:
            return self._code.type_of[item.operands[1]]
        return self._code.type_of[item.operands[0]].members[0]

    def _addresses(
        self, border: Moment, of: int | None, search: _Search
    ) -> Iterator[tuple[int, Writer, LaneValue]]:
        """What each work-item may store after ``border``, and where; of what :meth:`_may_store` to
        ``of`` only. ``search`` has what is left."""
        writers, everyone = self._writers_after(border), range(self._group.count)
        if writers is None:
            if of is not None and not any(
                self._may_store(each, of) for each in self.phases.writing_after(border)
            ):
                return
            for number in everyone:
                for writer in self._on_way(number, border):
                    if of is None or self._may_store(writer.item, of):
                        yield number, writer, self._address(number, writer)
            return
        search.left = [each for each in writers if of is None or self._may_store(each.item, of)]
        while search.left:
            writer = search.left[0]
            self.step()
            addresses = self._at_once(writer)
            for number in everyone:
                one = self._address(number, writer) if addresses is None else addresses.of(number)
                yield number, writer, one
            search.left = search.left[1:]

    def _writers_after(self, border: Moment) -> list[Writer] | None:
        """See :meth:`zedbg.spirv.group.phases.Phases.writers_after`."""
        flow, made = self.phases.flow, self._model.made(self._kernel)

        @cache
        def end_of_loop(header: int, outer: Iterations) -> int | None:
            ends = ends_by_constants(self._code, flow, made, flow.loops[header])
            if not ends and not self.phases.ends_alike(header):
                return None
            first = self.evaluation(0)
            try:
                return first.most_of(first.outermost, header, header, outer) - 1
            except UnknownValue:
                return None

        found = self.phases.writers_after(border, end_of_loop)
        if found is not None and len(found) * self._group.count > _MOST_IN_LOOPS:
            items = {(each.visit.block, each.index) for each in found}
            return found if len(items) == len(found) else None
        return found

    def _on_way(self, number: int, border: Moment) -> Iterator[Writer]:
        way, index = self.way(number, border).followed(), border.index
        for visit in way.places:
            is_last = way.end is not None and visit == way.end.visit
            end = way.end.index if is_last and way.end is not None else None
            yield from self.phases.writers_in(visit, index, end)
            index = -1

    def _address(self, number: int, writer: Writer) -> LaneValue:
        self.step()
        try:
            return self.value(number, writer.item.operands[0], writer.visit)
        except UnknownValue as error:
            return error

    def _at_once(self, writer: Writer) -> Column | None:
        """The address that each work-item stores to; None where that takes more."""
        block, count = writer.visit.block, self._group.count
        around = self.phases.flow.loops_around(block)
        key = "addresses", self._kernel.result, block
        programs = self._model.objects.get(key)
        if not isinstance(programs, Programs):
            programs = Programs(self._model, (), self._kernel, around)
            self._model.objects[key] = programs
        program = programs.of(writer.item.operands[0])
        if program is None:
            return None
        known: Columns = {}
        for header, number in zip(around, writer.visit.iterations, strict=True):
            if number is None:
                return None
            known[programs.iteration(header)] = Column([number], True, True)
        try:
            return run(program, self._group, range(count), known)
        except NotAtOnce:
            return None
