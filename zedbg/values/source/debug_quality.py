"""How much of a module's variables can be shown, without a run: what compilers' makers are sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile

from zedbg.dwarf import DebugInfo, Variable
from zedbg.dwarf.scopes.scopes import Function
from zedbg.missing import Missing
from zedbg.spirv.analysis.damage import DAMAGES
from zedbg.spirv.analysis.model import Model
from zedbg.values.source.scope_variables import variables_in_scope
from zedbg.values.source.source_positions import (
    SourcePosition,
    is_unoptimised,
    position_at,
    program_of_variable,
    states_of,
)


@dataclass(frozen=True)
class DebugQuality:
    """Of one kernel, how many pairs there are of a place where a line begins and a variable in
    scope that the program has set there.

    Each pair is one of these: the place that the debug information gives can be checked for every
    work-item, by the module's SPIR-V (``checked``); there is no place that the code bears out, but
    the SPIR-V gives the value (``recomputable``); there is only the place (``unchecked``), or
    neither (``lost``). What depends on loops or on memory counts as one of the last two, though at
    a stop it may be found. ``lost_variables``: names, with how many pairs, most first.
    ``is_unoptimised``: all variables lie in memory; ``has_spirv``: the kernel was found in it.
    """

    kernel: str
    pairs: int
    checked: int
    recomputable: int
    unchecked: int
    lost: int
    lost_variables: tuple[tuple[str, int], ...]
    is_unoptimised: bool
    has_spirv: bool

    @property
    def placed(self) -> int:
        """Pairs that have a place by the debug information."""
        return self.checked + self.unchecked


def debug_quality(info: DebugInfo, function: Function) -> DebugQuality:
    """That of the kernel ``function``. Raises DebugInfoError for damaged debug information."""
    found: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    positions: list[SourcePosition] = []
    for address in _addresses(info, function):
        position = _position(info, address)
        positions += [] if position is None else [position]
        for variable in _visible(info, address):
            kind = _kind(info, variable, address, position)
            if kind is None:
                continue
            found[kind] += 1
            if kind == "lost":
                lost[variable.name] += 1
    model = info.spirv
    return DebugQuality(
        kernel=function.name,
        pairs=found.total(),
        checked=found["checked"],
        recomputable=found["recomputable"],
        unchecked=found["unchecked"],
        lost=found["lost"],
        lost_variables=tuple(lost.most_common()),
        is_unoptimised=model is not None
        and bool(positions)
        and is_unoptimised(model, positions[0]),
        has_spirv=bool(positions),
    )


def _addresses(info: DebugInfo, function: Function) -> Iterator[int]:
    """Where lines begin: each stretch of a line counts, but for the function's own, in which it
    has not begun."""
    rows = [
        row
        for row in info.lines.rows_between(function.low, function.high)
        if row.line and row.is_stmt
    ]
    for row in dropwhile(lambda row: row.line == rows[0].line, rows):
        yield row.address


def _visible(info: DebugInfo, address: int) -> Iterator[Variable]:
    """The variables that their names mean at ``address``."""
    seen: set[str] = set()
    for _, variable in variables_in_scope(info, address):
        if variable.name and variable.name not in seen and variable.type.size:
            seen.add(variable.name)
            yield variable


def _position(info: DebugInfo, address: int) -> SourcePosition | None:
    model = info.spirv
    if model is None:
        return None
    try:
        return position_at(info, model, address, None)
    except DAMAGES:
        if not model.is_damaged:
            raise
        return None


def _kind(
    info: DebugInfo, variable: Variable, address: int, position: SourcePosition | None
) -> str | None:
    """What the pair is, by the name of the field that counts it; None for a variable that the
    program has not set yet."""
    model = info.spirv
    is_placed = variable.constant is not None or not isinstance(
        info.location_expression(variable, address), Missing
    )
    if model and position:
        if _is_known(model, position, variable, is_placed):
            return "checked" if is_placed else "recomputable"
        if not is_placed and _is_unset(model, position, variable):
            return None
    return "unchecked" if is_placed else "lost"


def _is_unset(model: Model, position: SourcePosition, variable: Variable) -> bool:
    try:
        states = states_of(model, position, variable)
    except DAMAGES:
        if not model.is_damaged:
            raise
        return False
    return bool(states) and not any(parts for _, parts in states or ())


def _is_known(model: Model, position: SourcePosition, variable: Variable, is_placed: bool) -> bool:
    try:
        if is_placed and is_unoptimised(model, position):
            return True
        return program_of_variable(model, position, variable) is not None
    except DAMAGES:
        if not model.is_damaged:
            raise
        return False
