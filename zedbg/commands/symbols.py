"""Commands about names, types, lines and places of the program: what the debug information says."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.code import locate
from zedbg.commands.describe import places
from zedbg.commands.describe.address_owner import owner_text
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.framework.evaluation import expression_context
from zedbg.commands.framework.regular_expressions import regular_expression
from zedbg.commands.rows.row import Row, Text, to_json
from zedbg.commands.rows.session_rows import LineRow, SourceFileRow
from zedbg.commands.rows.value_rows import (
    ExplanationRow,
    ScopeRow,
    TypeRow,
    doubt_of,
    source_name,
)
from zedbg.dwarf import CodePlaces, DebugInfo, Function, InlinedCall, Scope, Variable
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.place_specs import LineSpec, parse_spec
from zedbg.values.expressions import api
from zedbg.values.formats.formatting import format_value, type_name
from zedbg.values.recomputed.explanation import evidence, explain
from zedbg.values.source.frame_context import visible_variables
from zedbg.values.source.scope_variables import variables_in_scope
from zedbg.values.threads.context import MemorySpace, ThreadContext
from zedbg.values.typed.value import Value
from zedbg.zebin.build_options import COMPILE_WITH_DEBUG_INFO

_PLACE = Argument("location", Kind.LOCATION, "place as for break", rest=True)


def _debug_info(module: LoadedModule | None) -> DebugInfo:
    info = None if module is None else module.debug_info
    if info is None:
        advice = COMPILE_WITH_DEBUG_INFO if module is None else module.debug_info_advice
        raise CommandError(f"No debug info for this module: {advice}.")
    return info


def _function_name(scope: Scope) -> str | None:
    for each in scope.outwards():
        if isinstance(each, Function | InlinedCall):
            return each.name
    return None


@builtin.command(
    "explain",
    Category.DATA,
    "Show where a variable is stored in each range of code, or why it has no value there",
    arguments=(Argument("variable", Kind.EXPRESSION, "name of a variable", rest=True),),
    requires=Requirement.STOPPED_THREAD,
    example="explain value",
    description="=> marks the range of code that the pc is in.",
)
def explain_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    name = invocation.text(0)
    within = expression_context(context)
    info = _debug_info(context.thread.module)
    variable, function = _variable(within, info, name)
    lane = context.focus.lane
    value = api.variable_values(within, variable, (lane,)).first
    found = evidence(within, variable, lane)
    recomputed = None
    if found.recomputed is not None:
        recomputed = Value(variable.type, found.recomputed).plain()
    return [
        ExplanationRow(
            name=name,
            type=type_name(variable.type),
            kind="parameter" if variable.is_parameter else "variable",
            function=function,
            file=places.short_file(variable.file.path) if variable.file is not None else None,
            line=variable.line,
            places=tuple(
                {
                    "low": each.low,
                    "high": each.high,
                    "lines": list(each.lines),
                    "where": each.words,
                    "live": each.live,
                }
                for each in explain(within, variable, lane)
            ),
            lane=lane,
            value=value.plain() if isinstance(value, Value) else to_json(value),
            text=format_value(value),
            source=source_name(value),
            doubtful=doubt_of(value),
            recomputed=recomputed,
            evidence=found.words,
        )
    ]


def _variable(within: ThreadContext, info: DebugInfo, name: str) -> tuple[Variable, str | None]:
    for scope, variable in visible_variables(within):
        if variable.name == name:
            return variable, _function_name(scope)
    for variable in info.globals:
        if variable.name == name:
            return variable, None
    raise CommandError(f'No variable "{name}" in the selected frame.')


@builtin.command(
    "info scope",
    Category.STATUS,
    "List the variables that are in scope at a place",
    arguments=(_PLACE,),
    requires=Requirement.PROCESS,
    example="info scope blur.cl:17",
)
def info_scope_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    _, module, place = locate(context, invocation.text(0))
    rows = [
        ScopeRow(
            variable.name,
            type_name(variable.type),
            variable.type.size,
            variable.is_parameter,
            _function_name(scope),
        )
        for scope, variable in variables_in_scope(_debug_info(module), place.pc)
    ]
    return rows or [Text(f"No variables are in scope at {place}.")]


@builtin.command(
    "info line",
    Category.STATUS,
    "Show the code addresses of a source line",
    arguments=(
        Argument("location", Kind.LOCATION, "place as for break", optional=True, rest=True),
    ),
    requires=Requirement.PROCESS,
    example="info line 17",
)
def info_line_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is None or text.isdecimal():
        here = context.frame.location
        if text is None:
            text = f"*{here.pc:#x}"
        elif here.file is not None:
            text = f"{here.file}:{text}"
    _, module, place = locate(context, text)
    info = _debug_info(module)
    spec = parse_spec(places.resolved(context, text))
    if isinstance(spec, LineSpec) and spec.file is not None:
        # A breakpoint moves after the prologue, which has lines, too.
        place = module.locate(CodePlaces(info).of_line(spec.file, spec.line, False)[0].address)
    bounds = info.lines.line_range_at(place.pc)
    if bounds is None or place.line is None or place.file is None:
        raise CommandError(f"No line number is known for address {place.pc:#x}.")
    file = places.short_file(place.file) or place.file
    if isinstance(spec, LineSpec) and spec.line != place.line:
        return [LineRow(file, spec.line, place.pc, place.pc, place.function)]
    return [LineRow(file, place.line, *bounds, place.function)]


@builtin.command(
    "info symbol",
    Category.STATUS,
    "Show what an address belongs to: a symbol, or memory that the kernel was given",
    arguments=(Argument("address", Kind.EXPRESSION, "address", rest=True),),
    requires=Requirement.PROCESS,
    example="info symbol $pc",
)
def info_symbol_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.text(0)
    try:
        address = int(text, 0)
    except ValueError:
        place = places.place_of(context, text)
        if place.space is MemorySpace.SLM:
            raise CommandError(f"No symbol matches {place.text}.") from None
        address = place.address
    return [Text(owner_text(context, address))]


@builtin.command(
    "info source",
    Category.STATUS,
    "Show the current source file, and where its text was found",
    requires=Requirement.STOPPED_THREAD,
)
def info_source_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    location = context.frame.location
    info = _debug_info(context.thread.module)
    row = info.lines.row_at(location.pc)
    if location.file is None or row is None:
        raise CommandError("No current source file.")
    lines = context.sources.lines(location.file)
    found = context.sources.find(location.file)
    functions = dict.fromkeys(each.name for each in info.functions if each.file == row.file)
    return [
        SourceFileRow(
            row.file.name,
            row.file.directory,
            str(found) if found is not None else None,
            len(lines) if lines is not None else None,
            tuple(functions),
        )
    ]


@builtin.command(
    "info types",
    Category.STATUS,
    "List the types of the program",
    arguments=(Argument("pattern", Kind.TEXT, "regular expression", optional=True, rest=True),),
    requires=Requirement.STOPPED_THREAD,
)
def info_types_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    pattern = regular_expression(invocation.optional(0) or "")
    named = _debug_info(context.thread.module).named_types
    return [
        TypeRow(name, found.size, (), (f"{name}, {found.size} bytes",))
        for name, found in sorted(named.items())
        if pattern.search(name)
    ] or [Text("No such type.")]
