"""Which folders' files of commands may run by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Argument, Category, Invocation, Kind, builtin
from zedbg.commands.rows.row import Row


@builtin.command(
    "add-auto-load-safe-path",
    Category.SUPPORT,
    "Trust the .zedbginit of a directory and of those inside it",
    arguments=(Argument("directory", Kind.FILE, "directory", rest=True),),
    example="add-auto-load-safe-path ~/kernels",
    description="It belongs into the user's file, ~/.config/zedbg/zedbginit: that runs at the "
    "start, and then the .zedbginit of the working directory, if the directory is trusted.",
)
def add_safe_path_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    try:
        folder = Path(invocation.text(0)).expanduser().resolve()
    except (RuntimeError, ValueError, OSError) as error:
        raise CommandError(f"{invocation.text(0)}: {error}") from None
    if not folder.is_dir():
        raise CommandError(f"{folder}: no such directory.")
    context.trusted.append(folder)
    return []
