"""Which copies of several loops' bodies code is: one iteration of each, by all that speaks of them.

Compilers unroll a loop in part (each pass of the machine code's loop makes several iterations, and
other code those that are left over), or an inner loop wholly within one that stays. The iterations
that the code may be a copy of are known then: those that a register does not count.

What becomes of what the next instruction gives is that of one copy where copies differ from lane to
lane. What it takes need not be: where a compiler has put sums of several copies together, that is
what another one began with. The data that flows from copy to copy says their order
(:mod:`zedbg.dwarf.trust.copies_in_order`), and so do jumps between them with which lanes leave the
loop (:mod:`zedbg.dwarf.trust.copies_between_exits`), and loops in the copies
(:mod:`zedbg.values.copies.loops_in_order`). Otherwise that is told by the code's position among its
copies, the values that the next instructions take and make, and the compiler's places of variables:
each iteration must be said by two of these. None may say another one. Where no register counts a
loop, the compiler's places must agree with what the registers say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from zedbg.dwarf.lines.line_runs import LineRun
from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.spirv.analysis.changing_loops import changing_loops
from zedbg.spirv.analysis.private_memory import Iterations
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.types import Kind
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.values.copies.copies_by_address import addresses_in
from zedbg.values.copies.copies_by_data import copy_by_data
from zedbg.values.copies.copy_levels import Copy, Found, LaneLevels, Level, alike, copies_of
from zedbg.values.copies.copy_values import CopyValues, Told
from zedbg.values.copies.loops_in_order import LoopsInOrder, gaps_of
from zedbg.values.loops.closed_visits import anyone_in, having_code, never_comes
from zedbg.values.source.single_places import steps_by_place
from zedbg.values.source.source_frame import SourceFrame
from zedbg.xe.isa.opcodes import Opcode

_VOICES = 2
_FEW = 4  # one of so many copies may have no code of a line
# The instructions that do what one of the SPIR-V does.
_DOING: dict[int, frozenset[Opcode]] = {
    Op.I_ADD: frozenset({Opcode.ADD}),
    Op.I_SUB: frozenset({Opcode.ADD}),
    Op.BITWISE_AND: frozenset({Opcode.AND}),
    Op.BITWISE_OR: frozenset({Opcode.OR}),
    Op.BITWISE_XOR: frozenset({Opcode.XOR}),
    Op.SHIFT_LEFT_LOGICAL: frozenset({Opcode.SHL}),
    Op.SHIFT_RIGHT_LOGICAL: frozenset({Opcode.SHR}),
    Op.SHIFT_RIGHT_ARITHMETIC: frozenset({Opcode.ASR}),
}


def _agreed(levels: Sequence[Level], copies: Sequence[Copy], voices: Sequence[set[Copy]]) -> Found:
    """Of each loop what all ``voices`` allow, if that is one number, and two of them say which it
    is, or leave at most half of what it could be."""
    left = _allowed(copies, voices)
    found: list[int | None] = []
    for index, level in enumerate(levels):
        numbers = [len({each[index] for each in some}) for some in voices]
        count = sum(2 * each <= level.copies or each == 1 for each in numbers)
        is_open = level.copies > 1 or level.is_left
        is_said = len({each[index] for each in left}) == 1 and (count >= _VOICES or not is_open)
        found.append(left[0][index] if is_said else None)
    return tuple(found)


def _allowed(copies: Sequence[Copy], voices: Sequence[set[Copy]]) -> list[Copy]:
    """Those that all ``voices`` allow."""
    return [each for each in copies if all(each in some for some in voices)]


class LoopCopies:
    """Finds those that the code of ``frame`` in ``block`` is, in its innermost call."""

    def __init__(self, frame: SourceFrame, block: int) -> None:
        self._frame = frame
        self._model = frame.model
        self._block = block
        self._function = frame.position.function
        self._flow = self._model.flow(self._function)
        self._around = self._flow.loops_around(block)
        self._outside = 0  # loops of the machine code that are around the call
        self._passed_by: set[Copy] = set()  # constants say that nothing comes to the block there
        self._values = CopyValues(frame, block)

    def copy(self, lanes: Sequence[LaneLevels]) -> Found:
        """The one that all of ``lanes`` are in, as far as that is sure."""
        levels = [
            replace(each, copies=max(lane.levels[index].copies for lane in lanes))
            for index, each in enumerate(lanes[0].levels)
        ]
        everything = copies_of(levels)
        copies = [
            each
            for each in everything
            if all(one.iterations(each) in one.possible for one in lanes)
        ]
        if not copies:
            return (None,) * len(levels)
        if len(copies) > 1:
            there = self._frame, self._function, self._block
            self._passed_by = {
                each for each in copies if never_comes(*there, lanes[0].iterations(each))
            }
            copies = [each for each in copies if each not in self._passed_by]
        is_counted = all(each.is_counted for each in lanes)
        self._outside = lanes[0].outside
        is_own = not self._frame.is_in_loop_of_call
        position = self._by_position(levels) if is_counted and is_own else None
        known: Found = (None,) * len(levels)
        order: LoopsInOrder | None = None
        in_order: set[Copy] | None = None
        if is_counted:
            in_order = self._in_order(levels, lanes[0])
            order = LoopsInOrder(self._frame, self._block, replace(lanes[0], levels=tuple(levels)))
            copies = [each for each in copies if each in order.copies]
            levels = order.known(levels)
            known = order.found
        if not copies:
            return (None,) * len(levels)
        followed = self._values.by_results(lanes, copies) if is_own else None
        if followed is not None:
            copies = [each for each in copies if each in followed.near]
            kind = None if position is None else self._of_kind(levels)
            if kind is not None and kind == position and kind.isdisjoint(copies):
                return (None,) * len(levels)  # a value may be the same in two iterations
        if in_order is not None:
            copies = [each for each in copies if each in in_order]
        if not copies:
            return (None,) * len(levels)
        if followed is not None or in_order is not None:
            known = alike(copies)
        if is_counted and None in known and followed is not None:
            first = self._first_of_shared(copies, followed)
            known = first if first and (position is None or first in position) else known
        if not is_counted:
            # Values of the copies alone say it, and one copy may go on with what another had.
            places = self._values.by_places(lanes, copies)
            return known if places is not None and places & set(copies) else (None,) * len(levels)
        if None not in known:
            return known
        named = [
            None if followed is None else followed.fitting,
            # What lanes allow only one of may contradict others, too.
            self._values.by_operands(lanes, copies if len(copies) > 1 else everything)
            if is_own
            else None,
            position,
            None if order is None else order.left,
        ]
        voices = [each for each in named if each is not None]
        if len(copies) == 1:
            voices.append(set(copies))  # the register that counts the others says it
        found = _agreed(levels, copies, voices)
        if None in found:
            places = self._values.by_places(lanes, copies)
            if places is not None:
                found = _agreed(levels, copies, [*voices, places])
                allowed = _allowed(copies, voices)
                # Places may be those of a copy that was executed before, or have what the compiler
                # moved ahead: where others may be meant, they choose none.
                if allowed:
                    said = alike(allowed)
                    found = tuple(a if a == b else None for a, b in zip(found, said, strict=True))
        return tuple(b if a is None else a for a, b in zip(known, found, strict=True))

    def _first_of_shared(self, copies: Sequence[Copy], followed: Told) -> Copy | None:
        """The first of ``copies``, if the instruction makes what that needs, by what is known of
        what becomes of it, for all that need the same: all their code is executed one after the
        other, where compilers make no number twice. None where that is not so."""
        fitting = [each for each in copies if each in followed.fitting]
        if not followed.is_alone or not fitting or min(fitting) != min(copies):
            return None
        made = self._model.made(self._function)
        alone = [changing_loops(self._flow, made, each.result) for each in followed.values]
        different = self._different(fitting)
        if any(not each.isdisjoint(different) for each in alone):
            return None
        return min(copies) if self._is_in_one_block(self._different(copies)[0]) else None

    def _different(self, copies: Sequence[Copy]) -> list[int]:
        """The headers of the loops of which ``copies`` are of different iterations."""
        numbers = zip(self._around, alike(copies), strict=True)
        return [header for header, number in numbers if number is None]

    def _is_in_one_block(self, header: int) -> bool:
        """Whether all code of the loop of ``header`` is executed one after the other with that of
        the frame."""
        frame = self._frame
        code = frame.info.code.function_at(frame.address)
        if code is None:
            return False
        block, own = code.straight_around(frame.address), frame.position.inlined_calls()
        places = {
            (item.line.line, item.line.column)
            for label in self._flow.loops[header].blocks
            for item in self._function.blocks[label].items
            if isinstance(item, Instruction) and item.line is not None
        }
        lines = {line for line, _ in places}

        def is_inside(line: int, column: int, calls: tuple[InlinedCall, ...]) -> bool:
            depth = len(calls) - len(own)
            if depth < 0 or calls[depth:] != own:
                return False
            return calls[depth - 1].call_line in lines if depth else (line, column) in places

        return all(
            code.low + step.offset in block
            for place, steps in steps_by_place(frame, code).items()
            if is_inside(*place)
            for step in steps
        )

    def _with_code(self, levels: Sequence[Level], low: int, high: int) -> list[Copy]:
        """The copies of the levels from ``low`` up to ``high`` that have code of the block."""
        passed_by = {each[low:high] for each in self._passed_by}
        coming = {each[low:high] for each in copies_of(levels) if each not in self._passed_by}
        return [each for each in self._made(levels, low, high) if each not in passed_by - coming]

    def _made(self, levels: Sequence[Level], low: int, high: int) -> list[Copy]:
        """The copies of the levels from ``low`` up to ``high`` that compilers make: an inner loop
        may have another number of iterations in each one of the loop around it."""
        found = []
        for copy in copies_of(levels[low:high]):
            most = [
                None if levels[low + index].is_counted else self._most(levels, low, copy[:index])
                for index in range(len(copy))
            ]
            if all(most is None or number < most for most, number in zip(most, copy, strict=True)):
                found.append(copy)
        return found

    def _most(self, levels: Sequence[Level], low: int, copy: Copy) -> int | None:
        """How many iterations the next loop has in ``copy`` of the levels from ``low`` on; None
        where that depends on more than a compiler knows."""
        outer: list[int | None] = [None] * low
        outer += [each.first + number for each, number in zip(levels[low:], copy, strict=False)]
        header, anyone = self._around[len(outer)], anyone_in(self._frame, self._function)
        try:
            return anyone.most_of(anyone.outermost, self._block, header, tuple(outer))
        except UnknownValue:
            return None

    def _of_kind(self, levels: Sequence[Level]) -> set[Copy] | None:
        """By which one the instruction is of its kind in the innermost loop of the machine code,
        where these are as many as copies."""
        for within, low, high, _ in self._within_innermost(levels):
            own = self._with_code(levels, low, high)
            *_, run = self._frame.info.code.line_runs(self._frame.address, within)
            if run.count == len(own):
                return {each for each in copies_of(levels) if each[low:high] == own[run.index]}
        return None

    def _in_order(self, levels: Sequence[Level], lane: LaneLevels) -> set[Copy] | None:
        """By the data that flows from copy to copy in the innermost loop of the machine code, or by
        the jumps between them with which lanes leave the loop."""
        for _, low, high, own in self._within_innermost(levels):
            code, address = self._frame.info.code, self._frame.address
            is_own = not self._frame.is_in_loop_of_call
            left = code.copy_between_exits(address, levels[high - 1].copies) if is_own else None
            if left is not None and left.count == len(own):
                return {each for each in copies_of(levels) if each[low:high] == own[left.index]}
            for end in range(high, low, -1):
                by_data = self._by_data(levels, low, end, lane)
                if by_data is not None:
                    found = self._made(levels, low, end)[by_data]
                    return {each for each in copies_of(levels) if each[low:end] == found}
            if not is_own:
                return None
            run = code.copy_in_order(address, single=self._single())
            own, end = self._with_code(levels, low, high), high
            while run is None or run.count != len(own):
                # What does not change in inner loops, the compiler may have put in front of them.
                end -= 1
                own = self._made(levels, low, end)
                if len(own) < 2:
                    return None
                run = code.copy_in_order(address, self._lines_in(self._around[:end]))
            return {each for each in copies_of(levels) if each[low:end] == own[run.index]}
        return None

    def _by_data(
        self, levels: Sequence[Level], low: int, high: int, lane: LaneLevels
    ) -> int | None:
        """Which of the copies of the levels from ``low`` up to ``high`` it is, by the data that
        flows through them: of a loop that is unrolled in part, and of others that are wholly.
        ``lane``: one that is there."""
        position, model = self._frame.position, self._model
        around = [model.flow(each[0]).loops_around(each[2]) for each in position.calls]
        if sum(map(len, around)) != self._outside:
            return None  # the copies may be those of iterations of these
        own = self._made(levels, low, high)
        for index in range(low, high):
            outer = {each[: index - low] for each in own}
            if not levels[index].is_counted and None in (
                self._most(levels, low, each) for each in outer
            ):
                return None
        calls = [*position.inlined_calls()]
        header = self._around[high - 1]
        after = (0,) * (len(levels) - high)
        if len(own) < 2:
            return None

        copies = [lane.iterations((*(0,) * low, *each, *after))[:high] for each in own]

        def addresses(pointer: int, label: int) -> list[int | None] | None:
            coming = [each if self._come_to(lane, label, each) else None for each in copies]
            return addresses_in(lane.evaluation, lane.activation, pointer, label, coming)

        having = having_code(self._frame, position.function, copies)
        is_within = high < len(self._around)
        known = self._frame, position.function, calls, header, len(own)
        return copy_by_data(*known, having, addresses, is_within)

    def _come_to(self, lane: LaneLevels, label: int, iterations: Iterations) -> bool:
        """Whether the loops around have so many iterations that come to ``label``, whatever else
        ends them, as far as no register counts them."""
        for index, (header, number) in enumerate(zip(self._around, iterations, strict=False)):
            known = lane.activation, label, header, iterations[:index]
            if not lane.levels[index].is_counted and number is not None:
                try:
                    if number >= lane.evaluation.most_of(*known):
                        return False
                except UnknownValue:
                    return False
        return not never_comes(self._frame, self._function, label, iterations)

    def _single(self) -> frozenset[Opcode]:
        """The instructions that do all of what the source does at the line and column of the code,
        in the same loops: those of one operation on numbers of 32 bits."""
        position, model = self._frame.position, self._model
        found = [
            (label, item)
            for label, item in instructions(self._flow)
            if item.line is not None
            and item.inlined == position.inlined
            and (item.line.line, item.line.column) == (position.line, position.column)
        ]
        if len(found) != 1:
            return frozenset()
        ((label, item),) = found
        kind = model.code.type_of.get(item.result)
        is_number = kind is not None and kind.kind is Kind.INTEGER and kind.bits == 32
        is_here = self._flow.loops_around(label) == self._around
        return _DOING.get(item.opcode, frozenset()) if is_number and is_here else frozenset()

    def _within_innermost(
        self, levels: Sequence[Level]
    ) -> Iterator[tuple[tuple[int, int] | None, int, int, list[Copy]]]:
        """The innermost loop of the machine code, if it has several copies and leaves none over:
        the first of the ``levels`` in it, the one after the last, and their copies."""
        for within, low, high, inner in gaps_of(self._frame, levels, self._outside) or ():
            own = self._made(levels, low, high)
            is_left = any(each.is_left for each in levels[low:high])
            if inner is None and len(own) > 1 and not is_left:
                yield within, low, high, own

    def _lines_in(self, around: Sequence[int]) -> frozenset[int]:
        """The lines of code that is in the loops ``around``, and in none within these."""
        position, own, others = self._frame.position, set[int](), set[int]()
        for label, item in instructions(self._flow):
            if item.line is not None and item.inlined == position.inlined:
                is_own = self._flow.loops_around(label) == tuple(around)
                (own if is_own else others).add(item.line.line)
        return frozenset(own - others)

    def _by_position(self, levels: Sequence[Level]) -> set[Copy] | None:
        """By which of the line's stretches of code in the innermost loop of the machine code this
        is, and which of the loops in the next one around that is, where these are as many as
        copies, or few less."""
        info, address = self._frame.info, self._frame.address
        said: set[Copy] | None = None
        for within, low, high, inner in gaps_of(self._frame, levels, self._outside) or ():
            runs = (
                info.code.line_runs(address, within)
                if inner is None
                else [info.code.loop_run(inner, within)]
            )
            named = self._named(levels, low, high, runs)
            if named is not None:
                said = named if said is None else said & named
        return said or None

    def _named(
        self, levels: Sequence[Level], low: int, high: int, runs: Sequence[LineRun]
    ) -> set[Copy] | None:
        """What ``runs`` say of the levels from ``low`` to ``high``, without that."""
        own = self._with_code(levels, low, high)
        skipped = sum(each.copies + 1 for each in levels[low:high] if each.is_left)
        if len(own) < 2 and not skipped:
            return None
        said: set[Copy] | None = None
        for run in runs:
            # Of some copies the compiler may have made nothing.
            lacking = len(own) + skipped - run.count
            first = run.index - skipped
            if 0 <= lacking <= len(own) // _FEW and first >= 0:
                named = set(own[first : first + lacking + 1])
                said = named if said is None else said & named
        if not said:
            return None
        return {each for each in copies_of(levels) if each[low:high] in said}
