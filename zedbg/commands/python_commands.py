"""Python in command lines and scripts."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from importlib import import_module
from types import CodeType
from typing import Any

from zedbg.commands.framework.command_errors import CommandError, PartialResult
from zedbg.commands.framework.context import CommandContext, EndOfSession
from zedbg.commands.framework.declaration import (
    Argument,
    Category,
    Invocation,
    Kind,
    Repeat,
    builtin,
)
from zedbg.commands.rows.row import Row, Text
from zedbg.user_error import UserError

_CODE = "<python>"
_SIGNALLED = 128  # statuses above it are those of signals


@builtin.command(
    "python",
    Category.SUPPORT,
    "Run Python code",
    aliases=("py",),
    arguments=(Argument("code", Kind.LITERAL, "a statement", optional=True, rest=True),),
    example="python print(session.stop.reason)",
    description="Without CODE the lines up to end are run. zedbg is imported; session is the "
    "session of this debugger, context what commands get. Names stay until zedbg ends.",
    repeats=Repeat.NO,
)
def python_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    code = invocation.optional(0)
    if code is not None:
        return _run(context, code, "exec")

    def run(lines: list[str]) -> Sequence[Row]:
        return _run(context, "\n".join(lines) + "\n", "exec")

    context.read_block("python", run)
    return []


@builtin.command(
    "python-interactive",
    Category.SUPPORT,
    "Evaluate Python, or type it at a prompt of its own",
    aliases=("pi",),
    arguments=(Argument("code", Kind.LITERAL, "a line of Python", optional=True, rest=True),),
    example="pi session.stop.groups",
    description="Without CODE a Python prompt begins; the end of input (Ctrl-D) ends it.",
    repeats=Repeat.NO,
)
def python_interactive_command(context: CommandContext, invocation: Invocation) -> Sequence[Row]:
    code = invocation.optional(0)
    if code is not None:
        return _run(context, code, "single")
    if not context.interactive:
        raise CommandError("There is no terminal for a Python prompt: use python, up to end.")
    import code as consoles

    with contextlib.suppress(SystemExit):
        consoles.interact(banner="", exitmsg="", local=_names(context))
    return []


def _names(context: CommandContext) -> dict[str, Any]:
    names = context.python_names
    names.setdefault("__name__", "__main__")
    names |= {"zedbg": import_module("zedbg"), "session": context.session, "context": context}
    return names


def _run(context: CommandContext, text: str, mode: str) -> Sequence[Row]:
    printed = io.StringIO()
    error: CommandError | None = None
    try:
        code: CodeType = compile(text, _CODE, mode)
        with contextlib.redirect_stdout(printed):
            exec(code, _names(context))
    except (EndOfSession, KeyboardInterrupt):
        raise
    except UserError as problem:
        error = CommandError(problem.line + _line_of(problem))
    except SystemExit as problem:
        if isinstance(problem.code, int) and problem.code > _SIGNALLED:
            raise  # a signal ends zedbg
        error = CommandError(f"exit() does not end zedbg: use quit{_line_of(problem)}")
    except Exception as problem:
        error = CommandError(f"{type(problem).__name__}: {problem}{_line_of(problem)}")
    rows: list[Row] = [Text(line) for line in printed.getvalue().splitlines()]
    if error is not None:
        raise PartialResult(rows, str(error))
    return rows


def _line_of(problem: BaseException) -> str:
    """`` (line 3 of the Python code)``; nothing when it is not known."""
    if isinstance(problem, SyntaxError):
        return ""  # its text says the line
    place, number = problem.__traceback__, None
    while place is not None:
        if place.tb_frame.f_code.co_filename == _CODE:
            number = place.tb_lineno
        place = place.tb_next
    return "" if number is None else f" (line {number} of the Python code)"
