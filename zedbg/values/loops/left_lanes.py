"""Which iterations of a loop lanes may be in, by those that have left it already.

Lanes that come into a loop together go round it together, and one that has left waits for the
others. So they are in none that one of them does not make; and where each pass of the machine code
comes to their instruction, in none in which a lane would be there, too, that is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.values.loops.alike_loops import copies_of_loop
from zedbg.values.loops.iterations import LaneLoop, comes_in, leaving_blocks
from zedbg.values.source.source_frame import SourceFrame


def possible_iterations(
    frame: SourceFrame,
    loop: tuple[int, int],
    there: Sequence[LaneLoop],
    others: Sequence[LaneLoop],
) -> range | None:
    """Those that the lanes ``there``, all that are active, may be in of their loop, of which
    ``loop`` of the machine code makes one in each pass. ``others``: the other lanes of the thread.
    None where the lanes are not known to leave the loop."""
    counts = [_most(each) for each in there]
    known = [each for each in counts if each is not None]
    return range(_first(frame, loop, there[0], others), min(known)) if known else None


def is_of_its_pass(frame: SourceFrame, loop: tuple[int, int]) -> bool:
    """Whether the code of ``frame`` is of the iteration that its pass of ``loop`` makes: compilers
    may put code of the next one where lanes have not left yet, and that of the first one in front
    of the loop."""
    code, address = frame.info.code, frame.address
    function = frame.info.function_at(address)
    if function is None:
        return False
    everywhere = function.low, code.last_instruction(address)
    copies = copies_of_loop(frame, loop)
    return code.count_alike(address, everywhere) == code.count_alike(address, *copies)


def _first(
    frame: SourceFrame, loop: tuple[int, int], here: LaneLoop, others: Sequence[LaneLoop]
) -> int:
    """The first iteration in which no one of ``others`` would be with the lane ``here``."""
    code, address = frame.info.code, frame.address
    around = [each for each in code.loops(address) if each[0] <= address <= each[1]]
    levels = frame.model.flow(here.activation.function).loops_around(here.loop.header)
    if len(around) != len(levels) or here.activation.caller is not None:
        return 0
    if not code.is_passed(loop, address, by_leaving=False):
        return 0
    # Lanes may have left in their last pass before they came to it.
    is_condition = here.place(address).is_condition(frame.model)
    missed = is_condition or not code.is_passed(loop, address, by_leaving=True)
    # In the one in which they leave, they come to all of it only where its end says that.
    is_at_end = {*leaving_blocks(frame.model, here)} <= {*here.loop.latches}
    last = [_last(each) for each in others if _enters(each, levels)]
    counts = [None if each is None else each + is_at_end for each in last]
    return max([0, *(each - missed for each in counts if each is not None)])


def _most(here: LaneLoop) -> int | None:
    """How many iterations of its loop a lane may come to its block in; None where that is not
    known."""
    try:
        return here.evaluation.count_of(here.activation, here.block, here.loop.header, here.outer)
    except UnknownValue:
        return None


def _last(here: LaneLoop) -> int | None:
    """The iteration in which a lane leaves its loop; None where that is not known."""
    try:
        return here.evaluation.last_iteration(here.activation, here.loop.header, here.outer)
    except UnknownValue:
        return None


def _enters(here: LaneLoop, levels: Sequence[int]) -> bool:
    """Whether a lane comes to its loop, the last one of ``levels``, in the iterations of the loops
    around that in which others are; false where that is not known."""
    evaluation, call = here.evaluation, here.activation
    try:
        comes = evaluation.comes_to(call, levels[0])
    except UnknownValue:
        return False
    return comes and all(
        comes_in(evaluation, call, inner, outer, here.outer[: index + 1])
        for index, (outer, inner) in enumerate(pairwise(levels))
    )
