"""Which copies of several loops' bodies code is: one iteration of each, by all that speaks of them.

Compilers unroll a loop in part (each pass of the machine code's loop makes several iterations, and
other code those that are left over), or an inner loop wholly within one that stays. The iterations
that the code may be a copy of are known then: those that a register does not count.

What becomes of what the next instruction gives is that of one copy where copies differ from lane to
lane. What it takes need not be: where a compiler has put sums of several copies together, that is
what another one began with. The data that flows from copy to copy says their order
(:mod:`zedbg.dwarf.trust.copies_in_order`), and so do jumps between them with which lanes leave the
loop (:mod:`zedbg.dwarf.trust.copies_between_exits`), and loops in the copies
(:mod:`zedbg.values.loops_in_order`). Otherwise that is told by the code's position among its
copies, the values that the next instructions take and make, and the compiler's places of variables:
each iteration must be said by two of these. None may say another one. Where no register counts a
loop, the compiler's places must agree with what the registers say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from zedbg.dwarf.lines.line_runs import LineRun
from zedbg.spirv.arithmetic import UnknownValue
from zedbg.spirv.closed_values import ends_by_constants
from zedbg.spirv.computations import Place
from zedbg.spirv.evaluation import Evaluation
from zedbg.spirv.given_values import AnyItem
from zedbg.spirv.operations import Op
from zedbg.spirv.private_memory import Iterations
from zedbg.spirv.types import UNDEFINED, Kind
from zedbg.spirv.variables import instructions
from zedbg.values.code_ahead import computed_ahead
from zedbg.values.code_operands import (
    SourceNumber,
    flowing_values,
    made_values,
    taken_operands,
    used_values,
)
from zedbg.values.copies_by_address import addresses_in
from zedbg.values.copies_by_data import copy_by_data
from zedbg.values.copy_levels import Copy, Found, LaneLevels, Level, alike, copies_of
from zedbg.values.homes import DataHome, RegisterHome
from zedbg.values.iterations import comes_in
from zedbg.values.loops_in_order import LoopsInOrder, gaps_of
from zedbg.values.source_frame import SourceFrame
from zedbg.values.source_positions import states_of
from zedbg.xe.isa.opcodes import Opcode

_VOICES = 2
_FEW = 4  # one of so many copies may have no code of a line
_LANES = 4  # tell copies apart
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


@dataclass(frozen=True)
class _Told:
    """The copies in which a value of the source is what registers have: ``fitting``; and ``near``,
    with those in which it differs from that by an amount that all lanes share. What compilers
    compute instead of a value often differs by a constant from it, or from that of another
    iteration; but not by another amount in each lane."""

    near: set[Copy]
    fitting: set[Copy]
    is_alone: bool  # near is less than all copies


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
        self._flow = self._model.flow(frame.position.function)
        self._around = self._flow.loops_around(block)
        self._outside = 0  # loops of the machine code that are around the call
        self._passed_by: set[Copy] = set()  # constants say that nothing comes to the block there
        self._columns: dict[tuple[Copy, SourceNumber], list[bytes] | None] = {}

    def copy(self, lanes: Sequence[LaneLevels]) -> Found:
        """The one that all of ``lanes`` are in, as far as that is sure."""
        levels = [
            replace(each, copies=max(lane.levels[index].copies for lane in lanes))
            for index, each in enumerate(lanes[0].levels)
        ]
        copies = copies_of(levels)
        if not copies:
            return (None,) * len(levels)
        copies = [
            each for each in copies if all(one.iterations(each) in one.possible for one in lanes)
        ]
        if len(copies) > 1:
            self._passed_by = {each for each in copies if self._passes_by(lanes[0], each)}
            copies = [each for each in copies if each not in self._passed_by]
        is_counted = all(each.is_counted for each in lanes)
        self._outside = lanes[0].outside
        position = self._by_position(levels) if is_counted else None
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
        followed = self._by_results(lanes, copies)
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
        if not is_counted:
            # Values of the copies alone say it, and one copy may go on with what another had.
            places = self._by_places(lanes, copies)
            return known if places is not None and places & set(copies) else (None,) * len(levels)
        if None not in known:
            return known
        named = [
            None if followed is None else followed.fitting,
            self._by_operands(lanes, copies),
            position,
            None if order is None else order.left,
        ]
        voices = [each for each in named if each is not None]
        if len(copies) == 1:
            voices.append(set(copies))  # the register that counts the others says it
        found = _agreed(levels, copies, voices)
        if None in found:
            places = self._by_places(lanes, copies)
            if places is not None:
                found = _agreed(levels, copies, [*voices, places])
                allowed = _allowed(copies, voices)
                # Places are often those of a copy that was executed before: where a later one may
                # be meant, they choose none.
                if allowed and max(allowed) not in places:
                    said = alike(allowed)
                    found = tuple(a if a == b else None for a, b in zip(found, said, strict=True))
        return tuple(b if a is None else a for a, b in zip(known, found, strict=True))

    def _passes_by(self, lane: LaneLevels, copy: Copy) -> bool:
        """Whether no work-item comes to the block in ``copy``: then compilers make no code of it
        there."""
        iterations = lane.iterations(copy)
        closed = Evaluation(self._model, self._frame.position.function, AnyItem(), True)
        return any(
            comes_in(closed, closed.outermost, self._block, header, iterations[: level + 1])
            is False
            for level, header in enumerate(self._around)
        )

    def _with_code(self, levels: Sequence[Level], low: int, high: int) -> list[Copy]:
        """The copies of the levels from ``low`` up to ``high`` that have code of the block."""
        passed_by = {each[low:high] for each in self._passed_by}
        coming = {each[low:high] for each in copies_of(levels) if each not in self._passed_by}
        return [each for each in copies_of(levels[low:high]) if each not in passed_by - coming]

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
            left = code.copy_between_exits(address, levels[high - 1].copies)
            if left is not None and left.count == len(own):
                return {each for each in copies_of(levels) if each[low:high] == own[left.index]}
            for end in range(high, low, -1):
                by_data = self._by_data(levels, low, end, lane)
                if by_data is not None:
                    found = copies_of(levels[low:end])[by_data]
                    return {each for each in copies_of(levels) if each[low:end] == found}
            run = code.copy_in_order(address, single=self._single())
            own, end = self._with_code(levels, low, high), high
            while run is None or run.count != len(own):
                # What does not change in inner loops, the compiler may have put in front of them.
                end -= 1
                own = copies_of(levels[low:end])
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
        made = model.made(position.function)
        for header, level in zip(self._around[low:high], levels[low:high], strict=True):
            loop = self._flow.loops[header]
            is_whole = ends_by_constants(model.code, self._flow, made, loop)
            if not level.is_counted and not is_whole:
                return None
        calls = [each[3] for each in position.calls[::-1]]
        header, own = self._around[high - 1], copies_of(levels[low:high])
        after = (0,) * (len(levels) - high)
        if len(own) < 2:
            return None

        def addresses(pointer: int, label: int) -> list[int] | None:
            every = [lane.iterations((*(0,) * low, *each, *after)) for each in own]
            coming = [each[:high] for each in every if self._come_to(lane, label, each[:high])]
            return addresses_in(lane.evaluation, lane.activation, pointer, label, coming)

        is_within = high < len(self._around)
        return copy_by_data(
            *(self._frame, position.function, calls, header, len(own), addresses, is_within)
        )

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
        return True

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
            own = copies_of(levels[low:high])
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

    def _by_results(self, lanes: Sequence[LaneLevels], copies: Sequence[Copy]) -> _Told | None:
        """By what becomes of what the next instruction gives."""
        if len(lanes) < _LANES:
            return None
        frame, around = self._frame, self._around
        made = made_values(frame, around)
        flowing = flowing_values(frame, around)
        of_line: _Told | None = None
        of_constant: _Told | None = None
        all_told: list[_Told] = []
        for each in computed_ahead(frame, [one.lane for one in lanes]):
            told = None
            if each.line is not None:
                told = self._told(lanes, copies, flowing.get(each.line, ()), each.result)
            elif of_line is None:
                # Of more than one, the later ones may be those of another copy.
                told = self._told(lanes, copies, made, each.result)
                if told is not None and told.is_alone:
                    of_line = told
                of_constant = of_constant or told
            if told is not None and told.is_alone:
                all_told.append(told)
                if len(told.near) == 1:
                    break
        if not all_told:
            return of_constant
        near = set(copies).intersection(*(one.near for one in all_told))
        if not near:
            return None
        return _Told(near, near.intersection(*(one.fitting for one in all_told)), True)

    def _told(
        self,
        lanes: Sequence[LaneLevels],
        copies: Sequence[Copy],
        values: Sequence[SourceNumber],
        held: dict[int, bytes],
    ) -> _Told | None:
        """What ``held`` by lane says, if that is one of ``values``."""
        if len(held) < _LANES:
            return None
        near: set[Copy] = set()
        fitting: set[Copy] = set()
        for known in self._numbers(lanes, copies, values):
            if fitting:
                break
            for number in known:
                distances = {}
                for copy in copies:
                    distances[copy] = self._distances(lanes, copy, number, held)
                    if distances[copy] is None:
                        return None
                fits = {copy for copy, each in distances.items() if each == {0}}
                if fits:
                    fitting |= fits
                    near |= {copy for copy, each in distances.items() if each and len(each) == 1}
        if not fitting or len(fitting) == len(copies):
            return None
        return _Told(near, fitting, len(near) < len(copies))

    def _distances(
        self,
        lanes: Sequence[LaneLevels],
        copy: Copy,
        number: SourceNumber,
        held: dict[int, bytes],
    ) -> set[int] | None:
        """By how much what is ``held`` in lanes is more than ``number``, as whole numbers that
        wrap; None where that is not known."""
        column = self._column(lanes, copy, number)
        if column is None:
            return None
        found = set()
        for each, data in zip(lanes, column, strict=True):
            own = held.get(each.lane)
            if own is not None:
                size = min(len(data), len(own))
                numbers = (int.from_bytes(b[:size], "little") for b in (own, data))
                found.add((next(numbers) - next(numbers)) % (1 << 8 * size))
        return found

    def _column(
        self, lanes: Sequence[LaneLevels], copy: Copy, number: SourceNumber
    ) -> list[bytes] | None:
        """What ``number`` is in each of ``lanes``; None where that is not known of all."""
        key = copy, number
        if key not in self._columns:
            try:
                found = [self._data(each, copy, number) for each in lanes]
            except UnknownValue:
                found = [None]
            self._columns[key] = [each for each in found if each is not None]
            if None in found:
                self._columns[key] = None
        return self._columns[key]

    def _by_operands(self, lanes: Sequence[LaneLevels], copies: Sequence[Copy]) -> set[Copy] | None:
        """By what the next instructions take; empty where that contradicts itself."""
        said: set[Copy] | None = None
        used = used_values(self._frame, self._around)
        for taken in taken_operands(self._frame, [each.lane for each in lanes]):
            fitting = self._fitting(lanes, copies, used, taken)
            if fitting and len(fitting) < len(copies):
                said = fitting if said is None else said & fitting
        return said or None

    def _by_places(self, lanes: Sequence[LaneLevels], copies: Sequence[Copy]) -> set[Copy] | None:
        """By what the compiler's places of variables hold; None where that contradicts itself."""
        frame = self._frame
        said: set[Copy] | None = None
        function = frame.info.function_at(frame.address)
        calls = frame.position.calls
        for _, variable in frame.info.variables_at(
            frame.address, calls[-1][3] if calls else function
        ):
            given = {
                (each.value, point.block)
                for point, parts in states_of(self._model, frame.position, variable) or ()
                for part in parts
                for each in part
                if not each.in_memory and each.fragment is None
            }
            if len(given) != 1:
                continue
            ((result, block),) = given
            if result is None or result in self._model.code.constants:
                continue
            held = frame.held(variable, [each.lane for each in lanes], RegisterHome, DataHome)
            if not held:
                continue
            fitting = self._fitting(lanes, copies, [SourceNumber(result, block)], held)
            if fitting and len(fitting) < len(copies):
                said = fitting if said is None else said & fitting
        return said or None

    def _fitting(
        self,
        lanes: Sequence[LaneLevels],
        copies: Sequence[Copy],
        values: Sequence[SourceNumber],
        held: dict[int, bytes],
    ) -> set[Copy]:
        """The copies in which one of ``values`` is what ``held`` is by lane."""
        for known in self._numbers(lanes, copies, values):
            found = {
                copy
                for copy in copies
                if any(self._agree(lanes, copy, number, held) for number in known)
            }
            if found:
                return found
        return set()

    def _numbers(
        self, lanes: Sequence[LaneLevels], copies: Sequence[Copy], values: Sequence[SourceNumber]
    ) -> Iterator[list[SourceNumber]]:
        """Those of ``values`` that are whole, and then the components of vectors, which count where
        none of those fits: as far as they are known in each of ``copies``."""
        yield [each for each in values if each.part is None]
        yield [
            each
            for each in values
            if each.part is not None
            and all(self._column(lanes, copy, each) is not None for copy in copies)
        ]

    def _agree(
        self,
        lanes: Sequence[LaneLevels],
        copy: Copy,
        number: SourceNumber,
        held: dict[int, bytes],
    ) -> bool:
        """Whether ``held`` is what ``number`` is if the code is ``copy``, as far as that is
        known."""
        around = self._flow.loops_around(number.block)
        if around != self._around[: len(around)]:
            return False
        for each in lanes:
            if each.lane not in held:
                continue
            try:
                data = self._data(each, copy, number)
            except UnknownValue:
                continue
            if data is None:
                return False
            size = min(len(data), len(held[each.lane]))
            if data[:size] != held[each.lane][:size]:
                return False
        return True

    def _data(self, lane: LaneLevels, copy: Copy, number: SourceNumber) -> bytes | None:
        """The bytes of ``number``, whose block is in some of the loops, if the code is ``copy``;
        None where it has none. Raises UnknownValue."""
        shared = len(self._flow.loops_around(number.block))
        iterations = lane.iterations(copy)[:shared]
        value = lane.evaluation.value(lane.activation, number.result, number.block, iterations)
        kind = self._model.code.type_of[number.result]
        if isinstance(value, Place):
            return None
        if number.part is not None:
            value = value[number.part] if isinstance(value, tuple) else UNDEFINED
            kind = kind.part(number.part)
        return kind.encode(value)
