"""Commands for scripts: source, define, if, while and their like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from zedbg.commands.framework.command_errors import (
    AlreadyReported,
    CommandError,
    UsageError,
)
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Declaration,
    Handler,
    Invocation,
    Kind,
    Repeat,
    builtin,
)
from zedbg.commands.framework.evaluation import printf_text
from zedbg.commands.framework.remembered import UserCommand
from zedbg.commands.rows.row import Row, Text
from zedbg.commands.scripting.files import read_script, user_path
from zedbg.commands.scripting.running import run_branch, run_lines, with_arguments

_CONDITION = Argument("condition", Kind.EXPRESSION, "C expression", rest=True)
_NAME = re.compile(r"[A-Za-z_][\w.-]*")


@builtin.command(
    "source",
    Category.SUPPORT,
    "Run the commands of a file, or load a plugin (.py)",
    arguments=(Argument("file", Kind.FILE, "[-v] FILE; -v shows each command", rest=True),),
    example="source divergence.py",
    description="A line that fails ends it; the error names the file and the line.",
    repeats=Repeat.NO,
)
def source_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.text(0).strip()
    verbose = re.match(r"-v\s+", text)
    path = user_path(text[verbose.end() :] if verbose else text)
    if path.suffix == ".py":
        from zedbg.commands.extending.plugins import Plugins  # with the first plugin

        plugin = context.kept(Plugins).load_file(path)
        added = ", ".join(each.description for each in plugin.contributions)
        return [Text(f"Loaded {added or 'nothing'} from {path}.")]
    for line in read_script(path):
        if verbose and line.strip():
            context.show_message(f"+{line.strip()}")
        if not context.run(line):
            raise AlreadyReported(f"{line.place}: stopped at: {line.strip()}")
    if not context.end_block():
        raise AlreadyReported(f"{path}: ended inside a block")
    return []


@builtin.command(
    "if",
    Category.SUPPORT,
    "Run the commands up to end, or to else, if a condition is not zero",
    arguments=(_CONDITION,),
    example="if $_hit_count > 3",
    description="The commands follow, one on each line, up to a line with end.",
    repeats=Repeat.NO,
)
def if_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _branch(context, "if", invocation)


@builtin.command(
    "while",
    Category.SUPPORT,
    "Run the commands up to end as long as a condition is not zero",
    arguments=(_CONDITION,),
    example="while $i < 4",
    description="The commands follow, one on each line, up to a line with end. loop_break leaves "
    "the loop, loop_continue goes on with its next round.",
    repeats=Repeat.NO,
)
def while_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return _branch(context, "while", invocation)


def _branch(context: CommandContext, word: str, invocation: Invocation) -> Sequence[Row]:
    condition = invocation.text(0)

    def carry_out(lines: list[str]) -> Sequence[Row]:
        run_branch(context, f"{word} {condition}", lines)
        return []

    context.read_block(word, carry_out)
    return []


@builtin.command(
    "define",
    Category.SUPPORT,
    "Define a command of your own",
    arguments=(Argument("name", Kind.TEXT, "its name"),),
    example="define step-twice",
    description="Its commands follow, one on each line, up to a line with end. In them $arg0, "
    "$arg1 and so on are the words after the command, $argc is how many there are, and $arg* all "
    "of them. hook-NAME runs before the command NAME, hookpost-NAME after it, hook-stop at every "
    "stop.",
    repeats=Repeat.NO,
)
def define_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    name = invocation.text(0)
    if not _NAME.fullmatch(name):
        raise UsageError(f'"{name}" is no name for a command.')
    known = name in context.registry.names or name in context.registry.aliases
    if (
        known
        and name not in context.user_commands
        and not context.confirm(f'Really redefine built-in command "{name}"?')
    ):
        raise CommandError("Command not redefined.")

    def keep(lines: list[str]) -> Sequence[Row]:
        before = context.user_commands.get(name)
        _register(context, UserCommand(name, tuple(lines), before.document if before else ()))
        return []

    context.read_block("define", keep)
    return []


def _register(context: CommandContext, command: UserCommand) -> None:
    context.user_commands[command.name] = command
    context.registry.remove_alias(command.name)
    summary, *description = command.document or ("User-defined",)
    context.registry.add(
        Declaration(
            name=command.name,
            category=Category.USER,
            summary=summary.strip().rstrip("."),
            description="\n".join(description),
            handler=_handler(command),
            arguments=(Argument("arguments", Kind.LITERAL, "see help", optional=True, rest=True),),
        ),
        replace=True,
    )


def _handler(command: UserCommand) -> Handler:
    def run(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
        run_lines(context, with_arguments(command.lines, invocation.optional(0) or ""))
        return []

    return run


@builtin.command(
    "document",
    Category.SUPPORT,
    "Say what help shows of a command that you defined",
    arguments=(Argument("name", Kind.COMMAND, "its name"),),
    description="The text follows, up to a line with end. Its first line is the summary.",
    repeats=Repeat.NO,
)
def document_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    name = invocation.text(0)
    command = context.user_commands.get(name)
    if command is None:
        raise CommandError(f'No command of yours is called "{name}": use define first.')

    def keep(lines: list[str]) -> Sequence[Row]:
        _register(context, replace(context.user_commands[name], document=tuple(lines)))
        return []

    context.read_block("document", keep)
    return []


@builtin.command(
    "show user",
    Category.SUPPORT,
    "Show the commands that you defined",
    arguments=(Argument("name", Kind.COMMAND, "one of them; default: all", optional=True),),
)
def show_user_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    name = invocation.optional(0)
    if name is not None and name not in context.user_commands:
        raise CommandError(f'No command of yours is called "{name}".')
    chosen = [context.user_commands[name]] if name else list(context.user_commands.values())
    rows: list[Row] = []
    for command in chosen:
        rows.append(Text(f'User command "{command.name}":'))
        rows += [Text(f"  {line}") for line in command.lines]
        rows.append(Text(""))
    return rows


@builtin.command(
    "alias",
    Category.SUPPORT,
    "Give a command another name",
    arguments=(Argument("alias", Kind.COMMAND, "[-a] [--] NAME = COMMAND [ARGUMENTS]", rest=True),),
    example="alias pl = print/l",
    description="What is typed after the name comes after ARGUMENTS.",
    repeats=Repeat.NO,
)
def alias_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = re.sub(r"^(-a\s+)?(--\s+)?", "", invocation.text(0))
    name, equals, command = (part.strip() for part in text.partition("="))
    if not equals or not command:
        raise UsageError("alias takes NAME = COMMAND, as in: alias pl = print/l")
    if not _NAME.fullmatch(name):
        raise UsageError(f'"{name}" is no name for a command.')
    if name in context.registry.names or name in context.registry.aliases:
        raise CommandError(f'A command named "{name}" exists already.')
    words = command.split()
    if " ".join(words) in context.registry.prefixes():
        context.registry.add_alias(name, " ".join(words))
        return []
    declaration, count = context.registry.find([words[0].split("/")[0], *words[1:]])
    if count == len(words) and "/" not in words[0]:
        context.registry.add_alias(name, declaration.name)
    else:
        _register(context, UserCommand(name, (f"{command} $arg*",), (f"Alias of: {command}",)))
    return []


@builtin.command(
    "eval",
    Category.SUPPORT,
    "Run a command whose text is made as printf makes it",
    arguments=(Argument("format", Kind.EXPRESSION, '"FORMAT",EXPRESSION...', rest=True),),
    example='eval "thread 1.%d", $i',
)
def eval_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    line = printf_text(context, invocation.text(0))
    if not context.run(line):
        raise AlreadyReported(f"stopped at: {line}")
    return []


@builtin.command(
    "with",
    Category.SUPPORT,
    "Run a command with a setting changed for it alone",
    aliases=("w",),
    arguments=(Argument("setting", Kind.SETTING, "SETTING [VALUE] [-- COMMAND]", rest=True),),
    example="with print elements 4 -- print a",
)
def with_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text, *command_after = re.split(r"(?:^|\s)--(?:\s|$)", invocation.text(0), maxsplit=1)
    command = command_after[0].strip() if command_after else ""
    if not command or not text.strip():
        raise UsageError("with takes SETTING VALUE -- COMMAND.")
    setting, value = context.settings.split(text)
    before = context.settings.text(setting.name)
    context.settings.set(setting.name, value)
    try:
        if not context.run(command):
            raise AlreadyReported(f"stopped at: {command}")
    finally:
        context.settings.set(setting.name, before)
    return []


@builtin.command(
    "echo",
    Category.SUPPORT,
    "Print a text",
    arguments=(Argument("text", Kind.LITERAL, "what to print", optional=True, rest=True),),
    example="echo stopped twice\\n",
    description="\\n, \\t, \\\\ and other escapes of C are replaced. A line ends after the text in "
    "any case.",
)
def echo_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is None:
        return []
    return [Text(line) for line in _unescaped(text).removesuffix("\n").split("\n")]


def _unescaped(text: str) -> str:
    known = {"n": "\n", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "r": "\r", "v": "\v"}

    def replaced(match: re.Match[str]) -> str:
        word = match[1]
        if word[:1].isdigit():
            return chr(int(word, 8) & 0xFF)
        return known.get(word, word)

    return re.sub(r"\\([0-7]{1,3}|.|$)", replaced, text)


@builtin.command(
    "dont-repeat",
    Category.SUPPORT,
    "In a command that you defined: an empty line does not run it again",
    repeats=Repeat.NO,
)
def dont_repeat_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    context.dont_repeat()
    return []


def _out_of_place(word: str) -> Handler:
    def refuse(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
        raise CommandError(f"{word} stands in a block only, as in: while 1")

    return refuse


for _word in ("loop_break", "loop_continue", "else", "end"):
    builtin.command(
        _word,
        Category.SUPPORT,
        "Part of a block: see if and while",
        repeats=Repeat.NO,
    )(_out_of_place(_word))
