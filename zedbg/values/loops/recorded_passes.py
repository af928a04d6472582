"""The iteration of a loop that a lane is in, by the passes that the device has recorded.

A loop of the machine code makes one iteration in each pass where none of its code is copied: no
place of the source that one simple instruction makes has two instructions of a kind. That the code
asked for is of the same iteration as such a place, and not of the next one's condition, say the
orders of the two in the source's ways and in the pass. Where each place has as many instructions in
the loop, and none elsewhere, each pass makes as many iterations: which one of these the code is of
says :mod:`zedbg.values.copies.loop_copies`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from zedbg.dwarf.scopes.scopes import InlinedCall, Scope
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.dwarf.trust.steps import Step
from zedbg.missing import Missing
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.instructions import Function
from zedbg.spirv.module.loop_ends import ending_places
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.variables import instructions
from zedbg.values.loops.alike_loops import copies_of_loop, is_in_one
from zedbg.values.loops.fresh_conditions import fresh_conditions
from zedbg.values.loops.iterations import Counted
from zedbg.values.loops.rotated_loops import rotated_loop
from zedbg.values.loops.whole_loops import loop_of, whole_loops
from zedbg.values.source.single_places import (
    Made,
    SinglePlace,
    makes_something,
    most_alike,
    single_places,
    steps_by_place,
)
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import inlined_call

#: Addresses of the first instruction and of the jump back of a loop of the machine code.
Machine = tuple[int, int]


@dataclass(frozen=True)
class LoopHere:
    """The loop of ``header`` around ``block`` of ``function``, which is ``calls`` in the debug
    information. ``level``: how many loops are around it, in all calls, of ``loops`` that are around
    the code. ``own``: the loop of the machine code that makes one iteration in each pass, with the
    code in the same one, if the jumps out of it show that; ``is_sure``: they leave no doubt."""

    function: Function
    calls: tuple[InlinedCall, ...]
    block: int
    header: int
    level: int
    loops: int
    own: Machine | None = None
    is_sure: bool = False


class RecordedPasses:
    """Of the thread that is stopped at the innermost code of ``frame``."""

    def __init__(self, frame: SourceFrame) -> None:
        self._frame = frame
        self._address = frame.address

    def iteration(self, here: LoopHere, lane: int) -> int | None:
        """The iteration of the loop that ``lane`` is in; None where that is not sure."""
        found = self._passed("passes", here, lane, self._one_pass)
        return None if found is None else sum(found)

    def copied(self, here: LoopHere, lane: int) -> Counted | None:
        """The iterations that the pass makes which ``lane`` is in, where it has copies of the body
        for several of them; None where that is not sure."""
        found = self._passed("copies", here, lane, self._copies)
        if found is None:
            return None
        number, copies = found
        return Counted(number * copies, copies)

    def _passed(
        self,
        what: str,
        here: LoopHere,
        lane: int,
        find: Callable[[LoopHere, FunctionCode], tuple[Machine, int] | None],
    ) -> tuple[int, int] | None:
        """How many passes the lane has made of the loop of the machine code that ``find`` finds,
        before the one that it is in, and the number that it finds. Notes say ``what`` it finds,
        which is the same at all stops."""
        code = self._frame.info.code.function_at(self._address)
        if code is None:
            return None
        notes, function = self._frame.model.notes, here.function.result
        key = what, self._address, function, here.calls, here.block, here.header, here.own
        if key not in notes:
            notes[key] = find(here, code)
        found = notes[key]
        if not isinstance(found, tuple):
            return None
        machine, number = found
        passes = self.before(code, machine, lane)
        return None if passes is None else (passes, number)

    def before(self, code: FunctionCode, machine: Machine, lane: int) -> int | None:
        """How many passes of ``machine`` the lane has made before the one that it is in."""
        marker = code.pass_marker(machine, self._address, lane)
        if marker is None:
            return None
        outside = [(code.low, machine[0]), (machine[1] + 1, code.high)]
        executed = self._frame.context.recorded_executions(marker.offset, outside)
        if isinstance(executed, Missing):
            return None
        passes = len(executed)
        if not marker.is_for_all:
            passes = sum(lanes >> lane & 1 for lanes in executed)
        number = passes - 1 if marker.is_executed else passes
        return number if number >= 0 else None

    def _copies(self, here: LoopHere, code: FunctionCode) -> tuple[Machine, int] | None:
        """The loop of the machine code that makes several iterations in each pass, and no other
        code any, and how many these are: each place of the source has as many instructions there.
        Loads of several iterations may be one instruction, so others must be as many."""
        counts: dict[Made, set[int]] = {each: set() for each in Made}
        loops = set[Machine | None]()
        for each in self._own_places(here, code):
            count, rest = divmod(most_alike(each.steps), each.components)
            if each.made is not Made.INTEGERS:
                loops.update(loop_of(code, step) for step in each.steps)
                if rest:
                    return None
            counts[each.made].add(count)
        told = counts[Made.MEMORY] | counts[Made.FLOATS] | counts[Made.CALLS]
        # The code of the condition may be that of the next pass.
        if here.block == here.header or 1 in told:
            return None
        machine = loops.pop() if len(loops) == len(told) == 1 else None
        if machine is None or told.isdisjoint(counts[Made.FLOATS] | counts[Made.INTEGERS]):
            return None
        row = self._frame.info.lines.row_at(machine[1])
        ends = ending_places(here.function, self._loop(here))
        is_around = machine[0] <= self._address <= machine[1]
        is_one = [head for head, _ in code.loops].count(machine[0]) == 1
        is_own = row is not None and (row.line, row.column) in ends
        return (machine, told.pop()) if is_around and is_one and is_own else None

    def _one_pass(self, here: LoopHere, code: FunctionCode) -> tuple[Machine, int] | None:
        """The loop of the machine code that makes one iteration in each pass, and how many
        iterations after that the code asked for is."""
        known = self._frame, code, here.function, here.calls
        whole = self._whole(here)
        machine = self._machine(here, code, whole)
        if machine is None:
            return None
        rotated = rotated_loop(*known, self._loop(here), machine)
        if rotated is not None:
            ahead = rotated.iterations_ahead(self._address, here.block)
            return None if ahead is None else (machine, ahead)
        own = self._own_places(here, code)
        loops: set[Machine | None] = {loop_of(code, step) for each in own for step in each.steps}
        if machine in whole:
            own, loops = [*own, *fresh_conditions(*known, here.header)], {machine}
        elif machine == here.own:
            loops -= {each for each in copies_of_loop(self._frame, machine) if each != machine}
        own = [
            replace(each, steps=[step for step in each.steps if loop_of(code, step) in loops])
            for each in own
        ]
        return (machine, 0) if self._is_one_iteration(here, code, machine, own) else None

    def machine_loop(self, here: LoopHere, code: FunctionCode) -> Machine | None:
        """The loop around the code asked for that may make one iteration in each pass."""
        return self._machine(here, code, self._whole(here))

    def _whole(self, here: LoopHere) -> frozenset[Machine]:
        is_innermost = here.level == here.loops - 1
        known = self._frame, here.function, here.calls, here.header
        return whole_loops(*known) if is_innermost else frozenset()

    def _machine(
        self, here: LoopHere, code: FunctionCode, whole: frozenset[Machine]
    ) -> Machine | None:
        """As :meth:`machine_loop`; ``whole``: loops that are the innermost one of the source."""
        around = sorted(each for each in code.loops if each[0] <= self._address <= each[1])
        heads = [head for head, _ in code.loops]
        if any(heads.count(head) > 1 for head, _ in around):
            return None
        if here.own is not None:
            return here.own
        if whole.intersection(around[-1:]):
            return around[-1]
        # Code in front of a loop further in is not in that.
        return around[here.level] if here.level < len(around) <= here.loops else None

    def _is_one_iteration(
        self, here: LoopHere, code: FunctionCode, machine: Machine, own: Sequence[SinglePlace]
    ) -> bool:
        """Whether each pass of ``machine`` makes one iteration, as the places of the loop say that
        are its ``own``, with the code asked for in the same one."""
        places = own or self._places_of_calls(here, code, machine)
        is_sure = here.is_sure and machine == here.own and bool(places)
        is_sure &= all(most_alike(each.steps) <= each.components for each in places)
        if is_sure and self._is_all_inside(here, code, machine):
            return True
        is_linked = is_own = here.own is not None
        are_once, are_several = is_own and self._has_an_inner_loop_once(here, code, machine), False
        for each in own:
            copies = most_alike(each.steps)
            is_inside = all(loop_of(code, step) == machine for step in each.steps)
            if copies > each.components:
                if each.made is Made.CONDITIONS:
                    continue  # compilers compare again where they have no register for the flags
                # Compilers copy what several ways through a body end with: but no access to memory.
                if each.made is not Made.INTEGERS or here.own != machine or not is_inside:
                    return False
                are_several = True
            elif each.made is not Made.INTEGERS and is_inside and _is_made_once(each, copies):
                # Not what compilers may make of others, or parts.
                are_once |= self._changes(here, each)
                is_linked |= self._is_with(here, each.label, code, each.steps)
        return is_linked and (are_once or not (are_several or is_own))

    def _is_all_inside(self, here: LoopHere, code: FunctionCode, machine: Machine) -> bool:
        """Whether ``machine`` and its copies have all code of the places of the source that are in
        the loop only: compilers may put the conditions of first iterations, which are known then,
        in front of it, and move what the last one made after it."""
        flow, places = self._frame.model.flow(here.function), steps_by_place(self._frame, code)
        inside, others = set[tuple[int, int]](), set[tuple[int, int]]()
        for label, item in instructions(flow):
            if item.line is not None and not item.inlined:
                is_own = label in self._loop(here).blocks and label not in flow.loops
                (inside if is_own else others).add((item.line.line, item.line.column))
        steps = [step for each in inside - others for step in places.get((*each, here.calls), ())]
        addresses = [code.low + step.offset for step in steps if makes_something(step)]
        copies = copies_of_loop(self._frame, machine)
        return bool(addresses) and all(is_in_one(copies, each) for each in addresses)

    def _has_an_inner_loop_once(self, here: LoopHere, code: FunctionCode, machine: Machine) -> bool:
        """Whether a loop directly in that of the source, or one of a call there, is one loop of the
        machine code, in ``machine``: of several iterations in one pass, each would have its own.
        Compilers make one loop of those of several iterations only where they can count the outer
        one."""
        flow, lines = self._frame.model.flow(here.function), self._frame.info.lines
        calls = list(here.calls)
        if self._has_a_loop_of_a_call_once(here, code, machine):
            return True
        for header, loop in flow.loops.items():
            if flow.loops_around(header)[-2:] != (here.header, header):
                continue
            ends = ending_places(here.function, loop)
            made = [
                each
                for each in code.loops
                if (row := lines.row_at(each[1])) is not None
                and (row.line, row.column) in ends
                and self._frame.info.inlined_calls_at(each[1]) == calls
            ]
            if len(made) == 1 and machine[0] < made[0][0] and made[0][1] < machine[1]:
                return True
        return False

    def _has_a_loop_of_a_call_once(
        self, here: LoopHere, code: FunctionCode, machine: Machine
    ) -> bool:
        """Whether a loop of an inlined call, which the loop makes once in each iteration, is one
        loop of the machine code, in ``machine``."""
        flow, info = self._frame.model.flow(here.function), self._frame.info
        around: dict[tuple[int, int], set[int]] = {}  # the innermost loops, by line and column
        for label, item in instructions(flow):
            if item.opcode == Op.FUNCTION_CALL and item.line is not None:
                for column in (item.line.column, 0):  # some compilers do not say it
                    found = around.setdefault((item.line.line, column), set())
                    found.update(flow.loops_around(label)[-1:] or (0,))
        kinds: dict[object, list[Machine]] = {}
        depth = len(here.calls)
        for each in code.loops:
            row, calls = info.lines.row_at(each[1]), info.inlined_calls_at(each[1])[::-1]
            if row is None or len(calls) <= depth or calls[:depth] != [*here.calls][::-1]:
                continue
            if around.get((calls[depth].call_line, calls[depth].call_column)) == {here.header}:
                kinds.setdefault((row.line, row.column, *calls), []).append(each)
        return any(
            len(loops) == 1 and machine[0] < loops[0][0] and loops[0][1] < machine[1]
            for loops in kinds.values()
        )

    def _changes(self, here: LoopHere, place: SinglePlace) -> bool:
        """Whether compilers make what ``place`` does anew for each iteration: one load of what is
        the same in all of them may be that of several, and so may one call."""
        item, loop = place.item, self._loop(here)
        if item.opcode not in (Op.LOAD, Op.FUNCTION_CALL):
            return True
        made = self._frame.model.made(here.function)
        is_load = item.opcode == Op.LOAD
        waiting, seen = [*(item.operands[:1] if is_load else item.operands[1:])], set[int]()
        while waiting:
            result = waiting.pop()
            label, by = made.get(result, (0, None))
            if by is None or result in seen or label not in loop.blocks:
                continue
            if by.opcode in (Op.PHI, Op.LOAD, Op.FUNCTION_CALL):
                return True
            seen.add(result)
            waiting += by.operands
        return False

    def _loop(self, here: LoopHere) -> Loop:
        return self._frame.model.flow(here.function).loops[here.header]

    def _own_places(self, here: LoopHere, code: FunctionCode) -> list[SinglePlace]:
        """Those of the loop, but not of loops in it: these are of other passes."""
        flow, known = self._frame.model.flow(here.function), (here.function, here.calls)
        return [
            each
            for each in single_places(self._frame, code, *known, here.header)
            if flow.loops_around(each.label)[-1] == here.header
        ]

    def _places_of_calls(
        self, here: LoopHere, code: FunctionCode, machine: Machine
    ) -> list[SinglePlace]:
        """Those of the inlined calls that the loop makes, outside of the loops in these, where any
        of them is in ``machine``."""
        model, info = self._frame.model, self._frame.info
        flow, found = model.flow(here.function), list[SinglePlace]()
        around: Scope | None = here.calls[0] if here.calls else info.function_at(code.low)
        for label, item in instructions(flow):
            is_own = flow.loops_around(label)[-1:] == (here.header,) and not item.inlined
            if around is None or not is_own or item.opcode != Op.FUNCTION_CALL:
                continue
            call = inlined_call(model, here.function, 0, around, item)
            callee = model.code.functions.get(item.operands[0])
            if call is not None and callee is not None:
                calls = (call, *here.calls)
                found += single_places(self._frame, code, callee, calls, None)
        is_inside = any(loop_of(code, step) == machine for each in found for step in each.steps)
        return found if is_inside else []

    def _is_with(
        self, here: LoopHere, label: int, code: FunctionCode, steps: Sequence[Step]
    ) -> bool:
        """Whether the code asked for is of the same iteration as what ``steps``, of block
        ``label``, do in the same pass."""
        if label == here.block:
            return True
        flow, loop = self._frame.model.flow(here.function), self._loop(here)
        leads_here = flow.leads_within(loop, label, here.block)
        leads_there = flow.leads_within(loop, here.block, label)
        if leads_here == leads_there:
            return False
        addresses = [code.low + step.offset for step in steps]
        if leads_here:
            return max(addresses) < self._address
        return min(addresses) > self._address


def _is_made_once(place: SinglePlace, copies: int) -> bool:
    """Whether the place has one instruction, or one for each component that takes nothing of the
    others."""
    if copies == 1:
        return True
    return copies == place.components and not any(
        one.writes is not None and any(one.writes.meets(each) for each in other.reads)
        for one in place.steps
        for other in place.steps
        if one is not other
    )
