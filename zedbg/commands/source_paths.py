"""Commands about where the text of source files is."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Argument, Category, Invocation, Kind, builtin
from zedbg.commands.rows.row import Row, Text
from zedbg.commands.scripting.files import user_path


@builtin.command(
    "set substitute-path",
    Category.FILES,
    "Search another directory for the source files that were compiled in a directory",
    arguments=(
        Argument("from", Kind.FILE, "directory as the compiler recorded it"),
        Argument("to", Kind.FILE, "directory where its files are now"),
    ),
    example="set substitute-path /build/kernels ~/kernels",
)
def set_substitute_path_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    context.sources.substitute(invocation.text(0), user_path(invocation.text(1)))
    return []


@builtin.command(
    "unset substitute-path",
    Category.FILES,
    "Delete one or all substitutions of source directories",
    arguments=(Argument("from", Kind.FILE, "directory", optional=True),),
)
def unset_substitute_path_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    name = invocation.optional(0)
    if name is None:
        context.sources.substitutions.clear()
    elif context.sources.substitutions.pop(name.rstrip("/") or "/", None) is None:
        raise CommandError(f'No substitution for "{name}".')
    return []


@builtin.command(
    "show substitute-path", Category.FILES, "List the substitutions of source directories"
)
def show_substitute_path_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return [
        Text(f"{name} -> {target}") for name, target in context.sources.substitutions.items()
    ] or [Text("No source directory is substituted.")]
