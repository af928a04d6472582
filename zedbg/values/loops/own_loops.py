"""The loop of the machine code each pass of which makes one iteration of a loop of the source.

Compilers unroll what they can count, and other loops hardly ever: each copy of a body would have
the jumps with which lanes leave, and the code that makes what these ask, since each iteration asks
anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.spirv.module.flow import Flow, Loop
from zedbg.spirv.module.loop_ends import ending_places
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.variables import instructions
from zedbg.values.loops.alike_loops import is_in_one, place_of
from zedbg.values.loops.asked_anew import asks_of_copies, asks_once, can_be_counted, leaves_by_data
from zedbg.values.loops.iterations import LaneLoop, leaving_blocks
from zedbg.values.source.single_places import makes_something, most_alike, steps_by_place
from zedbg.values.source.source_frame import SourceFrame
from zedbg.values.source.source_positions import position_at

_LEAST_PLACES = 3  # with code that show that a loop has no copies
_JUMPS = frozenset({Op.BRANCH_CONDITIONAL, Op.SWITCH})


def own_loop(
    frame: SourceFrame, here: LaneLoop, *, by_parts: bool = False
) -> tuple[int, int] | None:
    """The loop of the machine code around the code of ``frame`` each pass of which is one iteration
    of the loop that a lane is in ``here``: addresses of the first instruction and of the jump back.
    None where that is not sure. ``by_parts``: also where lanes may leave it by each part of a
    condition, so that other code must say that nothing is there for several iterations."""
    at, model = frame.address, frame.model
    is_countable = can_be_counted(model, here.activation.function, here.loop)
    if is_countable and not leaves_by_data(frame, here):
        return None
    loops = {each: frame.info.lines.row_at(each[1]) for each in loops_of_call(frame, here.calls)}
    kinds = {each: row and (row.line, row.column) for each, row in loops.items()}
    ends = ending_places(here.activation.function, here.loop)
    own = [each for each, kind in kinds.items() if kind in ends]
    around = sorted(each for each in loops if each[0] <= at <= each[1])
    if not own:
        # It may end where lanes leave in the middle: as those around it, but as no other one.
        for likely in _around_as_often(frame, here, around):
            others = [each for each in loops if each not in around and kinds[each] == kinds[likely]]
            own = [likely, *others]
    if len(own) != 1 and not is_countable:
        # Others are those of other iterations of the loops around it: none makes what is left over.
        own = [*_uncounted(frame, here, around)]
    if len(own) != 1 or not own[0][0] <= at <= own[0][1]:
        return None  # some iterations are made elsewhere, or all of them
    if is_countable and asks_of_copies(frame, here, own[0]):
        return None
    return own[0] if _goes_once(frame, here, own[0], by_parts) else None


def loops_of_call(frame: SourceFrame, calls: Sequence[InlinedCall]) -> list[tuple[int, int]]:
    """The loops of the machine code that are around the code of ``frame``, or may be of the inlined
    ``calls``: the same loop in another call is another one, which makes no iteration of theirs."""
    code, at = frame.info.code, frame.address
    return [
        each
        for each in code.loops(at)
        if each[0] <= at <= each[1] or not _is_of_others(frame, each, calls)
    ]


def _is_of_others(frame: SourceFrame, loop: tuple[int, int], calls: Sequence[InlinedCall]) -> bool:
    """Whether ``loop`` has code of other inlined calls, and none of ``calls``."""
    found = False
    lines, (low, high) = frame.info.lines, loop
    for row in [lines.row_at(low), *lines.rows_between(low, high + 1)]:
        if row is not None:
            there = frame.info.inlined_calls_at(max(row.address, low))[::-1]
            if there[: len(calls)] == [*calls][::-1]:
                return False
            found |= any(a != b for a, b in zip(there, calls[::-1], strict=False))
    return found


def _around_as_often(
    frame: SourceFrame, here: LaneLoop, around: list[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The one of the loops ``around`` the code that is in as many as the loop of the source. None
    if it may be one further in: some are not there, and it has no code of that loop only."""
    levels = frame.model.flow(here.activation.function).loops_around(here.block)
    calls = frame.position.calls[: len(here.calls)]
    outer = sum(len(frame.model.flow(each[0]).loops_around(each[2])) for each in calls)
    index = outer + levels.index(here.loop.header)
    if len(around) == outer + len(levels) or (
        index < len(around) and _has_own_code(frame, here, around[index])
    ):
        yield around[index]


