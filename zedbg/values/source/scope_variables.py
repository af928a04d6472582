"""The variables in scope at code: those of the debug information, and those that it lost.

Optimising compilers drop a variable from the debug information when no code needs it any more, and
the code of a block from the block's addresses when they move it. The module's SPIR-V has all of
them.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import cast

from zedbg.dwarf import DebugInfo, Variable
from zedbg.dwarf.scopes.scopes import InlinedCall, Scope
from zedbg.dwarf.types.source_types import SourceTypes
from zedbg.spirv.analysis.damage import DAMAGES
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.code import LocalVariable
from zedbg.values.source.source_positions import SourcePosition, points_of, position_at

InScope = Sequence[tuple[Scope, Variable]]


def variables_in_scope(info: DebugInfo, address: int, frame: Scope | None = None) -> InScope:
    """As :meth:`zedbg.dwarf.DebugInfo.variables_at`, with the variables that only the module's
    SPIR-V has there: these have no place."""
    known = info.variables_at(address, frame)
    model = info.spirv
    if model is None:
        return known
    key = "in scope", address, frame
    if key not in model.notes:
        try:
            model.notes[key] = _with_lost(info, model, address, frame, known)
        except DAMAGES:
            if not model.is_damaged:
                raise
            model.notes[key] = known
    found = model.notes[key]
    return found if isinstance(found, tuple) else known


def _with_lost(
    info: DebugInfo, model: Model, address: int, frame: Scope | None, known: InScope
) -> InScope:
    position = position_at(info, model, address, frame)
    if position is None:
        return known
    calls = info.inlined_calls_at(address)
    within = frame or (calls[0] if calls else info.function_at(address))
    if within is None:
        return known
    found, names = list(known), {_name(each) for _, each in known}
    around = _scopes(model, position)
    for depth, scope in enumerate(around):
        own, outer = _names(model, [scope]), _names(model, around[depth + 1 :])
        block = next((s for s, each in known if _name(each) in own), None)
        for each in own.values():
            lost = _lost(model, within, each)
            if lost is not None and _name(lost) not in names:
                block = block or Scope(ranges=(), parent=within)
                found.insert(_index(found, block, lost, outer), (block, lost))
    return tuple(found)


def _name(variable: Variable | LocalVariable) -> tuple[str, int]:
    return variable.name, variable.line


def _names(model: Model, scopes: Sequence[int]) -> dict[tuple[str, int], LocalVariable]:
    """The variables of blocks of the SPIR-V."""
    declared = model.code.declared_in
    every = (each for scope in scopes for each in declared.get(scope, ()))
    return {_name(each): each for each in every if each.line}


def _index(
    found: Sequence[tuple[Scope, Variable]],
    block: Scope,
    variable: Variable,
    outer: Container[tuple[str, int]],
) -> int:
    """Where a variable of ``block`` comes: by its line there, or before all of ``outer``."""
    for index, (scope, each) in enumerate(found):
        is_later = scope is block and not each.is_parameter and each.line > variable.line
        if is_later or _name(each) in outer:
            return index
    return len(found)


def _scopes(model: Model, position: SourcePosition) -> list[int]:
    """The blocks of the SPIR-V that all of the line's code is in, the innermost first."""
    around = []
    for point in points_of(model, position):
        item = position.function.blocks[point.block].items[point.index]
        around.append(list(model.code.scopes_around(getattr(item, "scope", 0))))
    if not around:
        return []
    return [each for each in around[0] if all(each in others for others in around)]


def _lost(model: Model, within: Scope, wanted: LocalVariable) -> Variable | None:
    """The variable as the debug information has it elsewhere, or one without a place."""
    key = "lost", within, wanted
    if key not in model.objects:
        known = _declared_in(model, within).get(_name(wanted), [])
        if len(known) == 1:
            model.objects[key] = known[0]
        else:
            kind = known[0].type if known else _types(model).of(wanted.type)
            model.objects[key] = kind and Variable(
                wanted.name, kind, wanted.is_parameter, None, wanted.line
            )
    found = model.objects[key]
    return found if isinstance(found, Variable) else None


def _types(model: Model) -> SourceTypes:
    found = model.objects.get("types")
    if not isinstance(found, SourceTypes):
        found = model.objects["types"] = SourceTypes(model.code)
    return found


def _declared_in(model: Model, within: Scope) -> dict[tuple[str, int], list[Variable]]:
    """The same as :func:`_declared`, by their names and lines."""
    key = "declared", within
    if key not in model.objects:
        found: dict[tuple[str, int], list[Variable]] = {}
        for each in _declared(within):
            found.setdefault(_name(each), []).append(each)
        model.objects[key] = found
    return cast("dict[tuple[str, int], list[Variable]]", model.objects[key])


def _declared(within: Scope) -> Iterator[Variable]:
    """The variables of a function's blocks, without those of calls that were inlined there."""
    yield from within.variables
    for child in within.children:
        if not isinstance(child, InlinedCall):
            yield from _declared(child)
