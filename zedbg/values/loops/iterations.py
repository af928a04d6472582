"""Which iteration of a loop a lane is in, from a register that is proved to count it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.loop_counters import LoopCounter
from zedbg.spirv.analysis.inductions import Stepping
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.analysis.private_memory import Iterations, NotReached
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.instructions import Line
from zedbg.spirv.module.loop_ends import ending_lines, ending_places
from zedbg.spirv.numbers.arithmetic import UnknownValue, signed
from zedbg.spirv.work_item.activation import Activation
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.spirv.work_item.ways import MOST_COPIES
from zedbg.values.counters.lane_numbers import LaneNumbers, RegisterCounter
from zedbg.values.counters.proved_counters import (
    LoopPlace,
    ProvedCounter,
    bounds_of_next_pass,
    decides_next_pass,
    loop_of_counter,
)
from zedbg.values.counters.shifted_loops import ended_iterations, shifted_iterations
from zedbg.values.counters.strided_loops import strided_iterations
from zedbg.values.loops.counter_origins import begin_of, held_number, is_recorded_as
from zedbg.values.source.source_frame import SourceFrame


@dataclass(frozen=True)
class Counted:
    """The iteration ``first``, or one of the ``copies`` - 1 after it: of those the machine code has
    copies of their own."""

    first: int
    copies: int


@dataclass(frozen=True)
class LaneLoop:
    """``lane`` is in ``block`` of ``loop``. ``outer``: the iterations of the loops around that;
    ``calls``: the inlined ones that ``activation`` is, innermost first."""

    lane: int
    evaluation: Evaluation
    activation: Activation
    loop: Loop
    outer: Iterations
    block: int
    calls: tuple[InlinedCall, ...]

    def place(self, address: int) -> LoopPlace:
        """The same for all lanes: at ``address`` of the machine code."""
        return LoopPlace(address, self.activation.function, self.loop, self.block, self.calls)


def comes_in(
    evaluation: Evaluation, call: Activation, block: int, header: int, iterations: Iterations
) -> bool | None:
    """Whether a lane comes to ``block`` in an iteration of the loop of ``header``, the last one of
    ``iterations``; None where that cannot be computed. Lanes may be where they do nothing, while
    others execute iterations that they do not make."""
    *outer, number = iterations
    try:
        if number is not None and not evaluation.makes(call, header, tuple(outer), number):
            return False
    except UnknownValue:
        pass
    try:
        return evaluation.passes(call, block, header, iterations)
    except UnknownValue:
        return None


def require_coming(
    evaluation: Evaluation, call: Activation, block: int, header: int, iterations: Iterations
) -> None:
    """Raises NotReached where a lane does not come to ``block`` in an iteration of the loop of
    ``header``, the last one of ``iterations``."""
    if comes_in(evaluation, call, block, header, iterations) is False:
        raise NotReached


def leaving_blocks(model: Model, here: LaneLoop) -> list[int]:
    """The blocks from which lanes leave the loop."""
    flow, loop = model.flow(here.activation.function), here.loop
    return [each for each in loop.blocks if not loop.blocks.issuperset(flow.after[each])]


class LaneIterations:
    """Finds the iterations of the lanes of ``frame``."""

    def __init__(self, frame: SourceFrame) -> None:
        self._frame = frame
        self._context = frame.context
        self._info = frame.info
        self._model = frame.model
        self._address = frame.address
        function = frame.info.function_at(self._address)
        self._low = 0 if function is None else function.low
        self._counters: dict[tuple[Line, tuple[InlinedCall, ...]], list[LoopCounter]] = {}

    def of(self, here: LaneLoop) -> int | None:
        """The iteration of its loop that a lane is in; None where nothing proves one."""
        found = self.counted(here)
        return found.first if found is not None and found.copies == 1 else None

    def counted(self, here: LaneLoop) -> Counted | None:
        """Which iterations of its loop a lane may be in, by a register that counts them; None where
        none does."""
        if not self._context.active_lanes >> here.lane & 1:
            return None
        found = {
            self._counted(here, each)
            for each in self._model.steppings(here.activation.function, here.loop)
        } - {None}
        if not found:
            found = set(self._by_other_registers(here))
        if not found:
            found = {self._by_trips(here)} - {None}
        if not found:
            found = set(self._after_others(here))
        return found.pop() if len(found) == 1 else None

    def _by_other_registers(self, here: LaneLoop) -> Iterator[Counted]:
        """As :meth:`counted`, by registers that the loop shifts, or adds others to."""

        def first(result: int) -> int | None:
            return self._first(here, result, here.loop.header)

        def is_recorded(counter: RegisterCounter, begin: int) -> bool:
            return is_recorded_as(self._frame, place, counter, here.lane, begin)

        place, known = self._place(here), (self._info, self._model)
        numbers = LaneNumbers(*known, place, here.lane, first, self._held, is_recorded)
        for find in (shifted_iterations, ended_iterations, strided_iterations):
            for number in find(numbers):
                if number >= 0 and self._stays(here, number):
                    yield Counted(number, 1)

    def _after_others(self, here: LaneLoop) -> Iterator[Counted]:
        """As :meth:`counted`, where each pass of the loop of the machine code makes several
        iterations, and other code before it so many that these passes have no rest."""
        trips = self._trips(here)
        for stepping, counter, (head, tail) in self._with_rest(here) if trips is not None else ():
            first = self._first(here, stepping.result, stepping.block)
            place = counter.place(here.lane)
            held = None if place is None else self._held(place, counter.size)
            if not head <= self._address <= tail or first is None or held is None:
                continue
            begin = ProvedCounter(counter, stepping, False).begin(first)
            assert begin is not None and trips is not None
            distance = signed((held - begin) & (1 << stepping.bits) - 1, stepping.bits)
            number, rest = divmod(distance, stepping.step)
            copies = counter.step // stepping.step
            if self._low + counter.stepped_at < self._address:
                number -= copies
            if not rest and 0 <= number < trips and (trips - number) % copies == 0:
                yield Counted(number, copies)

    def before(self, here: LaneLoop) -> Counted | None:
        """As :meth:`counted`, in the code that :meth:`counted` has before such a loop."""
        trips = self._trips(here)
        if not self._context.active_lanes >> here.lane & 1 or not trips:
            return None
        found = {
            Counted(0, trips % copies)
            for stepping, counter, (head, _) in self._with_rest(here)
            for copies in [counter.step // stepping.step]
            if self._address < head
            and trips % copies
            and self._info.code.leads_to(self._address, head)
        }
        return found.pop() if len(found) == 1 else None

    def _with_rest(self, here: LaneLoop) -> Iterator[tuple[Stepping, LoopCounter, tuple[int, int]]]:
        """The counters of loops of the machine code that make several iterations in each pass, the
        last of which is the last one of the loop; with the loops."""
        if here.block == here.loop.header:
            return
        for stepping in self._model.steppings(here.activation.function, here.loop):
            line = stepping.line
            for counter, loop in self._info.code.rest_counters(
                self._address, line.line, line.column, here.calls
            ):
                copies, rest = divmod(counter.step, stepping.step)
                is_own = (
                    not rest and 1 < copies <= MOST_COPIES and 8 * counter.size == stepping.bits
                )
                if not is_own:
                    continue
                if self._goes_on_as(here, stepping, counter, loop):
                    yield stepping, counter, loop

    def _is_bounded(
        self, here: LaneLoop, stepping: Stepping, counter: LoopCounter, loop: tuple[int, int]
    ) -> bool:
        """Whether the lane is in ``loop``, which goes on where ``counter`` is less or more, as the
        SPIR-V says of the induction of ``stepping``, than a register that has what the SPIR-V
        compares that with: then it is that number at the beginning of each pass."""
        if not loop[0] <= self._address <= loop[1]:
            return False
        header, outer = here.loop.header, (*here.outer, None)
        mask = (1 << stepping.bits) - 1
        known = self._info, self._model, self._place(here), stepping, counter
        for places, bound in bounds_of_next_pass(*known):
            place = places.place(here.lane)
            held = None if place is None else self._held(place, counter.size)
            try:
                # Not in an iteration: it must be the same in all of them.
                value = here.evaluation.value(here.activation, bound, header, outer)
            except UnknownValue:
                continue
            if held is not None and isinstance(value, int) and value & mask == held:
                return True
        return False

    def _first(self, here: LaneLoop, result: int, block: int) -> int | None:
        """What ``result``, of ``block``, is in the first iteration."""
        try:
            first = here.evaluation.value(here.activation, result, block, (*here.outer, 0))
        except UnknownValue:
            return None
        return first if isinstance(first, int) else None

    def _by_trips(self, here: LaneLoop) -> Counted | None:
        """As :meth:`counted`, by a register that counts from zero to how often the loop is gone
        round: what compilers leave of a counter that nothing else needs."""
        if here.block == here.loop.header:
            return None
        counters = [
            (counter, number)
            for line in ending_lines(here.activation.function, here.loop)
            for counter in self._of_line(line, here.calls)
            for number in [self._from_zero(here, counter)]
            if number is not None
        ]
        trips = self._trips(here) if counters else None
        if trips is None:
            return None
        at_once = self._at_once(here)
        found = set()
        for counter, number in counters:
            places = {each.place(here.lane) for _, each in counter.bounds} - {None}
            bounds = {self._held(each, counter.size) for each in places if each is not None}
            bounds |= {constant for _, constant in counter.compared}
            # A loop of another number of iterations in each pass has another bound.
            before = trips - trips % counter.step
            if bounds == {before} and number < before:
                found.add(Counted(number, counter.step))
            for copies in at_once if counter.step == 1 else ():
                before = trips - trips % copies
                is_rest = bounds == {trips - before} and number < trips - before
                if is_rest and self._makes_one(here, counter, trips, copies):
                    found.add(Counted(before + number, 1))
        return found.pop() if len(found) == 1 else None

    def _makes_one(self, here: LaneLoop, counter: LoopCounter, trips: int, copies: int) -> bool:
        """Whether each pass of the loop that ``counter`` counts is one iteration of those that
        are left over by ``copies`` at once. Where such a loop was unrolled again, the counter
        counts passes of more iterations, and other code makes those that this leaves over: another
        loop, or those of one iteration without a loop."""
        loop = loop_of_counter(self._info, self._place(here), counter)
        assert loop is not None
        if not self._info.code.has_alike(*loop):
            return True
        if trips > 1 and trips // 2 % copies == trips % copies:
            return False
        return self._loops_ending_as(here) == 2

    def _loops_ending_as(self, here: LaneLoop) -> int:
        """How many loops of the machine code end with a jump of the line and column of the loop, or
        have counters of these."""
        ends = ending_places(here.activation.function, here.loop)
        code = self._info.code
        found = 0
        for loop in code.loops(self._address):
            row = self._info.lines.row_at(loop[1])
            is_such = row is not None and (row.line, row.column) in ends
            found += is_such or any(code.counters_of_loop(loop, *each, here.calls) for each in ends)
        return found

    def _from_zero(self, here: LaneLoop, counter: LoopCounter) -> int | None:
        """What a counter that begins with zero has counted until this iteration."""
        place = counter.place(here.lane)
        if place is None or not 0 < counter.step <= MOST_COPIES:
            return None
        if any(each.constant != 0 for each in counter.origins) or any(
            offset != counter.added_at for offset, _ in counter.additions
        ):
            return None
        held = self._held(place, counter.size)
        if held is None or held % counter.step:
            return None
        is_stepped = self._low + counter.stepped_at < self._address
        number = held - counter.step if is_stepped else held
        return number if number >= 0 else None

    def _trips(self, here: LaneLoop) -> int | None:
        """How often the lane goes round the loop, where its first block ends it."""
        loop, leaving = here.loop, leaving_blocks(self._model, here)
        is_at_begin = leaving == [loop.header] and loop.header not in loop.latches
        if not is_at_begin and leaving != list(loop.latches):
            return None
        try:
            last = here.evaluation.last_iteration(here.activation, loop.header, here.outer)
        except UnknownValue:
            return None
        return last if is_at_begin else last + 1

    def _at_once(self, here: LaneLoop) -> set[int]:
        """How many iterations of the loop other code makes at once."""
        return {
            each.step
            for line in ending_lines(here.activation.function, here.loop)
            for each in self._info.code.other_counters(
                self._address, line.line, line.column, here.calls
            )
            if 1 < each.step <= MOST_COPIES and all(o.constant == 0 for o in each.origins)
        }

    def _counted(self, here: LaneLoop, stepping: Stepping) -> Counted | None:
        for counter in self._of_line(stepping.line, here.calls) or self._indexed(here, stepping):
            copies, rest = divmod(counter.step, stepping.step)
            if rest or not 0 < copies <= MOST_COPIES:
                continue
            number = self._number(here, stepping, counter)
            if number is None:
                continue
            is_next = self._place(here).is_condition(self._model)
            if self._low + counter.stepped_at < self._address and not is_next:
                number -= copies
            # Other code that adds to the counter may make those first that passes leave over.
            is_first = all(offset == counter.added_at for offset, _ in counter.additions)
            if number < 0 or (is_first and number % copies) or (is_next and copies > 1):
                return None
            return Counted(number, copies) if self._stays(here, number) else None
        return None

    def _indexed(self, here: LaneLoop, stepping: Stepping) -> list[LoopCounter]:
        """The registers that count the loop if they are what the SPIR-V says in all iterations that
        the lane makes: by them the loop writes to other registers."""

        def numbers() -> tuple[int, int] | None:
            first = self._first(here, stepping.result, stepping.block)
            passes = self._trips(here)
            if passes is None:
                try:
                    header = here.loop.header
                    passes = here.evaluation.last_iteration(here.activation, header, here.outer) + 1
                except UnknownValue:
                    return None
            if first is None or passes <= 0:
                return None
            return first - stepping.step, passes

        line = stepping.line
        found = self._info.code.indexed_counters(
            self._address, line.line, line.column, here.calls, numbers
        )
        return [each for each in found if each.step == stepping.step]

    def left(self, here: LaneLoop) -> Counted | None:
        """As :meth:`counted`, in code that is executed after the copies which a register counts:
        for the iterations that are fewer than these."""
        if not self._context.active_lanes >> here.lane & 1:
            return None
        if len(leaving_blocks(self._model, here)) > 1:
            return None  # some lanes have left before the others, who went on counting
        found = {
            Counted(number, copies - 1)
            for each in self._model.steppings(here.activation.function, here.loop)
            for counter in self._info.code.left_counters(
                self._address, each.line.line, each.line.column, here.calls
            )
            for copies, rest in [divmod(counter.step, each.step)]
            if not rest and 1 < copies <= MOST_COPIES
            for number in [self._number(here, each, counter)]
            if number is not None and number >= 0 and not number % copies
        }
        if not found:
            trips = self._trips(here)
            if trips is None or self._loops_ending_as(here) != 1:
                return None  # unrolled more than once: what is left over is of several kinds
            found = {Counted(trips - trips % copies, copies - 1) for copies in self._at_once(here)}
        return found.pop() if len(found) == 1 else None

    def _number(self, here: LaneLoop, stepping: Stepping, counter: LoopCounter) -> int | None:
        """How many iterations ``counter`` has counted; None where it is not known to count them."""
        place, bits = counter.place(here.lane), stepping.bits
        if place is None or 8 * counter.size != bits:
            return None
        if any(amount % stepping.step for _, amount in counter.additions):
            return None
        start = self._start(here, stepping, counter)
        held = self._held(place, counter.size)
        if start is None or held is None:
            return None
        number, rest = divmod(signed((held - start) & (1 << bits) - 1, bits), stepping.step)
        return None if rest else number

    def _of_line(self, line: Line, calls: tuple[InlinedCall, ...]) -> list[LoopCounter]:
        key = line, calls
        if key not in self._counters:
            self._counters[key] = self._info.code.loop_counters(
                self._address, line.line, line.column, calls
            )
        return self._counters[key]

    def _start(self, here: LaneLoop, stepping: Stepping, counter: LoopCounter) -> int | None:
        """What the counter begins with, where something shows that it begins with that."""
        first = self._first(here, stepping.result, stepping.block)
        place = self._place(here)
        begin = begin_of(self._frame, place, stepping, counter, here.lane, first)
        if begin is not None or first is None or counter.step != stepping.step:
            return begin
        # Other code may have made the first iterations: then it begins with that of a later one.
        loop = loop_of_counter(self._info, place, counter)
        is_same = loop is not None and self._goes_on_as(here, stepping, counter, loop)
        return (first - stepping.step) & (1 << stepping.bits) - 1 if is_same else None

    def _goes_on_as(
        self, here: LaneLoop, stepping: Stepping, counter: LoopCounter, loop: tuple[int, int]
    ) -> bool:
        """Whether ``loop`` of the machine code goes on by what ``counter`` has as the SPIR-V does
        by the induction of ``stepping``: then it is that number, whatever it began with."""
        known = self._info, self._model, self._place(here), stepping, counter
        return decides_next_pass(*known) or self._is_bounded(here, stepping, counter, loop)

    def _place(self, here: LaneLoop) -> LoopPlace:
        return here.place(self._address)

    def _held(self, place: int, size: int) -> int | None:
        return held_number(self._frame, place, size)

    def _stays(self, here: LaneLoop, number: int) -> bool:
        """Whether the loop has that iteration, as far as its condition can be computed."""
        header, iterations = here.loop.header, (*here.outer, number)
        if here.block == header:
            return True
        try:
            following = here.evaluation.next_block(here.activation, header, iterations)
        except UnknownValue:
            return True
        return following in here.loop.blocks
