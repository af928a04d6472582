"""Compares everything that zedbg reads of a module's debug information with llvm-dwarfdump."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.support.dwarf.dwarf_dump import EVERYWHERE, DumpedDie, dies_of, dump, same_expression
from tests.support.dwarf.dwarf_types import DumpedTypes
from zedbg.dwarf import DebugInfo, Function, InlinedCall, Scope, Variable

_SCOPES = ("DW_TAG_subprogram", "DW_TAG_lexical_block", "DW_TAG_inlined_subroutine")
_VARIABLES = ("DW_TAG_variable", "DW_TAG_formal_parameter")


def hold_against_dump(info: DebugInfo, relocated: Path) -> Counter[str]:
    """Compares scopes, variables, their locations and types with the dump of ``relocated``, and
    says how many of each there were; AssertionError names the first difference."""
    dies = dies_of(dump(relocated, "--debug-info"))
    types = DumpedTypes({die.offset: die for die in dies})
    counts: Counter[str] = Counter()
    # An older compiler says wrongly where functions are: all that begin where the kernel "ends".
    mended = any(unit.mended is not None for unit in info.units)
    functions = [
        die
        for die in dies
        if die.tag == "DW_TAG_subprogram"
        and (die.ranges() or (mended and "DW_AT_low_pc" in die.attributes))
    ]
    functions.sort(key=lambda die: die.number("DW_AT_low_pc") if mended else die.ranges()[0])
    found = sorted(info.functions, key=lambda function: function.ranges[0])
    if not mended:
        assert [each.ranges for each in found] == [die.ranges() for die in functions]
    for scope, die in zip(found, functions, strict=True):
        _hold_scope(scope, die, types, counts)
    tops = [
        die
        for die in dies
        if die.tag == "DW_TAG_variable" and die.parent and "unit" in die.parent.tag
    ]
    for variable, die in zip(info.globals, tops, strict=True):
        _hold_variable(variable, die, types, counts)
    return counts


def _named(die: DumpedDie, by_offset: dict[int, DumpedDie], attribute: str) -> str:
    origin = by_offset.get(die.number("DW_AT_abstract_origin"))
    if attribute in die.attributes or origin is None:
        return die.attributes.get(attribute, "")
    return _named(origin, by_offset, attribute)


def _described(die: DumpedDie, by_offset: dict[int, DumpedDie]) -> DumpedDie:
    """The DIE that says of which type ``die`` is: itself, or that of which it is an instance."""
    origin = die.number("DW_AT_abstract_origin") or die.number("DW_AT_specification")
    if "DW_AT_type" in die.attributes or origin not in by_offset:
        return die
    return _described(by_offset[origin], by_offset)


def _members(die: DumpedDie) -> tuple[list[DumpedDie], list[DumpedDie]]:
    """The variables and the inner scopes of ``die``; a block without code counts as its own."""
    variables, scopes = [], []
    for child in die.children:
        if child.tag in _VARIABLES:
            variables.append(child)
        elif child.tag in _SCOPES[1:] and child.ranges():
            scopes.append(child)
        elif child.tag == "DW_TAG_lexical_block":
            inner_variables, inner_scopes = _members(child)
            variables += inner_variables
            scopes += inner_scopes
    return variables, scopes


def _hold_scope(scope: Scope, die: DumpedDie, types: DumpedTypes, counts: Counter[str]) -> None:
    counts[die.tag] += 1
    assert isinstance(scope, Function) or scope.ranges == die.ranges()
    name = _named(die, types.by_offset, "DW_AT_name").strip('"')
    if isinstance(scope, Function):
        line = _named(die, types.by_offset, "DW_AT_decl_line")
        assert (scope.name, scope.line) == (name, int(line or "0"))
        result = types.of(_described(die, types.by_offset))
        assert (scope.type is None) == (result is None)
        if scope.type is not None:
            types.hold(scope.type, result)
    if isinstance(scope, InlinedCall):
        assert scope.name == name
        file = scope.call_file.path if scope.call_file is not None else ""
        call = (file, scope.call_line, scope.call_column)
        attributes = ("DW_AT_call_line", "DW_AT_call_column")
        assert call == (die.text("DW_AT_call_file"), *map(die.number, attributes))
    variables, scopes = _members(die)
    # After them come those of the function that the copy in the dump leaves out.
    assert not any(each.is_located for each in scope.variables[len(variables) :])
    assert len(scope.variables) >= len(variables)
    assert len(scope.children) == len(scopes)
    for variable, one in zip(scope.variables, variables, strict=False):
        _hold_variable(variable, one, types, counts)
    for child, one in zip(scope.children, scopes, strict=True):
        _hold_scope(child, one, types, counts)


def _hold_variable(
    variable: Variable, die: DumpedDie, types: DumpedTypes, counts: Counter[str]
) -> None:
    counts[die.tag] += 1
    assert variable.name == _named(die, types.by_offset, "DW_AT_name").strip('"')
    assert variable.is_parameter == (die.tag == "DW_TAG_formal_parameter")
    line = _named(die, types.by_offset, "DW_AT_decl_line")
    assert variable.line == int(line or "0")
    types.hold(variable.type, types.of(_described(die, types.by_offset)))
    expression = die.expression()
    if expression is not None:
        assert same_expression(variable.expression or b"", expression), (variable.name, expression)
        counts["expressions"] += 1
        return
    locations = die.locations()
    # An entry for where nothing else holds may stand anywhere in the list; zedbg has it last.
    locations = sorted(locations, key=lambda each: each[:2] == EVERYWHERE)
    assert [(e.low, e.high) for e in variable.entries] == [each[:2] for each in locations]
    for entry, (_, _, text) in zip(variable.entries, locations, strict=True):
        assert same_expression(entry.expression, text), (variable.name, text)
        counts["location list entries"] += 1
