"""Which registers are proved to count the iterations of a loop of the SPIR-V, for all threads.

The SPIR-V says what an iteration adds to a value, and on which line and column that is made. An
instruction of the machine code with that line and column, which adds the same to a register, makes
that register the loop's counter (:mod:`zedbg.dwarf.trust.loop_counters` proves that nothing else
does), if it begins with what the SPIR-V says, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.counter_history import Origin
from zedbg.dwarf.trust.lane_places import LanePlaces
from zedbg.dwarf.trust.loop_counters import LoopCounter
from zedbg.spirv.analysis.inductions import Stepping
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.instructions import Function, Instruction, Line
from zedbg.spirv.module.loop_ends import ending_places
from zedbg.spirv.module.operations import COMPARISONS
from zedbg.spirv.numbers.arithmetic import signed
from zedbg.spirv.work_item.ways import MOST_COPIES
from zedbg.xe.isa.opcodes import Opcode


@dataclass(frozen=True)
class LoopPlace:
    """Code at ``address``, in ``block`` of ``loop`` of ``function``, which is the inlined
    ``calls``, the innermost first."""

    address: int
    function: Function = field(compare=False)  # the labels of blocks say which one it is
    loop: Loop
    block: int
    calls: tuple[InlinedCall, ...]

    def is_condition(self, model: Model) -> bool:
        """Whether it is where lanes go on or leave the loop, in front of the loop's body: compilers
        put the code of that after the body, where it is of the next iteration."""
        loop = self.loop
        after = model.flow(self.function).after[loop.header]
        leaves = any(each not in loop.blocks for each in after)
        return leaves and self.block == loop.header and loop.header not in loop.latches


@dataclass(frozen=True)
class ProvedCounter:
    """A register that counts as ``stepping`` does; ``is_ahead``: it has been stepped for the next
    iteration already."""

    counter: LoopCounter
    stepping: Stepping
    is_ahead: bool

    def begin(self, first: object) -> int | None:
        """What it has where iterations begin to be counted, if ``first`` is the value of the
        stepping in the first one; None where it does not begin with that."""
        if not isinstance(first, int):
            return None
        mask = (1 << self.stepping.bits) - 1
        start = (first - self.stepping.step) & mask
        constants = [each.constant for each in self.counter.origins]
        is_same = all(each is None or each & mask == start for each in constants)
        return start if is_same else None

    def iteration(self, held: int, begin: int) -> int | None:
        """The iteration in which it has the number ``held``; None where it has it in none."""
        bits = self.stepping.bits
        distance = signed((held - begin) & (1 << bits) - 1, bits)
        number, rest = divmod(distance, self.stepping.step)
        number -= self.is_ahead
        return None if rest or number < 0 else number


def proved_counters(
    info: DebugInfo, model: Model, place: LoopPlace
) -> list[list[ProvedCounter]] | None:
    """The counters of the loop at ``place``, together those of one stepping; None where one counts
    several iterations at once."""
    key = "counters", place
    if key not in model.notes:
        found = [
            _proved(info, model, place, each)
            for each in model.steppings(place.function, place.loop)
        ]
        model.notes[key] = None if None in found else found
    kept = model.notes[key]
    assert kept is None or isinstance(kept, list)
    return kept


def counts_other_loop(
    info: DebugInfo, model: Model, place: LoopPlace, counter: LoopCounter
) -> bool:
    """Whether ``counter`` is of a loop of the machine code that makes iterations of a loop around
    that at ``place``, also of a caller: where the inner one is unrolled, compilers may make the
    next number of the outer one, and what the inner one makes of it, by one instruction."""
    key = "counts other loop", place, counter
    if key not in model.notes:
        model.notes[key] = _counts_other_loop(info, model, place, counter)
    return model.notes[key] is True


def loop_of_counter(
    info: DebugInfo, place: LoopPlace, counter: LoopCounter
) -> tuple[int, int] | None:
    """The innermost loop of the machine code that steps ``counter``: addresses of its first
    instruction and of the jump back; None where it is in none."""
    at = function_start(info, place) + counter.added_at
    around = [each for each in info.code.loops(at) if each[0] <= at <= each[1]]
    return min(around, key=lambda each: each[1] - each[0]) if around else None


def _counts_other_loop(
    info: DebugInfo, model: Model, place: LoopPlace, counter: LoopCounter
) -> bool:
    around = loop_of_counter(info, place, counter)
    if around is None:
        return False
    _, jump = around
    calls, row = info.inlined_calls_at(jump), info.lines.row_at(jump)
    if len(calls) < len(place.calls):
        return True
    flow = model.flow(place.function)
    outer = [flow.loops[each] for each in flow.loops_around(place.loop.header)]
    ends = {each.header: ending_places(place.function, each) for each in outer}
    own = ends.pop(place.loop.header)
    ending = row and (row.line, row.column)
    return ending not in own and any(ending in each for each in ends.values())


def begins_as(
    info: DebugInfo, model: Model, place: LoopPlace, stepping: Stepping, counter: LoopCounter
) -> bool:
    """Whether the machine code shows that ``counter`` begins with what the induction of
    ``stepping`` does: by constants, by the lines of the instructions that set it, or by what the
    loop compares."""
    return not unproved_origins(info, model, place, stepping, counter) or _is_compared_as(
        info, model, place, stepping, counter
    )


def unproved_origins(
    info: DebugInfo, model: Model, place: LoopPlace, stepping: Stepping, counter: LoopCounter
) -> list[Origin]:
    """What sets ``counter`` in front of the loop, neither to a constant nor on the line and column
    where the SPIR-V makes what the induction of ``stepping`` starts with."""
    low = function_start(info, place)
    return [
        each
        for each in counter.origins
        if each.constant is None and not _is_set_as(info, model, place, stepping, low + each.offset)
    ]


def _proved(
    info: DebugInfo, model: Model, place: LoopPlace, stepping: Stepping
) -> list[ProvedCounter] | None:
    line = stepping.line
    found = []
    for each in info.code.loop_counters(place.address, line.line, line.column, place.calls):
        copies, rest = divmod(each.step, stepping.step)
        if rest or not 0 < copies <= MOST_COPIES or 8 * each.size != stepping.bits:
            continue
        if any(amount % stepping.step for _, amount in each.additions):
            continue
        if steps_before_loop(info, model, place, stepping, each):
            continue
        if not begins_as(info, model, place, stepping, each):
            continue
        if counts_other_loop(info, model, place, each):
            continue
        if copies > 1:
            return None
        ahead = is_ahead(model, place, function_start(info, place) + each.stepped_at)
        found.append(ProvedCounter(each, stepping, ahead))
    return found


def function_start(info: DebugInfo, place: LoopPlace) -> int:
    """The address of the function of the machine code that ``place`` is in."""
    function = info.function_at(place.address)
    return 0 if function is None else function.low


def _is_set_as(
    info: DebugInfo, model: Model, place: LoopPlace, stepping: Stepping, address: int
) -> bool:
    """Whether the instruction at ``address``, that sets a counter, is of the line and column where
    the SPIR-V makes what the induction starts with."""
    induction = stepping.induction
    if stepping.result != induction.following:
        return False
    return is_made_at(info, model, place.function, induction.start, address)


def is_made_at(
    info: DebugInfo, model: Model, function: Function, result: int, address: int
) -> bool:
    """Whether the instruction at ``address`` is of a line and column where ``function`` makes
    ``result``, or the same of the same values."""
    _, made = model.made(function).get(result, (0, None))
    row = info.lines.row_at(address)
    if made is None or row is None:
        return False
    lines = [each.line for each in (made, *model.twins(function, result))]
    return any(each and (each.line, each.column) == (row.line, row.column) for each in lines)


def is_set_to(
    info: DebugInfo, model: Model, place: LoopPlace, origin: Origin, start: int, begin: int
) -> bool:
    """Whether ``origin`` sets a counter to ``begin``, what ``start`` (a result of the SPIR-V) is:
    by its constant, or by the line where the SPIR-V makes that."""
    if origin.constant is None:
        return is_made_at(
            info, model, place.function, start, function_start(info, place) + origin.offset
        )
    return origin.constant & (1 << model.code.type_of[start].bits) - 1 == begin


def is_ahead(model: Model, place: LoopPlace, stepped_at: int) -> bool:
    """Whether code at ``place`` comes after the instruction, at the address ``stepped_at``, that
    makes a counter that of the next iteration."""
    return stepped_at < place.address and not place.is_condition(model)


def is_made_for_next(
    info: DebugInfo, model: Model, place: LoopPlace, stepping: Stepping, counter: LoopCounter
) -> bool:
    """Whether the loop of the machine code makes the value of ``stepping`` at its end, for the next
    iteration: with the condition that decides whether lanes go on, as ``i + 1`` of a loop that goes
    on while that is less than a number. Then it begins with that of the first iteration."""
    header = LoopPlace(place.address, place.function, place.loop, place.loop.header, place.calls)
    loop = loop_of_counter(info, place, counter)
    if loop is None or stepping.block != header.block or not header.is_condition(model):
        return False
    exits, code = info.code.exits(loop), info.code.function_at(loop[0])
    made_at = function_start(info, place) + counter.added_at
    if code is None or len(exits) != 1 or exits[0] < made_at:
        return False
    after = code.steps_of(lambda address: exits[0] < address < loop[1])
    return all(each.decoded.opcode is Opcode.MOV for each in after)


def steps_before_loop(
    info: DebugInfo, model: Model, place: LoopPlace, stepping: Stepping, counter: LoopCounter
) -> bool:
    """Whether code in front of the loop steps ``counter``, and the loop does after ``place``, where
    the SPIR-V makes ``stepping`` for the condition in front of the loop's body, as ``i + 1`` of a
    loop that goes on while that is less than a number: then the first step may be the one for the
    condition of the first iteration."""
    header = LoopPlace(place.address, place.function, place.loop, place.loop.header, place.calls)
    loop, low = loop_of_counter(info, place, counter), function_start(info, place)
    if loop is None or stepping.block != header.block or not header.is_condition(model):
        return False
    is_after = place.address < low + counter.added_at
    return is_after and any(
        not loop[0] <= low + offset <= loop[1] for offset, _ in counter.additions
    )


def begin_of_next(
    info: DebugInfo,
    model: Model,
    place: LoopPlace,
    stepping: Stepping,
    counter: LoopCounter,
    first: int,
) -> int | None:
    """What ``counter`` has where iterations begin to be counted, if :func:`is_made_for_next`, and
    it begins with ``first``, the value of ``stepping`` in the first one."""
    low, mask = function_start(info, place), (1 << stepping.bits) - 1
    begins = all(
        is_made_at(info, model, place.function, stepping.result, low + each.offset)
        if each.constant is None
        else each.constant & mask == first & mask
        for each in counter.origins
    )
    is_next = begins and is_made_for_next(info, model, place, stepping, counter)
    return first & mask if is_next else None


def decides_next_pass(
    info: DebugInfo, model: Model, place: LoopPlace, stepping: Stepping, counter: LoopCounter
) -> bool:
    """Whether the loop of the machine code goes on where ``counter``, with what it adds to it, is
    what the SPIR-V compares the induction of ``stepping`` with in the next iteration: whatever the
    counter began with, it is that number at the beginning of each pass."""
    mask = (1 << stepping.bits) - 1
    return any(
        (number if offset > counter.stepped_at else number + counter.step) & mask == constant
        for offset, number, constant in _comparisons(info, model, place, stepping, counter)
    )


def _is_compared_as(
    info: DebugInfo, model: Model, place: LoopPlace, stepping: Stepping, counter: LoopCounter
) -> bool:
    """Whether the loop compares the counter with the constant that the SPIR-V compares the
    induction with, on the same line and column: then they are the same number."""
    mask = (1 << stepping.bits) - 1
    return any(
        number & mask == constant
        for _, number, constant in _comparisons(info, model, place, stepping, counter)
    )


def bounds_of_next_pass(
    info: DebugInfo, model: Model, place: LoopPlace, stepping: Stepping, counter: LoopCounter
) -> list[tuple[LanePlaces, int]]:
    """As :func:`decides_next_pass`, where the loop goes on as the SPIR-V does if registers have
    what a result of it is: which ones. Nothing in the loop writes to them. A counter that differs
    from the induction is compared with what differs from that result by as much."""
    return [
        (places, bound)
        for line, bound in _compared_with(place, stepping)
        for offset, places in counter.bounds
        if offset > counter.stepped_at and bound not in model.code.constants
        if _is_of(info, place, offset, line)
    ]


def _comparisons(
    info: DebugInfo, model: Model, place: LoopPlace, stepping: Stepping, counter: LoopCounter
) -> Iterator[tuple[int, int, int]]:
    """Where the code compares ``counter`` with a constant, and the SPIR-V its induction, on the
    same line and column: the offset and both constants."""
    for line, bound in _compared_with(place, stepping):
        constant = model.code.constants.get(bound)
        if not isinstance(constant, int):
            continue
        for offset, number in counter.compared:
            if _is_of(info, place, offset, line):
                yield offset, number, constant


def _compared_with(place: LoopPlace, stepping: Stepping) -> Iterator[tuple[Line, int]]:
    """Where the first block of the loop compares the induction, and the results it does so with."""
    induction = stepping.induction
    if stepping.result != induction.following:
        return
    for item in place.function.blocks[place.loop.header].items:
        if not isinstance(item, Instruction) or item.opcode not in COMPARISONS:
            continue
        if item.line is not None and item.operands[0] == induction.result:
            yield item.line, item.operands[1]


def _is_of(info: DebugInfo, place: LoopPlace, offset: int, line: Line) -> bool:
    """Whether the instruction at ``offset`` of the function is of that line and column."""
    at = function_start(info, place) + offset
    return info.code.is_of(at, line.line, line.column, place.calls)
