"""Commands about what steps do not stop in: skip and its family."""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.commands.framework.command_errors import CommandError, UsageError
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.framework.declaration import Argument, Category, Invocation, Kind, builtin
from zedbg.commands.framework.parsing import split_arguments
from zedbg.commands.rows.row import Nothing, Row, Text
from zedbg.commands.rows.session_rows import SkipRow
from zedbg.engine.breakpoints.skips import Skip

_NUMBERS = Argument("numbers", Kind.NUMBER, "skip numbers; default: all", optional=True, rest=True)
_OPTIONS = ("-fi", "-file", "-gfi", "-gfile", "-fu", "-function", "-rfu", "-rfunction")


def _added(context: CommandContext, skip: Skip) -> Sequence[Row]:
    words = []
    if skip.function is not None:
        kind = "Function(s)" if skip.function_is_pattern else "Function"
        words.append(f"{kind} {skip.function}")
    if skip.file is not None:
        kind = "File(s)" if skip.file_is_glob else "File"
        words.append(f"{kind} {skip.file}")
    return [Text(f"{' in '.join(words)} will be skipped when stepping.")]


@builtin.command(
    "skip",
    Category.RUNNING,
    "Do not step into a function, or into the functions of files",
    arguments=(
        Argument(
            "what",
            Kind.TEXT,
            "FUNCTION, or -fu NAME, -rfu REGULAR-EXPRESSION, -fi FILE, -gfi GLOB; "
            "default: the selected function",
            optional=True,
            rest=True,
        ),
    ),
    example="skip -gfi *.h",
    description="With a function and a file, both must match.",
)
def skip_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    text = invocation.optional(0)
    if text is None:
        return _added(context, context.session.skips.add(None, _current_function(context)))
    words = split_arguments(text)
    if not words:
        raise UsageError("skip needs a name.")
    if not words[0].startswith("-"):
        return _added(context, context.session.skips.add(None, text.strip()))
    given: dict[str, str] = {}
    while words:
        option = words.pop(0)
        if option not in _OPTIONS or not words:
            raise UsageError(f'Invalid skip option: "{option}": one of {", ".join(_OPTIONS)}.')
        given[option.replace("file", "fi").replace("function", "fu")] = words.pop(0)
    if {"-fi", "-gfi"} <= given.keys() or {"-fu", "-rfu"} <= given.keys():
        raise UsageError("Give either a name or a pattern, not both.")
    skip = context.session.skips.add(
        given.get("-gfi", given.get("-fi")),
        given.get("-rfu", given.get("-fu")),
        file_is_glob="-gfi" in given,
        function_is_pattern="-rfu" in given,
    )
    return _added(context, skip)


def _current_function(context: CommandContext) -> str:
    if context.session.focus is None or not context.frame.location.function:
        raise CommandError("No default function now.")
    return context.frame.location.function


@builtin.command(
    "skip function",
    Category.RUNNING,
    "Do not step into a function",
    arguments=(
        Argument(
            "name", Kind.TEXT, "its name; default: the selected function", optional=True, rest=True
        ),
    ),
)
def skip_function_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    name = invocation.optional(0) or _current_function(context)
    return _added(context, context.session.skips.add(None, name))


@builtin.command(
    "skip file",
    Category.RUNNING,
    "Do not step into the functions of a file",
    arguments=(
        Argument("file", Kind.FILE, "name or glob; default: the current file", True, rest=True),
    ),
    example="skip file helpers.h",
)
def skip_file_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    file = invocation.optional(0)
    if file is None:
        file = context.frame.location.file if context.session.focus is not None else None
    if file is None:
        raise CommandError("No default file now.")
    is_glob = any(letter in file for letter in "*?[")
    return _added(context, context.session.skips.add(file, None, file_is_glob=is_glob))


def _selected(context: CommandContext, invocation: Invocation) -> list[Skip]:
    text = invocation.optional(0)
    if text is None:
        return list(context.session.skips)
    words = text.replace(",", " ").split()
    for word in words:
        if not word.isdecimal():
            raise UsageError(f'"{word}" is not a skip number.')
    return [context.session.skips.get(int(word)) for word in words]


@builtin.command("skip delete", Category.RUNNING, "Delete skips", arguments=(_NUMBERS,))
def skip_delete_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    for skip in _selected(context, invocation):
        context.session.skips.delete(skip)
    return []


@builtin.command("skip enable", Category.RUNNING, "Enable skips", arguments=(_NUMBERS,))
def skip_enable_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    for skip in _selected(context, invocation):
        skip.enabled = True
    return []


@builtin.command("skip disable", Category.RUNNING, "Disable skips", arguments=(_NUMBERS,))
def skip_disable_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    for skip in _selected(context, invocation):
        skip.enabled = False
    return []


@builtin.command("info skip", Category.STATUS, "List the functions and files that steps skip")
def info_skip_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    return [
        SkipRow(
            each.number,
            each.enabled,
            each.file,
            each.file_is_glob,
            each.function,
            each.function_is_pattern,
        )
        for each in context.session.skips
    ] or [Nothing("Not skipping any files or functions.")]
