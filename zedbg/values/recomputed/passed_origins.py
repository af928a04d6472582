"""Which calls of the source inlined calls are, by where the code made what it passes.

Compilers say only the line of a call. Where a function is called several times on one line, the
machine code of an inlined call takes what it is passed from registers. The instructions that made
that have places of the source: maybe those of an argument of one of the calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import cast

from zedbg.dwarf.scopes.scopes import InlinedCall
from zedbg.dwarf.trust.function_code import FunctionCode
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.instructions import Instruction
from zedbg.spirv.module.operations import Op
from zedbg.spirv.module.variables import instructions
from zedbg.spirv.numbers.device_maths import REARRANGING
from zedbg.values.source.single_places import steps_by_place
from zedbg.values.source.source_frame import SourceFrame

#: A place of the function that calls: line and column; or the name of a function that it calls, and
#: the line of that call.
Origin = tuple[int | str, int]

_DEEP = 8  # operations that arguments are compared by


def sites_by_origins(
    frame: SourceFrame, calls: Sequence[InlinedCall], sites: Sequence[Instruction]
) -> dict[InlinedCall, int]:
    """The numbers of ``sites``, calls of the source, that ``calls`` are, which the code of
    ``frame`` makes; the same at all stops. None unless all are told: each takes something that is
    made for one of the sites only, and no two of them for the same one."""
    notes, key = frame.model.notes, ("sites by origins", *calls)
    if key not in notes:
        notes[key] = _found(frame, calls, sites)
    return cast("dict[InlinedCall, int]", notes[key])


def _found(
    frame: SourceFrame, calls: Sequence[InlinedCall], sites: Sequence[Instruction]
) -> dict[InlinedCall, int]:
    code = frame.info.code.function_at(frame.address)
    passed = _passed_alone(frame, sites)
    if code is None or not all(passed):
        return {}
    found: dict[InlinedCall, int] = {}
    for call in calls:
        taken = set(_taken(frame, code, call, calls))
        told = [number for number, origins in enumerate(passed) if origins & taken]
        if len(told) != 1:
            return {}
        found[call] = told[0]
    return found if len(set(found.values())) == len(calls) else {}


# --- in the source -----------------------------------------------------------------------------


def _passed_alone(frame: SourceFrame, sites: Sequence[Instruction]) -> list[set[Origin]]:
    """Of each of ``sites``, where what only that one is passed is made. What is passed to several
    is no such thing, nor what is computed in the same way: compilers do that once."""
    model, function = frame.model, frame.position.function
    every = [each for _, each in instructions(model.flow(function))]
    at = Counter(_origin(model, each) for each in every if each.opcode not in REARRANGING)
    made = [
        {_key(frame, each.result, _DEEP): _origin(model, each) for each in _makers(frame, site)}
        for site in sites
    ]
    keys = Counter(key for own in made for key in own)
    return [
        {origin for key, origin in own.items() if origin and keys[key] == at[origin] == 1}
        for own in made
    ]


def _makers(frame: SourceFrame, site: Instruction) -> Iterator[Instruction]:
    """The instructions that make what a call is passed."""
    made = frame.model.made(frame.position.function)
    waiting = list(site.operands[1:])
    while waiting:
        _, item = made.get(waiting.pop(), (0, None))
        if item is None or item.opcode == Op.PHI:
            continue
        if item.opcode in REARRANGING:
            waiting += item.operands
        elif item.inlined == frame.position.inlined:
            yield item


def _origin(model: Model, item: Instruction) -> Origin | None:
    if item.line is None:
        return None
    if item.opcode != Op.FUNCTION_CALL:
        return item.line.line, item.line.column
    callee = model.code.functions.get(item.operands[0])
    scope = None if callee is None else model.code.scopes.get(model.code.scope_of(callee))
    return None if scope is None else (scope.name, item.line.line)


def _key(frame: SourceFrame, result: int, depth: int) -> object:
    """What is equal for results that are computed in the same way."""
    constant = frame.model.code.constants.get(result)
    if constant is not None:
        return "constant", constant
    _, item = frame.model.made(frame.position.function).get(result, (0, None))
    if item is None or not depth or item.opcode == Op.PHI:
        return result
    return item.opcode, tuple(_key(frame, each, depth - 1) for each in item.operands)


# --- in the machine code -----------------------------------------------------------------------


def _taken(
    frame: SourceFrame, code: FunctionCode, call: InlinedCall, calls: Sequence[InlinedCall]
) -> Iterator[Origin]:
    """Where what the code of ``call`` takes was made, outside of ``calls``."""
    outer = frame.position.inlined_calls()
    for (_, _, around), steps in steps_by_place(frame, code).items():
        depth = len(around) - len(outer) - 1
        if depth < 0 or around[depth:] != (call, *outer):
            continue
        for step in steps:
            for makers in code.makers(step):
                origins = {_origin_of(frame, each, outer, calls) for each in makers}
                only = origins.pop() if len(origins) == 1 else None
                if only is not None:
                    yield only


def _origin_of(
    frame: SourceFrame, address: int, outer: tuple[InlinedCall, ...], calls: Sequence[InlinedCall]
) -> Origin | None:
    around = tuple(frame.info.inlined_calls_at(address))
    depth = len(around) - len(outer)
    row = frame.info.lines.row_at(address)
    if row is None or depth < 0 or around[depth:] != outer:
        return None
    if not depth:
        return row.line, row.column
    within = around[depth - 1]
    return None if within in calls else (within.name, within.call_line)
