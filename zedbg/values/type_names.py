"""Types as expressions name them: those of OpenCL C, and those of the program."""

from __future__ import annotations

import re

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    USHORT,
    VOID,
    ArrayType,
    BaseType,
    Type,
    TypedefType,
)

_SCALARS: dict[str, Type] = {
    "char": CHAR,
    "uchar": TypedefType(1, "uchar", UCHAR),
    "short": SHORT,
    "ushort": TypedefType(2, "ushort", USHORT),
    "int": INT,
    "uint": TypedefType(4, "uint", UINT),
    "long": LONG,
    "ulong": TypedefType(8, "ulong", ULONG),
    "half": HALF,
    "float": FLOAT,
    "double": DOUBLE,
    "bool": BOOL,
    "void": VOID,
    "size_t": TypedefType(8, "size_t", ULONG),
    "uint8_t": TypedefType(1, "uint8_t", UCHAR),
    "uint16_t": TypedefType(2, "uint16_t", USHORT),
    "uint32_t": TypedefType(4, "uint32_t", UINT),
    "uint64_t": TypedefType(8, "uint64_t", ULONG),
    "int8_t": TypedefType(1, "int8_t", CHAR),
    "int16_t": TypedefType(2, "int16_t", SHORT),
    "int32_t": TypedefType(4, "int32_t", INT),
    "int64_t": TypedefType(8, "int64_t", LONG),
}
# Words that combine into one type in any order.
_COMBINING = frozenset({"signed", "unsigned", "char", "short", "int", "long"})
_COMBINED: dict[tuple[bool, str], BaseType] = {
    (False, "char"): CHAR,
    (True, "char"): UCHAR,
    (False, "short"): SHORT,
    (True, "short"): USHORT,
    (False, "int"): INT,
    (True, "int"): UINT,
    (False, "long"): LONG,
    (True, "long"): ULONG,
}
_VECTOR = re.compile(r"(u?char|u?short|u?int|u?long|half|float|double)(2|3|4|8|16)")


class TypeNames:
    """The types that expressions at some place can name."""

    def __init__(self, info: DebugInfo | None) -> None:
        """``info`` has the program's own types; None when there are none."""
        self._info = info

    def named(self, name: str) -> Type | None:
        """The type called ``name``, a single word; None when there is none."""
        program = self._info.type_named(name) if self._info is not None else None
        if program is not None:
            return program
        if name in _SCALARS:
            return _SCALARS[name]
        match = _VECTOR.fullmatch(name)
        if match is None:
            return None
        element, count = _SCALARS[match[1]], int(match[2])
        size = element.size * (4 if count == 3 else count)
        return TypedefType(size, name, ArrayType(size, element, count, True))

    def structure(self, keyword: str, tag: str) -> Type | None:
        """The type ``struct TAG``, ``union TAG`` or ``enum TAG``."""
        del keyword
        return self._info.type_named(tag) if self._info is not None else None

    @staticmethod
    def combines(word: str) -> bool:
        """Whether ``word`` combines with others into one type name: ``unsigned``, ``long``."""
        return word in _COMBINING

    @staticmethod
    def combined(words: list[str]) -> Type | None:
        """The type of ``unsigned long int`` and the like; None for a senseless combination."""
        unsigned = "unsigned" in words
        if unsigned and "signed" in words:
            return None
        base = "int"
        for word in ("char", "short", "long"):
            if word in words:
                base = word
        if base == "int" and len(words) == 1 and words[0] == "int":
            return INT
        return _COMBINED[unsigned, base]
