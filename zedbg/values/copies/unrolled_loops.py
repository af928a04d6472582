"""Which copy of an unrolled loop's body code is: the iteration that all lanes there are in.

A loop of the source that has no loop in the machine code around the pc was unrolled: each of its
iterations has code of its own. Three things say which one the pc is in, and all that speak must
agree: the value that the compiler gives for a variable, a register in which all lanes have what the
SPIR-V computes for one iteration only, and the position among the stretches of code of the line,
where there are as many of them as iterations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.spirv.analysis.closed_values import ends_by_constants
from zedbg.spirv.analysis.inductions import Stepping
from zedbg.spirv.analysis.private_memory import Iterations, NotReached
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.activation import Activation
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.values.copies.copies_by_address import addresses_in
from zedbg.values.copies.copies_by_data import copy_by_data
from zedbg.values.counters.proved_counters import LoopPlace
from zedbg.values.loops.closed_visits import having_code, never_comes
from zedbg.values.loops.counter_origins import begin_of
from zedbg.values.loops.iterations import comes_in
from zedbg.values.loops.own_loops import loops_of_call
from zedbg.values.loops.rotated_loops import rotated_loop
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import position_in_call, states_of
from zedbg.values.typed.homes import DataHome, RegisterHome

_LONGEST = 96  # iterations of a loop that is unrolled
_VOICES = 2  # one alone may be what an iteration left that code was moved past


@dataclass(frozen=True)
class LaneThere:
    """A lane in a loop: its call, and the iterations of the loops around and in that loop."""

    lane: int
    evaluation: Evaluation
    activation: Activation
    outer: Iterations
    inner: Iterations
    counted: int  # of those, how many a register counts


@dataclass(frozen=True)
class _Witness:
    """A variable that has ``result`` in front of code in ``block``, and what the compiler's place
    of it holds, by lane."""

    result: int
    block: int
    data: dict[int, bytes]


class UnrolledLoops:
    """Finds the copies that the code of ``frame`` belongs to."""

    def __init__(self, frame: SourceFrame) -> None:
        self._frame = frame
        self._info = frame.info
        self._model = frame.model
        self._address = frame.address

    def executes_once(self, block: int, loop: Loop, there: LaneThere) -> bool:
        """Whether a lane that is in ``block`` can only be in the first iteration of ``loop``."""
        known = there.activation, block, loop.header, there.outer
        try:
            first, second = (there.evaluation.may_come(*known, each) for each in (0, 1))
        except UnknownValue:
            return False
        return first and not second

    def last_iteration(self, block: int, loop: Loop, there: LaneThere) -> int | None:
        """The last iteration of ``loop``, where the code of ``block`` was moved out of the loop, to
        after its end: it is executed once, with what the last iteration left. None where that is
        not so. Raises NotReached where the lane does not come to ``block`` then."""
        loops = self._info.code.loops(self._address)
        around = [each for each in loops if each[0] <= self._address <= each[1]]
        row = self._info.lines.row_at(self._address)
        if there.counted != len(around) or row is None:
            return None
        own = self._places_of(loop, there.activation.function)
        before = [
            each
            for each in loops
            if each not in around and not own.isdisjoint(self._info.code.line_places_between(*each))
        ]
        if not before or any(self._address <= tail for _, tail in before):
            return None
        if any(head < outer[0] for head, _ in before for outer in around):
            return None
        place = row.line, row.column
        if any(place in self._info.code.line_places_between(*each) for each in before):
            return None  # a copy of what the loop executes, of another iteration maybe
        numbers = self._iterations_of(loop, (there,), block)
        if not numbers:
            return None
        comes = comes_to(block, loop, there, numbers[-1])
        if comes is False:
            raise NotReached
        return numbers[-1] if comes else None

    def is_before_first(
        self, block: int, loop: Loop, there: LaneThere, calls: tuple[InlinedCall, ...]
    ) -> bool:
        """Whether the code of ``block`` is in front of the loop of the machine code that ``loop``,
        in the inlined ``calls``, is, which makes its iterations from the first one on: then lanes
        there have made none. Others may come after it, as for iterations that it leaves over.
        Raises NotReached where the lane does not come to ``block`` in the first one."""
        code, address = self._info.code, self._address
        function = there.activation.function
        loops = loops_of_call(self._frame, calls)
        around = [each for each in loops if each[0] <= address <= each[1]]
        own = self._places_of(loop, function)
        others = sorted(
            each
            for each in loops
            if each not in around and not own.isdisjoint(code.line_places_between(*each))
        )
        if there.counted != len(around) or not others:
            return False
        head, tail = others[0]
        is_inside = all(low <= head and others[-1][1] <= high for low, high in around)
        is_inside &= all(each[0] > tail for each in others[1:])
        if head <= address or not is_inside or not code.leads_to(address, head):
            return False
        place = LoopPlace(head, function, loop, block, calls)
        if not self._begins_within(place, others[0]) and not any(
            self._counts_from_first(place, stepping, others[0], there)
            for stepping in self._model.steppings(function, loop)
        ):
            return False
        if comes_to(block, loop, there, 0) is False:
            raise NotReached
        return True

    def _begins_within(self, place: LoopPlace, machine: tuple[int, int]) -> bool:
        """Whether ``machine``, a loop of the machine code, goes on with the first iteration of that
        at ``place``, which begins in front of it."""
        found = self._info.code.function_at(self._address)
        if found is None:
            return False
        known = place.function, place.calls, place.loop, machine
        return rotated_loop(self._frame, found, *known) is not None

    def _counts_from_first(
        self, place: LoopPlace, stepping: Stepping, machine: tuple[int, int], there: LaneThere
    ) -> bool:
        """Whether a register that ``machine``, a loop of the machine code, steps as ``stepping``
        begins with what that has in the first iteration."""
        line = stepping.line
        for counter in self._info.code.counters_of_loop(
            machine, line.line, line.column, place.calls
        ):
            copies, rest = divmod(counter.step, stepping.step)
            is_own = all(each == counter.added_at for each, _ in counter.additions)
            if rest or copies <= 0 or not is_own or 8 * counter.size != stepping.bits:
                continue
            try:
                first = there.evaluation.value(
                    there.activation, stepping.result, stepping.block, (*there.outer, 0)
                )
            except UnknownValue:
                continue
            number = first if isinstance(first, int) else None
            begin = begin_of(self._frame, place, stepping, counter, there.lane, number)
            if begin is not None:
                return True
        return False

    def by_data(
        self, block: int, loop: Loop, there: Sequence[LaneThere], calls: Sequence[InlinedCall]
    ) -> int | None:
        """The iteration of ``loop``, in the inlined ``calls``, of which the data that flows through
        the copies of its body says that the code is; None where that is not sure."""
        function = there[0].activation.function
        counts = {self._copies(block, loop, each) for each in there} - {None}
        count = counts.pop() if len(counts) == 1 else None
        if count is None or not 1 < count <= _LONGEST or not self._is_unrolled(loop, there, calls):
            return None

        def addresses(pointer: int, label: int) -> list[int | None] | None:
            evaluation, call, outer = there[0].evaluation, there[0].activation, there[0].outer
            own = self._copies(label, loop, there[0]) or 0
            every = [(*outer, number) for number in range(min(count, own))]
            coming = [
                None if never_comes(self._frame, function, label, each) else each for each in every
            ]
            return addresses_in(evaluation, call, pointer, label, coming)

        copies = [(*there[0].outer, number) for number in range(count)]
        having = having_code(self._frame, function, copies)
        known = self._frame, function, calls, loop.header, count
        return copy_by_data(*known, having, addresses)

    def _copies(self, block: int, loop: Loop, there: LaneThere) -> int | None:
        """How many copies of the body of ``loop`` a compiler makes; None where not only constants
        say it."""
        function = there.activation.function
        flow, made = self._model.flow(function), self._model.made(function)
        if not ends_by_constants(self._model.code, flow, made, loop):
            return None
        try:
            return there.evaluation.most_of(there.activation, block, loop.header, there.outer)
        except UnknownValue:
            return None

    def iteration(
        self,
        depth: int,
        blocks: Sequence[int],
        loop: Loop,
        there: Sequence[LaneThere],
        everywhere: Sequence[LaneThere],
        calls: Sequence[InlinedCall],
    ) -> int | None:
        """The iteration of ``loop``, in the call ``depth`` calls deep, which is the inlined
        ``calls``, that the code is a copy of; None where that is not sure. ``blocks``: those which
        lanes may be in, all in the same loops; ``there``: some of the lanes that are there;
        ``everywhere``: all lanes, also others."""
        if not self._is_unrolled(loop, there, calls):
            return None
        numbers = self._iterations_of(loop, there, blocks[0])
        most = max(len(self._iterations_of(loop, (each,), blocks[0])) for each in everywhere)
        named = [run.index for run in self._info.code.line_runs(self._address) if run.count == most]
        for witness in self._witnesses(depth, loop, [each.lane for each in there]):
            matching = [
                number
                for number in numbers
                if all(self._agrees(witness, each, number) for each in there)
            ]
            if len(matching) == 1:
                named += matching
        if len(set(named)) != 1 or len(named) < _VOICES or named[0] not in numbers:
            return None
        number = named[0]
        for each in there:
            if all(comes_to(block, loop, each, number) is False for block in blocks):
                return None
        return number

    def _is_unrolled(
        self, loop: Loop, there: Sequence[LaneThere], calls: Sequence[InlinedCall]
    ) -> bool:
        """Whether no loop of the machine code is that one: registers count those around the pc, as
        other loops, and others, of the inlined ``calls``, have no code that is only in that one."""
        around = self._frame.loops_around
        if {each.counted for each in there} != {len(around)}:
            return False
        own = self._places_of(loop, there[0].activation.function)
        return all(
            own.isdisjoint(self._info.code.line_places_between(*each))
            for each in loops_of_call(self._frame, calls)
            if each not in around
        )

    def _places_of(self, loop: Loop, function: Function) -> set[tuple[int, int]]:
        """The lines and columns of code in ``loop``, but not of that in loops further in."""
        flow = self._model.flow(function)
        return {
            (item.line.line, item.line.column)
            for label in loop.blocks
            if flow.loops_around(label)[-1] == loop.header
            for item in function.blocks[label].items
            if isinstance(item, Instruction) and item.line is not None
        }

    def _iterations_of(self, loop: Loop, there: Sequence[LaneThere], block: int) -> range:
        """Those in which all of the lanes come to ``block``, as far as that is known; none where
        their number is not known."""
        least = _LONGEST + 1
        for each in there:
            try:
                own = each.evaluation.count_of(each.activation, block, loop.header, each.outer)
            except UnknownValue:
                return range(0)
            least = min(least, own)
        return range(least if least <= _LONGEST else 0)

    def _witnesses(self, depth: int, loop: Loop, lanes: Sequence[int]) -> list[_Witness]:
        position = position_in_call(
            self._info, self._model, self._address, self._frame.position, depth
        )
        if position is None:
            return []
        function = self._info.function_at(self._address)
        scope = position.calls[-1][3] if position.calls else function
        made = self._model.made(position.function)
        found = []
        for _, variable in self._info.variables_at(self._address, scope):
            given = {
                (each.value, point.block)
                for point, parts in states_of(self._model, position, variable) or ()
                if point.block in loop.blocks
                for part in parts
                for each in part
                if not each.in_memory and each.fragment is None
            }
            if len(given) == 1:
                result, block = given.pop()
                # What is made in front of the loop is the same in all of its iterations.
                if result is not None and made.get(result, (0, None))[0] in loop.blocks:
                    held = self._frame.held(variable, lanes, RegisterHome, DataHome)
                    found.append(_Witness(result, block, held))
        return found

    def _agrees(self, witness: _Witness, there: LaneThere, number: int) -> bool:
        if there.lane not in witness.data:
            return False
        around = self._model.flow(there.activation.function).loops_around(witness.block)
        known = (*there.outer, number, *there.inner)[: len(around)]
        iterations = (*known, *(None,) * (len(around) - len(known)))
        try:
            value = there.evaluation.value(
                there.activation, witness.result, witness.block, iterations
            )
        except UnknownValue:
            return False
        if isinstance(value, Place):
            return False
        kind = self._model.code.type_of[witness.result]
        return kind.encode(value) == witness.data[there.lane]


def comes_to(block: int, loop: Loop, there: LaneThere, number: int) -> bool | None:
    """Whether a lane comes to ``block`` in that iteration; None where that is not known."""
    there_now = (*there.outer, number)
    return comes_in(there.evaluation, there.activation, block, loop.header, there_now)
