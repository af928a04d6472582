"""How much of a ``.ze_info`` is read: what would take more than ten times its text is refused.

Compilers write a line for every 29 characters or more, an item of a list for every 140 or more, and
tables of at most 39 keys, which is read in less than eight times the text. A text of many short
lines takes fifty times: only an attacker writes it.
"""

from __future__ import annotations

import re

MOST_KEYS = 256  # of one mapping; the specification's largest has 39
_FACTOR = 10  # bytes of memory for each character of the text
_ALLOWANCE = 1 << 18  # bytes, for texts that are short anyway
# Bytes that reading takes at most, measured with CPython 3.11.
_LINE, _ITEM = 130, 410  # a key and its value; the mapping of a list's item, and the record of it
_OPENING, _OPENS = 350, re.compile(r":[ \r]*\n")  # a key whose value is in the lines after it
_ITEMS = ("- ", "-\n", "-\t")
_LINES = ("\n", "\r")
_OTHER_LINES = ("\x85", "\u2028", "\u2029")  # further line ends (YAML 1.1, 5.4)
_COSTS = {
    "\n  - name:": 200,  # a kernel or function: where it lies, beside its record
    ",": 170,
    "[": 100,
    "{": 130,
}


def too_dense(text: str) -> str | None:
    """Why ``text``, a whole ``.ze_info``, is not read: it would take too much; None if it is."""
    lines = _count(text, _LINES if text.isascii() else (*_LINES, *_OTHER_LINES))
    others = sum(cost * text.count(what) for what, cost in _COSTS.items())
    others += _OPENING * sum(1 for _ in _OPENS.finditer(text))
    room = _FACTOR * len(text) + _ALLOWANCE - _LINE * lines - others
    # What may be an item is found several times faster than what is one, and mostly is enough.
    if _ITEM * text.count("-") <= room:
        return None
    items = _count(text, _ITEMS)
    if _ITEM * items <= room:
        return None
    brackets = _count(text, ("[", "{"))
    return (
        f"too dense: {lines} lines, {items} items of lists and {brackets} brackets in {len(text)} "
        f"characters would take more than {_FACTOR} times as many bytes to read"
    )


def _count(text: str, parts: tuple[str, ...]) -> int:
    return sum(map(text.count, parts))
