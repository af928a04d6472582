"""What compilers know of a function: what constants say, whatever the work-item is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zedbg.spirv.analysis.private_memory import Iterations
from zedbg.spirv.module.instructions import Function
from zedbg.spirv.work_item.evaluation import Evaluation
from zedbg.spirv.work_item.given_values import AnyItem
from zedbg.values.loops.iterations import comes_in
from zedbg.values.source.source_frame import SourceFrame


def anyone_in(frame: SourceFrame, function: Function) -> Evaluation:
    """A work-item of which nothing is known, in a call of ``function`` of which nothing is known;
    kept while the thread of ``frame`` is stopped."""
    key = anyone_in, frame.model, function.result
    found = frame.context.stop_cache.get(key)
    if not isinstance(found, Evaluation):
        found = Evaluation(frame.model, function, AnyItem(), True)
        frame.context.stop_cache[key] = found
    return found


def never_comes(frame: SourceFrame, function: Function, block: int, iterations: Iterations) -> bool:
    """Whether no work-item comes to ``block`` of ``function`` in these ``iterations`` of the loops
    around it, from the outermost on: then compilers that copy their bodies make no code of it
    there."""
    return not having_code(frame, function, [iterations])(block)


def having_code(
    frame: SourceFrame, function: Function, copies: Sequence[Iterations]
) -> Callable[[int], Sequence[int]]:
    """Gives which of ``copies`` of the bodies of loops, each of which is those iterations, some
    work-item may come to a block in. It needs no frame any more."""
    anyone, flow = anyone_in(frame, function), frame.model.flow(function)

    def may_come(block: int, iterations: Iterations) -> bool:
        return all(
            comes_in(anyone, anyone.outermost, block, header, iterations[: level + 1]) is not False
            for level, header in enumerate(flow.loops_around(block)[: len(iterations)])
        )

    return lambda block: [index for index, each in enumerate(copies) if may_come(block, each)]
