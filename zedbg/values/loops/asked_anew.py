"""What each iteration of a loop is asked anew, to decide whether a lane leaves it, and which code
of the machine asks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zedbg.dwarf.trust.steps import operation
from zedbg.spirv.analysis.closed_values import deciding, is_closed
from zedbg.spirv.analysis.inductions import loop_phis
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.flow import Loop
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import Op, Storage
from zedbg.spirv.module.variables import instructions
from zedbg.values.loops.alike_loops import copies_of_loop, is_in_one
from zedbg.values.loops.fresh_conditions import COMPARING
from zedbg.values.loops.iterations import LaneLoop, leaving_blocks
from zedbg.values.source.single_places import MOVES, most_alike, steps_by_place
from zedbg.values.source.source_frame import SourceFrame
from zedbg.xe.isa.opcodes import Opcode


def can_be_counted(model: Model, function: Function, loop: Loop) -> bool:
    """Whether a compiler may know how often ``loop`` is gone round: by a counter, or by going round
    it with what begins as a constant and needs nothing else."""
    shifts = [each.opcode for each in model.shiftings(function, loop)]
    if model.steppings(function, loop) or any(each != Op.S_DIV for each in shifts):
        return True
    return bool(model.stridings(function, loop)) or any(
        _is_closed(model, function, loop, each) for each in loop_phis(function, loop)
    )


def leaves_by_data(frame: SourceFrame, here: LaneLoop) -> bool:
    """Whether lanes leave the loop by what only going round it tells: each iteration must ask."""
    return bool(_asking(frame, here))


def _asking(frame: SourceFrame, here: LaneLoop) -> list[int]:
    """The blocks that ask each lane anew, in each iteration, whether it leaves the loop."""
    function, loop = here.activation.function, here.loop
    carried = {each.result for each in loop_phis(function, loop)}
    model = frame.model
    counted = {*model.inductions(function, loop)}
    for kind in (model.shiftings, model.stridings):
        counted.update(each.result for each in kind(function, loop))

    def is_told(condition: int) -> bool:
        """Whether only going round the loop tells it."""
        return any(
            item.result not in counted and not _is_closed(model, function, loop, item)
            if item.result in carried
            else item.opcode == Op.LOAD and _is_changed(frame, here, item)
            for item in _made_of(frame, here, [condition])
        )

    ends = ((label, function.blocks[label].terminator) for label in leaving_blocks(model, here))
    return [label for label, end in ends if end and end.operands and is_told(end.operands[0])]


def _is_changed(frame: SourceFrame, here: LaneLoop, load: Instruction) -> bool:
    """Whether ``load`` is of a variable of the function, or of what a pointer leads to that may be
    one, that the loop stores to."""
    model, function = frame.model, here.activation.function
    kind, roots = model.code.type_of[load.operands[0]], model.provenance.roots
    if kind.storage not in (Storage.FUNCTION, Storage.GENERIC):
        return False
    loaded = roots(function, load.operands[0]) or frozenset()
    return any(
        loaded & (roots(function, item.operands[0]) or frozenset())
        for label, item in instructions(model.flow(function))
        if item.opcode == Op.STORE and label in here.loop.blocks
    )


def _is_closed(model: Model, function: Function, loop: Loop, phi: Instruction) -> bool:
    return is_closed(model.code, model.flow(function), model.made(function), loop, phi)


def asks_once(frame: SourceFrame, here: LaneLoop, loop: tuple[int, int]) -> bool:
    """Whether ``loop`` of the machine code has one comparison, and no other code one but copies of
    that, for each that decides anew in each iteration whether a lane leaves the loop of the
    source."""
    code, asking = frame.info.code.function_at(frame.address), _asking(frame, here)
    if code is None or not asking:
        return False
    places, copies = steps_by_place(frame, code), copies_of_loop(frame, loop)
    for label in asking:
        found = False
        for item in _comparisons(frame, here, label):
            at = (item.line.line, item.line.column) if item.line is not None else (0, 0)
            steps = [
                each
                for each in places.get((*at, here.calls), ())
                if each.decoded.opcode is Opcode.CMP
            ]
            if not all(is_in_one(copies, code.low + each.offset) for each in steps):
                return False
            steps = [each for each in steps if is_in_one([loop], code.low + each.offset)]
            if most_alike(steps) > 1:
                return False
            found |= bool(steps)
        if not found:
            return False
    return True


def asks_of_copies(frame: SourceFrame, here: LaneLoop, loop: tuple[int, int]) -> bool:
    """Whether some of what decides anew in each iteration whether a lane leaves the loop of the
    source is there on both sides of a jump out of ``loop`` of the machine code: each pass of that
    is several iterations then."""
    code = frame.info.code.function_at(frame.address)
    if code is None:
        return False
    exits, places = frame.info.code.exits(loop), steps_by_place(frame, code)
    for item in _asked(frame, here):
        if item.line is None or item.inlined:
            continue
        parts = dict[object, set[int]]()
        for step in places.get((item.line.line, item.line.column, here.calls), ()):
            at = code.low + step.offset
            if loop[0] <= at <= loop[1] and step.decoded.opcode not in MOVES:
                part = sum(each < at for each in exits)
                parts.setdefault(operation(step), set()).add(part)
        if any(len(each) > 1 for each in parts.values()):
            return True
    return False


def _asked(frame: SourceFrame, here: LaneLoop) -> Iterator[Instruction]:
    """What each iteration makes of which it is asked anew whether a lane leaves the loop."""
    blocks = here.activation.function.blocks
    ends = (blocks[label].terminator for label in _asking(frame, here))
    asked = [end.operands[0] for end in ends if end is not None]
    made = _made_of(frame, here, asked, is_carried=True)
    return (item for item in made if item.opcode != Op.PHI)


def _made_of(
    frame: SourceFrame, here: LaneLoop, results: Sequence[int], *, is_carried: bool = False
) -> Iterator[Instruction]:
    """The instructions of the loop that make ``results``, and what these are made of; also by which
    ways lanes have come. ``is_carried``: and what is carried from the iteration before."""
    function, loop, model = here.activation.function, here.loop, frame.model
    made, flow = model.made(function), model.flow(function)
    waiting, seen = [*results], set[int]()
    while waiting:
        result = waiting.pop()
        label, item = made.get(result, (0, None))
        if item is None or result in seen or label not in loop.blocks:
            continue
        seen.add(result)
        yield item
        if item.opcode != Op.PHI:
            waiting += item.operands
        elif label != loop.header:
            # It is one of these by where lanes have come from: what jumps in front of it ask.
            waiting += [*item.operands[0::2], *deciding(flow, loop, label)]
        elif is_carried:
            waiting += item.operands[0::2]


def _comparisons(frame: SourceFrame, here: LaneLoop, label: int) -> Iterator[Instruction]:
    """Those that the jump of the block ``label`` out of the loop depends on."""
    function, model = here.activation.function, frame.model
    end, made = function.blocks[label].terminator, model.made(function)
    results = [] if end is None else [*end.operands[:1]]
    block, condition = made.get(results[0], (0, None)) if results else (0, None)
    if condition is not None and condition.opcode == Op.PHI:
        results += deciding(model.flow(function), here.loop, block)
    for each in results:
        _, item = made.get(each, (0, None))
        if item is not None and item.opcode in COMPARING:
            yield item
