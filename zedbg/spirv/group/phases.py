"""The code of a kernel between barriers, and where it writes to local memory.

Between two barriers that all work-items of a group come to, what one of them writes to local memory
is not ordered with what others do; what was written before a barrier is seen after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.parting_ways import ways_on
from zedbg.spirv.analysis.private_memory import Iterations, Visit
from zedbg.spirv.analysis.provenance import ASYNC_COPY
from zedbg.spirv.module.code import SpirvCode
from zedbg.spirv.module.flow import Flow
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import ATOMIC_WRITES, BuiltIn, Op, Storage
from zedbg.spirv.module.types import Kind
from zedbg.spirv.work_item.activation import NeedsIteration
from zedbg.spirv.work_item.ways import iterations_after

_SAME_FOR_ALL = frozenset(
    {
        *(BuiltIn.NUM_WORKGROUPS, BuiltIn.WORKGROUP_SIZE, BuiltIn.WORKGROUP_ID),
        *(BuiltIn.GLOBAL_SIZE, BuiltIn.ENQUEUED_WORKGROUP_SIZE, BuiltIn.GLOBAL_OFFSET),
    }
)
_WORKGROUP_SCOPE = 2
_WORKGROUP_MEMORY = 0x100  # of the memory semantics (section 3.25)
_WRITING = frozenset(
    {Op.STORE, Op.COPY_MEMORY, Op.COPY_MEMORY_SIZED, Op.EXT_INST, ASYNC_COPY, *ATOMIC_WRITES}
)
# What sub-groups and work-groups compute together, too.
_WITHOUT_WRITES = {*Op, *range(65, 249), *range(261, 272), *range(333, 367)} - {
    *(*_WRITING, Op.FUNCTION_CALL, Op.CONTROL_BARRIER),
}


def is_group_barrier(code: SpirvCode, item: Instruction) -> bool:
    """Whether all work-items of a group wait for each other at ``item``."""
    is_barrier = item.opcode == Op.CONTROL_BARRIER
    return is_barrier and code.constants.get(item.operands[0]) == _WORKGROUP_SCOPE


def may_change_local_memory(
    model: Model, function: Function, asked: frozenset[int] = frozenset()
) -> bool:
    """Whether ``function``, or what it calls, may write to local memory, or has a barrier.
    ``asked``: the functions that call it."""
    return any(
        item.opcode == Op.CONTROL_BARRIER or _may_change(model, function, item, asked)
        for block in function.blocks.values()
        for item in block.items
        if isinstance(item, Instruction)
    )


def _may_change(model: Model, function: Function, item: Instruction, asked: frozenset[int]) -> bool:
    """As :func:`may_change_local_memory`, by ``item`` of ``function``, which is no barrier."""
    if item.opcode in _WITHOUT_WRITES:
        return False
    if item.opcode in _WRITING:
        pointers = model.provenance.pointers_written(item)
        return any(_may_be_local(model, function, each) for each in pointers)
    callee = model.code.functions.get(item.operands[0]) if item.operands else None
    if item.opcode != Op.FUNCTION_CALL or callee is None or callee.result in asked:
        return True
    return may_change_local_memory(model, callee, asked | {callee.result})


def _may_be_local(model: Model, function: Function, pointer: int) -> bool:
    """Whether ``pointer`` may point to local memory."""
    kinds = model.code.type_of
    kind = kinds.get(pointer)
    if kind is None or kind.kind is not Kind.POINTER:
        return True
    if kind.storage != Storage.GENERIC:
        return kind.storage == Storage.WORKGROUP
    roots = model.provenance.roots(function, pointer)
    return roots is None or any(
        each not in kinds or kinds[each].storage in (Storage.WORKGROUP, Storage.GENERIC)
        for each in roots
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """In front of item ``index`` of a block that a work-item came to; of a barrier: at it."""

    visit: Visit
    index: int


@dataclass(frozen=True, eq=False)
class Writer:
    """Item ``index`` of a block at one visit, which writes to local memory."""

    visit: Visit
    index: int
    item: Instruction


#: Gives the iteration in which a loop, by its header and the iterations around it, is left.
LastIteration = Callable[[int, Iterations], int]
#: Gives the iteration in which all work-items leave such a loop at its first block, if they have
#: not left it elsewhere; None where that differs.
EndOfLoop = Callable[[int, Iterations], int | None]


class Phases:
    """Those of one kernel: a *border* is a barrier that work-items came to, or the kernel's
    begin, which has the index -1."""

    def __init__(self, model: Model, kernel: Function) -> None:
        self._model = model
        self._code = model.code
        self._kernel = kernel
        self.flow: Flow = model.flow(kernel)
        #: By block, the instructions that write to local memory, with their numbers.
        self.writers: dict[int, list[tuple[int, Instruction]]] = {}
        #: By block, the numbers of its barriers.
        self.barriers: dict[int, list[int]] = {}
        #: Whether nothing else may write to local memory, or is a barrier.
        self.are_known = self.flow.is_structured
        for label, block in kernel.blocks.items():
            self.writers[label], self.barriers[label] = [], []
            for index, item in enumerate(block.items):
                if isinstance(item, Instruction):
                    self._add(label, index, item)
        entry = kernel.entry
        self.begin = Moment(Visit(entry, (0,) * len(self.flow.loops_around(entry))), -1)
        self._quiet = {
            header
            for header, loop in self.flow.loops.items()
            if not any(self.writers[each] or self.barriers[each] for each in loop.blocks)
        }

    def _add(self, label: int, index: int, item: Instruction) -> None:
        if item.opcode == Op.CONTROL_BARRIER:
            semantics = self._code.constants.get(item.operands[2])
            if not isinstance(semantics, int):
                self.are_known = False
            elif is_group_barrier(self._code, item) and semantics & _WORKGROUP_MEMORY:
                self.barriers[label].append(index)
        elif item.opcode in (Op.STORE, *ATOMIC_WRITES) and self._is_local(item.operands[0]):
            self.writers[label].append((index, item))
        elif _may_change(self._model, self._kernel, item, frozenset()):
            self.are_known = False

    def _is_local(self, pointer: int) -> bool:
        kind = self._code.type_of.get(pointer)
        return kind is not None and kind.storage == Storage.WORKGROUP

    def outside_of_quiet_loops(self, moment: Moment) -> Moment:
        """``moment``; where it is in a loop in which nothing writes to local memory, or waits, the
        begin of that. Raises NeedsIteration where that takes an iteration that is not known."""
        block, iterations = moment.visit.block, moment.visit.iterations
        for depth, header in enumerate(self.flow.loops_around(block)):
            if header in self._quiet:
                return Moment(Visit(header, (*iterations[:depth], 0)), 0)
            if iterations[depth] is None:
                raise NeedsIteration(header)
        return moment

    def before(self, moment: Moment, last: LastIteration) -> Moment | None:
        """The border that a work-item came past last in front of ``moment``, which is outside of
        quiet loops; None where it may be one of several. Raises UnknownValue."""
        here = self.last_barrier(moment.visit, moment.index)
        found: set[Moment] = set() if here is None else {here}
        waiting: list[tuple[Visit, int | None]] = [] if found else [(moment.visit, None)]
        seen = set(waiting)
        while waiting:
            visit, following = waiting.pop()
            if visit == self.begin.visit:
                found.add(self.begin)
            for each in self._ways_to(visit, following, last):
                border = self.last_barrier(each, None)
                state = each, visit.block if self._parts_ways(each.block) else None
                if border is not None:
                    found.add(border)
                elif state not in seen:
                    seen.add(state)
                    waiting.append(state)
        return found.pop() if len(found) == 1 else None

    def last_barrier(self, visit: Visit, before: int | None) -> Moment | None:
        """The last barrier of a block, in front of item ``before``; None where it has none."""
        indices = [each for each in self.barriers[visit.block] if before is None or each < before]
        return Moment(visit, indices[-1]) if indices else None

    def _parts_ways(self, block: int) -> bool:
        """Whether ways that have met may part again at the end of ``block``."""
        jump = self._kernel.blocks[block].terminator
        return jump is not None and jump.opcode == Op.SWITCH

    def _leads_on(self, before: int | None, block: int, following: int | None) -> bool:
        """Whether a work-item that comes to ``block`` from ``before`` may go on to ``following``;
        None: any of them."""
        if before is None or following is None:
            return True
        made = self._model.made(self._kernel)
        return before in ways_on(self._code, self.flow, made, block, following)

    def _ways_to(self, visit: Visit, following: int | None, last: LastIteration) -> list[Visit]:
        """The blocks that a work-item may have come from that goes on to ``following``, in the
        iterations that they were in."""
        flow, block, iterations = self.flow, visit.block, visit.iterations
        found = []
        loop = flow.loops.get(block)
        for each in flow.before[block]:
            if each not in flow.dominator or not self._leads_on(each, block, following):
                continue  # it is never reached, or leads elsewhere
            around = iterations
            if loop is not None:
                number = iterations[-1]
                if number is not None and (each in loop.blocks) == (number == 0):
                    continue
                if number is not None and number > 0:
                    around = (*iterations[:-1], number - 1)
            shared, left = flow.passage(each, block)
            there = around[:shared]
            for header in left:
                has_barrier = any(self.barriers[label] for label in flow.loops[header].blocks)
                there = (*there, last(header, there) if has_barrier else None)
            found.append(Visit(each, there))
        return found

    def writers_after(self, border: Moment, end_of_loop: EndOfLoop) -> list[Writer] | None:
        """What may be executed after ``border`` and before another barrier; None where that has a
        loop which goes round between the two, so that it takes the iterations of a work-item."""
        found: list[Writer] = []
        entered: dict[tuple[int, Iterations], int | None] = {}
        waiting: list[tuple[Moment, int | None]] = [(border, None)]
        seen, passed = set(waiting), set[Moment]()
        while waiting:
            moment, before = waiting.pop()
            block = moment.visit.block
            end = self.next_barrier(block, moment.index)
            if moment not in passed:
                passed.add(moment)
                found += self.writers_in(moment.visit, moment.index, end)
            if end is not None:
                continue
            for each in self._following(moment.visit, end_of_loop):
                if not self._leads_on(before, block, each):
                    continue
                for visit in self._through_quiet_loops(self.after(moment.visit, each), block):
                    key = visit.block, visit.iterations[:-1]
                    if visit.block in self.flow.loops:
                        number = visit.iterations[-1]
                        if entered.setdefault(key, number) != number:
                            last = end_of_loop(*key)
                            if last is None or number is None or number > last:
                                return None
                    is_next = visit.block == each and self._parts_ways(each)
                    following = Moment(visit, -1), block if is_next else None
                    if following not in seen:
                        seen.add(following)
                        waiting.append(following)
        return found

    def _following(self, visit: Visit, end_of_loop: EndOfLoop) -> Sequence[int]:
        """The blocks that lanes may go on to; from the first one of a loop, in the iteration that
        they are in."""
        block, following = visit.block, self.flow.after[visit.block]
        loop = self.flow.loops.get(block)
        number = visit.iterations[-1] if loop is not None else None
        if loop is None or number is None or loop.blocks.issuperset(following):
            return following
        last = end_of_loop(block, visit.iterations[:-1])
        if last is None:
            return following
        return [each for each in following if (each in loop.blocks) == (number < last)]

    def writing_after(self, border: Moment) -> Iterator[Instruction]:
        """The instructions that may write to local memory after ``border`` and before another
        barrier."""
        waiting: list[tuple[int, int, int | None]] = [(border.visit.block, border.index, None)]
        seen = set(waiting)
        while waiting:
            block, index, before = waiting.pop()
            end = self.next_barrier(block, index)
            for number, item in self.writers[block]:
                if number > index and (end is None or number < end):
                    yield item
            if end is None:
                following = {
                    (each, -1, block if self._parts_ways(each) else None)
                    for each in self.flow.after[block]
                    if self._leads_on(before, block, each)
                } - seen
                seen |= following
                waiting += following

    def after(self, visit: Visit, block: int) -> Visit:
        """The visit of ``block`` that a jump from ``visit`` leads to."""
        return Visit(block, iterations_after(self.flow, visit.block, block, visit.iterations))

    def _through_quiet_loops(self, visit: Visit, before: int) -> list[Visit]:
        """``visit``, which comes after the block ``before``; where it begins a quiet loop, what
        comes after that."""
        block = visit.block
        if block not in self._quiet or before in self.flow.loops[block].blocks:
            return [visit]
        return [
            following
            for leaving, outside in self._exits(block)
            for following in self._through_quiet_loops(
                self.after(self._inside(leaving, visit), outside), leaving
            )
        ]

    def after_quiet_loop(self, visit: Visit) -> Visit | None:
        """What comes after the quiet loop that begins with ``visit``; None where it begins none, or
        may be left to several blocks."""
        if visit.block not in self._quiet:
            return None
        exits = self._exits(visit.block)
        if len({outside for _, outside in exits}) != 1:
            return None
        leaving, outside = exits[0]
        return self.after(self._inside(leaving, visit), outside)

    def _exits(self, header: int) -> list[tuple[int, int]]:
        """The jumps out of a loop: from which block to which."""
        inside = self.flow.loops[header].blocks
        return [
            (label, each)
            for label in self.flow.order
            if label in inside
            for each in self.flow.after[label]
            if each not in inside
        ]

    def _inside(self, block: int, begin: Visit) -> Visit:
        """``block`` of the loop that begins with ``begin``, in iterations that do not matter."""
        depth = len(self.flow.loops_around(block))
        around = begin.iterations[:-1]
        return Visit(block, (*around, *(None for _ in range(depth - len(around)))))

    def next_barrier(self, block: int, index: int) -> int | None:
        """The number of the first barrier of ``block`` after item ``index``."""
        return next((each for each in self.barriers[block] if each > index), None)

    def writers_in(self, visit: Visit, index: int, end: int | None) -> list[Writer]:
        """Those of a block after item ``index`` and in front of item ``end``."""
        return [
            Writer(visit, number, item)
            for number, item in self.writers[visit.block]
            if number > index and (end is None or number < end)
        ]

    @cached_property
    def are_uniform(self) -> bool:
        """Whether the code shows that all work-items of a group come to the same barriers."""
        conditions = []
        for label in self.flow.order:
            jump = self._kernel.blocks[label].terminator
            decides = len(set(self.flow.after[label])) > 1 and jump is not None
            if decides and any(self.barriers[each] for each in self._decided_by(label)):
                assert jump is not None
                conditions.append(jump.operands[0])
        return self._are_uniform(conditions)

    def _decided_by(self, label: int) -> set[int]:
        """The blocks that lanes may come to after ``label`` before all its ways meet again."""
        meeting = max(
            self._passed_after[label] - {label},
            key=lambda each: len(self._passed_after[each]),
            default=None,
        )
        waiting = list(self.flow.after[label])
        found: set[int] = set()
        while waiting:
            each = waiting.pop()
            if each != meeting and each not in found:
                found.add(each)
                waiting += self.flow.after[each]
        return found

    @cached_property
    def _passed_after(self) -> dict[int, set[int]]:
        """By block, those that every way from it to the function's end goes through."""
        order = self.flow.order
        found = {label: set(order) for label in order}
        changed = True
        while changed:
            changed = False
            for label in reversed(order):
                after = [found[each] for each in self.flow.after[label]]
                passed = {label} | (set.intersection(*after) if after else set())
                if passed != found[label]:
                    found[label], changed = passed, True
        return found

    def ends_alike(self, header: int) -> bool:
        """Whether all work-items of a group that are in the same iterations of the loops around the
        loop of ``header`` leave it in the same one, if its first block ends it."""
        jump = self._kernel.blocks[header].terminator
        around = frozenset(self.flow.loops_around(header))
        is_end = not self.flow.loops[header].blocks.issuperset(self.flow.after[header])
        return is_end and jump is not None and self._are_uniform(jump.operands[:1], around)

    def _are_uniform(self, results: Sequence[int], inside: frozenset[int] = frozenset()) -> bool:
        """Whether ``results`` are the same for all work-items of a group, in the same iteration of
        loops; used in those of the headers ``inside``."""
        made = self._model.made(self._kernel)
        waiting, seen = list(results), set(results)

        def add(operands: list[int]) -> None:
            for each in operands:
                if each not in seen:
                    seen.add(each)
                    waiting.append(each)

        while waiting:
            label, item = made.get(waiting.pop(), (0, None))
            if item is None:
                continue  # a constant or an argument
            if item.opcode == Op.LOAD:
                if self._code.built_ins.get(item.operands[0]) not in _SAME_FOR_ALL:
                    return False
            elif item.opcode == Op.PHI:
                loop = self.flow.loops.get(label)
                if loop is None:
                    return False
                add(list(item.operands[0::2]))
                for leaving, _ in self._exits(label) if label not in inside else ():
                    jump = self._kernel.blocks[leaving].terminator
                    if jump is not None:
                        add([jump.operands[0]])
            elif item.opcode == Op.SELECT:
                add(list(item.operands[:3]))
            else:
                pure = self._model.computation(item)
                if pure is None:
                    return False
                add(list(pure.operands))
        return True
