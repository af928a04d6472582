"""What an unfinished expression ends in: a name, a member of something, a register, a string."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = re.compile(r"\$?[A-Za-z_]\w*\Z|\$\d*\Z")
_ACCESS = re.compile(r"(?:\.|->)\s*\Z")
_CLOSING = {")": "(", "]": "["}


@dataclass(frozen=True)
class ExpressionPlace:
    """``prefix``: the name to complete; ``structure``: the expression that it is a member of."""

    prefix: str
    structure: str = ""


def expression_place(text: str) -> ExpressionPlace | None:
    """What the end of ``text`` is; None inside a string or a number, where nothing fits."""
    if _ends_in_string(text):
        return None
    name = _NAME.search(text)
    prefix = name[0] if name else ""
    before = text[: len(text) - len(prefix)]
    if (before[-1:].isdecimal() and prefix) or re.search(r"(?<![\w$\])])\d[\w.]*\Z", text):
        return None
    access = _ACCESS.search(before)
    if access is None:
        return ExpressionPlace(prefix)
    structure = last_expression(before[: access.start()])
    if not structure:
        return None
    arrow = before[access.start() :].startswith("->")
    return ExpressionPlace(prefix, f"*({structure})" if arrow else structure)


def last_expression(text: str) -> str:
    """The postfix expression that ``text`` ends with: names, members, subscripts, parentheses;
    "" when it ends with none."""
    start = end = len(text.rstrip())
    while start:
        last = text[start - 1]
        if last in _CLOSING:
            opening = _opening(text, start - 1)
            if opening is None:
                return ""
            start = opening
            name = re.search(r"[\w$]+\Z", text[:start])
            if name is None and text[start] == "(":
                break  # a parenthesis that is no call
            continue
        name = re.search(r"[\w$]+\Z", text[:start])
        if name is None:
            break
        start = name.start()
        access = re.search(r"(?:\.|->|::)\Z", text[:start])
        if access is None:
            break
        start = access.start()
    return text[start:end]


def _opening(text: str, closing: int) -> int | None:
    """Where the bracket that ends at ``closing`` begins."""
    wanted: list[str] = []
    for position in range(closing, -1, -1):
        character = text[position]
        if character in _CLOSING:
            wanted.append(_CLOSING[character])
        elif character in "([":
            if not wanted or wanted.pop() != character:
                return None
            if not wanted:
                return position
    return None


def _ends_in_string(text: str) -> bool:
    quote = ""
    position = 0
    while position < len(text):
        character = text[position]
        if quote and character == "\\":
            position += 1
        elif quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        position += 1
    return bool(quote)
