"""Values of all lanes of a thread at once, where they do not depend on the way that a lane took.

What is the same for all lanes is computed once, all else lane by lane, but each instruction is
looked up once. In loops all lanes are in one iteration, whose number the caller gives. Whatever
takes more (loops in loops, memory that is written, calls) is left to
:mod:`zedbg.spirv.work_item.evaluation`, which gives the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Protocol

from zedbg.spirv.analysis.choices import Choice, Chosen, NotChosen, chosen
from zedbg.spirv.analysis.inductions import Induction
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import NotReached
from zedbg.spirv.group.carried import CarriedValues
from zedbg.spirv.group.columns import Column, Columns, LaneValue, computed
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import BuiltIn, Op, Storage
from zedbg.spirv.module.types import Kind, Type, Value
from zedbg.spirv.numbers.arithmetic import UnknownValue, whole
from zedbg.spirv.numbers.computations import Place, known, parts_of
from zedbg.spirv.numbers.device_maths import is_left_to_device
from zedbg.spirv.work_item.activation import MOST_STEPS
from zedbg.spirv.work_item.loop_code import loop_code
from zedbg.spirv.work_item.memory_pages import PageReader, Pages
from zedbg.spirv.work_item.unwritten_memory import may_overlap, roots_in_kernel

_LONGEST = 400  # instructions
_MOST_KEPT = 8_192  # threads
_THREE = (
    BuiltIn.WORKGROUP_SIZE,
    BuiltIn.WORKGROUP_ID,
    BuiltIn.LOCAL_INVOCATION_ID,
    BuiltIn.GLOBAL_INVOCATION_ID,
    BuiltIn.GLOBAL_SIZE,
    BuiltIn.ENQUEUED_WORKGROUP_SIZE,
)
_OF_EACH_LANE = (BuiltIn.LOCAL_INVOCATION_ID, BuiltIn.GLOBAL_INVOCATION_ID)
_SHARED = (Storage.CROSS_WORKGROUP, Storage.UNIFORM_CONSTANT, Storage.WORKGROUP)
_LOADED_FROM = (Storage.CROSS_WORKGROUP, Storage.UNIFORM_CONSTANT, Storage.GENERIC)


class Lanes(PageReader, Protocol):
    """What is known of the work-items of a thread. Each raises UnknownValue."""

    def argument(self, index: int, size: int) -> bytes:
        """The bytes that the host passed for a kernel's parameter."""

    def built_in(self, which: int) -> tuple[int, int, int] | list[tuple[int, int, int]]:
        """A :class:`BuiltIn`: one for all lanes, or one of each."""

    def identity(self, arguments: Sequence[int]) -> object | None:
        """What is equal only for work-items with the same ids, sizes and ``arguments``, at any
        stop; None where that is not known."""

    def may_share_memory(self, address: int, other: int) -> bool:
        """Whether both may lie in the same memory that the host allocated."""


#: Makes a column of those of earlier steps.
Step = Callable[[Lanes, Sequence[int], Columns], Column]


@dataclass(frozen=True, eq=False)
class Program:
    """``steps`` are those of all programs of one function; this one takes those with the numbers
    ``needed``, in their order. ``is_in_loop``: the caller has to give the iterations of the loops
    that lanes are in, as the columns :meth:`Programs.iteration`. ``fixed``: those of the steps
    which ask for ``arguments`` and ids, or compute from these alone, whatever the iteration;
    ``kept``: their columns, of all programs of the function, by work-items and lanes."""

    steps: list[Step]
    needed: tuple[int, ...]
    is_in_loop: bool
    fixed: tuple[int, ...]
    arguments: tuple[int, ...]
    kept: dict[object, Columns]


class NotAtOnce(Exception):
    """A value takes more than this."""


def run(program: Program, items: Lanes, lanes: Sequence[int], known: Columns) -> Column:
    """The column of the last step, of ``lanes``. ``known``: what programs with the same steps have
    computed of these lanes; what this one computes is added. Raises NotAtOnce."""
    if program.fixed and program.fixed[-1] not in known:
        _add_fixed(program, items, lanes, known)
    for number in program.needed:
        if number not in known:
            known[number] = program.steps[number](items, lanes, known)
    return known[program.needed[-1]]


