"""Values of one work-item, computed again from what cannot have changed since.

A value is that of an instruction in one iteration of each loop around it. It is computed when it is
asked for: from constants, arguments, ids, and other values. Which of several ways a work-item took
is decided by the conditions of the jumps. What is loaded is loaded again where nothing that the
kernel executes may have written to it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from zedbg.spirv.arithmetic import UnknownValue, whole
from zedbg.spirv.code import Function, Instruction
from zedbg.spirv.computations import Place, known, parts_of
from zedbg.spirv.flow import Loop
from zedbg.spirv.model import Model
from zedbg.spirv.operations import ATOMICS, BuiltIn, Op, Storage
from zedbg.spirv.private_memory import Iterations, NotReached, Visit, Way, WrittenBytes
from zedbg.spirv.types import Kind, Type, Value

#: What reading parts that are not there, or are of another kind than expected, raises.
DAMAGES = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, struct.error)
_STEPS = 10_000  # instructions that one answer may take
_COPIED = 1 << 16  # bytes
_DEEP = 150  # calls in each other


class NeedsIteration(UnknownValue):
    """The value differs between the iterations of a loop, and which one it is is not known."""

    def __init__(self, header: int) -> None:
        super().__init__("it changes in a loop, and which iteration this is is not known")
        self.header = header


class TooMuch(UnknownValue):
    """So many instructions would have to be computed that nobody should wait for it."""

    def __init__(self) -> None:
        super().__init__("too much would have to be computed for it")


class Held(Protocol):
    """Finds what an instruction gave in a register. None: it is in none."""

    def __call__(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> bytes | None: ...


class WorkItem(Protocol):
    """What is known of a work-item from outside of the code. Each raises UnknownValue."""

    def argument(self, index: int, size: int) -> bytes:
        """The bytes that the host passed for a kernel's parameter."""

    def built_in(self, which: int) -> tuple[int, int, int]:
        """A :class:`BuiltIn` of three components."""

    def load(self, address: int, size: int) -> bytes:
        """Bytes of global memory."""


@dataclass
class Activation:
    """One call of a function. ``arguments`` gives its parameters when they are asked for."""

    function: Function
    arguments: Sequence[Callable[[], Value]]
    roots: Sequence[frozenset[int] | None]  # of the kernel's parameters that each may point into
    depth: int = 0
    values: dict[tuple[int, Iterations], Value] = field(default_factory=dict)
    exits: dict[tuple[int, Iterations], int] = field(default_factory=dict)
    unknown: dict[tuple[int, Iterations], UnknownValue] = field(default_factory=dict)
    way: Way | None = None  # from its beginning
    written: dict[int, WrittenBytes] = field(default_factory=dict)  # to its variables


