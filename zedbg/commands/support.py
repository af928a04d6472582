"""Commands about zedbg itself: help, settings, the end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module

from zedbg.commands.framework.command_errors import CommandError, UnknownCommand, UsageError
from zedbg.commands.framework.completion import suggest, words
from zedbg.commands.framework.context import CommandContext, EndOfSession
from zedbg.commands.framework.convenience import CONVENIENCES, convenience
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Declaration,
    Invocation,
    Kind,
    Repeat,
    Requirement,
    builtin,
)
from zedbg.commands.framework.gdb_commands import GDB_SETTINGS
from zedbg.commands.framework.regular_expressions import regular_expression
from zedbg.commands.framework.settings import Setting
from zedbg.commands.rows.row import Nothing, Row, Text
from zedbg.commands.rows.session_rows import CommandHelp, SettingRow

_SHOWN_COMMANDS = 10  # as GDB does


@builtin.command(
    "help",
    Category.SUPPORT,
    "List the commands, or explain one",
    aliases=("h",),
    arguments=(
        Argument(
            "topic",
            Kind.COMMAND,
            "a command, a chapter of commands, a setting (set listsize) or a $name",
            optional=True,
            rest=True,
        ),
    ),
    example="help break",
    description="help settings lists the settings, help convenience the names that begin with $.",
)
def help_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    topic = " ".join((invocation.optional(0) or "all").split())
    if topic == "settings":
        return _settings(context, list(context.settings.known.values()))
    if topic == "convenience":
        return [Text(f"{each.name} -- {each.meaning}") for each in CONVENIENCES]
    if topic.startswith("$"):
        known = convenience(topic)
        if known is None:
            raise CommandError(f"Nothing is known of {topic}: help convenience lists all names.")
        return [Text(f"{known.name} -- {known.meaning}")]
    chapters = [each for each in Category if topic in ("all", each.value)]
    if chapters:
        declarations = sorted(
            (each for each in context.registry if each.category in chapters),
            key=lambda each: (chapters.index(each.category), each.name),
        )
        return [_summary(each) for each in declarations]
    match = re.fullmatch(r"(?:set|show)\s+(\S.*)", topic)
    if match:
        setting = _setting(context, match[1])
        if setting is not None:
            return [Text(line) for line in _explain_setting(context, setting)]
    try:
        declaration, _ = context.registry.find(topic.split())
    except UnknownCommand:
        members = [each for each in context.registry if each.name.startswith(topic.strip() + " ")]
        if not members:
            raise
        members.sort(key=lambda each: list(Category).index(each.category))
        return [_summary(each) for each in members]
    return [Text(line) for line in explain(declaration)]


def _setting(context: CommandContext, text: str) -> Setting | None:
    try:
        return context.settings.find(text)
    except CommandError:
        return None


def _explain_setting(context: CommandContext, setting: Setting) -> list[str]:
    default = "unlimited" if setting.unlimited and setting.default == "0" else setting.default
    return [
        f"set {setting.name}, show {setting.name}",
        f"{setting.summary[0].upper()}{setting.summary[1:]}.",
        f"It takes {setting.takes}; the default is {default or 'empty'}.",
        f"It is {context.settings.shown(setting.name) or 'empty'} now.",
    ]


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
    arguments=(
        Argument("status", Kind.EXPRESSION, "exit status; default: 0", optional=True, rest=True),
    ),
    repeats=Repeat.NO,
)
def quit_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    status = invocation.optional(0)
    number = None if status is None else _status(context, status)
    process = context.process
    if process is not None and process.can_run:
        what = "killed" if process.is_child else "detached"
        context.require_confirmation(
            f"A debugging session is active: process {process.pid} will be {what}. Quit anyway?"
        )
    raise EndOfSession(number)


def _status(context: CommandContext, text: str) -> int:
    value = context.evaluate(text)
    if not value.is_scalar:
        raise UsageError(f'"{text}" is no exit status: it is not a number.')
    return int(value.number) & 0xFF


@builtin.command(
    "set",
    Category.SUPPORT,
    "Change a setting, or a variable",
    arguments=(
        Argument("setting", Kind.SETTING, "SETTING VALUE, or TARGET = EXPRESSION", rest=True),
    ),
    example="set listsize 20",
    description="`show` lists the settings. A name may be shortened. What is no setting is "
    "an expression: set $i = 3, set x = 4. set var takes a variable in any case.",
)
def set_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.text(0)
    if not re.match(r"[$*(@{]|[\w\[\].]+\s*[-+*/|&^]?=[^=]", text):
        try:
            setting, value = context.settings.split(text)
        except CommandError:
            remark = _gdb_only(text)
            if remark is None:
                raise
            context.show_message(remark)
            return []
        context.settings.set(setting.name, value)
        return []
    context.evaluate(text)
    return []


def _gdb_only(text: str) -> str | None:
    """What to say of a setting that only GDB has; None for one that zedbg has."""
    given = text.split()
    for count in (3, 2, 1):
        name = " ".join(given[:count])
        if name in GDB_SETTINGS:
            return f"set {name} has no effect: {GDB_SETTINGS[name]}"
    return None


@builtin.command(
    "show",
    Category.SUPPORT,
    "Show a setting, or all",
    arguments=(Argument("setting", Kind.SETTING, "setting", optional=True, rest=True),),
    example="show listsize",
)
def show_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    name = " ".join((invocation.optional(0) or "").split())
    inside = [each for each in context.settings.known.values() if each.name.startswith(f"{name} ")]
    if not name:
        return _settings(context, list(context.settings.known.values()))
    if name not in context.settings.known and inside:
        return _settings(context, inside)
    setting = _setting(context, name)
    remark = _gdb_only(name)
    if setting is None and remark is not None:
        return [Text(remark.replace("set", "show", 1))]
    return _settings(context, [setting or context.settings.find(name)])


def _settings(context: CommandContext, settings: list[Setting]) -> list[Row]:
    return [
        SettingRow(each.name, context.settings.shown(each.name), each.summary) for each in settings
    ]


@builtin.command(
    "apropos",
    Category.SUPPORT,
    "List the commands and settings whose help has a word",
    arguments=(Argument("pattern", Kind.TEXT, "[-v] regular expression", rest=True),),
    example="apropos lane",
    description="-v shows their help.",
)
def apropos_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.text(0)
    verbose = re.match(r"-v\s+", text)
    pattern = regular_expression(text[verbose.end() :] if verbose else text, re.IGNORECASE)
    found = [each for each in context.registry if pattern.search("\n".join(explain(each)))]
    rows: list[Row] = []
    for each in found:
        if verbose:
            rows += [*(Text(line) for line in explain(each)), Text("")]
        else:
            rows.append(Text(f"{', '.join((each.name, *each.aliases))} -- {each.summary}"))
    for setting in context.settings.known.values():
        if pattern.search(f"{setting.name} {setting.summary}"):
            rows.append(Text(f"set {setting.name} -- {setting.summary}"))
    for name in CONVENIENCES:
        if pattern.search(f"{name.name} {name.meaning}"):
            rows.append(Text(f"{name.name} -- {name.meaning}"))
    return rows


@builtin.command(
    "complete",
    Category.SUPPORT,
    "List how a command line may go on, as Tab does",
    arguments=(Argument("line", Kind.COMMAND, "its beginning", optional=True, rest=True),),
    example="complete info b",
)
def complete_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    from zedbg.commands.framework.vocabulary import SessionVocabulary

    text = invocation.optional(0) or ""
    suggestion = suggest(text, context.registry)
    before = text[: len(text) - len(suggestion.prefix)]
    if before and not before[-1].isspace() and not suggestion.prefix:
        before += " "
    return [Text(before + word) for word in words(suggestion, SessionVocabulary(context))]


@builtin.command(
    "show commands",
    Category.STATUS,
    "Show the commands that were typed last",
    arguments=(
        Argument(
            "number", Kind.NUMBER, "around this one; +: those after the ones shown last", True
        ),
    ),
    example="show commands 30",
)
def show_commands_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    typed, text = context.typed, invocation.optional(0)
    if text is None:
        first = len(typed) - _SHOWN_COMMANDS
    elif text == "+":
        first = context.next_typed
    elif text.isdecimal():
        first = int(text) - 1 - _SHOWN_COMMANDS // 2
    else:
        raise UsageError("show commands takes the number of a command, or +.")
    first = max(first, 0)
    context.next_typed = first + _SHOWN_COMMANDS
    shown = list(enumerate(typed, 1))[first : first + _SHOWN_COMMANDS]
    return [Text(f"{number:5}  {line}") for number, line in shown] or [
        Nothing("No commands were typed at a prompt." if not typed else "No commands after these.")
    ]


@builtin.command("show version", Category.STATUS, "Show the version of zedbg")
def show_version_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return [Text(f"zedbg {import_module('zedbg').__version__}")]
