"""Carrying out command lines with if and while, and the arguments of user-defined commands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from zedbg.commands.framework.command_errors import AlreadyReported, CommandError, ErrorAt
from zedbg.commands.framework.context import CommandContext
from zedbg.commands.scripting.blocks import Branch, ScriptLine, Statement, statements
from zedbg.user_error import UserError

_ARGUMENT = re.compile(r"\$arg(c|\*|\d+)")


class _LoopBreak(Exception):
    pass


class _LoopContinue(Exception):
    pass


def run_lines(context: CommandContext, lines: Sequence[str]) -> None:
    """Carries ``lines`` out; what they give is shown as it comes.

    Raises CommandError when one fails: those after it are left out.
    """
    _run(context, statements(lines), in_loop=False)


def run_branch(context: CommandContext, line: str, body: Sequence[str]) -> None:
    """Carries out the ``if`` or ``while`` that ``line`` begins, with the lines up to its end."""
    run_lines(context, [line, *body, "end"])


def _run(context: CommandContext, body: Sequence[Statement], *, in_loop: bool) -> None:
    for each in body:
        if isinstance(each, Branch):
            _run_branch(context, each, in_loop=in_loop)
            continue
        first = each.lines[0]
        if in_loop and first == "loop_break":
            raise _LoopBreak
        if in_loop and first == "loop_continue":
            raise _LoopContinue
        for line in each.lines:
            if not context.run(line):
                raise AlreadyReported(f"stopped at: {first}")


def _run_branch(context: CommandContext, branch: Branch, *, in_loop: bool) -> None:
    if branch.word == "if":
        chosen = branch.then if is_true(context, branch) else branch.otherwise
        _run(context, chosen, in_loop=in_loop)
        return
    while is_true(context, branch):
        try:
            _run(context, branch.then, in_loop=True)
        except _LoopBreak:
            return
        except _LoopContinue:
            continue


def is_true(context: CommandContext, branch: Branch) -> bool:
    """Whether the condition of ``branch`` is not zero in the focused lane.

    Raises CommandError, ErrorAt for a line of a file.
    """
    try:
        value = context.evaluate(branch.condition)
        if not value.is_scalar:
            raise CommandError(f'"{branch.condition}" is no condition: it is not a number.')
    except UserError as error:
        if isinstance(branch.line, ScriptLine):
            raise ErrorAt(branch.line.place, error.line) from None
        raise
    return bool(value.number)


def with_arguments(lines: Sequence[str], text: str) -> list[str]:
    """``lines`` of a user-defined command, with ``$arg0``, ``$argc`` and ``$arg*`` replaced by the
    words of ``text``: what was given to it. CommandError for one that was not given."""
    words = split_words(text)

    def replaced(match: re.Match[str]) -> str:
        which = match[1]
        if which == "c":
            return str(len(words))
        if which == "*":
            return text
        if int(which) >= len(words):
            return f"$arg{which}"  # as in GDB: a name without a value
        return words[int(which)]

    return [
        each.at(_ARGUMENT.sub(replaced, each))
        if isinstance(each, ScriptLine)
        else _ARGUMENT.sub(replaced, each)
        for each in lines
    ]


def split_words(text: str) -> list[str]:
    """The arguments in ``text``: separated by blanks outside quotes, quotes kept.

    CommandError for a quote that is not closed.
    """
    lexer = shlex.shlex(text, posix=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:
        raise CommandError(f"A quote is not closed: {text}") from None
