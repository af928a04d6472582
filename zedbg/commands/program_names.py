"""What the program has, by name: functions, variables, source files, and where a name lies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zedbg.commands.describe import places
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
from zedbg.commands.rows.name_rows import NameRow
from zedbg.commands.rows.row import Nothing, Row, Text
from zedbg.dwarf import DebugInfoError, Function
from zedbg.dwarf.types.program_types import VOID
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.sycl.kernel_names import demangled
from zedbg.values.formats.formatting import type_name
from zedbg.values.recomputed.explanation import explain
from zedbg.values.source.frame_context import visible_variables

_PATTERN = Argument("pattern", Kind.TEXT, "regular expression; default: all", True, rest=True)


def _modules(context: CommandContext) -> list[LoadedModule]:
    return [module for device in context.session.devices for module in device.modules]


def _pattern(invocation: Invocation) -> re.Pattern[str]:
    text = re.sub(r"^(-q|-n|--)\s+", "", invocation.optional(0) or "")
    return regular_expression(text)


def _listed(rows: list[NameRow], what: str) -> Sequence[Row]:
    """``rows`` sorted, each once; those without debug information last."""
    known = sorted(set(rows), key=lambda each: (each.file is None, each.file or "", each.name))
    return known or [Nothing(f"No {what}.")]


@builtin.command(
    "info functions",
    Category.STATUS,
    "List the functions of the loaded modules",
    aliases=("info fun", "info func"),
    arguments=(_PATTERN,),
    requires=Requirement.PROCESS,
    example="info functions ^blur",
)
def info_functions_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    pattern = _pattern(invocation)
    rows = [
        row
        for module in _modules(context)
        for row in _functions(module)
        if pattern.search(row.name)
    ]
    return _listed(rows, "functions fit")


def _functions(module: LoadedModule) -> Iterator[NameRow]:
    known: set[str] = set()
    try:
        functions = [] if module.debug_info is None else module.debug_info.functions
        for each in functions:
            if each.name:
                known.add(each.name)
                file = places.short_file(each.file.path) if each.file is not None else None
                yield NameRow(demangled(each.name), _signature(each), file, each.line, each.low)
    except DebugInfoError:
        pass
    image = module.image
    if image is None:
        return
    for name in image.kernel_names:
        kernel = image.kernel(name)
        if name not in known and demangled(name) not in known and kernel is not None:
            yield NameRow(demangled(name), None, None, None, kernel.entry)


def _signature(function: Function) -> str:
    result = function.type or VOID
    parameters = ", ".join(type_name(each.type) for each in function.parameters) or "void"
    return result.declare(f"{demangled(function.name or '')}({parameters})") + ";"


@builtin.command(
    "info variables",
    Category.STATUS,
    "List the variables of the loaded modules that are outside of functions",
    aliases=("info var",),
    arguments=(_PATTERN,),
    requires=Requirement.PROCESS,
    example="info variables table",
)
def info_variables_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    pattern = _pattern(invocation)
    rows = [
        row
        for module in _modules(context)
        for row in _variables(module)
        if pattern.search(row.name)
    ]
    return _listed(rows, "variables fit")


def _variables(module: LoadedModule) -> Iterator[NameRow]:
    known: set[str] = set()
    try:
        variables = [] if module.debug_info is None else module.debug_info.globals
        for each in variables:
            known.add(each.name)
            file = places.short_file(each.file.path) if each.file is not None else None
            yield NameRow(each.name, each.type.declare(each.name) + ";", file, each.line, None)
    except DebugInfoError:
        pass
    if module.image is None:
        return
    for symbol in module.image.variables:
        if symbol.name and symbol.name not in known:
            is_placed = not module.image.is_unplaced(symbol.section)
            yield NameRow(symbol.name, None, None, None, symbol.address if is_placed else None)


@builtin.command(
    "info sources",
    Category.STATUS,
    "List the source files that the loaded modules were compiled from",
    arguments=(_PATTERN,),
    requires=Requirement.PROCESS,
)
def info_sources_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    pattern = _pattern(invocation)
    rows: list[Row] = []
    for module in _modules(context):
        if module.debug_info is None:
            continue
        names = dict.fromkeys(each.path for each in module.debug_info.lines.files)
        fitting = [name for name in names if pattern.search(name)]
        if fitting:
            rows.append(Text(f"Module {module.number}:"))
            rows += [Text(f"  {name}{_where(context, name)}") for name in fitting]
    return rows or [Nothing("No source files: compile with -g.")]


def _where(context: CommandContext, name: str) -> str:
    found = context.sources.find(name)
    return " (text not found)" if found is None and context.sources.lines(name) is None else ""


@builtin.command(
    "info address",
    Category.STATUS,
    "Show where a variable or function is",
    arguments=(Argument("symbol", Kind.EXPRESSION, "its name", rest=True),),
    requires=Requirement.PROCESS,
    example="info address i",
)
def info_address_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    name = invocation.text(0).strip()
    if context.session.focus is not None:
        within = expression_context(context)
        for _, variable in visible_variables(within):
            if variable.name == name:
                lane = context.focus.lane
                live = [each.words for each in explain(within, variable, lane) if each.live]
                where = live[0] if live else "optimised out here (explain says where it lives)"
                kind = "a parameter" if variable.is_parameter else "a local variable"
                return [Text(f'Symbol "{name}" is {kind}: {where}.')]
    for module in _modules(context):
        for each in (*_functions(module), *_variables(module)):
            if each.name == name and each.address is not None:
                what = "a function" if module.contains(each.address) else "static storage"
                return [Text(f'Symbol "{name}" is {what} at address {each.address:#x}.')]
        owner = [] if module.image is None else module.image.symbols_named(name)
        if owner:
            return [Text(f'Symbol "{name}" is static storage at address {owner[0].address:#x}.')]
    raise CommandError(f'No symbol "{name}" in current context.')


@builtin.command(
    "info files",
    Category.STATUS,
    "Show the program and where the code and data of its modules are",
    aliases=("info target",),
)
def info_files_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    rows: list[Row] = [
        Text(f"Program: {' '.join([*context.program, context.settings.text('args')]).strip()}")
        if context.program
        else Text("No program.")
    ]
    for module in _modules(context):
        if module.image is None:
            continue
        for section in (*module.image.code_sections, *module.image.data_sections):
            end = section.address + section.size
            place = f"{section.address:#018x} - {end:#018x}"
            rows.append(Text(f"\t{place} is {section.name} of module {module.number}"))
    return rows


@builtin.command(
    "info inferiors",
    Category.STATUS,
    "Show the program under debug",
)
def info_inferiors_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    process = context.process
    state = "<null>" if process is None else f"process {process.pid}"
    program = context.program[0] if context.program else ""
    return [
        Text("  Num  Description       Executable"),
        Text(f"* 1    {state:<17} {program}".rstrip()),
    ]


@builtin.command(
    "info program",
    Category.STATUS,
    "Show whether the program runs, and why it stopped",
)
def info_program_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    process, stop = context.process, context.session.stop
    if process is None:
        return [Text("The program being debugged is not being run.")]
    rows: list[Row] = [Text(f"Process {process.pid}.")]
    focus = context.session.focus
    if focus is None or stop is None:
        return [*rows, Text("It is running.")]
    rows.append(Text(f"Program stopped at {focus.thread.pc:#x}."))
    hit = stop.breakpoint
    if hit is None:
        reason = f"Reason: {stop.reason.value}."
    elif hit in context.session.breakpoints:
        reason = f"It stopped at breakpoint {hit.number}."
    else:
        reason = "It stopped at a breakpoint that has since been deleted."
    return [*rows, Text(reason)]
