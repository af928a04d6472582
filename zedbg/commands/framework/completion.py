"""What could come next on a command line: a pure function from text to kinds.

:func:`suggest` knows the grammar and nothing of a session; :func:`words` turns kinds into words
with what the session knows. Tests need neither a terminal nor a process.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from zedbg.commands.framework.command_errors import UnknownCommand
from zedbg.commands.framework.declaration import Kind, Registry


@dataclass(frozen=True)
class Suggestion:
    """The kinds that fit at the cursor, the fixed words that do, and the text to complete."""

    prefix: str
    kinds: tuple[Kind, ...] = ()
    words: tuple[str, ...] = field(default=())


class Vocabulary(Protocol):
    """What the session knows: the words of a kind that exist now."""

    def of_kind(self, kind: Kind) -> Iterable[str]:
        """Every word of ``kind``; empty when nothing is known yet."""


def suggest(before_cursor: str, registry: Registry) -> Suggestion:
    """What fits at the end of ``before_cursor``.

    Args:
        before_cursor: the line up to the cursor.
        registry: the commands.
    """
    text = before_cursor.lstrip()
    given = text.split()
    if not text or text[-1].isspace():
        prefix = ""
        complete = given
    else:
        prefix = given[-1]
        complete = given[:-1]
    complete = [complete[0].split("/")[0], *complete[1:]] if complete else []
    continuing = _next_words(complete, registry)
    try:
        declaration, count = registry.find(complete) if complete else (None, 0)
    except UnknownCommand:
        declaration, count = None, 0
    if declaration is None or any(" " in name and continuing for name in (declaration.name,)):
        declaration_words = continuing
    else:
        declaration_words = ()
    if declaration is None:
        return Suggestion(prefix, (), declaration_words)
    arguments = [word for word in complete[count:] if not word.startswith("/")]
    for position, argument in enumerate(declaration.arguments):
        if argument.rest or position == len(arguments):
            if argument.kind is Kind.COMMAND:
                inner = suggest(" ".join([*arguments, prefix]), registry)
                return Suggestion(prefix, inner.kinds, inner.words)
            return Suggestion(prefix, (argument.kind,), declaration_words)
    return Suggestion(prefix, (), declaration_words)


def _next_words(complete: list[str], registry: Registry) -> tuple[str, ...]:
    """The words that may follow ``complete`` inside command names."""
    found = set()
    for name in [*registry.names, *registry.aliases]:
        parts = name.split()
        if len(parts) > len(complete) and all(
            part.startswith(word) for part, word in zip(parts, complete, strict=False)
        ):
            found.add(parts[len(complete)])
    return tuple(sorted(found))


def words(suggestion: Suggestion, vocabulary: Vocabulary) -> list[str]:
    """The words that complete the line, each once, sorted: the program's names, then registers."""
    candidates = set(suggestion.words)
    for kind in suggestion.kinds:
        candidates.update(vocabulary.of_kind(kind))
    fitting = (word for word in candidates if word.startswith(suggestion.prefix))
    return sorted(fitting, key=lambda word: (word.startswith("$"), word))
