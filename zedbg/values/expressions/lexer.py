"""Cutting an expression into tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zedbg.values.typed.evaluation_error import EvaluationError

OPERATORS = (
    *("<<=", ">>=", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"),
    *("++", "--"),
    *("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="),
    *"+-*/%&|^~!<>=?:.,()[]@{}",
)
_PATTERN = r"""
    (?P<space>\s+)
  | (?P<float>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?[fFlLhH]?|\d+[eE][+-]?\d+[fFlLhH]?)
  | (?P<integer>0[xX][0-9a-fA-F]+[uUlL]*|0[bB][01]+[uUlL]*|\d+[uUlL]*)(?![\w.])
  | (?P<character>'(?:\\.[0-7x]*|[^'\\])')
  | (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<dollar>\$\$?[A-Za-z0-9_]*)
  | (?P<name>(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)
  | (?P<operator>OPERATORS)
"""
_TOKEN = re.compile(_PATTERN.replace("OPERATORS", "|".join(map(re.escape, OPERATORS))), re.VERBOSE)


@dataclass(frozen=True)
class Token:
    """One token; ``kind`` is a group of the pattern, or ``end``."""

    kind: str
    text: str
    position: int


def tokenize(text: str) -> list[Token]:
    """The tokens of ``text``, with one of kind ``end`` after them. Raises EvaluationError."""
    tokens = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            rest = text[position:]
            if rest[0].isdigit():
                word = re.match(r"[\w.]+", rest)
                raise EvaluationError(f'Invalid number "{word[0] if word else rest}".')
            raise EvaluationError(f'Invalid character "{rest[0]}" in expression.')
        kind = match.lastgroup or ""
        if kind != "space":
            tokens.append(Token(kind, match[0], position))
        position = match.end()
    tokens.append(Token("end", "", len(text)))
    return tokens
