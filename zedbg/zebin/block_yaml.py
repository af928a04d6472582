"""A fast reader of the YAML that compilers write into ``.ze_info``.

They write block style: one ``key: value`` a line, lists indented deeper than their key, values
plain, quoted without escapes, or short lists in brackets. Lines repeat themselves over many kernels
of a module, and are then taken apart once. Whatever is not of this shape is left to a full YAML
parser, of whose base loader (all scalars are strings) this is a subset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from zedbg.zebin.shared_texts import SharedTexts
from zedbg.zebin.zeinfo import Plain
from zedbg.zebin.zeinfo_limits import MOST_KEYS

_WORD = r"(?:-(?=\d)|[A-Za-z0-9_$~./+(])[A-Za-z0-9_$~./+()*<>;=&-]*"
_LINE = re.compile(r"( *)(- +)?([A-Za-z_][A-Za-z0-9_]*):(?: +([^ ].*?))? *")
_PLAIN = re.compile(rf"{_WORD}(?: {_WORD})*")
_QUOTED = re.compile(r"'([ !#-&(-~]*)'|\"([ !#-[\]-~]*)\"")
_LIST = re.compile(rf"\[ *(?:{_WORD} *(?:, *{_WORD} *)*)?\]")

# A line that is kept takes ten times its text: worth it only where many texts repeat it.
_FEW = 8  # texts, of which nothing is kept
_MOST_LINES = 4096
_LONGEST_LIST = 1024  # characters: of a longer one the pattern would keep every step
_PIECE = 1 << 15  # characters of a text whose lines are taken apart from each other at once

_ABSENT: Plain = ""  # what the base loader makes of a key without a value


class _Line(NamedTuple):
    """One line: ``indent`` columns, then ``- `` (``item``), then a key, then perhaps a value."""

    indent: int
    key_indent: int  # column of the key, behind the ``- ``
    key: str
    value: Plain | None


_Open = tuple[int, "dict[str, Plain] | list[Plain]"]  # column, and what is being filled there


class BlockReader:
    """Reads texts that share many lines."""

    def __init__(self) -> None:
        self._lines: dict[str, _Line | None] = {}
        self._texts = 0
        self._keys = SharedTexts()

    def read(self, text: str) -> Plain | None:
        """The tree that ``text`` writes down, None when it is not of the shape that is read here.

        Equal to what PyYAML's base loader makes of it.
        """
        self._texts += 1
        known = self._lines if self._texts > _FEW else {}
        stack: list[_Open] = []
        root: Plain | None = None
        pending: tuple[dict[str, Plain], str, int] | None = None  # a key whose value is to come
        for text_line in text.split("\n") if len(text) <= _PIECE else _lines(text):
            if not text_line:
                continue
            line = known.get(text_line)
            if line is None:
                line = _take_apart(text_line, self._keys)
                if line is None:
                    return None
                if len(known) >= _MOST_LINES:
                    known.clear()
                known[text_line] = line
            indent, key_indent, key, value = line
            while stack and stack[-1][0] > indent:
                stack.pop()
            if pending is not None:
                if indent > pending[2]:
                    opened: dict[str, Plain] | list[Plain] = {} if indent == key_indent else []
                    pending[0][pending[1]] = opened
                    stack.append((indent, opened))
                elif indent == pending[2] and indent != key_indent:
                    return None  # a list that is not indented deeper than its key
                pending = None
            elif root is None:
                root = {} if indent == key_indent else []
                stack.append((indent, root))
            if not stack or stack[-1][0] != indent:
                return None
            container = stack[-1][1]
            if indent != key_indent:
                if not isinstance(container, list):
                    return None
                mapping: dict[str, Plain] = {}
                container.append(mapping)
                stack.append((key_indent, mapping))
            elif isinstance(container, dict):
                mapping = container
            else:
                return None
            if len(mapping) > MOST_KEYS:
                return None  # which the full parser tells of
            if value is None:
                mapping[key] = _ABSENT
                pending = (mapping, key, key_indent)
            else:
                mapping[key] = value
        return root


def _lines(text: str) -> Iterator[str]:
    """The lines of ``text``, of which few exist at once."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _PIECE)
        end = len(text) if end < 0 else end
        yield from text[start:end].split("\n")
        start = end + 1


def _take_apart(text: str, keys: SharedTexts) -> _Line | None:
    match = _LINE.fullmatch(text)
    if match is None:
        return None
    indent = len(match[1])
    value = None if match[4] is None else _scalar(match[4])
    if match[4] is not None and value is None:
        return None
    return _Line(indent, indent + len(match[2] or ""), keys.one(match[3]), value)


def _scalar(text: str) -> Plain | None:
    """A value as written, None when it needs a full parser."""
    if _PLAIN.fullmatch(text):
        return text
    quoted = _QUOTED.fullmatch(text)
    if quoted:
        return str(quoted[1] if quoted[1] is not None else quoted[2])
    if len(text) <= _LONGEST_LIST and _LIST.fullmatch(text):
        inner = text[1:-1].strip()
        return [part.strip() for part in inner.split(",")] if inner else []
    return None
