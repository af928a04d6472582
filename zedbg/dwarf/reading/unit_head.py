"""What a unit says of one function's head, read from its bytes without the rest of the unit.

A page of all kernels of a module needs where the source of each is, and neither types nor
variables, which take most of the time of reading a unit. Units of DWARF 2 to 4 (DWARF 4, 7.5) in
the 32-bit format whose code is one range are read. All else is left to the reader of whole units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum

_HEAD_BYTES = 11  # length, version, offset of the abbreviations, size of addresses
ADDRESS_BYTES = 8  # of an address in the units that are read
_OLDEST, _NEWEST = 2, 4  # versions
_DEEPEST = 64
_NUMBER_BITS = 70  # of a LEB128 number, at most


class _Tag(IntEnum):
    """The tags that are looked at (7.5.4, figure 18)."""

    CLASS_TYPE = 0x02
    FORMAL_PARAMETER = 0x05
    LEXICAL_BLOCK = 0x0B
    COMPILE_UNIT = 0x11
    STRUCTURE_TYPE = 0x13
    UNION_TYPE = 0x17
    SUBPROGRAM = 0x2E
    NAMESPACE = 0x39


class _Attribute(IntEnum):
    """The attributes that are looked at (7.5.4, figure 20)."""

    LOCATION = 0x02
    NAME = 0x03
    STATEMENT_LIST = 0x10
    LOW_PC = 0x11
    HIGH_PC = 0x12
    COMPILATION_DIRECTORY = 0x1B
    ABSTRACT_ORIGIN = 0x31
    DECLARATION_FILE = 0x3A
    DECLARATION_LINE = 0x3B
    SPECIFICATION = 0x47
    RANGES = 0x55
    LINKAGE_NAME = 0x6E
    MIPS_LINKAGE_NAME = 0x2007  # of compilers before DWARF 4


class _Form(IntEnum):
    """How a value is written (7.5.4, figure 21)."""

    ADDRESS = 0x01
    BLOCK2 = 0x03
    BLOCK4 = 0x04
    DATA2 = 0x05
    DATA4 = 0x06
    DATA8 = 0x07
    STRING = 0x08
    BLOCK = 0x09
    BLOCK1 = 0x0A
    DATA1 = 0x0B
    FLAG = 0x0C
    SIGNED_DATA = 0x0D
    STRING_OFFSET = 0x0E
    UNSIGNED_DATA = 0x0F
    REFERENCE1 = 0x11
    REFERENCE2 = 0x12
    REFERENCE4 = 0x13
    REFERENCE8 = 0x14
    REFERENCE_UNSIGNED = 0x15
    SECTION_OFFSET = 0x17
    EXPRESSION = 0x18
    FLAG_PRESENT = 0x19
    REFERENCE_SIGNATURE = 0x20


# Plain numbers below, as lookups with members of an enumeration take twice as long.
_SIZES: Mapping[int, int] = {
    int(form): size
    for form, size in {
        _Form.ADDRESS: ADDRESS_BYTES,
        _Form.DATA1: 1,
        _Form.DATA2: 2,
        _Form.DATA4: 4,
        _Form.DATA8: 8,
        _Form.FLAG: 1,
        _Form.STRING_OFFSET: 4,
        _Form.REFERENCE1: 1,
        _Form.REFERENCE2: 2,
        _Form.REFERENCE4: 4,
        _Form.REFERENCE8: 8,
        _Form.SECTION_OFFSET: 4,
        _Form.FLAG_PRESENT: 0,
        _Form.REFERENCE_SIGNATURE: 8,
    }.items()
}
_UNSIGNED = frozenset(
    int(form)
    for form in (
        _Form.ADDRESS,
        _Form.DATA1,
        _Form.DATA2,
        _Form.DATA4,
        _Form.DATA8,
        _Form.SECTION_OFFSET,
    )
)
_LEB128 = frozenset(map(int, (_Form.SIGNED_DATA, _Form.UNSIGNED_DATA, _Form.REFERENCE_UNSIGNED)))
_BLOCKS = frozenset(map(int, (_Form.BLOCK, _Form.EXPRESSION)))
_ADDRESS, _STRING = int(_Form.ADDRESS), int(_Form.STRING)
_UNSIGNED_DATA, _HIGH_PC = int(_Form.UNSIGNED_DATA), int(_Attribute.HIGH_PC)
_BLOCK_LENGTHS = {int(_Form.BLOCK1): 1, int(_Form.BLOCK2): 2, int(_Form.BLOCK4): 4}
_READ_TAGS = frozenset(map(int, (_Tag.COMPILE_UNIT, _Tag.SUBPROGRAM, _Tag.FORMAL_PARAMETER)))
_READ_ATTRIBUTES = frozenset(map(int, _Attribute))
_MAY_DECLARE = frozenset({_Tag.CLASS_TYPE, _Tag.STRUCTURE_TYPE, _Tag.UNION_TYPE, _Tag.NAMESPACE})
_ORIGINS = frozenset({_Attribute.ABSTRACT_ORIGIN, _Attribute.SPECIFICATION})

_Abbreviation = tuple[int, bool, tuple[tuple[int, int], ...]]  # tag, children, (name, form) each
_Values = dict[int, int | bytes | None]  # of an entry, by attribute; None: another kind of value
_Entry = tuple[_Values, int, list[int]]  # its values, its tag, and the tags of those around it


class _LeftOutError(ValueError):
    """What is not read here: rare, or damaged."""


@dataclass(frozen=True)
class FunctionHead:
    """A function's code (first address, and after the last), and where it is declared."""

    low: int
    high: int
    file: int | None  # its number in the unit's line program
    line: int
    parameter_lists: tuple[int, ...]  # offsets of its parameters' location lists, if they have one


