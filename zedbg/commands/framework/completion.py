"""What could come next on a command line: a pure function from text to kinds.

:func:`suggest` knows the grammar and nothing of a session; :func:`words` turns kinds into words
with what the session knows. Tests need neither a terminal nor a process.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from zedbg.commands.framework.command_errors import UnknownCommand
from zedbg.commands.framework.declaration import Argument, Declaration, Kind, Registry
from zedbg.commands.framework.expression_completion import expression_place
from zedbg.commands.framework.settings import SETTINGS

# The letters of print's formats, and what they mean; docs and the menu show both.
FORMATS = {
    "x": "hexadecimal",
    "d": "signed decimal",
    "u": "unsigned decimal",
    "o": "octal",
    "t": "binary",
    "z": "hexadecimal with leading zeros",
    "c": "character",
    "f": "floating point",
    "a": "address and symbol",
    "s": "string, or as it is",
    "f16": "16-bit floats",
    "bf16": "bfloat16",
    "l": "every active lane",
    "w": "every stopped work-item",
}
_EXAMINED = {
    **{letter: FORMATS[letter] for letter in "xduotzcfas"},
    "i": "instructions",
    "b": "bytes",
    "h": "2 bytes each",
    "w": "4 bytes each",
    "g": "8 bytes each",
}
_FLAGS = re.compile(r"\s*([A-Za-z][\w-]*(?:\s+[A-Za-z][\w-]*)?)/(\w*)")
# What may follow the place of a breakpoint; ``if`` is the last.
_RESTRICTIONS = {
    "thread": Kind.THREAD,
    "workitem": Kind.WORK_ITEM,
    "workgroup": Kind.TEXT,
}
_CONDITION = re.compile(r"(?:^|\s)if(?=[\s(])")
_MANY = 400
_PLACE_COMMANDS = ("break", "tbreak", "hbreak", "thbreak")


class Part(Enum):
    """What fits inside an argument; a :class:`Suggestion` names what it is ``of``."""

    MEMBER = "member of a structure"
    VARIABLE = "variable at a place"
    LINE = "line of a file that has code"
    LANE = "lane of a thread"
    DOLLAR = "register, or another name that begins with $"
    COMPLETER = "what the command of a line knows itself"


@dataclass(frozen=True)
class Suggestion:
    """The kinds that fit at the cursor, the fixed words that do, and the text to complete.

    ``of``: what a :class:`Part` belongs to: a structure's expression, a place, a file, a thread.
    """

    prefix: str
    kinds: tuple[Kind | Part, ...] = ()
    words: tuple[str, ...] = field(default=())
    of: str = ""


class Vocabulary(Protocol):
    """What the session knows: the words of a kind that exist now."""

    def of_kind(self, kind: Kind | Part, of: str = "", prefix: str = "") -> Iterable[str]:
        """Every word of ``kind`` that may begin with ``prefix``; empty when nothing is known."""


def suggest(before_cursor: str, registry: Registry) -> Suggestion:
    """What fits at the end of ``before_cursor``.

    Args:
        before_cursor: the line up to the cursor.
        registry: the commands.
    """
    text = before_cursor.lstrip()
    flags = _FLAGS.fullmatch(text)
    if flags is not None:
        return _format(flags[1], flags[2], registry)
    given = text.split()
    at_new_word = not text or text[-1].isspace()
    prefix = "" if at_new_word else given[-1]
    complete = given if at_new_word else given[:-1]
    complete = [complete[0].split("/")[0], *complete[1:]] if complete else []
    continuing = _next_words(complete, registry)
    try:
        declaration, count = registry.find(complete) if complete else (None, 0)
    except UnknownCommand:
        declaration, count = None, 0
    if declaration is None:
        return Suggestion(prefix, (), continuing)
    rest = _after(text, count)
    members = (
        continuing if " " in declaration.name or declaration.name in registry.prefixes() else ()
    )
    if declaration.completer is not None:
        return Suggestion(_last_word(rest), (Part.COMPLETER,), members, text)
    found = _argument(declaration, rest, registry)
    return Suggestion(found.prefix, found.kinds, (*members, *found.words), found.of)


def _after(text: str, count: int) -> str:
    """``text`` without its first ``count`` words and the flags after them."""
    match = re.match(rf"(?:\S+\s+){{{count}}}", text)
    assert match is not None
    return re.sub(r"^/\S*\s+", "", text[match.end() :])


def _argument(declaration: Declaration, rest: str, registry: Registry) -> Suggestion:
    """What fits at the end of ``rest``, all that is given to a command."""
    text = rest
    for argument in declaration.arguments:
        word = re.match(r"\S+\s+", text)
        if argument.rest or word is None:
            return _of_kind(declaration, argument, text, registry)
        text = text[word.end() :]
    return Suggestion(_last_word(text))


def _of_kind(
    declaration: Declaration, argument: Argument, text: str, registry: Registry
) -> Suggestion:
    match argument.kind:
        case Kind.COMMAND:
            return suggest(text, registry)
        case Kind.EXPRESSION:
            return _expression(text)
        case Kind.LOCATION:
            takes_condition = declaration.name in _PLACE_COMMANDS
            return _location(text, takes_condition)
        case Kind.SETTING:
            return _setting(declaration, text)
        case Kind.THREAD:
            return _thread(_last_word(text))
        case Kind.FILE:
            return Suggestion(text if argument.rest else _last_word(text), (Kind.FILE,))
        case kind:
            return Suggestion(_last_word(text), (kind,))


def _expression(text: str, place: str = "") -> Suggestion:
    """Inside an expression; ``place``: where its names are looked up, if not in the focus."""
    found = expression_place(text)
    if found is None:
        return Suggestion("")
    if found.structure:
        return Suggestion(found.prefix, (Part.MEMBER,), of=found.structure)
    if found.prefix.startswith("$"):
        return Suggestion(found.prefix, (Part.DOLLAR,))
    if place:
        return Suggestion(found.prefix, (Part.VARIABLE,), of=place)
    return Suggestion(found.prefix, (Kind.EXPRESSION,))


def _location(text: str, takes_condition: bool) -> Suggestion:
    """Inside ``FILE:LINE thread 1.2 if i > 3``."""
    condition = _CONDITION.search(text)
    if takes_condition and condition is not None:
        return _expression(text[condition.end() :], text[: condition.start()].split(" ")[0])
    words = text.split()
    prefix = _last_word(text)
    before = words[:-1] if prefix else words
    if takes_condition and before:
        kind = _RESTRICTIONS.get(before[-1])
        if kind is Kind.THREAD:
            return _thread(prefix)
        if kind is not None:
            return Suggestion(prefix, (kind,))
        return Suggestion(prefix, (), (*_RESTRICTIONS, "if", "log"))
    if prefix.startswith("*"):
        return _expression(prefix[1:])
    file, colon, _ = prefix.rpartition(":")
    if colon and not file.endswith(":"):
        return Suggestion(prefix, (Part.LINE,), of=file)
    return Suggestion(prefix, (Kind.LOCATION,))


def _setting(declaration: Declaration, text: str) -> Suggestion:
    for count in (2, 1):
        match = re.match(rf"((?:\S+\s+){{{count}}})(.*)$", text)
        name = " ".join(match[1].split()) if match else ""
        if match is not None and name in SETTINGS and declaration.name != "show":
            setting = SETTINGS[name]
            return Suggestion(match[2], (), setting.values)
    return Suggestion(text, (Kind.SETTING,))


def _thread(prefix: str) -> Suggestion:
    thread, colon, _ = prefix.rpartition(":")
    if colon:
        return Suggestion(prefix, (Part.LANE,), of=thread)
    return Suggestion(prefix, (Kind.THREAD,))


def _format(name: str, flags: str, registry: Registry) -> Suggestion:
    """The letters that may follow ``flags`` after a ``/``."""
    try:
        declaration, count = registry.find(name.split())
    except UnknownCommand:
        return Suggestion(flags)
    if not declaration.flags or count < len(name.split()):
        return Suggestion(flags)
    letters: Iterable[str] = declaration.flags
    if declaration.flags == "FMT":
        letters = FORMATS
    elif not declaration.flags.islower():
        letters = _EXAMINED
    return Suggestion(flags, (), tuple(flags + each for each in letters if each not in flags))


def _last_word(text: str) -> str:
    return "" if not text or text[-1].isspace() else text.split()[-1]


def _next_words(complete: list[str], registry: Registry) -> tuple[str, ...]:
    """The words that may follow ``complete`` inside command names."""
    first = registry.aliases.get(complete[0], complete[0]) if complete else ""
    given = [first, *complete[1:]]
    found = set()
    for name in [*registry.names, *registry.aliases]:
        parts = name.split()
        if len(parts) > len(complete) and all(
            part.startswith(word) for part, word in zip(parts, given[: len(complete)], strict=False)
        ):
            found.add(parts[len(complete)])
    return tuple(sorted(found))


def words(suggestion: Suggestion, vocabulary: Vocabulary) -> list[str]:
    """The words that complete the line, each once, sorted: the program's names, then registers."""
    prefix = suggestion.prefix
    candidates = {word for word in suggestion.words if word.startswith(prefix)}
    for kind in suggestion.kinds:
        found = vocabulary.of_kind(kind, suggestion.of, prefix)
        candidates.update(word for word in found if word.startswith(prefix))
    return sorted(candidates, key=_order if len(candidates) <= _MANY else _quick_order)


def _quick_order(word: str) -> tuple[object, ...]:
    """Nearly the same, of thousands of words."""
    return word.startswith("$"), len(word), word


def _order(word: str) -> tuple[object, ...]:
    """Names before registers; numbers in words by their size: r2 before r10."""
    parts = re.split(r"(\d+)", word)
    return word.startswith("$"), [
        (part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts
    ]