def _add_fixed(program: Program, items: Lanes, lanes: Sequence[int], known: Columns) -> None:
    """Adds the columns of the steps that give the same at each stop of the same work-items."""
    identity = items.identity(program.arguments)
    if identity is None:
        return
    key = identity, tuple(lanes)
    kept = program.kept.get(key)
    if kept is None:
        if len(program.kept) >= _MOST_KEPT:
            program.kept.clear()
        kept = program.kept[key] = {}
    known.update(kept)
    for number in program.fixed:
        if number not in kept:
            if number not in known:
                known[number] = program.steps[number](items, lanes, known)
            if known[number].is_known:
                kept[number] = known[number]


class Programs:
    """Those of one function. What several need is made, and computed, once."""

    def __init__(
        self,
        model: Model,
        path: Sequence[tuple[Function, Instruction]],
        function: Function,
        around: Sequence[int] = (),
    ) -> None:
        """``path``: the calls that lead to ``function`` from the kernel, the outermost first: their
        caller, and the instruction. ``around``: the loops that lanes are in there."""
        self._model = model
        self._code = model.code
        self._functions = [*(each for each, _ in path), function]
        self._made_in = [model.made(each) for each in self._functions]
        self._flows = [model.flow(each) for each in self._functions]
        self._calls = [call for _, call in path]
        self._around = [
            *(
                model.flow(each).loops_around(model.made(each)[call.result][0])
                for each, call in path
            ),
            tuple(around),
        ]
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._iterations: dict[int, int] = {}
        self._carried: list[CarriedValues] = []
        self._carried_steps: dict[tuple[CarriedValues, int], int] = {}
        self._steps: list[Step] = []
        self._kept: dict[object, Columns] = {}
        self._needed: list[int] = []  # by each step: a set bit for it, and for each that it needs
        self._ids = 0  # set bits: the steps that ask for what differs between lanes
        self._arguments: dict[int, int] = {}  # the index of that which a step asks for
        self._moving = 0  # set bits: those of iterations and of what memory has now
        self._staying: dict[tuple[tuple[int, int], ...], int] = {}  # by the pairs that they compare
        self._begin = 0  # the first step of the program that is being made

    def of(self, result: int, first: int = 0) -> Program | None:
        """What computes ``result`` of the function; None where that takes more. ``first``: the loop
        that lanes are in the first iteration of."""
        self._begin = len(self._steps)
        try:
            last = self._step(len(self._calls), result, first)
        except (NotAtOnce, NotChosen, UnknownValue):
            return None
        needed = self._needed[last]
        is_counted = any(needed >> each & 1 for each in self._iterations.values())
        in_order, fixed = _places_of_bits(needed), tuple[int, ...]()
        if needed & self._ids:  # what is the same in all lanes is computed faster than found
            moving = needed & self._moving
            fixed = _places_of_bits(needed & ~moving) if moving else in_order
        arguments = tuple([self._arguments[each] for each in fixed if each in self._arguments])
        return Program(self._steps, in_order, is_counted, fixed, arguments, self._kept)

    def iteration(self, header: int) -> int:
        """The number of the column with the iteration of a loop that lanes are in."""
        if header not in self._iterations:
            self._iterations[header] = self._add_moving(_not_given)
        return self._iterations[header]

    def _step(self, depth: int, result: int, first: int = 0) -> int:
        """The number of the step that makes ``result`` of the function ``depth`` calls deep. Raises
        NotAtOnce, NotChosen."""
        key = depth, result, first
        if key not in self._numbers:
            self._numbers[key] = _ASKED
            self._numbers[key] = self._made(depth, result, first)
        if self._numbers[key] == _ASKED or len(self._steps) - self._begin > _LONGEST:
            raise NotAtOnce
        return self._numbers[key]

    def _add(self, make: Step, inputs: Sequence[int] = ()) -> int:
        number = len(self._steps)
        self._steps.append(make)
        needed = 1 << number
        for each in inputs:
            needed |= self._needed[each]
        self._needed.append(needed)
        if needed & self._moving:
            self._moving |= 1 << number
        return number

    def _add_moving(self, make: Step, inputs: Sequence[int] = ()) -> int:
        number = self._add(make, inputs)
        self._moving |= 1 << number
        return number

    def _made(self, depth: int, result: int, first: int) -> int:
        constant = self._code.constants.get(result)
        if constant is not None:
            return self._uniform(constant)
        if result in self._code.storage:
            return self._uniform(Place(result))
        function = self._functions[depth]
        made = self._made_in[depth].get(result)
        if made is None:
            if result not in function.parameters:
                raise NotAtOnce
            index = function.parameters.index(result)
            if depth:
                operands = self._calls[depth - 1].operands[1:]
                return self._step(depth - 1, operands[index])
            return self._argument(index, self._code.type_of[result])
        label, item = made
        flow, around = self._flows[depth], self._around[depth]
        own = flow.loops_around(label)
        if own != around[: len(own)]:
            raise NotAtOnce  # it is what the last iteration of another loop left
        if first and first not in own:
            first = 0
        is_header = item.opcode == Op.PHI and label in flow.loops
        if own and not first and not is_header:
            following = self._following(depth, result, own[-1])
            if following is not None:
                return following
        if item.opcode == Op.PHI:
            if is_header:
                return self._of_loop(depth, item, label, first)
            return self._chosen(depth, chosen(flow, item, label), first)
        if item.opcode == Op.LOAD:
            return self._loaded(depth, item, first)
        if item.opcode == Op.SELECT:
            return self._selected(*(self._step(depth, each, first) for each in item.operands[:3]))
        pure = self._model.computation(item)
        if is_left_to_device(self._code, item):
            raise NotAtOnce  # it may be in a register
        if pure is None or not (pure.of_addresses or self._are_numbers(pure.operands)):
            raise NotAtOnce
        numbers = [self._step(depth, each, first) for each in pure.operands]
        return self._computed(pure.compute, numbers)

    def _chosen(self, depth: int, what: Chosen, first: int) -> int:
        """What has one of several values, by the jumps on the way."""
        if what is None:
            nowhere = Column([NotReached()], True, False)
            return self._add(lambda items, lanes, columns: nowhere)
        if not isinstance(what, Choice):
            return self._step(depth, what, first)
        condition = self._step(depth, what.condition, first)
        yes, no = (self._chosen(depth, each, first) for each in (what.yes, what.no))
        return self._selected(condition, yes, no)

    def _of_loop(self, depth: int, item: Instruction, label: int, first: int) -> int:
        """An OpPhi of the first block of a loop: its first value, or what iterations made of it."""
        function = self._functions[depth]
        flow = self._model.flow(function)
        loop = flow.loops[label]
        ways = dict(zip(item.operands[1::2], item.operands[0::2], strict=True))
        entering = [each for each in ways if each not in loop.blocks]
        if not flow.is_structured or len(entering) != 1:
            raise NotAtOnce
        begin = ways[entering[0]]
        if first == label or set(ways.values()) <= {begin, item.result}:
            return self._step(depth, begin)
        if any(self._around[:-1]) or depth < len(self._calls):
            raise NotAtOnce  # in a loop that calls
        iteration = self.iteration(label)
        induction = self._model.inductions(function, loop).get(item.result)
        if induction is not None:
            numbers = (self._step(depth, begin), iteration)
            return self._computed(_stepped(induction), list(numbers))
        return self._carried_phi(depth, loop, item.result, 0)

    def _following(self, depth: int, result: int, header: int) -> int | None:
        """The step that makes ``result``, where the loop at ``header`` carries it to its next
        iteration: it is an OpPhi there. None where it does not."""
        flow = self._model.flow(self._functions[depth])
        loop = flow.loops[header]
        if len(loop.latches) != 1 or depth < len(self._calls) or any(self._around[:-1]):
            return None
        (latch,) = loop.latches
        made = self._model.made(self._functions[depth])
        inductions = self._model.inductions(self._functions[depth], loop)
        for phi, (label, item) in made.items():
            if label != header or item.opcode != Op.PHI or phi in inductions:
                continue
            ways = dict(zip(item.operands[1::2], item.operands[0::2], strict=True))
            if ways.get(latch) == result and len(ways) == 2 and flow.is_structured:
                try:
                    return self._carried_phi(depth, loop, phi, 1)
                except (NotAtOnce, NotChosen):
                    return None
        return None

    def _carried_phi(self, depth: int, loop: Loop, phi: int, ahead: int) -> int:
        """The step that makes an OpPhi of the iteration ``ahead`` of the one that lanes are in."""
        for carried in self._carried:
            if phi in carried.code.phis:
                break
        else:
            code = loop_code(self._model, self._functions[depth], loop, phi)
            if code is None or code.local_loads:
                raise NotAtOnce
            carried = CarriedValues(code)
            self._carried.append(carried)
        key = carried, ahead
        if key not in self._carried_steps:
            self._carried_steps[key] = self._carried_step(depth, carried, loop, ahead)
        return self._part(self._carried_steps[key], carried.code.phis.index(phi))

    def _carried_step(self, depth: int, carried: CarriedValues, loop: Loop, ahead: int) -> int:
        """All values that a loop carries together, as one composite."""
        made, code = self._model.made(self._functions[depth]), carried.code
        begins = []
        for phi in code.phis:
            operands = made[phi][1].operands
            ways = zip(operands[1::2], operands[0::2], strict=True)
            begins += [value for block, value in ways if block not in loop.blocks]
        numbers = [self._step(depth, each) for each in (*begins, *code.inputs)]
        iteration = self.iteration(loop.header)
        most = (MOST_STEPS - len(made)) // code.size - 2
        stays = [self._stays(depth, each) for each in code.pointers]

        def make(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
            number = columns[iteration].values[0]
            needed = [columns[each] for each in numbers]
            if not isinstance(number, int) or number > most:
                raise NotAtOnce  # or it would be refused for one lane
            is_uniform = all(each.is_uniform for each in needed)
            count = 1 if is_uniform else len(lanes)
            try:
                rows = carried.at(number + ahead, needed, count, items)
            except UnknownValue as error:
                raise NotAtOnce from error
            return Column(list(rows), is_uniform, True)

        return self._add(make, (*numbers, iteration, *stays))

    def _part(self, number: int, index: int) -> int:
        def make(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
            rows = columns[number]
            return Column([row[index] for row in rows.values], rows.is_uniform, True)  # type: ignore[index]

        return self._add(make, (number,))

    def _are_numbers(self, operands: Sequence[int]) -> bool:
        kinds = self._code.type_of
        return all(each in kinds and kinds[each].kind is not Kind.POINTER for each in operands)

    def _uniform(self, value: Value | Place) -> int:
        column = Column([value], True, True)
        return self._add(lambda items, lanes, columns: column)

    def _argument(self, index: int, kind: Type) -> int:
        is_private = kind.kind is Kind.POINTER and kind.storage not in _SHARED
        if not kind.size or is_private:
            raise NotAtOnce

        def make(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
            try:
                return Column([kind.decode(items.argument(index, kind.size))], True, True)
            except UnknownValue as error:
                return Column([error], True, False)

        number = self._add(make)
        self._arguments[number] = index
        return number

    def _loaded(self, depth: int, item: Instruction, first: int) -> int:
        """A load of an id or size of the work-item, or of global memory."""
        pointer = item.operands[0]
        which, kind = self._code.built_ins.get(pointer), self._code.type_of[item.result]
        if which is None:
            return self._loaded_from_memory(depth, pointer, kind, first)
        if which not in _THREE or kind.kind is not Kind.VECTOR or kind.count != 3:
            raise NotAtOnce

        def make(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
            try:
                found = items.built_in(which)
            except UnknownValue as error:
                return Column([error], True, False)
            if isinstance(found, tuple):
                return Column([found], True, True)
            return Column([found[lane] for lane in lanes], False, True)

        number = self._add(make)
        if which in _OF_EACH_LANE:
            self._ids |= 1 << number
        return number

    def _loaded_from_memory(self, depth: int, pointer: int, kind: Type, first: int) -> int:
        if self._code.type_of[pointer].storage not in _LOADED_FROM or not kind.size:
            raise NotAtOnce
        stays, number = self._stays(depth, pointer), self._step(depth, pointer, first)

        def make(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
            addresses, pages = columns[number], Pages(items, {})
            if addresses.classes != {int}:
                raise NotAtOnce
            try:
                values = [pages.load(whole(each), kind) for each in addresses.values]  # type: ignore[arg-type]
            except UnknownValue as error:
                raise NotAtOnce from error  # it may be in a register
            return Column(list(values), addresses.is_uniform, True)

        return self._add_moving(make, (stays, number))

    def _stays(self, depth: int, pointer: int) -> int:
        """The step that raises NotAtOnce where the kernel may have written to what ``pointer``
        points to. Raises NotAtOnce where that may always be."""
        if self._code.type_of[pointer].storage == Storage.UNIFORM_CONSTANT:
            return self._uniform(1)
        kernel = self._functions[0]
        try:
            roots = roots_in_kernel(self._model, self._functions, self._calls, depth, pointer)
            pairs = tuple(may_overlap(self._model, kernel, roots))
        except UnknownValue as error:
            raise NotAtOnce from error
        if pairs in self._staying:
            return self._staying[pairs]
        arguments = {
            index: self._step(0, kernel.parameters[index]) for pair in pairs for index in pair
        }

        def make(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
            for pair in pairs:
                one, other = (columns[arguments[index]].values[0] for index in pair)
                if not (isinstance(one, int) and isinstance(other, int)) or one == other:
                    raise NotAtOnce
                if items.may_share_memory(one, other):
                    raise NotAtOnce
            return Column([1], True, True)

        self._staying[pairs] = number = self._add_moving(make, tuple(arguments.values()))
        return number

    def _selected(self, condition: int, yes: int, no: int) -> int:
        def one(which: LaneValue, some: LaneValue, other: LaneValue) -> Value | Place:
            if isinstance(which, UnknownValue):
                raise which
            if isinstance(which, tuple):
                parts = zip(which, _parts(some), _parts(other), strict=True)
                return tuple(a if whole(c) else b for c, a, b in parts)
            chosen = some if whole(which) else other  # type: ignore[arg-type]
            if isinstance(chosen, UnknownValue):
                raise chosen
            return chosen

        def make(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
            which = columns[condition]
            if which.is_uniform and isinstance(which.values[0], int):
                return columns[yes if which.values[0] else no]
            return computed(one, [which, columns[yes], columns[no]], len(lanes))

        return self._add(make, (condition, yes, no))

    def _computed(self, compute: Callable[..., Value | Place], numbers: list[int]) -> int:
        def one(*values: LaneValue) -> Value | Place:
            for value in values:
                if isinstance(value, UnknownValue):
                    raise value
            return compute(*values)

        def make(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
            needed = [columns[each] for each in numbers]
            return computed(
                compute if all(each.is_known for each in needed) else one, needed, len(lanes)
            )

        return self._add(make, numbers)


_ASKED = -1
_AS_TRUTH = bytes.maketrans(b"0", b"\0")  # bytes that are true for digits that are 1


def _not_given(items: Lanes, lanes: Sequence[int], columns: Columns) -> Column:
    raise NotAtOnce


def _places_of_bits(number: int) -> tuple[int, ...]:
    """Where the set bits of ``number`` are, the lowest first."""
    bits = f"{number:b}".encode()[::-1].translate(_AS_TRUTH)
    return tuple(compress(range(len(bits)), bits))


def _stepped(induction: Induction) -> Callable[..., Value]:
    """What makes an induction of its first value and the number of the iteration."""
    step, mask = induction.step, (1 << induction.bits) - 1
    return lambda begin, number: (whole(known(begin)) + number * step) & mask


def _parts(value: LaneValue) -> tuple[Value, ...]:
    if isinstance(value, UnknownValue):
        raise value
    return parts_of(value)  # type: ignore[arg-type]
