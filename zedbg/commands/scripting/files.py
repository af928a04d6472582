"""Reading files of commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from zedbg.commands.framework.command_errors import CommandError
from zedbg.commands.scripting.blocks import ScriptLine

_MOST_BYTES = 1 << 24  # what is larger, or has no end, is no script


def user_path(text: str) -> Path:
    """A path as users write it, ``~`` included; CommandError for the home of an unknown user."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        name = text.split("/")[0]
        raise CommandError(f"{text}: there is no user {name.removeprefix('~')}.") from None


def goes_on(line: str) -> bool:
    """Whether the next line belongs to ``line``, which ends in one backslash."""
    return line.endswith("\\") and not line.endswith("\\\\")


def whole_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """``lines`` with what goes on in the next one in one piece, and the number, from 1, at which
    each begins."""
    begun, first = "", 0
    for number, line in enumerate(lines, start=1):
        first = first or number
        if goes_on(line):
            begun += line[:-1]
            continue
        yield first, begun + line
        begun, first = "", 0
    if first:
        yield first, begun


def read_script(path: Path) -> list[ScriptLine]:
    """The lines of a file, each with its place; a line that ends in ``\\`` goes on in the next one.

    CommandError when it cannot be read, or is no text.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"{path}: is not text.") from None
    except ValueError as error:  # a zero byte in its name
        raise CommandError(f"{path}: {error}.") from None
    if len(data) > _MOST_BYTES or "\0" in text:
        raise CommandError(f"{path}: is not text.")
    lines = whole_lines(text.splitlines())
    return [ScriptLine(line, f"{path}:{number}") for number, line in lines]