class Evaluation:
    """Computes values of one work-item of a launch of ``kernel``. ``is_called``: that is a function
    which a kernel calls, whose arguments are not known."""

    def __init__(
        self, model: Model, kernel: Function, item: WorkItem, is_called: bool = False
    ) -> None:
        self._model = model
        self._code = model.code
        self._kernel = kernel
        self._item = item
        self._steps = 0
        #: Gives what a load, or an atomic operation, gave in its latest execution, where a register
        #: still has that; the block and the iterations of the loops around it are given too.
        self.held: Held | None = None
        count = len(kernel.parameters)
        self.outermost = Activation(
            kernel,
            [_passed if is_called else partial(self._argument, i) for i in range(count)],
            [None if is_called else frozenset({index}) for index in range(count)],
        )

    def value(
        self, call: Activation, result: int, block: int, iterations: Iterations
    ) -> Value | Place:
        """What ``result`` is where it is used in ``block``. Raises UnknownValue, TooMuch of them
        where that would take long."""
        self._steps = 0
        try:
            return self._value(call, result, block, iterations)
        except RecursionError as error:
            raise TooMuch from error
        except DAMAGES as error:
            raise UnknownValue("the module's SPIR-V is damaged") from error

    def activation(
        self, call: Activation, instruction: Instruction, block: int, iterations: Iterations
    ) -> Activation:
        """The call that the OpFunctionCall ``instruction`` of ``block`` makes. Raises UnknownValue
        for a function without a body."""
        callee = self._code.functions.get(instruction.operands[0])
        if callee is None:
            raise UnknownValue("it is returned by a function that is not in the module")
        if call.depth >= _DEEP:
            raise UnknownValue("too many calls are in each other")
        operands = list(instruction.operands[1:])

        def reader(operand: int) -> Callable[[], Value]:
            return lambda: self._value(call, operand, block, iterations)  # type: ignore[return-value]

        roots = [self._roots(call, each) for each in operands]
        return Activation(callee, [reader(each) for each in operands], roots, call.depth + 1)

    def last_iteration(self, call: Activation, header: int, outer: Iterations) -> int:
        """The iteration in which a work-item leaves the loop of ``header``. Raises UnknownValue,
        TooMuch of them where that would take long."""
        self._steps = 0
        try:
            return self._last_iteration(call, header, outer)
        except RecursionError as error:
            raise TooMuch from error
        except DAMAGES as error:
            raise UnknownValue("the module's SPIR-V is damaged") from error

    def passes(self, call: Activation, block: int, header: int, iterations: Iterations) -> bool:
        """Whether a work-item comes to ``block`` in an iteration of the loop of ``header``, the
        last one of ``iterations``. Raises UnknownValue, TooMuch of them where that would take
        long."""
        self._steps = 0
        try:
            if self._is_always_passed(call, block, header, iterations):
                return True
            for at, following, _ in self._walk(call, header, iterations):
                if block in (at, following):
                    return True
                if following == header or following not in self._loop(call, header).blocks:
                    return False
        except RecursionError as error:
            raise TooMuch from error
        except DAMAGES as error:
            raise UnknownValue("the module's SPIR-V is damaged") from error
        return False

    def _is_always_passed(
        self, call: Activation, block: int, header: int, iterations: Iterations
    ) -> bool:
        """Whether each iteration that goes on comes to ``block``, and this one does go on."""
        flow, loop, number = (
            self._model.flow(call.function),
            self._loop(call, header),
            iterations[-1],
        )
        if number is None or not all(flow.dominates(block, each) for each in loop.latches):
            return False
        return number < self._last_iteration(call, header, iterations[:-1])

    def _loop(self, call: Activation, header: int) -> Loop:
        return self._model.flow(call.function).loops[header]

    def next_block(self, call: Activation, block: int, iterations: Iterations) -> int | None:
        """The block that a work-item goes to from ``block``; None where the function ends. Raises
        UnknownValue."""
        jump = call.function.blocks[block].terminator
        if jump is None:
            return None
        operands = jump.operands
        match jump.opcode:
            case Op.BRANCH:
                return operands[0]
            case Op.BRANCH_CONDITIONAL:
                if operands[1] == operands[2]:
                    return operands[1]
                condition = whole(known(self._value(call, operands[0], block, iterations)))
                return operands[1] if condition else operands[2]
            case Op.SWITCH:
                number = whole(known(self._value(call, operands[0], block, iterations)))
                if self._code.type_of[operands[0]].bits > 32:
                    raise UnknownValue("a choice between long numbers is not computed")
                cases = dict(zip(operands[2::2], operands[3::2], strict=True))
                return cases.get(number, operands[1])
        return None

    # --- what is given -------------------------------------------------------------------------

    def _argument(self, index: int) -> Value:
        kind = self._code.type_of.get(self._kernel.parameters[index])
        if kind is None or not kind.size:
            raise UnknownValue("the type of the argument is not known")
        if kind.kind is Kind.POINTER and kind.storage != Storage.CROSS_WORKGROUP:
            if kind.storage == Storage.FUNCTION:
                raise UnknownValue("a structure by value is not computed")
            if kind.storage != Storage.UNIFORM_CONSTANT:
                raise UnknownValue("local memory has no address in the source")
        return kind.decode(self._item.argument(index, kind.size))

    def _roots(self, call: Activation, pointer: int) -> frozenset[int] | None:
        """The kernel's parameters that ``pointer`` may point into; None: that is not known."""
        found: set[int] = set()
        own = self._model.provenance.roots(call.function, pointer)
        if own is None:
            return None
        for root in own:
            if root not in call.function.parameters:
                continue  # a variable of the program
            theirs = call.roots[call.function.parameters.index(root)]
            if theirs is None:
                return None
            found |= theirs
        return frozenset(found)

    # --- values --------------------------------------------------------------------------------

    def _value(
        self, call: Activation, result: int, block: int, iterations: Iterations
    ) -> Value | Place:
        constant = self._code.constants.get(result)
        if constant is not None:
            return constant
        if result in self._code.storage:
            return Place(result)
        made = self._model.made(call.function).get(result)
        if made is None:
            if result in call.function.parameters:
                return call.arguments[call.function.parameters.index(result)]()
            raise UnknownValue("its value is not said")
        label, instruction = made
        key = result, self._iterations_of(call, label, block, iterations)
        if key in call.values:
            return call.values[key]
        if key in call.unknown:
            raise call.unknown[key]
        self._step()
        try:
            found = self._computed(call, instruction, label, key[1])
        except UnknownValue as error:
            call.unknown[key] = error
            raise
        call.values[key] = found  # type: ignore[assignment]
        return found

    def _step(self) -> None:
        self._steps += 1
        if self._steps > _STEPS:
            raise TooMuch

    def _iterations_of(
        self, call: Activation, label: int, block: int, iterations: Iterations
    ) -> Iterations:
        """The iterations of the loops around ``label`` in which what is used in ``block`` was made:
        the same of loops around both, the last one of others."""
        flow = self._model.flow(call.function)
        around, here = flow.loops_around(label), flow.loops_around(block)
        shared = 0
        while shared < min(len(around), len(here)) and around[shared] == here[shared]:
            shared += 1
        found = iterations[:shared]
        for header in around[shared:]:
            found = (*found, self._last_iteration(call, header, found))
        return found

    def _computed(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> Value | Place:
        kind = self._code.type_of[item.result]
        operands = item.operands

        def of(index: int) -> Value:
            found = self._value(call, operands[index], label, iterations)
            if isinstance(found, Place):
                raise UnknownValue("an address that is not known")
            return found

        pure = self._model.computation(item)
        if pure is not None:
            if pure.of_addresses:
                return pure.compute(
                    *(self._value(call, each, label, iterations) for each in pure.operands)
                )
            return pure.compute(
                *(known(self._value(call, each, label, iterations)) for each in pure.operands)
            )
        match item.opcode:
            case Op.PHI:
                return self._chosen(call, item, label, iterations)
            case Op.VARIABLE:
                return Place(item.result)
            case Op.LOAD:
                try:
                    return self._loaded(call, item, kind, label, iterations)
                except NeedsIteration:
                    raise
                except UnknownValue as error:
                    return self._held(call, item, kind, label, iterations, error)
            case Op.FUNCTION_CALL:
                return self._returned(self.activation(call, item, label, iterations))
            case Op.SELECT:
                return self._selected(of(0), lambda: of(1), lambda: of(2))
        if item.opcode in ATOMICS:
            unknown = UnknownValue("it was given by an atomic operation")
            return self._held(call, item, kind, label, iterations, unknown)
        raise UnknownValue(f"instruction {item.opcode} of the SPIR-V is not computed")

    def _held(
        self,
        call: Activation,
        item: Instruction,
        kind: Type,
        label: int,
        iterations: Iterations,
        error: UnknownValue,
    ) -> Value:
        """What a register has of a load; raises ``error`` where none has."""
        data = None if self.held is None else self.held(call, item, label, iterations)
        if data is None or kind.kind not in (Kind.INTEGER, Kind.FLOAT) or kind.size != len(data):
            raise error
        return kind.decode(data)

    def _selected(
        self, condition: Value, yes: Callable[[], Value], no: Callable[[], Value]
    ) -> Value:
        if isinstance(condition, tuple):
            parts = zip(condition, parts_of(yes()), parts_of(no()), strict=True)
            return tuple(a if whole(c) else b for c, a, b in parts)
        return yes() if whole(condition) else no()

    def _loaded(
        self, call: Activation, item: Instruction, kind: Type, label: int, iterations: Iterations
    ) -> Value:
        pointer = item.operands[0]
        source = self._value(call, pointer, label, iterations)
        if isinstance(source, Place):
            if source.variable not in self._code.storage:
                index = self._model.index(call.function, item)
                return self._of_private(call, source, kind, Visit(label, iterations), index)
            return self._of_variable(source, kind)
        storage = self._code.type_of[pointer].storage
        if not kind.size:
            raise UnknownValue("what is loaded has no size")
        if storage != Storage.UNIFORM_CONSTANT:
            self._must_be_constant(call, pointer)
        return kind.decode(self._item.load(whole(source), kind.size))

    # --- variables in memory -------------------------------------------------------------------

    def bytes_in_memory(
        self, call: Activation, variable: int, size: int, visit: Visit, index: int
    ) -> list[int | None]:
        """The bytes of a function's variable in front of item ``index`` of a block; None of those
        that the work-item has not set. Raises UnknownValue and TooMuch, as :meth:`value`."""
        self._steps = 0
        try:
            return self._bytes_at(call, Place(variable), size, visit, index)
        except RecursionError as error:
            raise TooMuch from error
        except DAMAGES as error:
            raise UnknownValue("the module's SPIR-V is damaged") from error

    def visits_of(self, call: Activation, block: int, most: int) -> list[Visit]:
        """All visits of ``block`` by the work-item in this call. Raises UnknownValue, TooMuch of
        them where these are more than ``most``, or that would take long."""
        self._steps = 0
        found: list[Visit] = []
        try:
            for visit in self._visits(call):
                if visit.block == block:
                    found.append(visit)
                if len(found) > most:
                    raise TooMuch
        except RecursionError as error:
            raise TooMuch from error
        except DAMAGES as error:
            raise UnknownValue("the module's SPIR-V is damaged") from error
        return found

    def _bytes_at(
        self, call: Activation, place: Place, size: int, visit: Visit, index: int
    ) -> list[int | None]:
        flow = self._model.flow(call.function)
        if not flow.is_structured:
            raise UnknownValue("the function jumps into a loop")
        for header, number in zip(flow.loops_around(visit.block), visit.iterations, strict=True):
            if number is None:
                raise NeedsIteration(header)
        if call.way is None:
            call.way = Way(self._visits(call))
        variable = place.variable
        if variable not in call.written:
            call.written[variable] = WrittenBytes(
                call.way,
                self._model.writers(call.function, variable),
                lambda item, at: self._written(call, item, at, variable),
            )
        return call.written[variable].at(visit, index, place.offset, size)

    def _visits(self, call: Activation) -> Iterator[Visit]:
        entry = call.function.entry
        begin: Iterations = (0,) * len(self._model.flow(call.function).loops_around(entry))
        yield Visit(entry, begin)
        for _, block, iterations in self._walk(call, entry, begin):
            yield Visit(block, iterations)

    def _of_private(
        self, call: Activation, place: Place, kind: Type, visit: Visit, index: int
    ) -> Value:
        if place.offset < 0 or not kind.size:
            raise UnknownValue("the program reads outside of a variable")
        return kind.decode(bytes(_each(self._bytes_at(call, place, kind.size, visit, index))))

    def _written(
        self, call: Activation, item: Instruction, at: Visit, variable: int
    ) -> tuple[int, bytes | tuple[UnknownValue, int]] | None:
        """What an instruction writes to ``variable``, and where; see :data:`Written`."""
        self._step()
        if item.opcode in (Op.FUNCTION_CALL, Op.EXT_INST):
            raise UnknownValue("a function may write to it through a pointer")
        target = self._value(call, item.operands[0], at.block, at.iterations)
        if not isinstance(target, Place):
            raise UnknownValue("it is written to through a pointer that is not known")
        if target.variable != variable:
            return None
        if item.opcode != Op.STORE:
            return target.offset, self._copied(call, item, at)
        try:
            value = self._value(call, item.operands[1], at.block, at.iterations)
        except UnknownValue as error:
            return target.offset, (error, self._code.type_of[item.operands[1]].size)
        data = None if isinstance(value, Place) else self._encoded(item.operands[1], value)
        if data is None:
            unknown = UnknownValue("what was written to it is not known")
            return target.offset, (unknown, self._code.type_of[item.operands[1]].size)
        return target.offset, data

    def _encoded(self, result: int, value: Value) -> bytes | None:
        return self._code.type_of[result].encode(value)

    def _copied(self, call: Activation, item: Instruction, at: Visit) -> bytes:
        if item.opcode == Op.COPY_MEMORY_SIZED:
            size = whole(known(self._value(call, item.operands[2], at.block, at.iterations)))
        else:
            size = self._code.type_of[item.operands[0]].members[0].size
        source = self._value(call, item.operands[1], at.block, at.iterations)
        if not isinstance(source, Place) or source.offset < 0 or size > _COPIED:
            raise UnknownValue("what was copied to it is not known")
        if source.variable in self._code.storage:
            initializer = self._code.initializers.get(source.variable)
            whole_type = self._code.type_of[source.variable].members[0]
            constant = self._code.constants.get(initializer or 0)
            data = None if constant is None else whole_type.encode(constant)
            if data is None or len(data) < source.offset + size:
                raise UnknownValue("what was copied to it is not known")
            return data[source.offset : source.offset + size]
        index = self._model.index(call.function, item)
        return bytes(_each(self._bytes_at(call, source, size, at, index)))

    def _must_be_constant(self, call: Activation, pointer: int) -> None:
        """Raises UnknownValue if the kernel may write to what ``pointer`` points to."""
        roots = self._roots(call, pointer)
        written = self._model.provenance.written(self._kernel)
        if roots is None or written is None:
            raise UnknownValue("it is loaded from memory that the kernel may write to")
        if roots & written:
            raise UnknownValue("it is loaded from memory that the kernel writes to")
        bases = [self.outermost.arguments[each]() for each in roots]
        for each in written:
            if self.outermost.arguments[each]() in bases:
                raise UnknownValue("it is loaded from memory that the kernel writes to")

    def _of_variable(self, place: Place, kind: Type) -> Value:
        """What lies in a variable outside of functions."""
        built_in = self._code.built_ins.get(place.variable)
        if built_in is not None:
            if built_in in (BuiltIn.LOCAL_INVOCATION_INDEX, BuiltIn.GLOBAL_LINEAR_ID):
                raise UnknownValue("a linear id is not computed")
            numbers = self._item.built_in(built_in)
            if kind.kind is Kind.VECTOR and kind.count == 3 and not place.offset:
                return numbers
            index, rest = divmod(place.offset, kind.size or 1)
            if not rest and index < len(numbers):
                return numbers[index]
        storage = self._code.storage.get(place.variable)
        initializer = self._code.initializers.get(place.variable)
        if storage == Storage.UNIFORM_CONSTANT and initializer in self._code.constants:
            whole_type = self._code.type_of[place.variable].members[0]
            data = whole_type.encode(self._code.constants[initializer])
            if data is not None and 0 <= place.offset <= len(data) - kind.size:
                return kind.decode(data[place.offset :])
        raise UnknownValue("it is loaded from memory that the kernel may write to")

    # --- ways ----------------------------------------------------------------------------------

    def _chosen(
        self, call: Activation, item: Instruction, label: int, iterations: Iterations
    ) -> Value | Place:
        flow = self._model.flow(call.function)
        if not flow.is_structured:
            raise UnknownValue("the function jumps into a loop")
        ways = dict(zip(item.operands[1::2], item.operands[0::2], strict=True))
        loop = flow.loops.get(label)
        if loop is None:
            came = self._came_from(call, label, iterations, set(ways))
            return self._value(call, ways[came], came, self._at(call, came, label, iterations))
        *outer, current = iterations
        if current is None:
            if len(set(ways.values()) - {item.result}) > 1:
                raise NeedsIteration(label)
            current = 0
        if current == 0:
            entering = {each for each in ways if each not in loop.blocks}
            came = entering.pop() if len(entering) == 1 else 0
            if not came:
                raise UnknownValue("a loop is entered in several ways")
            return self._value(call, ways[came], came, self._at(call, came, label, iterations))
        induction = self._model.inductions(call.function, loop).get(item.result)
        if induction is not None:
            first = self._value(call, item.result, label, (*outer, 0))
            added = current * induction.step
            return (whole(known(first)) + added) & (1 << induction.bits) - 1
        for earlier in range(current - 1):  # so that no computation gets deep
            if (item.result, (*outer, earlier)) not in call.values:
                self._value(call, item.result, label, (*outer, earlier))
        last = (*outer, current - 1)
        latches = [each for each in loop.latches if each in ways]
        came = latches[0] if len(latches) == 1 else self._jumped_back(call, label, last)
        return self._value(call, ways[came], came, self._at(call, came, label, last))

    def _at(self, call: Activation, came: int, label: int, iterations: Iterations) -> Iterations:
        """The iterations of the loops around ``came`` as a work-item leaves it for ``label``."""
        return self._iterations_of(call, came, label, iterations)

    def _came_from(
        self, call: Activation, label: int, iterations: Iterations, ways: set[int]
    ) -> int:
        """Which block a work-item came from to ``label``, where ways meet."""
        flow = self._model.flow(call.function)
        if len(ways) == 1:
            return next(iter(ways))
        around = set(flow.loops_around(label))
        start = flow.dominator[label]
        while not around.issuperset(flow.loops_around(start)):
            start = flow.dominator[start]
        begin = iterations[: len(flow.loops_around(start))]
        for block, following, _ in self._walk(call, start, begin):
            if following == label:
                return block
            if following in flow.loops_around(start):
                break  # the next iteration
        raise NotReached

    def _jumped_back(self, call: Activation, header: int, iterations: Iterations) -> int:
        """The block from which an iteration of a loop ends with a jump to its next one."""
        for block, following, _ in self._walk(call, header, iterations):
            if following == header:
                return block
        raise NotReached

    def _last_iteration(self, call: Activation, header: int, outer: Iterations) -> int:
        """The iteration in which a work-item leaves a loop."""
        key = header, outer
        if key not in call.exits:
            loop = self._loop(call, header)
            leaving = self._always_decided(call, loop)
            iteration = 0
            while leaving:
                there = (*outer, iteration)
                self._step()
                if any(self.next_block(call, each, there) not in loop.blocks for each in leaving):
                    call.exits[key] = iteration
                    return iteration
                iteration += 1
            while True:
                for _, following, _ in self._walk(call, header, (*outer, iteration)):
                    if following == header:
                        break
                    if following not in loop.blocks:
                        call.exits[key] = iteration
                        return iteration
                else:
                    raise UnknownValue("the function ends in a loop")
                iteration += 1
        return call.exits[key]

    def _always_decided(self, call: Activation, loop: Loop) -> list[int]:
        """The blocks from which a work-item may leave a loop, in their order, where each iteration
        that goes on comes to all of them. Empty where that is not so."""
        flow = self._model.flow(call.function)
        leaving = [
            label
            for label in flow.order
            if label in loop.blocks and not loop.blocks.issuperset(flow.after[label])
        ]
        for label in leaving:
            is_own = flow.loops_around(label)[-1] == loop.header
            if not is_own or not all(flow.dominates(label, each) for each in loop.latches):
                return []
        return leaving

    def _walk(
        self, call: Activation, start: int, iterations: Iterations
    ) -> Iterator[tuple[int, int, Iterations]]:
        """The jumps of a work-item from ``start`` on: block, next block, iterations there. Ends
        with the function."""
        flow = self._model.flow(call.function)
        block = start
        while True:
            self._step()
            following = self.next_block(call, block, iterations)
            if following is None:
                return
            around, here = flow.loops_around(following), flow.loops_around(block)
            numbers = dict(zip(here, iterations, strict=True))
            if following in flow.loops:
                inside = following in here
                count = numbers.get(following)
                if inside and count is None:
                    yield block, following, iterations
                    return
                numbers[following] = (count or 0) + 1 if inside else 0
            following_iterations = tuple(numbers[each] for each in around)
            yield block, following, following_iterations
            block, iterations = following, following_iterations

    def _returned(self, call: Activation) -> Value | Place:
        flow = self._model.flow(call.function)
        if not flow.is_structured:
            raise UnknownValue("the function jumps into a loop")
        block = call.function.entry
        iterations: Iterations = (0,) * len(flow.loops_around(block))
        for step in self._walk(call, block, iterations):
            _, block, iterations = step
        jump = call.function.blocks[block].terminator
        if jump is None or jump.opcode != Op.RETURN_VALUE:
            raise UnknownValue("the function returns nothing")
        return self._value(call, jump.operands[0], block, iterations)


def _passed() -> Value:
    raise UnknownValue("it depends on what was passed in a call")


def _each(data: list[int | None]) -> Iterator[int]:
    for byte in data:
        if byte is None:
            raise UnknownValue("the program has not set it")
        yield byte
