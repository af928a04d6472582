"""Commands that leave zedbg for a moment: the shell, make, the working directory, pipes."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Repeat,
    builtin,
)
from zedbg.commands.framework.shell_command import run_shell
from zedbg.commands.rows.row import Row, Text
from zedbg.commands.scripting.files import user_path


@builtin.command(
    "shell",
    Category.SUPPORT,
    "Run a shell command",
    aliases=("!",),
    arguments=(Argument("command", Kind.LITERAL, "default: a shell", optional=True, rest=True),),
    example="!ls -l",
    description="$_shell_exitcode is its exit code.",
    repeats=Repeat.NO,
)
def shell_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return shell_rows(context, invocation.optional(0))


@builtin.command(
    "make",
    Category.SUPPORT,
    "Run make",
    arguments=(Argument("arguments", Kind.LITERAL, "of make", optional=True, rest=True),),
    repeats=Repeat.NO,
)
def make_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return shell_rows(context, f"make {invocation.optional(0) or ''}")


def shell_rows(context: CommandContext, command: str | None) -> Sequence[Row]:
    """Runs ``command``, without one a shell, in the terminal; what it writes where that is
    captured. Raises UsageError, CommandError."""
    if command is None and not context.interactive:
        raise UsageError("shell needs a command here: there is no terminal.")
    captures = context.captures_output
    try:
        done = subprocess.run(
            command or os.environ.get("SHELL", "/bin/sh"),
            shell=True,
            stdin=None if context.interactive else subprocess.DEVNULL,
            capture_output=captures,
            check=False,
        )
    except (OSError, ValueError) as error:
        raise CommandError(f"The shell cannot be run: {error}.") from None
    if done.returncode >= 0:
        context.session.variables.set("_shell_exitcode", done.returncode)
        context.session.variables.forget("_shell_exitsignal")
    else:
        context.session.variables.set("_shell_exitsignal", -done.returncode)
        context.session.variables.forget("_shell_exitcode")
    if not captures:
        return []
    return [
        Text(each) for each in (done.stdout + done.stderr).decode(errors="replace").splitlines()
    ]


@builtin.command(
    "pipe",
    Category.SUPPORT,
    "Send a command's output to a shell command",
    aliases=("|",),
    arguments=(
        Argument(
            "command",
            Kind.COMMAND,
            "[-d DELIMITER] COMMAND | SHELL COMMAND; a DELIMITER stands for the |",
            rest=True,
        ),
    ),
    example="pipe print/l i | sort -k3",
    description="Commands that take no expression can be piped directly: info threads | grep vadd",
)
def pipe_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text, delimiter = invocation.text(0), "|"
    if text.startswith("-d "):
        delimiter, _, text = text[3:].strip().partition(" ")
    command, bar, shell = text.partition(delimiter)
    if not bar or not shell.strip() or not command.strip():
        raise UsageError("Usage: pipe COMMAND | SHELL COMMAND")
    return run_shell(shell, context.show(context.execute(command)))


@builtin.command(
    "cd",
    Category.FILES,
    "Change the working directory, of programs that run starts too",
    arguments=(Argument("directory", Kind.FILE, "default: home", optional=True, rest=True),),
    repeats=Repeat.NO,
)
def cd_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    path = user_path(invocation.optional(0) or "~")
    try:
        os.chdir(path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CommandError(f"{path}: {reason}.") from None
    return pwd_command(context, invocation)


@builtin.command("pwd", Category.FILES, "Show the working directory")
def pwd_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    try:
        return [Text(f"Working directory {Path.cwd()}.")]
    except FileNotFoundError:
        raise CommandError("The working directory has been deleted: use cd.") from None
