"""The iteration of a loop that a lane is in, by the passes that the device has recorded.

A loop of the machine code makes one iteration in each pass where none of its code is copied: no
place of the source that one simple instruction makes has two instructions of a kind. That the code
asked for is of the same iteration as such a place, and not of the next one's condition, say the
orders of the two in the source's ways and in the pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.missing import Missing
from zedbg.spirv.flow import Flow
from zedbg.spirv.instructions import Function
from zedbg.values.iterations import Counted, ending_places
from zedbg.values.rotated_loops import rotated_loop
from zedbg.values.single_places import Made, most_alike, single_places
from zedbg.values.source_frame import SourceFrame
from zedbg.values.whole_loops import loop_of, whole_loops

#: Addresses of the first instruction and of the jump back of a loop of the machine code.
Machine = tuple[int, int]


@dataclass(frozen=True)
class LoopHere:
    """The loop of ``header`` around ``block`` of ``function``, which is ``calls`` in the debug
    information. ``level``: how many loops are around it, in all calls, of ``loops`` that are around
    the code. ``own``: the loop of the machine code that makes one iteration in each pass, with the
    code in the same one, if the jumps out of it show that."""

    function: Function
    calls: tuple[InlinedCall, ...]
    block: int
    header: int
    level: int
    loops: int
    own: tuple[int, int] | None = None


class RecordedPasses:
    """Of the thread that is stopped at the innermost code of ``frame``."""

    def __init__(self, frame: SourceFrame) -> None:
        self._frame = frame
        self._address = frame.address

    def iteration(self, here: LoopHere, lane: int) -> int | None:
        """The iteration of the loop that ``lane`` is in; None where that is not sure."""
        code = self._frame.info.code.function_at(self._address)
        found = None if code is None else self._noted("passes", here, code, self._one_pass)
        if code is None or found is None:
            return None
        machine, ahead = found
        number = self._pass_before(code, machine, lane)
        return None if number is None else number + ahead

    def copied(self, here: LoopHere, lane: int) -> Counted | None:
        """The iterations that the pass makes which ``lane`` is in, where it has copies of the body
        for several of them; None where that is not sure."""
        code = self._frame.info.code.function_at(self._address)
        found = None if code is None else self._noted("copies", here, code, self._copies)
        if code is None or found is None:
            return None
        machine, copies = found
        number = self._pass_before(code, machine, lane)
        return None if number is None else Counted(number * copies, copies)

    def _pass_before(self, code: FunctionCode, machine: Machine, lane: int) -> int | None:
        """How many passes of ``machine`` the lane has made before the one that it is in."""
        marker = code.pass_marker(machine, self._address, lane)
        if marker is None:
            return None
        outside = [(code.low, machine[0]), (machine[1] + 1, code.high)]
        executed = self._frame.context.recorded_executions(marker.offset, outside)
        if isinstance(executed, Missing):
            return None
        passes = sum(lanes >> lane & 1 for lanes in executed)
        number = passes - 1 if marker.is_executed else passes
        return number if number >= 0 else None

    def _noted(
        self,
        what: str,
        here: LoopHere,
        code: FunctionCode,
        find: Callable[[LoopHere, FunctionCode], tuple[Machine, int] | None],
    ) -> tuple[Machine, int] | None:
        """What ``find`` gives, which is the same at all stops."""
        notes, function = self._frame.model.notes, here.function.result
        key = what, self._address, function, here.calls, here.block, here.header
        if key not in notes:
            notes[key] = find(here, code)
        found = notes[key]
        return found if isinstance(found, tuple) else None

    def _copies(self, here: LoopHere, code: FunctionCode) -> tuple[Machine, int] | None:
        """The loop of the machine code that makes several iterations in each pass, and no other
        code any, and how many these are: each place of the source has as many instructions there.
        Loads of several iterations may be one instruction, so others must be as many."""
        function, calls, header = here.function, here.calls, here.header
        flow = self._frame.model.flow(function)
        counts: dict[Made, set[int]] = {each: set() for each in Made}
        loops = set[Machine | None]()
        for each in single_places(self._frame, code, function, calls, header):
            if flow.loops_around(each.label)[-1] != header:
                continue
            count, rest = divmod(most_alike(each.steps), each.components)
            if each.made is not Made.INTEGERS:
                loops.update(loop_of(code, step) for step in each.steps)
                if rest:
                    return None
            counts[each.made].add(count)
        told = counts[Made.MEMORY] | counts[Made.FLOATS]
        machine = loops.pop() if len(loops) == len(told) == 1 else None
        if machine is None or told.isdisjoint(counts[Made.FLOATS] | counts[Made.INTEGERS]):
            return None
        row = self._frame.info.lines.row_at(machine[1])
        ends = ending_places(function, flow.loops[header])
        is_around = machine[0] <= self._address <= machine[1]
        is_one = [head for head, _ in code.loops].count(machine[0]) == 1
        is_own = row is not None and (row.line, row.column) in ends
        return (machine, told.pop()) if is_around and is_one and is_own else None

    def _one_pass(self, here: LoopHere, code: FunctionCode) -> tuple[Machine, int] | None:
        """The loop of the machine code that makes one iteration in each pass, and how many
        iterations after that the code asked for is."""
        around = sorted(each for each in code.loops if each[0] <= self._address <= each[1])
        heads = [head for head, _ in code.loops]
        if any(heads.count(head) > 1 for head, _ in around):
            return None
        function, calls, header = here.function, here.calls, here.header
        is_innermost = here.level == here.loops - 1
        whole = whole_loops(self._frame, function, calls, header) if is_innermost else frozenset()
        machine = here.own
        if machine is None and whole.intersection(around[-1:]):
            machine = around[-1]
        # Code in front of a loop further in is not in that.
        elif machine is None and here.level < len(around) <= here.loops:
            machine = around[here.level]
        if machine is None:
            return None
        flow, is_linked = self._frame.model.flow(function), here.own is not None
        known = self._frame, code, function, calls
        rotated = rotated_loop(*known, flow.loops[header], machine)
        if rotated is not None:
            ahead = rotated.iterations_ahead(self._address, here.block)
            return None if ahead is None else (machine, ahead)
        are_once = are_several = False
        for each in single_places(*known, header):
            if flow.loops_around(each.label)[-1] != header:
                continue  # it is of other passes, and may be copied as these are
            steps = each.steps
            if machine in whole:
                steps = [step for step in steps if loop_of(code, step) == machine]
            copies = most_alike(steps)
            if copies > each.components:
                is_inside = all(loop_of(code, step) == machine for step in steps)
                if each.made is not Made.INTEGERS or here.own != machine or not is_inside:
                    return None
                are_several = True
            if each.made is Made.INTEGERS or copies != 1:
                continue  # what compilers may make of others, or parts
            if all(loop_of(code, step) == machine for step in steps):
                addresses = [code.low + step.offset for step in steps]
                is_linked |= self._is_with(here, each.label, flow, addresses)
                are_once = True
        # Compilers copy what several ways through a body end with: but not an access to memory.
        is_one = are_once or not are_several
        return (machine, 0) if is_linked and is_one else None

    def _is_with(self, here: LoopHere, label: int, flow: Flow, addresses: Sequence[int]) -> bool:
        """Whether the code asked for is of the same iteration as what is executed at ``addresses``
        in the same pass, of block ``label``."""
        if label == here.block:
            return True
        loop = flow.loops[here.header]
        leads_here = flow.leads_within(loop, label, here.block)
        leads_there = flow.leads_within(loop, here.block, label)
        if leads_here == leads_there:
            return False
        if leads_here:
            return max(addresses) < self._address
        return min(addresses) > self._address
