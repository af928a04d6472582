"""What a command is in the Python API: the calls that do the same (``--py``)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zedbg.commands.framework.declaration import Kind

if TYPE_CHECKING:
    from zedbg.commands.framework.context import CommandContext
    from zedbg.commands.framework.parsing import ParsedLine

_NAME = "--py"
_OPTION = re.compile(rf"\s{_NAME}\s*$")


def without_option(line: str) -> str | None:
    """``line`` without the ``--py`` at its end, None when there is none."""
    match = _OPTION.search(line) if _NAME in line else None
    return None if match is None else line[: match.start()]


def takes_option(parsed: ParsedLine) -> bool:
    """Whether ``--py`` may follow; not after what another program reads (``shell``)."""
    return not any(each.kind is Kind.LITERAL for each in parsed.declaration.arguments)


def python_calls(context: CommandContext, parsed: ParsedLine, line: str) -> list[str]:
    """Lines of Python that do what ``line`` does, over ``session``, a session of the Python API.

    What has no method of its own is carried out by ``session.execute``.
    """
    given, invocation = parsed.declaration.python, parsed.invocation
    if callable(given):
        return (given(context, invocation) or _executed(line)).splitlines()
    if not given or invocation.flags or parsed.pipe is not None:
        return [_executed(line)]
    values = [each for each in invocation.arguments if each is not None]
    written = {
        "arguments": ", ".join(literal(each) for each in values),
        "texts": ", ".join(quoted(each) for each in values),
        "thread": focused_thread(context),
        "frame": selected_frame(context),
    }
    return given.format(**written).splitlines()


def _executed(line: str) -> str:
    return f"print(session.execute({quoted(line)}))"


def called(function: str, arguments: Sequence[str]) -> str:
    """A call, as Python writes it."""
    return f"{function}({', '.join(arguments)})"


def literal(text: str) -> str:
    """An argument as Python writes it; a whole number as a number."""
    if re.fullmatch(r"0|[1-9]\d*", text, re.ASCII):
        return text
    return quoted(text)


def quoted(text: str) -> str:
    """A text as Python writes it, in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def focused_thread(context: CommandContext) -> str:
    """The focused thread, as an expression."""
    session = context.session
    focus, stop = session.focus, session.stop
    newest = stop.focus if stop is not None else None
    if focus is None or (newest is not None and newest.thread is focus.thread):
        return "session.stop.thread"
    return f'session.thread("{focus.thread.id}")'


def selected_frame(context: CommandContext) -> str:
    """What expressions are evaluated in: the thread, or an outer frame of it."""
    level = context.frame_level
    return focused_thread(context) + (f".frames[{level}]" if level else "")


def focused_lane(context: CommandContext) -> int:
    """The focused lane, 0 where none is."""
    focus = context.session.focus
    return 0 if focus is None else focus.lane
