"""Where in a function's code the source says something else of variables: for all threads."""

from __future__ import annotations

from collections.abc import Collection

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.scopes.scopes import Function
from zedbg.spirv.analysis.damage import DAMAGES
from zedbg.spirv.analysis.model import Model
from zedbg.values.source.source_positions import position_at, states_of


def statement_starts(info: DebugInfo, function: Function) -> list[int]:
    """The addresses at which the line, the column or the inlined call is another one than at the
    instruction before. Between two of them the SPIR-V is looked up at the same place."""
    found: list[int] = []
    before: object = None
    for low, high in function.ranges:
        rows = [each.address for each in info.lines.rows_between(low, high)]
        for address in sorted({low, *rows}):
            row = info.lines.row_at(address)
            calls = tuple(map(id, info.inlined_calls_at(address)))
            here = (row and (row.line, row.column), calls)
            if here != before or address == low:
                found.append(address)
            before = here
    return found


def value_starts(info: DebugInfo, function: Function, names: Collection[str]) -> list[int]:
    """Those of :func:`statement_starts` at which a variable of ``names`` has another value by the
    SPIR-V, or the loops are others. Between two of them what was computed for one of them without
    knowing an iteration is what it is. All, where the module has no SPIR-V."""
    starts, model = statement_starts(info, function), info.spirv
    if model is None:
        return starts
    found: list[int] = []
    before: object = None
    for address in starts:
        try:
            here = _said_of(info, model, names, address)
        except DAMAGES:
            if not model.is_damaged:
                raise
            here = None
        if here is None or here != before:
            found.append(address)
        before = here
    return found


def _said_of(info: DebugInfo, model: Model, names: Collection[str], address: int) -> object:
    """What the SPIR-V says of variables at ``address``; equal only where that is the same. None:
    it says nothing, or values of variables in memory, of which each place has its own."""
    position = position_at(info, model, address, None)
    if position is None:
        return None
    flow = model.flow(position.function)
    found: list[object] = [position.inlined, tuple(id(each[1]) for each in position.calls)]
    for name in names:
        variable = info.variable(name, address)
        states = None if variable is None else states_of(model, position, variable)
        for point, parts in states or ():
            if any(given.in_memory for part in parts for given in part):
                return None
            found.append(flow.loops_around(point.block))
            found += [frozenset(part) for part in parts]
        found.append(variable)
    return found
