"""What compilers know of a function: what constants say, whatever the work-item is."""

from __future__ import annotations

from zedbg.spirv.evaluation import Evaluation
from zedbg.spirv.given_values import AnyItem
from zedbg.spirv.instructions import Function
from zedbg.spirv.private_memory import Iterations
from zedbg.values.iterations import comes_in
from zedbg.values.source_frame import SourceFrame


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
    anyone = anyone_in(frame, function)
    there = anyone, anyone.outermost, block
    around = frame.model.flow(function).loops_around(block)[: len(iterations)]
    return any(
        comes_in(*there, header, iterations[: level + 1]) is False
        for level, header in enumerate(around)
    )
