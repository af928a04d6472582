"""The lines of calls that the line table leaves out, from the calls in the module's SPIR-V.

Where a function's code is known but not its lines (:mod:`zedbg.dwarf.scopes.routines`), each of
its calls is one of those that the SPIR-V has. Which one it is, is sure where all calls of the same
function are on one line, or where they are made one after the other on every way and as many are
in the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.flow import Flow
from zedbg.spirv.module.instructions import Function, Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.variables import instructions

Place = tuple[int, int]  # line, column


def lines_of_calls(model: Model, caller: str, callees: Sequence[str]) -> list[Place | None]:
    """Where in the source the calls of ``callees`` are that the code of ``caller`` makes, in the
    order of the code; None for those that are not known. Functions by their names in the source."""
    function = _function(model, caller)
    if function is None:
        return [None] * len(callees)
    flow = model.flow(function)
    found: list[Place | None] = []
    counts: dict[str, int] = {}
    for name in callees:
        number = counts[name] = counts.get(name, -1) + 1
        found.append(_line(model, flow, name, number, callees.count(name)))
    return found


def _line(model: Model, flow: Flow, callee: str, number: int, count: int) -> Place | None:
    """Of the call of ``callee`` with that ``number``, of ``count`` in the code."""
    calls = [
        (item, label)
        for label, item in instructions(flow)
        if item.opcode == Op.FUNCTION_CALL and _called(model, item) == callee
    ]
    places = [
        (item.line.line, item.line.column) if item.line is not None and not item.inlined else None
        for item, _ in calls
    ]
    if len(set(places)) == 1:
        return places[0]
    in_order = all(
        flow.dominates(a, b) and not flow.loops_around(a) for (_, a), (_, b) in pairwise(calls)
    )
    return places[number] if in_order and len(calls) == count else None


def _called(model: Model, call: Instruction) -> str | None:
    function = model.code.functions.get(call.operands[0])
    return None if function is None else _name(model, function)


def _function(model: Model, name: str) -> Function | None:
    found = [each for each in model.code.functions.values() if _name(model, each) == name]
    return found[0] if len(found) == 1 else None


def _name(model: Model, function: Function) -> str | None:
    scope = model.code.scopes.get(model.code.scope_of(function))
    return None if scope is None else scope.name
