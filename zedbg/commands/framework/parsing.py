"""From a line of text to a command and its arguments; pure, so that it is tested as a table."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from zedbg.commands.framework.command_errors import UsageError
from zedbg.commands.framework.declaration import Declaration, Invocation, Kind, Registry

_WORD = re.compile(r"\s*(\S+)")
_FLAGS = re.compile(r"/(\S*)\s*")
_HEAD_WITH_FLAGS = re.compile(r"([A-Za-z][\w-]*(?:\s+[A-Za-z][\w-]*)?)/(\S*)")
# A word of control, or of a command that takes an expression, without a blank after it.
_WITHOUT_BLANK = re.compile(r"^(if|while|print|p|call|output|x|echo)(?=[(\"'$*&@])")
_WITH_BARS = (Kind.EXPRESSION, Kind.COMMAND, Kind.LITERAL)  # in which a | has another meaning
# What names something that no name of begins with >.
_NAMING = (Kind.BREAKPOINT, Kind.THREAD, Kind.LANE, Kind.REGISTER, Kind.KERNEL, Kind.NUMBER)
_SIGNS = {"!": "shell", "|": "pipe"}  # commands that need no blank after their name


@dataclass(frozen=True)
class ParsedLine:
    """A command, what was given to it, and the shell command that its output goes to, if any."""

    declaration: Declaration
    invocation: Invocation
    pipe: str | None = None


def parse(line: str, registry: Registry) -> ParsedLine:
    """Parses one command line.

    A ``|`` outside quotes sends the output to a shell command, unless the command takes an
    expression (where ``|`` is an operator; the ``pipe`` command serves those). A ``&`` at the end
    of a command that runs the program puts it into the background.

    Raises:
        UnknownCommand: no such command.
        UsageError: the arguments do not fit.
    """
    text = line.strip()
    group = registry.group(text)
    if group is not None:
        text = f"help {group}"  # as GDB does: what there is
    head, flags = _split_head(_spelled_out(text), registry)
    declaration, count = registry.find(head.split())
    # Flags may follow the command's last word or, as in GDB, before its arguments.
    rest = _after(head, count)
    if not flags and declaration.flags and rest.startswith("/"):
        match = _FLAGS.match(rest)
        assert match is not None
        flags, rest = match.group(1), rest[match.end() :]
    if flags and not declaration.flags:
        raise UsageError(f"{declaration.name} takes no /{flags}. Usage: {declaration.usage}")
    pipe = None
    if not any(a.kind in _WITH_BARS for a in declaration.arguments):
        is_text = any(a.kind is Kind.TEXT for a in declaration.arguments)
        rest, pipe = _split_pipe(rest, after_blank=is_text)
    background = declaration.background and rest.endswith("&")
    if background:
        rest = rest[:-1].rstrip()
    invocation = Invocation(flags, _arguments(declaration, rest, line[-1:].isspace()), background)
    return ParsedLine(declaration, invocation, pipe)


def _spelled_out(line: str) -> str:
    """``line`` with the name of a command whose short name is a sign: ``!ls`` is ``shell ls``; and
    with a blank between a word of control and its condition: ``if($x)``."""
    if line[:1] in _SIGNS:
        return f"{_SIGNS[line[0]]} {line[1:]}"
    return _WITHOUT_BLANK.sub(r"\1 ", line)


def _split_head(line: str, registry: Registry) -> tuple[str, str]:
    """Takes ``/flags`` off the words that name the command: ``x/4xw p`` gives ``("x p", "4xw")``.
    A slash after other words is that of a path, or of a division."""
    match = _HEAD_WITH_FLAGS.match(line) if "/" in line else None
    if match:
        name = match[1].split()
        if len(name) == 1 or registry.find(name)[1] == len(name):
            return f"{match[1]} {line[match.end() :].lstrip()}", match[2]
    return line, ""


def _after(line: str, count: int) -> str:
    position = 0
    for _ in range(count):
        match = _WORD.match(line, position)
        assert match is not None
        position = match.end()
    return line[position:].strip()


def _split_pipe(text: str, *, after_blank: bool) -> tuple[str, str | None]:
    """``text`` before a ``|`` and the shell command after it; in a regular expression a ``|``
    without a blank before it is one of the expression's."""
    quote = ""
    for position, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "|" and not (after_blank and position and text[position - 1] != " "):
            command = text[position + 1 :].strip()
            if not command:
                raise UsageError("Missing shell command after |.")
            return text[:position].rstrip(), command
    return text, None


def _arguments(declaration: Declaration, text: str, ends_blank: bool) -> tuple[str | None, ...]:
    values: list[str | None] = []
    for argument in declaration.arguments:
        if not text:
            if not argument.optional:
                raise UsageError(
                    f"{declaration.name} needs {argument.name.upper()} ({argument.help}). "
                    f"Usage: {declaration.usage}"
                )
            values.append(None)
        elif text.startswith("> ") and argument.kind in _NAMING:
            break
        elif argument.rest:
            # A blank at the end matters to what completes a line.
            keeps_blank = ends_blank and argument.kind is Kind.COMMAND
            values.append(f"{text} " if keeps_blank else text)
            text = ""
        else:
            match = _WORD.match(text)
            assert match is not None
            values.append(match.group(1))
            text = text[match.end() :].strip()
    if text.startswith(">"):
        raise UsageError(f"To write to a file use: {declaration.name} | cat {text}")
    if text:
        raise UsageError(f"Unexpected argument: {text}. Usage: {declaration.usage}")
    return tuple(values)


def split_arguments(text: str) -> list[str]:
    """The words of a command line, as a shell parts them. Raises UsageError."""
    try:
        return shlex.split(text)
    except ValueError:
        raise UsageError(f"A quote is not closed: {text}") from None