@dataclass(frozen=True)
class UnitHead:
    """What a unit says of itself: its code, its line program and folder; the innermost function at
    the address that was asked for, None when it has none there; and the ``extents`` of its
    functions outside of namespaces and classes: first address, and after the last."""

    version: int
    low: int
    high: int
    line_program: int | None  # offset in .debug_line
    directory: bytes
    function: FunctionHead | None
    extents: tuple[tuple[int, int], ...]


def read_unit_head(unit: bytes, abbreviations: bytes, address: int) -> UnitHead | None:
    """The head of ``unit``, the bytes of one unit of ``.debug_info`` with final addresses, and of
    its function at ``address``.

    ``abbreviations`` is the whole of ``.debug_abbrev``. None for what this module does not read,
    damaged bytes among it.
    """
    try:
        return _unit_head(unit, abbreviations, address)
    except (_LeftOutError, IndexError, KeyError, ValueError):
        return None


def linked_names(unit: bytes, abbreviations: bytes) -> list[str] | None:
    """The names that the linker knows the functions of ``unit`` by, in order; those outside of
    namespaces and classes. None as from :func:`read_unit_head`."""
    try:
        known = _known(unit, abbreviations)
        return [
            _linked_name(values)
            for values, tag, around in _entries(unit, known)
            if tag == _Tag.SUBPROGRAM and len(around) == 1
        ]
    except (_LeftOutError, IndexError, KeyError, ValueError):
        return None


def _linked_name(values: _Values) -> str:
    for attribute in (_Attribute.LINKAGE_NAME, _Attribute.MIPS_LINKAGE_NAME, _Attribute.NAME):
        if attribute in values:
            name = values[attribute]
            if not isinstance(name, bytes):
                raise _LeftOutError
            return name.decode("utf-8", "replace")
    return ""


def _known(unit: bytes, abbreviations: bytes) -> dict[int, _Abbreviation]:
    """The abbreviations of ``unit``, when it is of the kind that is read here."""
    version = int.from_bytes(unit[4:6], "little")
    is_long = unit[:4] == b"\xff\xff\xff\xff"
    if is_long or not _OLDEST <= version <= _NEWEST or unit[_HEAD_BYTES - 1] != ADDRESS_BYTES:
        raise _LeftOutError
    return _abbreviations(abbreviations, int.from_bytes(unit[6:10], "little"))


def _unit_head(unit: bytes, abbreviations: bytes, address: int) -> UnitHead:
    entries = _entries(unit, _known(unit, abbreviations))
    top, tag, _around = next(entries)
    extent = _extent(top)
    directory = top.get(_Attribute.COMPILATION_DIRECTORY, b"")
    if tag != _Tag.COMPILE_UNIT or extent is None or not isinstance(directory, bytes):
        raise _LeftOutError
    version = int.from_bytes(unit[4:6], "little")
    program = _whole(top, _Attribute.STATEMENT_LIST)
    extents: list[tuple[int, int]] = []
    function = _function(entries, address, extents)
    return UnitHead(version, *extent, program, directory, function, tuple(extents))


