"""Which of several functions of one name is meant, where the types of its parameters are given."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zedbg.dwarf.types.program_types import ArrayType, PointerType, QualifiedType, Type, TypedefType

_BEHIND = re.compile(r"\s*\b(const|volatile)$")  # a member function's parameters
_SPACES = re.compile(r"\b(__)?(global|local|constant|private|generic)\b")
_KEYWORDS = re.compile(r"\b(struct|class|union|enum|typename)\s+")
_CONST_BEHIND = re.compile(r"^([\w:<>, ]+?) const\b")
_SHORT = {"uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned int"}
_SHORT |= {"ulong": "unsigned long", "size_t": "unsigned long"}
_BUILTIN = frozenset({"unsigned", "signed", "char", "short", "int", "long"})


def parted(name: str) -> tuple[str, list[str] | None]:
    """A function's name, and the types in the brackets after it; None where there are none."""
    name = _BEHIND.sub("", name.strip())
    if not name.endswith(")"):
        return name, None
    depth = 0
    for place in range(len(name) - 1, -1, -1):
        depth += (name[place] == ")") - (name[place] == "(")
        if depth == 0:
            head, inside = name[:place].rstrip(), name[place + 1 : -1]
            # The brackets may be those of an operator's name.
            return (name, None) if head.endswith("operator") else (head, _listed(inside))
    return name, None


def takes(wanted: Sequence[str], parameters: Sequence[tuple[str, Type]]) -> bool:
    """Whether a function with ``parameters`` (names and types) takes the types ``wanted``."""
    own = [each for each in _once(parameters) if each[0] != "this"]
    if len(own) != len(wanted):
        return False
    return all(
        _written(text) in (_written(kind.name), _written(_plain(kind)))
        for text, (_, kind) in zip(wanted, own, strict=True)
    )


def _once(parameters: Sequence[tuple[str, Type]]) -> Sequence[tuple[str, Type]]:
    """``parameters``, of which the compiler lists some functions' twice, then without names."""
    half = len(parameters) // 2
    first, second = parameters[:half], parameters[half:]
    is_again = [kind.name for _, kind in first] == [kind.name for _, kind in second]
    is_unnamed = any(name for name, _ in first) and not any(name for name, _ in second)
    return first if is_again and is_unnamed else parameters


def _listed(inside: str) -> list[str]:
    """The types between commas, of which some are those of template arguments."""
    found, depth, last = [], 0, ""
    for letter in inside:
        depth += (letter in "<([") - (letter in ">)]")
        if letter == "," and depth == 0:
            found.append(last)
            last = ""
        else:
            last += letter
    found = [each.strip() for each in [*found, last]]
    return [] if found in ([""], ["void"]) else found


def _plain(kind: Type) -> str:
    """A type's name without typedefs; vectors keep theirs."""
    if isinstance(kind, TypedefType):
        target = kind.target
        is_vector = isinstance(target, ArrayType) and target.is_vector
        return kind.name if is_vector else _plain(target)
    if isinstance(kind, QualifiedType):
        return f"{kind.qualifier} {_plain(kind.target)}"
    if isinstance(kind, PointerType):
        return f"{_plain(kind.target)} {kind.reference or '*'}"
    return kind.name


def _written(text: str) -> str:
    """One way to write a type that can be written in several."""
    text = _KEYWORDS.sub("", _SPACES.sub("", text)).strip()
    text = re.sub(r"\s*([*&<>,])\s*", r"\1", re.sub(r"\s+", " ", text))
    text = re.sub(r"([*&])(?=\w)", r"\1 ", text)
    text = _CONST_BEHIND.sub(r"const \1", text)
    if not re.search(r"[*&]", text):
        text = text.removeprefix("const ")  # of a copy: it makes no difference
    words = re.match(r"(const )?([\w ]+)(.*)", text)
    if words is None:
        return text
    return (words[1] or "") + _integer(words[2]) + words[3]


def _integer(words: str) -> str:
    """``unsigned``, ``long int`` and their like in one way; anything else as it is."""
    words = _SHORT.get(words.strip(), words.strip())
    parts = words.split()
    if not parts or not _BUILTIN.issuperset(parts):
        return words
    size = next((each for each in ("char", "short", "long") if each in parts), "int")
    return f"unsigned {size}" if "unsigned" in parts else size
