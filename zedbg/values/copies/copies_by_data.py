"""Which copy of an unrolled loop's body code is, by the data that flows through the copies.

Where the source makes a floating-point number once in each iteration of that of the one before, and
as many instructions do that as the loop has iterations, each takes what the one before gave: these
say the order of copies, since no compiler changes that of floating-point operations. So it is of
comparisons of such numbers, which choose what the next one compares. What an
instruction of one iteration gives comes to none of an earlier one. So an instruction is of no later
iteration than the first of these that takes what was made of its result, and of no earlier one than
the last of these of which it takes something. And where each iteration has one instruction of a
kind, and the first of these that they come to are all different, each is of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.steps import Step, operation
from zedbg.spirv.analysis.loop_conditions import is_of_condition
from zedbg.spirv.module.flow import Flow
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind
from zedbg.spirv.module.variables import instructions
from zedbg.values.copies.copies_by_address import Addresses, copies_by_address
from zedbg.values.source.single_places import MOVES, Made, SinglePlace, single_places
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import position_at
from zedbg.xe.isa.opcodes import Opcode

#: By block, the copies that have code of it, in their order: constants say that nothing comes there
#: in others.
HavingCode = Callable[[int], Sequence[int]]
_OTHERS = frozenset({Opcode.MOV, Opcode.CMP})


def copy_by_data(
    frame: SourceFrame,
    function: Function,
    calls: Sequence[InlinedCall],
    header: int,
    count: int,
    having_code: HavingCode,
    addresses: Addresses,
    is_within: bool = False,
) -> int | None:
    """Which of ``count`` copies of the body of the loop of ``header`` of ``function``, in the
    inlined ``calls``, the code of ``frame`` is of; None where that is not sure. ``having_code``:
    which of them have code of a block; ``addresses``: what pointers are in the iterations that
    these are copies of; ``is_within``: whether the code is in a loop within that one."""
    code = frame.info.code.function_at(frame.address)
    if code is None:
        return None
    around = frame.loops_around
    # For all addresses in the same loops, and all threads.
    key = "copies by data", code.low, function.result, tuple(calls), header, count, around
    notes = frame.model.notes
    if key not in notes:
        notes[key] = CopiesByData(
            frame, code, function, calls, header, count, having_code, addresses
        )
    copies = notes[key]
    assert isinstance(copies, CopiesByData)
    return copies.iteration(frame.address, is_within or frame.is_in_loop_of_call)


class CopiesByData:
    """Of the loop of ``header`` of ``function``, in the inlined ``calls``, of which ``count``
    iterations have code of their own, with that of ``frame``."""

    def __init__(
        self,
        frame: SourceFrame,
        code: FunctionCode,
        function: Function,
        calls: Sequence[InlinedCall],
        header: int,
        count: int,
        having_code: HavingCode,
        addresses: Addresses,
    ) -> None:
        self._info = frame.info
        self._model = frame.model
        self._source = frame.model.code
        self._code = code
        self._around = {*frame.loops_around}
        self._count = count
        self._having_code = having_code
        self._calls = list(calls)
        self._header = header
        self._flow = flow = frame.model.flow(function)
        self._items = _by_place(flow)
        self._made_by = frame.model.made(function)
        self._decided = decided_places(flow, header)
        self._made: dict[int, Sequence[tuple[int, int]]] = {}
        self._inside, own = self._places()
        #: By address: the iteration that the instruction there is of.
        self._known: dict[int, int] = {}
        #: By address: an iteration that the instruction there is of no later one than.
        self._last: dict[int, int] = {}
        self._is_contradictory = False
        waiting = [
            each
            for each in single_places(frame, code, function, calls, header)
            if flow.loops_around(each.label)[-1] == header
        ]
        for each in waiting:
            if each.made is Made.FLOATS:
                self._add_chains(each)
            elif each.made is Made.MEMORY:
                self._add_messages(frame, each, addresses)
        if not self._known:
            self._add_comparisons(own)
        self._add_jumps_in_order()
        self._add_each([same for each in waiting for same in _by_operation(each.steps)])
        self._add_branches()
        self._is_contradictory |= any(
            not self._earliest(each) <= number <= self._latest(each)
            for each, number in self._known.items()
        )
        #: Places of the source that are not looked at yet.
        self._own: set[tuple[int, int]] | None = own

    def iteration(self, address: int, is_within: bool) -> int | None:
        """The one that the code at ``address``, which is in the same loops, is of; None where that
        is not sure. ``is_within``: it is in a loop within that, which may make it several times."""
        code, row = self._code, self._info.lines.row_at(address)
        calls = self._info.inlined_calls_at(address)
        if row is None:
            return None
        line, column = row.line, row.column
        address = code.acting(address, lambda at: self._info.code.is_of(at, line, column, calls))
        if self._known and address not in self._known and not is_within:
            steps = code.steps_of(lambda at: self._info.code.is_of(at, line, column, calls))
            for same in _by_operation(steps):
                if address - code.low in [step.offset for step in same]:
                    self._add_all(same)
        found = self._told(address)
        if found is None and self._known and self._own is not None:
            self._add_each(self._kinds(self._own))
            self._own = None
            found = self._told(address)
        return found

    def _places(self) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
        """The lines and columns of code in the loop, and of that in none within it."""
        inside, own = set[tuple[int, int]](), set[tuple[int, int]]()
        for place, made in self._items.items():
            around = [self._flow.loops_around(label) for label, _ in made]
            if any(self._header in each for each in around):
                inside.add(place)
            if any(each[-1:] == (self._header,) for each in around):
                own.add(place)
        return inside, own

    def _told(self, address: int) -> int | None:
        """The iteration by what is known."""
        if self._is_contradictory:
            return None
        if address in self._known:
            return self._known[address]
        first, last = self._earliest(address), self._latest(address)
        left = [each for each in self._numbers(address) if first <= each <= last]
        if len(left) == 1:
            return left[0]
        return self._told_by_jumps(address)

    def _told_by_jumps(self, address: int) -> int | None:
        """The iteration by the jumps, one of each iteration, by which only the source comes to what
        it makes at ``address``, also in calls, in the same iteration."""
        own = self._own_places(address)
        by_place: dict[tuple[int, int], list[int]] = {}
        for each in self._known:
            if own and own <= self._decided.get(self._place(each), set()):
                by_place.setdefault(self._place(each), []).append(each)
        found = {
            self._known[each]
            for jumps in by_place.values()
            if {self._known[each] for each in jumps} >= {*self._numbers(jumps[0])}
            for each in jumps
            if address in self._code.decided_by(each)
        }
        return found.pop() if len(found) == 1 else None

    def _numbers(self, address: int) -> Sequence[int]:
        """The copies that may have code of the place of the source at ``address``: all of them,
        where that is not known."""
        places = self._own_places(address)
        items = [each for place in places for each in self._items[place]]
        found = {tuple(self._having_code(label)) for label, _ in items}
        return found.pop() if len(found) == 1 else range(self._count)

    def _own_places(self, address: int) -> set[tuple[int, int]]:
        """The lines and columns of the function that the code at ``address`` may be of, or the
        inlined call that it is in; none where it is of no one."""
        row = self._info.lines.row_at(address)
        calls = self._info.inlined_calls_at(address)
        depth = len(calls) - len(self._calls)
        if row is None or depth < 0 or calls[depth:] != self._calls:
            return set()
        if not depth:
            return {(row.line, row.column)} & self._items.keys()
        call = calls[depth - 1]  # some compilers do not say the column
        return {
            (line, column)
            for line, column in self._items
            if line == call.call_line and call.call_column in (0, column)
        }

    def _add_each(self, kinds: Sequence[Sequence[Step]]) -> None:
        """Takes note of each of ``kinds``, as far as what is known says their order."""
        before = 0
        while self._known and len(self._known) > before:
            before = len(self._known)
            for same in kinds:
                self._add_all(same)

    def _kinds(self, places: set[tuple[int, int]]) -> list[list[Step]]:
        """The instructions in the same loops, of ``places`` of the source: those that do the same
        at one of them together, if they are as many as iterations."""
        kinds: dict[object, list[Step]] = {}
        for step in self._code.steps_of(self._is_here):
            place = self._place(self._code.low + step.offset)
            if place in places:
                kinds.setdefault((place, operation(step)), []).append(step)
        return [
            each
            for each in kinds.values()
            if len(each) == len(self._numbers(self._code.low + each[0].offset))
        ]

    def _add_chains(self, place: SinglePlace) -> None:
        """Takes note of the instructions of ``place`` if the source makes each component of its
        number once, of the one before, and they are as many."""
        result = place.item.result
        kind = self._source.type_of[result]
        width = kind.count if kind.kind is Kind.VECTOR else 1
        # Compilers make sums with products, too. Others may be of no place of the source.
        by_lanes: dict[object, list[int]] = {}
        for step in place.steps:
            lanes = step.decoded.execution_size, step.decoded.channel_offset
            address = self._code.low + step.offset
            if step.decoded.opcode not in _OTHERS and self._is_here(address):
                by_lanes.setdefault(lanes, []).append(address)
        if result in self._source.fast:
            return  # they may be ordered anew
        for addresses in by_lanes.values():
            chains = self._chains(addresses)
            numbers = self._having_code(place.label)
            longest = max(map(len, chains), default=0)
            if longest < len(numbers) and self._begins_with_constant(place.item):
                numbers = numbers[1:]  # compilers make less of what they know to be added to
            if len(chains) <= width and all(len(each) == len(numbers) for each in chains):
                for chain in chains:
                    self._note(chain, numbers)

    def _begins_with_constant(self, item: Instruction) -> bool:
        """Whether what ``item`` takes of the iteration before is a constant in the first one."""
        waiting, seen = [each for each in item.operands if self._is_carried(each)], set[int]()
        if not waiting:
            return False
        while waiting:
            result = waiting.pop()
            if result in seen or result in self._source.constants:
                continue
            if not self._is_carried(result):
                return False
            seen.add(result)
            label, phi = self._made_by[result]
            ways = zip(phi.operands[0::2], phi.operands[1::2], strict=True)
            blocks = self._flow.loops[label].blocks
            waiting += [value for value, block in ways if block not in blocks]
        return True

    def _is_carried(self, result: int) -> bool:
        """Whether a loop carries it."""
        label, item = self._made_by.get(result, (0, None))
        return item is not None and item.opcode == Op.PHI and label in self._flow.loops

    def _add_messages(self, frame: SourceFrame, place: SinglePlace, addresses: Addresses) -> None:
        """Takes note of the messages of ``place``, as far as what they access tells them apart."""
        steps = [each for each in place.steps if self._is_here(self._code.low + each.offset)]
        for each in copies_by_address(frame, self._code, place, steps, addresses):
            for address, number in each.known:
                if self._is_here(address) and self._is_inside(address):
                    self._note([address], [number])
            for address, number in each.latest:
                if self._is_here(address) and self._is_inside(address):
                    self._last[address] = min(self._last.get(address, number), number)

    def _add_jumps_in_order(self) -> None:
        """Takes note of the jumps that the source makes once in each iteration, also in calls that
        are inlined, where they are as many: they are executed in the order of the iterations."""
        by_place: dict[object, list[int]] = {}
        for step in self._code.steps_of(self._is_here):
            address = self._code.low + step.offset
            if step.is_conditional and (step.decoded.jip or step.decoded.uip):
                row = self._info.lines.row_at(address)
                calls = self._info.inlined_calls_at(address)
                if row is not None:
                    by_place.setdefault((row.line, row.column, *calls), []).append(address)
        for addresses in by_place.values():
            numbers = self._numbers(addresses[0])
            if len(addresses) != len(numbers) or not self._is_made_once(addresses[0]):
                continue
            if all(self._code.leads_to(one, other, None) for one, other in pairwise(addresses)):
                self._note(addresses, numbers)

    def _is_made_once(self, address: int) -> bool:
        """Whether the source has one jump at the place of that at ``address``, which each iteration
        makes once, and not to begin with: compilers ask that at the end of the one before."""
        row, calls = self._info.lines.row_at(address), self._info.inlined_calls_at(address)
        function = self._info.function_at(address)
        scope = calls[0] if calls else function
        depth = len(self._calls)
        if row is None or scope is None or calls[len(calls) - depth :] != self._calls:
            return False
        position = position_at(self._info, self._model, address, scope)
        if position is None:
            return False
        flow = self._model.flow(position.function)
        jumps = [
            label
            for label, block in position.function.blocks.items()
            if (jump := block.terminator) is not None
            and jump.line is not None
            and len(set(flow.after[label])) > 1
            and jump.inlined == position.inlined
            and (jump.line.line, jump.line.column) == (row.line, row.column)
        ]
        if len(jumps) != 1:
            return False
        path = [*((each[0], each[2]) for each in position.calls), (position.function, jumps[0])]
        (_, own), *inner = path[depth:]
        return (
            not is_of_condition(self._flow, self._header, own)
            and self._flow.loops_around(own)[-1:] == (self._header,)
            and not any(self._model.flow(each).loops_around(label) for each, label in inner)
        )

    def _add_branches(self) -> None:
        """Takes note of the jumps that decide whether lanes come to code of an iteration which the
        source comes to by that jump only, in the same iteration: they are of no later one."""
        for step in self._code.steps_of(self._is_here):
            address = self._code.low + step.offset
            if not step.is_conditional or not (step.decoded.jip or step.decoded.uip):
                continue
            own = self._decided.get(self._place(address), set())
            there = self._code.decided_by(address) if own else ()
            numbers = [
                self._known[each]
                for each in there
                if each in self._known and self._place(each) in own
            ]
            if numbers:
                self._last[address] = min([*numbers, self._last.get(address, self._count)])

    def _place(self, address: int) -> tuple[int, int]:
        """The line and column of the code at ``address``; none of other calls."""
        row = self._info.lines.row_at(address)
        is_own = row is not None and self._info.inlined_calls_at(address) == self._calls
        return (row.line, row.column) if row is not None and is_own else (0, 0)

    def _add_comparisons(self, own: set[tuple[int, int]]) -> None:
        """Takes note of comparisons of floating-point numbers, each of which takes what was chosen
        by the one before."""
        code = self._code
        for step in code.steps_of(self._is_here):
            address, decoded = code.low + step.offset, step.decoded
            if decoded.opcode is not Opcode.CMP or not decoded.sources[0].type.is_floating:
                continue
            if self._place(address) not in own:
                continue
            run, numbers = self._info.code.copy_in_order(address), self._numbers(address)
            if run is not None and run.count == len(numbers):
                self._note([address], [numbers[run.index]])

    def _chains(self, addresses: Sequence[int]) -> list[list[int]]:
        """Rows of the instructions at ``addresses``, each of which is made of the one before; none
        where some are made of several others."""
        chains: list[list[int]] = []
        for each in addresses:
            before = [chain for chain in chains if each in self._code.reached(chain[-1])]
            if len(before) > 1:
                return []
            if before:
                before[0].append(each)
            else:
                chains.append([each])
        return chains

    def _add_all(self, steps: Sequence[Step]) -> None:
        """Takes note of those of ``steps`` in the same loops if they are one of each iteration, in
        an order that what is known says. Moves need not be: a compiler may make several of one
        iteration, and none of another."""
        if steps[0].decoded.opcode in MOVES:
            return
        addresses = [self._code.low + each.offset for each in steps]
        addresses = [each for each in addresses if self._is_here(each)]
        own = self._numbers(addresses[0]) if addresses else ()
        if not addresses or len(addresses) != len(own):
            return
        bounds = [(self._earliest(each), self._latest(each)) for each in addresses]
        left = [[each for each in own if first <= each <= last] for first, last in bounds]
        if not all(left):
            self._is_contradictory = True
            return
        for numbers in ([each[-1] for each in left], [each[0] for each in left]):
            if len(set(numbers)) == len(own):
                self._note(addresses, numbers)

    def _note(self, addresses: Sequence[int], numbers: Sequence[int]) -> None:
        for address, number in zip(addresses, numbers, strict=True):
            self._is_contradictory |= self._known.setdefault(address, number) != number

    def _is_here(self, address: int) -> bool:
        """Whether it is in the same loops of the machine code."""
        return self._around == {each for each in self._code.loops if each[0] <= address <= each[1]}

    def _is_inside(self, address: int) -> bool:
        """Whether the code at ``address`` is of a place of the source in the loop: others may be
        made of several iterations, in any order."""
        return self._place(address) in self._inside

    def _latest(self, address: int) -> int:
        """The last iteration that the instruction at ``address`` may be of."""
        reached = self._code.reached(address)
        known = [
            number - self._is_of_next(address, each)
            for each, number in self._known.items()
            if each in reached
        ]
        bounds = [
            number for each, number in self._last.items() if each == address or each in reached
        ]
        return min([*known, *bounds], default=self._count - 1)

    def _earliest(self, address: int) -> int:
        """The first iteration that the instruction at ``address`` may be of."""
        known = [
            number + self._is_of_next(each, address)
            for each, number in self._known.items()
            if each != address and address in self._code.reached(each)
        ]
        return max(known, default=0)

    def _is_of_next(self, first: int, second: int) -> bool:
        """Whether the instruction at address ``second``, which takes what was made of the result of
        that at ``first``, is of a later iteration: the source makes in each iteration what it makes
        before what the other one makes."""
        made, taking = self._made_at(first), self._made_at(second)
        is_before = any(self._is_before(one, other) for one in made for other in taking)
        return bool(made) and bool(taking) and not is_before

    def _made_at(self, address: int) -> Sequence[tuple[int, int]]:
        """What the source makes at the place of the instruction at ``address``: blocks, and numbers
        in these; none where not all of it is in the loop itself, or the instruction makes nothing:
        as others, it may be what an iteration does for the next one."""
        if address not in self._made:
            is_move = self._code.step_at(address).decoded.opcode in MOVES
            found = () if is_move else self._items.get(self._place(address), ())
            around = [self._flow.loops_around(label)[-1:] for label, _ in found]
            is_own = all(each == (self._header,) for each in around)
            self._made[address] = found if is_own else ()
        return self._made[address]

    def _is_before(self, first: tuple[int, int], second: tuple[int, int]) -> bool:
        """Whether what is ``first`` may be made before ``second``, in one iteration."""
        if first[0] == second[0]:
            return first[1] <= second[1]
        return self._flow.leads_within(self._flow.loops[self._header], first[0], second[0])


def _by_place(flow: Flow) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """By line and column what the source makes there: blocks, and numbers in these."""
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for label, block in flow.function.blocks.items():
        for index, item in enumerate(block.items):
            if isinstance(item, Instruction) and item.line is not None and not item.inlined:
                found.setdefault((item.line.line, item.line.column), []).append((label, index))
    return found


def decided_places(flow: Flow, header: int) -> dict[tuple[int, int], set[tuple[int, int]]]:
    """By the line and column of jumps in the loop of ``header``, those of all code in it that is
    only come to by one of them there, in the same iteration."""
    labels: dict[tuple[int, int], set[int]] = {}
    for label, item in instructions(flow):
        if item.line is not None and not item.inlined and label in flow.loops[header].blocks:
            labels.setdefault((item.line.line, item.line.column), set()).add(label)
    found: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for block in flow.loops[header].blocks:
        jump = flow.function.blocks[block].terminator
        if jump is None or jump.line is None or len(set(flow.after[block])) < 2:
            continue
        ways = [each for each in flow.after[block] if flow.before[each] == [block]]
        own = found.setdefault((jump.line.line, jump.line.column), set())
        for place, those in labels.items():
            if any(all(flow.dominates(way, each) for each in those) for way in ways):
                own.add(place)
    return found


def _by_operation(steps: Sequence[Step]) -> list[list[Step]]:
    """Those that do the same, in the same lanes."""
    found: dict[object, list[Step]] = {}
    for each in steps:
        found.setdefault(operation(each), []).append(each)
    return list(found.values())
