"""Blocks of command lines: where one ends, and what is inside of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.commands.framework.command_errors import CommandError

_COMMANDS = ("commands", "if", "while", "define")  # whose blocks have commands
_TEXTS = ("document", "python", "py")  # whose blocks have other lines, up to the first end


class BlockReader:
    """Collects the lines of the block that the command ``opener`` begins, up to its ``end``.

    Lines of commands are kept without the blanks around them, and without comments; those of
    ``python`` and ``document`` as they stand.
    """

    def __init__(self, opener: str) -> None:
        self.lines: list[str] = []
        self._open = [opener]

    def add(self, line: str) -> bool:
        """Takes one line more; True when it was the ``end`` of the block."""
        text = line.strip()
        in_text = self._open[-1] in _TEXTS
        if text == "end":
            self._open.pop()
            if not self._open:
                return True
        elif not in_text:
            opener = opened_by(text)
            if opener is not None:
                self._open.append(opener)
        if in_text or (text and not text.startswith("#")):
            self.lines.append(line if in_text else _stripped(line))
        return False


def _stripped(line: str) -> str:
    """``line`` without the blanks around it; where it stands in a file stays known."""
    return line.at(line.strip()) if isinstance(line, ScriptLine) else line.strip()


def opened_by(line: str) -> str | None:
    """The command that begins a block with ``line``, None when it begins none."""
    match = re.match(r"([a-z]+)\b(?!-)", line)
    word = match[1] if match else ""
    if word in _COMMANDS or word == "document":
        return word
    return word if word in _TEXTS and line == word else None


def block_size(text: str) -> int | None:
    """How many lines of ``text`` the command in the first one has with its block, up to the end of
    that: 0 when it begins none, None when the end is missing."""
    first, *rest = text.split("\n")
    opener = opened_by(first.strip())
    if opener is None:
        return 0
    reader = BlockReader(opener)
    for number, line in enumerate(rest, 2):
        if reader.add(line):
            return number
    return None


class ScriptLine(str):
    """A line of a file of commands, with its place: ``setup.zdb:3``."""

    place: str

    def __new__(cls, text: str, place: str) -> ScriptLine:
        """``text``, which stands at ``place``."""
        line = super().__new__(cls, text)
        line.place = place
        return line

    def at(self, text: str) -> ScriptLine:
        """Another text at the same place."""
        return ScriptLine(text, self.place)


@dataclass(frozen=True)
class Branch:
    """``if`` or ``while`` (``word``) with its condition, and the statements of its two parts."""

    word: str
    condition: str
    line: str
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True)
class Command:
    """A command line, with the block that belongs to it, its ``end`` included."""

    lines: tuple[str, ...]


Statement = Branch | Command


def statements(lines: Sequence[str]) -> tuple[Statement, ...]:
    """The statements that ``lines``, the inside of a block, are. CommandError for an ``else`` or
    ``end`` too many, or an ``end`` too few."""
    rest = iter(lines)
    found, last = _statements(rest, top=True)
    if last is not None:
        raise CommandError(f"This command cannot be used at the top level: {last}")
    return found


def _statements(
    rest: Iterator[str], *, top: bool = False
) -> tuple[tuple[Statement, ...], str | None]:
    """Statements up to ``else`` or ``end``, and which of them ended them; None at the top."""
    found: list[Statement] = []
    for line in rest:
        word = opened_by(line)
        if line in ("else", "end"):
            return tuple(found), line
        if word in ("if", "while"):
            found.append(_branch(word, line, rest))
        elif word is not None:
            found.append(Command((line, *_block(line, rest))))
        else:
            found.append(Command((line,)))
    if not top:
        raise CommandError("A block has no end.")
    return tuple(found), None


def _branch(word: str, line: str, rest: Iterator[str]) -> Branch:
    condition = line[len(word) :].strip()
    if not condition:
        raise CommandError(f"{word} needs a condition.")
    then, last = _statements(rest)
    otherwise: tuple[Statement, ...] = ()
    if last == "else":
        if word == "while":
            raise CommandError("while has no else.")
        otherwise, last = _statements(rest)
        if last == "else":
            raise CommandError("An if has one else.")
    return Branch(word, condition, line, then, otherwise)


def _block(line: str, rest: Iterator[str]) -> Iterator[str]:
    """The lines of the block that ``line`` begins, with its ``end``."""
    reader = BlockReader(opened_by(line) or "")
    for each in rest:
        yield each
        if reader.add(each):
            return
    raise CommandError("A block has no end.")
