"""Commands about the program that run starts: which, where, with which environment."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

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
from zedbg.commands.rows.row import Row, Text
from zedbg.commands.scripting.files import user_path

_VARIABLE = Argument("variable", Kind.TEXT, "name of a variable", optional=True)


def set_program(context: CommandContext, text: str) -> None:
    """From now on ``run`` starts the program ``text``. CommandError where there is none."""
    path = user_path(text)
    found = str(path.absolute()) if path.is_file() else shutil.which(text)
    if found is None:
        raise CommandError(f"{path}: no such file, and no program of that name.")
    if not os.access(found, os.X_OK):
        raise CommandError(f"{path}: not an executable program.")
    context.program = [found]


@builtin.command(
    "file",
    Category.FILES,
    "Name the program that run starts",
    aliases=("exec-file",),
    arguments=(Argument("program", Kind.FILE, "default: none any more", optional=True, rest=True),),
    example="file ./program",
    repeats=Repeat.NO,
)
def file_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is None:
        context.program = []
        return [Text("No program.")]
    set_program(context, text)
    return [Text(f"The program is {context.program[0]}.")]


@builtin.command(
    "set environment",
    Category.RUNNING,
    "Give the program an environment variable at its next start",
    arguments=(
        Argument("variable", Kind.TEXT, "NAME=VALUE, or NAME VALUE; no value: empty", rest=True),
    ),
    example="set environment OverrideGpuAddressSpace=48",
)
def set_environment_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    name, separator, value = _parted(invocation.text(0))
    if not name:
        raise UsageError("set environment takes NAME=VALUE.")
    context.environment[name] = value
    if not separator:
        return [Text(f'"{name}" has an empty value.')]
    return []


def _parted(text: str) -> tuple[str, str, str]:
    """``NAME = VALUE`` or ``NAME VALUE`` as a name, what is between, and a value."""
    separator = "=" if "=" in text else " "
    name, found, value = text.strip().partition(separator)
    return name.strip(), found, value.strip()


@builtin.command(
    "unset environment",
    Category.RUNNING,
    "Take an environment variable, or all, from the program at its next start",
    arguments=(_VARIABLE,),
)
def unset_environment_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    name = invocation.optional(0)
    if name is None:
        context.require_confirmation("Delete all environment variables?")
        context.environment.update(dict.fromkeys(os.environ | context.environment))
    else:
        context.environment[name] = None
    return []


@builtin.command(
    "show environment",
    Category.RUNNING,
    "Show the environment that the program gets, or one variable",
    arguments=(_VARIABLE,),
)
def show_environment_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    everything = os.environ | context.environment
    name = invocation.optional(0)
    if name is None:
        return [Text(f"{key}={value}") for key, value in everything.items() if value is not None]
    value = everything.get(name)
    return [Text(f'"{name}" is not set.' if value is None else f"{name} = {value}")]


@builtin.command(
    "tty",
    Category.RUNNING,
    "Let the program read from and write to another terminal from its next start on",
    aliases=("set inferior-tty",),
    arguments=(Argument("terminal", Kind.FILE, "its device; default: none", optional=True),),
    example="tty /dev/pts/3",
)
def tty_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is not None and not os.access(user_path(text), os.R_OK | os.W_OK):
        raise CommandError(f"{text}: no terminal that can be read and written.")
    context.terminal = None if text is None else str(user_path(text))
    return []


@builtin.command(
    "show inferior-tty", Category.RUNNING, "Show which terminal the program gets at its next start"
)
def show_inferior_tty_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return [Text(f"The program gets {context.terminal or 'the terminal of zedbg'}.")]
