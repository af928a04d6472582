"""Reads the YAML that compilers write into ``.ze_info``: block style, every scalar a string.

A line is a key, a value, or both; lists are items of ``- ``; values are plain, quoted, a short list
in brackets, or ``{}`` (YAML 1.2.2, chapters 7 and 8). What else YAML has (anchors, tags, texts over
several lines, mappings in braces) no compiler writes, and it is refused with its line.

A general parser is not used: those in C are five times slower from Python, or change values
(``inf``), or crash on hostile files.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from typing import NamedTuple

from zedbg.zebin.zeinfo_limits import MOST_KEYS

Plain = str | list["Plain"] | dict[str, "Plain"]  # a YAML tree whose leaves are all strings

_START = re.compile(r"( *)(-(?: +|\r?$))?(?:([A-Za-z_]\w*) *:(?: +|\r?$))?", re.ASCII)
_SINGLE = re.compile(r"'([^']*+(?:''[^']*+)*+)'")
_DOUBLE = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"')
# Indicators start a plain value only where they cannot mean anything else (YAML 1.2.2, 7.3.3).
_PLAIN_BEGIN = re.compile(r"""[^\s\-?:,\[\]{}#&*!|>'"%@`]|[-?:](?=[^\s,\[\]{}])""")
# What a plain value ends in front of, without the blanks at its end: nothing is matched that has to
# be kept in memory, and the possessive repeats of Python 3.11.2 take a blank too many.
_PLAIN_END = re.compile(r":(?: |\Z)| #")
_PLAIN_END_IN_BRACKETS = re.compile(r":(?:[ ,\[\]{}]|\Z)| #|[,\[\]{}]")
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPES = dict(
    zip('0abtnvfre "/\\N_LP', '\0\a\b\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True)
)
_DOCUMENT_MARKS = ("---", "...")
_BEGIN_DOCUMENT = tuple(f"{each} " for each in _DOCUMENT_MARKS)
_DEEPEST = 64  # levels of nesting; the specification of zeinfo has six
_FIRST_LINES = 256  # of which none is remembered: a small module takes no more than it has to
_MOST_LINES = 512  # that are remembered: the kernels of a module repeat most of theirs
_PIECE = 1 << 15  # characters whose lines are in memory together


class YamlError(ValueError):
    """A text that is not read; ``line`` counts from 1."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line


class _NotReadError(ValueError):
    """What is wrong with one line."""


class Mapping(dict[str, Plain]):
    """A mapping of the text; ``lines`` are those of its keys, in order, from 1."""

    __slots__ = ("lines", "repeated")

    lines: array[int]  # which takes a quarter of a list
    repeated: list[tuple[str, int]]  # keys given again, with their lines; the last one counts

    def __init__(self) -> None:
        self.lines = array("I")

    def add(self, key: str, line: int) -> None:
        """Notes that ``key`` is given in ``line``; raises ValueError when there are too many."""
        if key in self:
            self.repeated = [*getattr(self, "repeated", ()), (key, line)]
        elif len(self) == MOST_KEYS:
            raise _NotReadError(f"more than {MOST_KEYS} keys, which no table of zeinfo has")
        else:
            self.lines.append(line)

    def line_of(self, key: str) -> int:
        """The line of ``key``, which it has."""
        return self.lines[list(self).index(key)]


class _Line(NamedTuple):
    """A line: ``indent`` columns, perhaps ``- ``, and a key, a value or both from ``column`` on."""

    indent: int
    column: int
    key: str | None
    value: Plain | None  # None: in the lines after it


class BlockReader:
    """Reads texts that share many lines."""

    def __init__(self) -> None:
        self._known: dict[str, _Line] = {}
        self._keys: dict[str, str] = {}
        self._read = 0  # lines that were taken apart

    def read(self, text: str) -> Plain:
        """The tree that ``text`` writes down, "" for nothing. Mappings are :class:`Mapping`.

        Raises YamlError for what is not of the form above, and for mappings of too many keys.
        """
        number = 0
        try:
            root: list[Plain] = []
            # What is being filled, and the column of its lines.
            stack: list[tuple[int, Mapping | list[Plain]]] = [(-1, root)]
            pending: tuple[Mapping, str, int] | None = None  # a key whose value is to come
            for number, text_line in enumerate(_lines(text), 1):
                line = self._known.get(text_line)
                if line is None:
                    line = self._take_apart(text_line, number)
                    if line is None:
                        if text_line.startswith(_DOCUMENT_MARKS):
                            _end_document(text_line, root, stack)
                        continue
                indent, column, key, value = line
                is_item = indent != column
                while stack[-1][0] >= indent and (
                    stack[-1][0] > indent or (not is_item and type(stack[-1][1]) is list)
                ):
                    stack.pop()
                if pending is not None:
                    parent, parent_key, parent_column = pending
                    pending = None
                    if indent > parent_column or (is_item and indent == parent_column):
                        opened: Mapping | list[Plain] = [] if is_item else Mapping()
                        parent[parent_key] = opened
                        stack.append((indent, opened))
                elif not root:
                    if key is None and not is_item:
                        root.append("" if value is None else value)
                        continue
                    opened = [] if is_item else Mapping()
                    root.append(opened)
                    stack.append((indent, opened))
                if len(stack) > _DEEPEST:
                    raise _NotReadError("nested too deeply")
                at, container = stack[-1]
                if at != indent:
                    raise _NotReadError("indented otherwise than the lines before it")
                if isinstance(container, Mapping):
                    mapping = container
                elif not is_item:
                    raise _NotReadError("not an item of the list around it")
                elif key is None:
                    container.append("" if value is None else value)
                    continue
                else:
                    mapping = Mapping()
                    container.append(mapping)
                    stack.append((column, mapping))
                if key is None or (is_item and mapping is container):
                    raise _NotReadError("a value without a key")
                mapping.add(key, number)
                mapping[key] = "" if value is None else value
                if value is None:
                    pending = mapping, key, column
        except _NotReadError as error:
            raise YamlError(str(error), number) from None
        return root[0] if root else ""

    def _take_apart(self, text: str, number: int) -> _Line | None:
        """What the line ``text`` says; None for an empty one, a comment, or a document's mark."""
        start = _START.match(text)
        assert start is not None, "every line starts with any number of blanks"
        indent, dash, key = start.groups()
        rest = text[start.end() :].rstrip(" \r")
        if not dash and not key and (not rest or rest[0] == "#" or rest in _DOCUMENT_MARKS):
            return None
        if key is not None:
            key = self._keys.setdefault(key, key) if len(self._keys) < MOST_KEYS else key
        value = _value(rest, number)
        line = _Line(len(indent), len(indent) + len(dash or ""), key, value)
        self._read += 1
        if self._read > _FIRST_LINES and not isinstance(
            value, list | dict
        ):  # which are each reader's own
            if len(self._known) >= _MOST_LINES:
                self._known.clear()
            self._known[text] = line
        return line


def _lines(text: str) -> Iterator[str]:
    """The lines of ``text``, of which few exist at once."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _PIECE)
        end = len(text) if end < 0 else end
        yield from text[start:end].split("\n")
        start = end + 1


def _end_document(
    mark: str, root: list[Plain], stack: list[tuple[int, Mapping | list[Plain]]]
) -> None:
    """After the mark ``...`` nothing fits into ``stack``; before ``---`` there may be nothing."""
    if mark.startswith("..."):
        del stack[1:]
        root[:] = root or [""]
    elif root:
        raise _NotReadError("several documents in one")


def _value(text: str, number: int) -> Plain | None:
    """A value as written in line ``number``; None where it is in the lines after it."""
    if not text or text[0] == "#":
        return None
    if text[0] in "[{":
        value, end = _in_brackets(text, 0, number, 1)
    else:
        if text.startswith(_BEGIN_DOCUMENT):
            raise _NotReadError("a document in a value")
        value, end = _scalar(text, 0, _PLAIN_END)
    rest = text[end:].lstrip(" ")
    if rest and not (rest[0] == "#" and text[end] == " "):
        raise _NotReadError(f"{rest[:40]!r} after a value")
    return value


def _in_brackets(text: str, at: int, number: int, depth: int) -> tuple[Plain, int]:
    """The list or mapping in brackets, or the scalar in one, at ``at``, and where it ends."""
    if depth > _DEEPEST:
        raise _NotReadError("nested too deeply")
    end = {"[": "]", "{": "}"}.get(text[at : at + 1])
    if end is None:
        return _scalar(text, at, _PLAIN_END_IN_BRACKETS)
    found: list[Plain] = []
    mapping = Mapping()
    at = _after_blanks(text, at + 1)
    while not text.startswith(end, at):
        if end == "}":
            key, at = _scalar(text, at, _PLAIN_END_IN_BRACKETS)
            at = _after_blanks(text, at)
            if not text.startswith(": ", at):
                raise _NotReadError("a key in braces without a value")
            at = _after_blanks(text, at + 1)
            mapping.add(key, number)
            mapping[key], at = _in_brackets(text, at, number, depth + 1)
        else:
            value, at = _in_brackets(text, at, number, depth + 1)
            found.append(value)
        at = _after_blanks(text, at)
        if text.startswith(",", at):
            at = _after_blanks(text, at + 1)
        elif not text.startswith(end, at):
            raise _NotReadError(f"{text[0]!r} without {end!r} in its line")
    return (mapping if end == "}" else found), at + 1


def _after_blanks(text: str, at: int) -> int:
    while text.startswith(" ", at):
        at += 1
    return at


def _scalar(text: str, at: int, plain_end: re.Pattern[str]) -> tuple[str, int]:
    """The value that begins at ``at``, and where it ends: a plain one in front of ``plain_end``."""
    end = at
    value = ""
    if text.startswith("'", at):
        if match := _SINGLE.match(text, at):
            value, end = match[1].replace("''", "'"), match.end()
    elif text.startswith('"', at):
        if match := _DOUBLE.match(text, at):
            value, end = _ESCAPE.sub(_unescaped, match[1]), match.end()
    elif match := _PLAIN_BEGIN.match(text, at):
        after = plain_end.search(text, match.end())
        value = text[at : len(text) if after is None else after.start()].rstrip(" ")
        end = at + len(value)
    if end == at or not text[at:end].isprintable():
        raise _NotReadError(f"no value of one line: {text[at : at + 40]!r}")
    return value, end


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    try:
        character = chr(int(code, 16)) if code else _ESCAPES[match[4]]
        character.encode()  # half of a pair is none
        return character
    except (KeyError, ValueError):
        raise _NotReadError(f"no escape: {match[0]!r}") from None
