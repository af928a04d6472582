"""Commands about many breakpoints: those at a place, those of many functions, all in a file."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.describe import places
from zedbg.commands.describe.breakpoint_rows import BreakpointSet, breakpoint_row
from zedbg.commands.describe.breakpoint_script import script_lines
from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Repeat,
    Requirement,
    builtin,
)
from zedbg.commands.framework.regular_expressions import regular_expression
from zedbg.commands.rows.row import Row, Text
from zedbg.commands.scripting.files import user_path
from zedbg.dwarf import DebugInfoError
from zedbg.engine.engine_errors import BreakpointError
from zedbg.engine.modules.place_specs import LineSpec, parse_spec
from zedbg.sycl.kernel_names import demangled

_MOST_FUNCTIONS = 500


@builtin.command(
    "clear",
    Category.BREAKPOINTS,
    "Delete the breakpoints at a place",
    aliases=("cl",),
    arguments=(
        Argument(
            "location", Kind.LOCATION, "place as for break; default: where the focus is", True, True
        ),
    ),
    example="clear vadd.cl:3",
    repeats=Repeat.NO,
)
def clear_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is None:
        here = context.frame.location
        text = f"{here.file}:{here.line}" if here.file and here.line else f"*{here.pc:#x}"
    wanted = places.named_place(context, text)
    spec = parse_spec(wanted)
    addresses: set[int] = set()
    for device in context.session.devices:
        for module in device.modules:
            try:
                addresses.update(place.pc for place in module.resolve(spec))
            except DebugInfoError:
                continue
    found = []
    for each in context.session.breakpoints:
        lines = {(places.short_file(p.code.file), p.code.line) for p in each.locations}
        at_line = (
            isinstance(spec, LineSpec)
            and spec.file is not None
            and (places.short_file(spec.file), spec.line) in lines
        )
        at_address = any(place.address in addresses for place in each.locations)
        if each.has_places and (each.spec == spec or at_line or at_address):
            found.append(each)
    if not found:
        raise CommandError(f"No breakpoint at {text}.")
    for each in found:
        context.session.breakpoints.delete(each)
    numbers = " ".join(str(each.number) for each in found)
    return [Text(f"Deleted breakpoint{'s' if len(found) > 1 else ''} {numbers}")]


@builtin.command(
    "rbreak",
    Category.BREAKPOINTS,
    "Set a breakpoint on every function whose name has a pattern",
    arguments=(
        Argument("pattern", Kind.TEXT, "[FILE:]REGULAR-EXPRESSION; default: all", True, True),
    ),
    requires=Requirement.PROCESS,
    example="rbreak ^blur",
    description="It takes the functions of the modules that are loaded. For kernels that come "
    "later use: break kernel GLOB.",
    repeats=Repeat.NO,
)
def rbreak_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = (invocation.optional(0) or "").strip()
    file, colon, pattern = text.partition(":")
    if not colon or "::" in text:
        file, pattern = "", text
    wanted = regular_expression(pattern.strip())
    names: dict[str, None] = {}
    for device in context.session.devices:
        for module in device.modules:
            if module.debug_info is None:
                if not file:
                    names.update(dict.fromkeys(module.kernel_names))
                continue
            for function in module.debug_info.functions:
                home = places.short_file(function.file.path) if function.file else None
                if function.name and (not file or home == places.short_file(file)):
                    names[function.name] = None
    chosen = [name for name in names if wanted.search(demangled(name))]
    if not chosen:
        raise CommandError(f'No function of the loaded modules fits "{text}".')
    if len(chosen) > _MOST_FUNCTIONS:
        context.require_confirmation(f"Set {len(chosen)} breakpoints?")
    rows: list[Row] = []
    for name in chosen:
        try:
            made = context.session.break_at(name)
        except BreakpointError as error:
            rows.append(Text(str(error)))
        else:
            rows.append(BreakpointSet.of(breakpoint_row(made)))
    return rows


@builtin.command(
    "save breakpoints",
    Category.BREAKPOINTS,
    "Write the breakpoints to a file that source reads",
    arguments=(Argument("file", Kind.FILE, "file", rest=True),),
    example="save breakpoints blur.zdb",
    description="Watchpoints are left out: they watch in a thread, which ends.",
    repeats=Repeat.NO,
)
def save_breakpoints_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    path = user_path(invocation.text(0))
    kept = [each for each in context.session.breakpoints if each.watch is None]
    if not kept:
        raise CommandError("Nothing to save.")
    lines = [line for each in kept for line in script_lines(each)]
    try:
        path.write_text("".join(f"{line}\n" for line in lines))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CommandError(f"{path}: {reason}.") from None
    return [Text(f"Saved to file '{path}'.")]
