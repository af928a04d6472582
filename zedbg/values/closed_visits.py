"""Which iterations constants say to come to no code of a block, whatever else the work-item is."""

from __future__ import annotations

from zedbg.spirv.evaluation import Evaluation
from zedbg.spirv.given_values import AnyItem
from zedbg.spirv.instructions import Function
from zedbg.spirv.model import Model
from zedbg.spirv.private_memory import Iterations
from zedbg.values.iterations import comes_in


def never_comes(model: Model, function: Function, block: int, iterations: Iterations) -> bool:
    """Whether no work-item comes to ``block`` of ``function`` in these ``iterations`` of the loops
    around it: then compilers that copy their bodies make no code of it there."""
    closed = Evaluation(model, function, AnyItem(), True)
    there = closed, closed.outermost, block
    return any(
        comes_in(*there, header, iterations[: level + 1]) is False
        for level, header in enumerate(model.flow(function).loops_around(block))
    )