def _uncounted(
    frame: SourceFrame, here: LaneLoop, around: list[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The one of the loops ``around`` the code that iterates the loop of the source, of which no
    compiler knows how often it is gone round: the innermost one with its code. None if that may be
    one around it: its jump back, or one with which lanes leave it, is of the source outside."""
    likely = [each for each in around if _has_own_code(frame, here, each)][-1:]
    flow = frame.model.flow(here.activation.function)
    for each in likely:
        jumps = [*_own_exits(frame, here, each), place_of(frame, each[1])]
        if are_inside(flow, here.loop, jumps):
            yield each


def are_inside(flow: Flow, loop: Loop, places: Iterable[tuple[int, int] | None]) -> bool:
    """Whether ``loop`` of the source has code of all of ``places``, and no other code is of one."""
    inside, outside = set[tuple[int, int]](), set[tuple[int, int]]()
    for label, item in instructions(flow):
        if item.line is not None and not item.inlined:
            found = inside if label in loop.blocks else outside
            found.add((item.line.line, item.line.column))
    return all(each is not None and each in inside - outside for each in places)


def _has_own_code(frame: SourceFrame, here: LaneLoop, machine: tuple[int, int]) -> bool:
    """Whether ``machine`` has code of the loop that is in no loop in that: nothing is moved into
    loops."""
    flow = frame.model.flow(here.activation.function)
    own, others = set[tuple[int, int]](), set[tuple[int, int]]()
    for label, item in instructions(flow):
        if item.line is not None and not item.inlined:
            is_own = flow.loops_around(label)[-1:] == (here.loop.header,)
            (own if is_own else others).add((item.line.line, item.line.column))
    own -= others
    low, high = machine
    rows = [frame.info.lines.row_at(low), *frame.info.lines.rows_between(low, high + 1)]
    return any(
        row is not None
        and (row.line, row.column) in own
        and frame.info.inlined_calls_at(max(low, row.address)) == [*here.calls]
        for row in rows
    )


def _goes_once(frame: SourceFrame, here: LaneLoop, loop: tuple[int, int], by_parts: bool) -> bool:
    """Whether each pass of ``loop`` of the machine code is one iteration: of several each would
    have jumps of the same places of the source out of it."""
    places = _own_exits(frame, here, loop)
    kinds = set(places)
    leaving = leaving_blocks(frame.model, here)
    most = len(leaving) + (_parts_of_conditions(frame, here, leaving) if by_parts else 0)
    is_short = bool(places) and len(places) <= most
    return len(kinds) == len(places) and (is_short or asks_once(frame, here, loop))


def _own_exits(
    frame: SourceFrame, here: LaneLoop, loop: tuple[int, int]
) -> list[tuple[int, int] | None]:
    """The line and column of each jump out of ``loop`` of the machine code, but for those of loops
    further in: of what these ask, lanes may know that they leave this one, too, and compilers may
    have copied them."""
    notes, function = frame.model.notes, here.activation.function.result
    key = _own_exits, loop, function, here.loop.header, here.calls
    if key not in notes:
        exits = [
            each for each in frame.info.code.exits(loop) if not _is_further_in(frame, here, each)
        ]
        notes[key] = [place_of(frame, each) for each in exits]
    found = notes[key]
    assert isinstance(found, list)
    return found


def _is_further_in(frame: SourceFrame, here: LaneLoop, address: int) -> bool:
    """Whether the jump at ``address`` is one of the source in loops within that of ``here``, also
    those of calls there."""
    info, model = frame.info, frame.model
    row, calls = info.lines.row_at(address), info.inlined_calls_at(address)
    position = position_at(info, model, address, calls[0] if calls else info.function_at(address))
    depth = len(here.calls)
    if row is None or position is None or position.inlined_calls(depth) != here.calls:
        return False

    def is_further_in(jump: int) -> bool:
        path = [*((each[0], each[2]) for each in position.calls), (position.function, jump)]
        (_, own), *others = [
            (function, model.flow(function).loops_around(block)) for function, block in path[depth:]
        ]
        return here.loop.header in own[:-1] or (
            own[-1:] == (here.loop.header,) and any(loops for _, loops in others)
        )

    place = row.line, row.column
    flow = model.flow(position.function)
    there = [
        (label, item)
        for label, item in instructions(flow)
        if item.line is not None
        and item.inlined == position.inlined
        and (item.line.line, item.line.column) == place
    ]
    # The jump itself may be of the place of what it asks.
    jumps = [label for label, item in there if item.opcode in _JUMPS]
    found = jumps or [label for label, _ in there]
    return bool(found) and all(map(is_further_in, found))


def leaves_no_doubt(frame: SourceFrame, here: LaneLoop, loop: tuple[int, int]) -> bool:
    """Whether the jumps out of ``loop`` of the machine code, one of each place, can be those of one
    iteration only: compilers may give the one of another iteration any place of its body."""
    return len(frame.info.code.exits(loop)) == 1 or asks_once(frame, here, loop)


def has_no_copies(frame: SourceFrame, here: LaneLoop, loop: tuple[int, int]) -> bool:
    """Whether ``loop`` of the machine code, which is of a loop of the source that no compiler can
    count, has no two instructions that do the same for a place of that: of several iterations, it
    would have some of each."""
    function, model = here.activation.function, frame.model
    code = frame.info.code.function_at(frame.address)
    if code is None or can_be_counted(model, function, here.loop):
        return False
    flow, places = model.flow(function), steps_by_place(frame, code)
    own = {
        (item.line.line, item.line.column)
        for label, item in instructions(flow)
        if item.line is not None and not item.inlined
        if flow.loops_around(label)[-1:] == (here.loop.header,)
    }
    steps = [
        [
            step
            for step in places.get((*each, here.calls), ())
            if makes_something(step) and is_in_one([loop], code.low + step.offset)
        ]
        for each in own
    ]
    made = [each for each in steps if each]
    return len(made) >= _LEAST_PLACES and all(most_alike(each) == 1 for each in made)


def _parts_of_conditions(frame: SourceFrame, here: LaneLoop, leaving: Sequence[int]) -> int:
    """How many jumps decide by which ways lanes come to the conditions of the blocks ``leaving``
    the loop, as those of ``&&``: compilers may let each leave it."""
    function = here.activation.function
    made, count = frame.model.made(function), 0
    for label in leaving:
        end = function.blocks[label].terminator
        block, item = made.get(end.operands[0], (0, None)) if end and end.operands else (0, None)
        if item is not None and item.opcode == Op.PHI and block in here.loop.blocks:
            count += len(item.operands) // 2 - 1
    return count
