"""Which blocks a work-item comes to, by the conditions of its jumps; how often it goes round."""

from __future__ import annotations

from collections.abc import Container, Iterator

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Iterations, NotReached, Visit, Way
from zedbg.spirv.module.flow import Flow, Loop
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.numbers.arithmetic import UnknownValue, signed, whole
from zedbg.spirv.numbers.comparisons import OPPOSITE, ORDERS, UNSIGNED_ORDERS
from zedbg.spirv.numbers.computations import known
from zedbg.spirv.work_item.activation import (
    MOST_STEPS,
    Activation,
    NeedsIteration,
    TooMuch,
    Values,
    When,
)

#: Of the body of a loop compilers make no more copies.
MOST_COPIES = 96


class Ways:
    """Those of one work-item; ``values`` gives what its jumps depend on. Every question raises
    UnknownValue where that is not known, NotReached of them where no work-item comes there."""

    def __init__(self, model: Model, values: Values) -> None:
        self._model = model
        self._values = values

    def next_block(self, call: Activation, block: int, iterations: Iterations) -> int | None:
        """The block that a work-item goes to from ``block``; None where the function ends.
        Raises UnknownValue."""
        jump = call.function.blocks[block].terminator
        if jump is None:
            return None
        try:
            return self._jumped_to(call, jump, block, iterations)
        except TooMuch:
            raise
        except UnknownValue:
            self._values.is_of_stop = True
            flow, reached = self._model.flow(call.function), call.reached
            found = None if reached is None else flow.way_to(block, reached)
            if found is None:
                raise
            return found

    def _jumped_to(
        self, call: Activation, jump: Instruction, block: int, iterations: Iterations
    ) -> int | None:
        operands = jump.operands
        match jump.opcode:
            case Op.BRANCH:
                return operands[0]
            case Op.BRANCH_CONDITIONAL:
                if operands[1] == operands[2]:
                    return operands[1]
                condition = whole(known(self._values.of(call, operands[0], block, iterations)))
                return operands[1] if condition else operands[2]
            case Op.SWITCH:
                number = whole(known(self._values.of(call, operands[0], block, iterations)))
                cases = dict(zip(operands[2::2], operands[3::2], strict=True))
                return cases.get(number, operands[1])
        return None

    def visits(self, call: Activation) -> Iterator[Visit]:
        """The blocks that a work-item comes to, in their order."""
        flow = self.structured(call)
        entry = call.function.entry
        begin: Iterations = (0,) * len(flow.loops_around(entry))
        yield Visit(entry, begin)
        for _, block, iterations in self._walk(call, entry, begin):
            yield Visit(block, iterations)

    def comes_to(self, call: Activation, block: int) -> bool:
        """Whether a work-item comes to ``block``."""
        if self._model.flow(call.function).is_passed(block):
            return True
        return any(each.block == block for each in self.visits(call))

    def passes(self, call: Activation, block: int, header: int, iterations: Iterations) -> bool:
        """Whether a work-item comes to ``block`` in an iteration of the loop of ``header``, the
        last one of ``iterations``."""
        if self._is_always_passed(call, block, header, iterations):
            return True
        for at, following, _ in self._walk(call, header, iterations):
            if block in (at, following):
                return True
            if following == header or following not in self._loop(call, header).blocks:
                return False
        return False

    def goes_round(self, call: Activation, header: int, iterations: Iterations) -> bool:
        """Whether another iteration of the loop of ``header`` follows."""
        blocks = self._loop(call, header).blocks
        for _, following, _ in self._walk(call, header, iterations):
            if following == header or following not in blocks:
                return following == header
        return False

    def came_from(
        self, call: Activation, label: int, iterations: Iterations, ways: set[int]
    ) -> int:
        """Which block, one of ``ways``, a work-item came from to ``label``, where ways meet.
        Raises NotReached."""
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

    def before(self, call: Activation, visit: Visit) -> Visit:
        """The visit of the block that a work-item came from to this one. Raises NotReached,
        NeedsIteration, UnknownValue."""
        label, iterations = visit.block, visit.iterations
        flow = self.structured(call)
        loop, ways = flow.loops.get(label), set(flow.before[label])
        if loop is None:
            came = self.came_from(call, label, iterations, ways)
            return Visit(came, self.iterations_of(call, came, label, iterations))
        *outer, current = iterations
        if current is None:
            raise NeedsIteration(label)
        if current:
            iterations = (*outer, current - 1)
            (*back,) = ways & loop.blocks
            came = back[0] if len(back) == 1 else self.jumped_back(call, label, iterations)
        else:
            entering = ways - loop.blocks
            if len(entering) != 1:
                raise UnknownValue("a loop is entered in several ways")
            came = entering.pop()
        return Visit(came, self.iterations_of(call, came, label, iterations))

    def jumped_back(self, call: Activation, header: int, iterations: Iterations) -> int:
        """The block from which an iteration of a loop ends with a jump to its next one. Raises
        NotReached."""
        for block, following, _ in self._walk(call, header, iterations):
            if following == header:
                return block
        raise NotReached

    def iterations_of(
        self, call: Activation, label: int, block: int, iterations: Iterations
    ) -> Iterations:
        """The iterations of the loops around ``label`` in which what is used in ``block`` was made:
        the same of loops around both, the last one of others."""
        shared, others = self._model.flow(call.function).passage(label, block)
        found = iterations[:shared]
        for header in others:
            found = (*found, self.last_iteration(call, header, found))
        return found

    def last_iteration(self, call: Activation, header: int, outer: Iterations) -> int:
        """The iteration in which a work-item leaves a loop."""
        key = header, outer
        known = call.known.exits.get(key)
        if known is None:
            known = call.exits.get(key)
        if known is None:
            known = self._exit(call, self._loop(call, header), outer)
            is_past = self._values.when(call, header, outer) is When.PAST
            is_known = is_past or not self._values.is_of_stop
            (call.known.exits if is_known else call.exits)[key] = known
        return known

    def makes(self, call: Activation, header: int, outer: Iterations, number: int) -> bool:
        """Whether the work-item makes iteration ``number`` of the loop of ``header``, by what it
        does until then. Raises UnknownValue."""
        key = header, outer
        last = call.known.exits.get(key, call.exits.get(key))
        if last is not None:
            return number <= last
        loop = self._loop(call, header)
        leaving = self._always_decided(call, loop)
        if len(leaving) == 1 and self._counted_exit(call, loop, outer, leaving[0]) is not None:
            return number <= self.last_iteration(call, header, outer)
        first = max(call.known.rounds.get(key, 0), call.rounds.get(key, 0))
        for iteration in range(first, number):
            there = (*outer, iteration)
            self._values.step()
            if leaving:
                goes = all(self.next_block(call, each, there) in loop.blocks for each in leaving)
            else:
                goes = self.goes_round(call, header, there)
            if not goes:
                return False
            rounds = call.rounds if self._values.is_of_stop else call.known.rounds
            rounds[key] = iteration + 1
        return True

    def may_come(
        self, call: Activation, block: int, header: int, outer: Iterations, number: int
    ) -> bool:
        """Whether iteration ``number`` of the loop of ``header`` is one of :meth:`count_of`, by
        what is done until then. Raises UnknownValue."""
        if not self.makes(call, header, outer, number):
            return False
        return block == header or self._goes_in(call, header, (*outer, number))

    def _goes_in(self, call: Activation, header: int, iterations: Iterations) -> bool:
        """Whether a work-item may stay in a loop at its first block."""
        try:
            following = self.next_block(call, header, iterations)
        except UnknownValue:
            return True
        return following in self._loop(call, header).blocks

    def count_of(self, call: Activation, block: int, header: int, outer: Iterations) -> int:
        """How many iterations of the loop of ``header`` may come to ``block``, one of its."""
        last = self.last_iteration(call, header, outer)
        if block == header:
            return last + 1
        return last + 1 if self._goes_in(call, header, (*outer, last)) else last

    def most_of(self, call: Activation, block: int, header: int, outer: Iterations) -> int:
        """As :meth:`count_of`, where nothing ends the loop but the condition of its first block:
        of so many a compiler that unrolls the loop makes code. Raises UnknownValue where that block
        does not end it, or only after more."""
        loop = self._loop(call, header)
        if loop.blocks.issuperset(self._model.flow(call.function).after[header]):
            raise UnknownValue("other blocks end the loop")
        last = 0
        while self.next_block(call, header, (*outer, last)) in loop.blocks:
            self._values.step()
            last += 1
            if last > MOST_COPIES:
                raise UnknownValue("compilers make no code for so many iterations")
        return last + 1 if block == header else last

    def way(self, call: Activation) -> Way:
        """The blocks that a work-item comes to, kept as far as they were asked for."""
        if call.way is None:
            call.way = Way(self.visits(call))
        return call.way

    def known_place(
        self, call: Activation, visit: Visit, index: int, writing: Container[int]
    ) -> tuple[Visit, int]:
        """A visit whose iterations are known, and the number of an item there, in front of which
        memory has what it has in front of item ``index`` at ``visit``: where the iteration of a
        loop is not known, that the loop begins with. Raises NeedsIteration where blocks of that
        loop are among those that are ``writing``."""
        flow = self.structured(call)
        around = zip(flow.loops_around(visit.block), visit.iterations, strict=True)
        for depth, (header, number) in enumerate(around):
            if number is None:
                if any(each in writing for each in flow.loops[header].blocks):
                    raise NeedsIteration(header)
                return Visit(header, (*visit.iterations[:depth], 0)), 0
        return visit, index

    def structured(self, call: Activation) -> Flow:
        """The blocks of a function of which all loops are entered at their first block. Raises
        UnknownValue for another one."""
        flow = self._model.flow(call.function)
        if not flow.is_structured:
            raise UnknownValue("the function jumps into a loop")
        return flow

    def _loop(self, call: Activation, header: int) -> Loop:
        return self._model.flow(call.function).loops[header]

    def _exit(self, call: Activation, loop: Loop, outer: Iterations) -> int:
        leaving = self._always_decided(call, loop)
        if len(leaving) == 1:
            counted = self._counted_exit(call, loop, outer, leaving[0])
            if counted is not None:
                return counted
        iteration = 0
        while leaving:
            there = (*outer, iteration)
            self._values.step()
            if any(self.next_block(call, each, there) not in loop.blocks for each in leaving):
                return iteration
            iteration += 1
        while True:
            for _, following, _ in self._walk(call, loop.header, (*outer, iteration)):
                if following == loop.header:
                    break
                if following not in loop.blocks:
                    return iteration
            else:
                raise UnknownValue("the function ends in a loop")
            iteration += 1

    def _counted_exit(
        self, call: Activation, loop: Loop, outer: Iterations, label: int
    ) -> int | None:
        """The iteration in which a loop is left that nothing but the jump of block ``label`` ends,
        where that compares an induction with what is the same in all iterations: the first one for
        which that holds, since the induction does not pass the end of its numbers before. None
        where this is not the way to find out."""
        made = self._model.made(call.function)
        jump = call.function.blocks[label].terminator
        if jump is None or jump.opcode != Op.BRANCH_CONDITIONAL:
            return None
        _, item = made.get(jump.operands[0], (0, None))
        if item is None or item.opcode not in ORDERS:
            return None
        counter, end = item.operands[:2]
        inductions = self._model.inductions(call.function, loop).values()
        found = next(
            (each for each in inductions if counter in (each.result, each.following)), None
        )
        if found is None or made.get(end, (0, None))[0] in loop.blocks:
            return None
        leaves = item.opcode if jump.operands[1] not in loop.blocks else OPPOSITE[item.opcode]
        is_less, more = ORDERS[leaves]
        first, step = (*outer, 0), signed(found.step & (1 << found.bits) - 1, found.bits)
        try:
            begin, limit = (
                whole(known(self._values.of(call, each, label, first))) for each in (counter, end)
            )
        except TooMuch:
            raise
        except UnknownValue:
            return None
        low = 0
        if leaves not in UNSIGNED_ORDERS:
            begin, limit = (signed(each, found.bits) for each in (begin, limit))
            low = -(1 << found.bits - 1)
        if is_less:  # the same with all signs changed
            begin, limit, step, low = -begin, -limit, -step, 1 - low - (1 << found.bits)
        distance = limit + 1 - more - begin  # it is left where it has grown by that
        if distance <= 0:
            return 0
        if step <= 0:
            return None
        number = -(-distance // step)
        is_whole = begin + number * step < low + (1 << found.bits)
        return number if is_whole and number <= MOST_STEPS else None

    def _is_always_passed(
        self, call: Activation, block: int, header: int, iterations: Iterations
    ) -> bool:
        """Whether each iteration that goes on comes to ``block``, and this one does go on."""
        flow, loop = self._model.flow(call.function), self._loop(call, header)
        number = iterations[-1]
        if number is None or not all(flow.dominates(block, each) for each in loop.latches):
            return False
        try:
            return self.makes(call, header, iterations[:-1], number + 1)
        except TooMuch:
            raise
        except UnknownValue:
            return False

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
            self._values.step()
            following = self.next_block(call, block, iterations)
            if following is None:
                return
            there = iterations_after(flow, block, following, iterations)
            if following in flow.loops and there[-1] is None:
                yield block, following, iterations
                return
            yield block, following, there
            block, iterations = following, there


def iterations_after(flow: Flow, block: int, following: int, iterations: Iterations) -> Iterations:
    """The iterations of the loops around ``following`` after a jump to it from ``block``, in those
    ``iterations``. Raises UnknownValue where it jumps into a loop."""
    shared, entered = flow.passage(following, block)
    there = iterations[:shared]
    if entered:
        if entered != (following,):
            raise UnknownValue("the function jumps into a loop")
        return (*there, 0)
    if following in flow.loops:
        count = there[-1]
        return (*there[:-1], None if count is None else count + 1)
    return there
