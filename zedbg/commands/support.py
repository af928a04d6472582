"""Commands about zedbg itself: help, settings, scripts, pipes, the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zedbg.commands.framework.command_errors import CommandError, UnknownCommand
from zedbg.commands.framework.context import CommandContext, EndOfSession
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Declaration,
    Invocation,
    Kind,
    Requirement,
    builtin,
)
from zedbg.commands.framework.shell_command import run_shell
from zedbg.commands.rows.row import Row, Text
from zedbg.commands.rows.session_rows import CommandHelp, SettingRow


@builtin.command(
    "help",
    Category.SUPPORT,
    "List the commands, or explain one",
    aliases=("h",),
    arguments=(Argument("command", Kind.COMMAND, "command to explain", optional=True, rest=True),),
    example="help break",
)
def help_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    topic = invocation.optional(0)
    if topic is None:
        order = list(Category)
        declarations = sorted(
            context.registry, key=lambda each: (order.index(each.category), each.name)
        )
        return [_summary(each) for each in declarations]
    try:
        declaration, _ = context.registry.find(topic.split())
    except UnknownCommand:
        members = [each for each in context.registry if each.name.startswith(topic.strip() + " ")]
        if not members:
            raise
        return [_summary(each) for each in members]
    return [Text(line) for line in explain(declaration)]


def _summary(declaration: Declaration) -> CommandHelp:
    return CommandHelp(
        declaration.name, declaration.aliases, declaration.category.value, declaration.summary
    )


def explain(declaration: Declaration) -> list[str]:
    """What ``help COMMAND`` says, from the declaration."""
    lines = [f"{', '.join((declaration.name, *declaration.aliases))}", declaration.summary + "."]
    if "Usage:" not in declaration.description:  # a plugin's docstring says it itself
        lines.append(f"Usage: {declaration.usage}")
        for argument in declaration.arguments:
            lines.append(f"  {argument.name.upper()}: {argument.help}")
    if declaration.description:
        lines.extend(line.strip() for line in declaration.description.strip().splitlines())
    if declaration.example:
        lines.append(f"Example: {declaration.example}")
    if declaration.requires is not Requirement.NOTHING:
        lines.append(f"Needs {declaration.requires.value}.")
    return lines


@builtin.command(
    "quit",
    Category.SUPPORT,
    "Exit zedbg; a program that it started is killed, one that it attached to continues",
    aliases=("q", "exit"),
)
def quit_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    process = context.process
    if process is not None:
        what = "killed" if process.is_child else "detached"
        if not context.confirm(
            f"A debugging session is active: process {process.pid} will be {what}. Quit anyway?"
        ):
            raise CommandError("Not confirmed.")
    raise EndOfSession


@builtin.command(
    "set",
    Category.SUPPORT,
    "Change a setting",
    arguments=(Argument("setting", Kind.SETTING, "setting and value", rest=True),),
    example="set listsize 20",
    description="`show` lists the settings. To change a variable, use `set var`.",
)
def set_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    setting, value = context.settings.split(invocation.text(0))
    context.settings.set(setting.name, value)
    return []


@builtin.command(
    "show",
    Category.SUPPORT,
    "Show a setting, or all",
    arguments=(Argument("setting", Kind.SETTING, "setting", optional=True, rest=True),),
    example="show listsize",
)
def show_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    name = invocation.optional(0)
    known = context.settings
    settings = [known.find(name)] if name else list(known.known.values())
    return [
        SettingRow(each.name, context.settings.text(each.name), each.summary) for each in settings
    ]


@builtin.command(
    "source",
    Category.SUPPORT,
    "Run the commands of a file, or load a plugin (.py)",
    arguments=(Argument("file", Kind.FILE, "file", rest=True),),
    example="source divergence.py",
)
def source_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    path = Path(invocation.text(0)).expanduser()
    if path.suffix == ".py":
        from zedbg.commands.extending.plugins import Plugins  # with the first plugin

        plugin = context.kept(Plugins).load_file(path)
        added = ", ".join(each.description for each in plugin.contributions)
        return [Text(f"Loaded {added or 'nothing'} from {path}.")]
    for line in read_script(path):
        if not context.run(line):
            raise CommandError(f"{path}: stopped at: {line}")
    if not context.end_block():
        raise CommandError(f"{path}: ended inside a block")
    return []


def read_script(path: Path) -> list[str]:
    """The command lines of a script file; CommandError when it cannot be read."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not text"
        raise CommandError(f"{path}: {reason}") from None
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


@builtin.command(
    "pipe",
    Category.SUPPORT,
    "Send a command's output to a shell command",
    arguments=(Argument("command", Kind.COMMAND, "COMMAND | SHELL COMMAND", rest=True),),
    example="pipe print/l i | sort -k3",
    description="Commands that take no expression can be piped directly: info threads | grep vadd",
)
def pipe_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    command, bar, shell = invocation.text(0).partition("|")
    if not bar or not shell.strip():
        raise CommandError("Usage: pipe COMMAND | SHELL COMMAND")
    return run_shell(shell, context.show(context.execute(command)))


@builtin.command(
    "echo",
    Category.SUPPORT,
    "Print a text",
    arguments=(Argument("text", Kind.TEXT, "what to print", optional=True, rest=True),),
    example="echo stopped twice",
)
def echo_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return [Text((invocation.optional(0) or "").replace("\\n", "").strip("\"'"))]
