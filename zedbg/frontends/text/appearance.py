"""How text looks where it is shown: colours, width, the length of names.

Renderers ask :data:`current`. It is plain unless a terminal's output sets it for a while: what goes
to pipes, files and scripts has no escape sequences and no short names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum


class Style(Enum):
    """What a piece of text is; the value is its SGR parameters. GDB's own colours: they are among
    the eight that the user's terminal adapts to a light or dark background."""

    FUNCTION = "33"
    FILE = "32"
    ADDRESS = "34"
    VARIABLE = "36"
    CURRENT = "1"
    CHANGED = "1;31"
    FAINT = "2"


@dataclass(frozen=True)
class Appearance:
    """``columns``: the width to keep to, 0 for any. ``symbol_max``: characters of a name that are
    shown, 0 for all. ``draws``: whether boxes and arrows may be more than ASCII."""

    columns: int = 0
    symbol_max: int = 0
    is_styled: bool = False
    draws: bool = False


current = Appearance()
_SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")


@contextmanager
def appearing(appearance: Appearance) -> Iterator[None]:
    """What is rendered meanwhile looks so."""
    global current
    before, current = current, appearance
    try:
        yield
    finally:
        current = before


def styled(style: Style, text: str) -> str:
    """``text`` in a style, where there are any."""
    return f"\x1b[{style.value}m{text}\x1b[0m" if current.is_styled and text else text


def visible_width(text: str) -> int:
    """How many characters of ``text`` are seen."""
    return len(_SEQUENCE.sub("", text)) if "\x1b" in text else len(text)


def padded(text: str, width: int) -> str:
    """``text`` with blanks up to ``width`` characters that are seen."""
    return text + " " * (width - visible_width(text))


def cut(text: str, width: int) -> str:
    """``text`` of at most ``width`` characters that are seen; sequences stay, and end."""
    if visible_width(text) <= width:
        return text
    shown, left = [], width
    for part in re.split(r"(\x1b\[[0-9;]*m)", text):
        if part.startswith("\x1b"):
            shown.append(part)
        else:
            shown.append(part[:left])
            left -= len(part[:left])
    return "".join(shown)


def short_name(name: str) -> str:
    """A function's or kernel's name as long as it may be, in the style of functions."""
    return styled(Style.FUNCTION, shortened(name, current.symbol_max))


def shortened(name: str, most: int) -> str:
    """A name of at most ``most`` characters, if that is not 0.

    Of a C++ name the tail counts: ``main::{lambda(sycl::handler&)#1}::operator()(sycl::handler&)
    const::{lambda(sycl::id<1>)#1}`` ends in what its author wrote last. Arguments of templates and
    functions go first, then the scopes in front.
    """
    if not most or len(name) <= most:
        return name
    without = _without_arguments(name)
    if len(without) <= most:
        return without
    parts = _scopes(without)
    tail = parts.pop()
    while parts and len(parts[-1]) + len(tail) + len("...::::") <= most:
        tail = f"{parts.pop()}::{tail}"
    shown = f"...::{tail}" if parts else tail
    return shown if len(shown) <= most else f"...{shown[-max(most - 3, 1) :]}"


def _without_arguments(name: str) -> str:
    """``name`` with ``<...>`` and ``(...)`` for what is inside brackets; ``operator()`` stays."""
    result: list[str] = []
    depth = 0
    position = 0
    while position < len(name):
        character = name[position]
        operator = re.compile(r"operator\s*(\(\)|<<|>>|<=>|<=|>=|<|>|->)").match(name, position)
        if operator is not None and not depth:
            result.append(operator[0])
            position = operator.end()
            continue
        if character in "<(":
            if not depth:
                empty = name[position : position + 2] in ("()", "<>")
                result.append(character if empty else character + "...")
            depth += 1
        elif character in ">)" and depth:
            depth -= 1
            if not depth:
                result.append(character)
        elif not depth:
            result.append(character)
        position += 1
    return "".join(result)


def _scopes(name: str) -> list[str]:
    """The parts of a name between ``::`` outside of brackets."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(name):
        if character in "<({":
            depth += 1
        elif character in ">)}":
            depth -= 1
        elif character == ":" and not depth and name[position : position + 2] == "::":
            parts.append(name[start:position])
            start = position + 2
    return [*(part for part in parts if part), name[start:]]
