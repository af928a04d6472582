"""Types as expressions name them: those of OpenCL C, and those of the program."""

from __future__ import annotations

import re

from zedbg.dwarf import DebugInfo
from zedbg.dwarf.types.program_types import (
    BF16,
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
    Encoding,
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
    "bf16": BF16,
    "bfloat16": BF16,
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


_ELEMENT_NAMES = {
    (Encoding.SIGNED_CHAR, 1): "char",
    (Encoding.UNSIGNED_CHAR, 1): "uchar",
    (Encoding.SIGNED, 2): "short",
    (Encoding.UNSIGNED, 2): "ushort",
    (Encoding.SIGNED, 4): "int",
    (Encoding.UNSIGNED, 4): "uint",
    (Encoding.SIGNED, 8): "long",
    (Encoding.UNSIGNED, 8): "ulong",
    (Encoding.FLOAT, 2): "half",
    (Encoding.FLOAT, 4): "float",
    (Encoding.FLOAT, 8): "double",
}


def vector_type(element: Type, count: int) -> Type:
    """A vector of ``count`` elements, called as in OpenCL C where that has it: ``int4``; one of
    three elements has room for four (OpenCL C 6.1.5)."""
    size = element.size * (4 if count == 3 else count)
    vector = ArrayType(size, element, count, True)
    base = element.stripped()
    if not isinstance(base, BaseType) or (base.encoding, base.size) not in _ELEMENT_NAMES:
        return vector
    return TypedefType(size, f"{_ELEMENT_NAMES[base.encoding, base.size]}{count}", vector)


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
        return vector_type(_SCALARS[match[1]], int(match[2]))

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
