"""Colours of the line that is typed: a pure function from text to styled parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer

from zedbg.commands.framework.command_errors import UnknownCommand
from zedbg.commands.framework.declaration import Registry

# Names that both light and dark terminals show well: the 16 colours are the user's own.
STYLES = {
    "command": "bold",
    "unknown": "ansired",
    "flags": "ansimagenta",
    "number": "ansicyan",
    "string": "ansigreen",
    "register": "ansiblue",
    "word": "bold",
}
_TOKEN = re.compile(
    r"""(?P<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)
      | (?P<register>\$\w*)
      | (?P<number>\b(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?)\b)
      | (?P<word>(?<=\s)(?:if|thread|workitem|workgroup|log)(?=\s|$))""",
    re.VERBOSE,
)
_HEAD = re.compile(r"(\s*)([^\s/]*)")
_FLAGS = re.compile(r"/\S*")


def styled_line(text: str, registry: Registry) -> list[tuple[str, str]]:
    """``text`` in parts, each with the name of its style ("" for none)."""
    return [(style, part) for style, part in _parts(text, registry) if part]


def _parts(text: str, registry: Registry) -> Iterator[tuple[str, str]]:
    head = _HEAD.match(text)
    assert head is not None
    words = text.split("/")[0].split()
    try:
        _, count = registry.find(words)
    except UnknownCommand:
        is_group = bool(words) and any(each.startswith(words[0]) for each in registry.prefixes())
        yield "", head[1]
        yield "" if is_group or not text[head.end() :] else "unknown", head[2]
        yield from _arguments(text[head.end() :])
        return
    named = re.match(rf"(\s*)((?:[^\s/]+\s+){{{count - 1}}}[^\s/]+)", text)
    assert named is not None
    yield "", named[1]
    yield "command", named[2]
    rest = text[named.end() :]
    flags = _FLAGS.match(rest)
    if flags is not None:
        yield "flags", flags[0]
        rest = rest[flags.end() :]
    yield from _arguments(rest)


def _arguments(text: str) -> Iterator[tuple[str, str]]:
    position = 0
    for token in _TOKEN.finditer(text):
        yield "", text[position : token.start()]
        yield str(token.lastgroup), token[0]
        position = token.end()
    yield "", text[position:]


class CommandLexer(Lexer):
    """Colours command lines; ``is_wanted``: whether the user wants colours now."""

    def __init__(self, registry: Registry, is_wanted: Callable[[], bool]) -> None:
        self._is_wanted = is_wanted
        # A line is drawn several times for each key.
        self._styled = lru_cache(maxsize=8)(lambda text: styled_line(text, registry))

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """The styled parts of each line."""

        def line(number: int) -> StyleAndTextTuples:
            text = document.lines[number] if number < len(document.lines) else ""
            if not self._is_wanted():
                return [("", text)]
            return [(STYLES.get(style, ""), part) for style, part in self._styled(text)]

        return line