def _function(
    entries: Iterator[_Entry], address: int, extents: list[tuple[int, int]]
) -> FunctionHead | None:
    """The innermost function at ``address`` among the ``entries`` after a unit's first; all that
    are not in others are added to ``extents``."""
    best: _Values = {}
    low, high = -1, -1
    lists: list[int] = []  # of the best function
    is_best = False  # whether the entry is in it
    for values, tag, around in entries:
        is_best = is_best and len(around) > 1
        if tag == _Tag.SUBPROGRAM:
            extent = _extent(values)
            if extent is not None and len(around) == 1:
                extents.append(extent)
            if extent is not None and extent[0] <= address < extent[1]:
                if around[-1] in _MAY_DECLARE or values.keys() & _ORIGINS:
                    raise _LeftOutError
                if len(around) == 1 and extent[0] > low:
                    best, (low, high), lists, is_best = values, extent, [], True
        elif tag == _Tag.FORMAL_PARAMETER and is_best:
            place = values.get(_Attribute.LOCATION)
            if around[-1] == _Tag.LEXICAL_BLOCK:
                raise _LeftOutError
            if around[-1] == _Tag.SUBPROGRAM and isinstance(place, int):
                lists.append(place)
    if low < 0:
        return None
    file = _whole(best, _Attribute.DECLARATION_FILE)
    line = _whole(best, _Attribute.DECLARATION_LINE)
    return FunctionHead(low, high, file, line or 0, tuple(lists))


def _whole(values: _Values, attribute: _Attribute) -> int | None:
    """The number that ``attribute`` is, None where it is absent."""
    value = values.get(attribute)
    if attribute in values and not isinstance(value, int):
        raise _LeftOutError
    return value if isinstance(value, int) else None


def _extent(values: _Values) -> tuple[int, int] | None:
    """The first address, and that after the last, of what has ``values``."""
    low, high = _whole(values, _Attribute.LOW_PC), _whole(values, _Attribute.HIGH_PC)
    if low is None or high is None:
        if _Attribute.RANGES in values:
            raise _LeftOutError
        return None
    return low, high


def _entries(unit: bytes, known: Mapping[int, _Abbreviation]) -> Iterator[_Entry]:
    """The entries of ``unit`` in order, the unit's own first."""
    at = _HEAD_BYTES
    around: list[int] = []
    while True:
        if unit[at] == 0:
            at += 1
            around.pop()
        else:
            values, tag, has_children, at = _entry(unit, at, known)
            yield values, tag, around
            if has_children:
                around.append(tag)
                if len(around) > _DEEPEST:
                    raise _LeftOutError
        if not around:
            return


def _entry(
    unit: bytes, at: int, known: Mapping[int, _Abbreviation]
) -> tuple[_Values, int, bool, int]:
    """The entry at ``at``: its values, its tag, whether it has children, and where it ends."""
    code, at = _number(unit, at)
    tag, has_children, attributes = known[code]
    values: _Values = {}
    is_read = tag in _READ_TAGS
    for name, form in attributes:
        value: int | bytes | None = None
        size = _SIZES.get(form)
        if size is not None:
            start = at
            at += size
            if is_read and form in _UNSIGNED:
                value = int.from_bytes(unit[start:at], "little")
                if name == _HIGH_PC and form != _ADDRESS:
                    value += _whole(values, _Attribute.LOW_PC) or 0
        elif form == _STRING:
            start = at
            at = unit.index(0, start) + 1
            value = unit[start : at - 1]
        elif form in _LEB128:
            number, at = _number(unit, at)
            if form == _UNSIGNED_DATA and name != _HIGH_PC:
                value = number
        elif form in _BLOCKS:
            size, at = _number(unit, at)
            at += size
        elif form in _BLOCK_LENGTHS:
            start = at
            at += _BLOCK_LENGTHS[form]
            at += int.from_bytes(unit[start:at], "little")
        else:
            raise _LeftOutError
        if is_read and name in _READ_ATTRIBUTES:
            values[name] = value
    if at > len(unit):
        raise _LeftOutError
    return values, tag, has_children, at


def _abbreviations(data: bytes, at: int) -> dict[int, _Abbreviation]:
    """The table of abbreviations at ``at``, by code (7.5.3)."""
    found: dict[int, _Abbreviation] = {}
    while True:
        code, at = _number(data, at)
        if not code:
            return found
        tag, at = _number(data, at)
        has_children = data[at] != 0
        at += 1
        attributes = []
        while True:
            name, at = _number(data, at)
            form, at = _number(data, at)
            if not name and not form:
                break
            attributes.append((name, form))
        found[code] = tag, has_children, tuple(attributes)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """The unsigned LEB128 number at ``at`` (7.6), and where it ends."""
    value = data[at]
    if value < 0x80:
        return value, at + 1
    value &= 0x7F
    for bits in range(7, _NUMBER_BITS, 7):
        at += 1
        value |= (data[at] & 0x7F) << bits
        if data[at] < 0x80:
            return value, at + 1
    raise _LeftOutError
