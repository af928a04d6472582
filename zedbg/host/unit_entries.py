"""Where the entries of a unit are that names and inlined calls are found by, of the host's debug
information (DWARF 5, 7.5).

Units of C++ programs have hundreds of thousands of entries. To make an object of each, as
pyelftools does, takes seconds; here all but a few kinds of entries are only passed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from elftools.dwarf.abbrevtable import AbbrevTable
from elftools.dwarf.compileunit import CompileUnit

# How far an attribute of each form reaches (7.5.6): so many bytes, or one of the kinds below.
_ULEB, _TEXT, _BLOCK, _BLOCK1, _BLOCK2, _BLOCK4, _OFFSET, _ADDRESS = range(-1, -9, -1)
_REACH = {
    **dict.fromkeys(("flag_present", "implicit_const"), 0),
    **dict.fromkeys(("data1", "flag", "ref1", "strx1", "addrx1"), 1),
    **dict.fromkeys(("data2", "ref2", "strx2", "addrx2"), 2),
    **dict.fromkeys(("strx3", "addrx3"), 3),
    **dict.fromkeys(("data4", "ref4", "strx4", "addrx4", "ref_sup4"), 4),
    **dict.fromkeys(("data8", "ref8", "ref_sig8", "ref_sup8"), 8),
    "data16": 16,
    **dict.fromkeys(
        ("udata", "sdata", "ref_udata", "strx", "addrx", "loclistx", "rnglistx"), _ULEB
    ),
    **dict.fromkeys(("block", "exprloc"), _BLOCK),
    **dict.fromkeys(("strp", "line_strp", "sec_offset", "strp_sup", "ref_addr"), _OFFSET),
    **dict.fromkeys(("GNU_strp_alt", "GNU_ref_alt"), _OFFSET),
    **{"string": _TEXT, "block1": _BLOCK1, "block2": _BLOCK2, "block4": _BLOCK4, "addr": _ADDRESS},
}
_LENGTH_BYTES = {_BLOCK1: 1, _BLOCK2: 2, _BLOCK4: 4}
_CODE = {"DW_AT_low_pc", "DW_AT_ranges"}
_FUNCTION = "DW_TAG_subprogram"
# What functions are declared in.
_SURROUNDINGS = {
    "DW_TAG_namespace",
    "DW_TAG_class_type",
    "DW_TAG_structure_type",
    "DW_TAG_union_type",
}


class Surrounding(NamedTuple):
    """An entry that others are in: those from ``begin``, where it is itself, up to ``end``."""

    begin: int
    end: int


@dataclass(frozen=True)
class UnitEntries:
    """Offsets in ``.debug_info``: of ``functions`` that have code, and of the namespaces and
    classes with entries in them."""

    functions: tuple[int, ...]
    surroundings: tuple[Surrounding, ...]

    @classmethod
    def of(cls, unit: CompileUnit) -> UnitEntries:
        """Those of ``unit``. Raises ValueError and LookupError where it is damaged."""
        start, size = unit.cu_die_offset, unit.cu_offset + unit.size - unit.cu_die_offset
        section = unit.dwarfinfo.debug_info_sec
        assert section is not None  # the unit is in it
        stream = section.stream
        stream.seek(start)
        return _scan(stream.read(size), start, _Plans(unit))

    def around(self, offset: int) -> list[int]:
        """The entries that the one at ``offset`` is in, the outermost first."""
        return [each.begin for each in self.surroundings if each.begin < offset < each.end]


class _Plan(NamedTuple):
    """How to pass over the entries with one abbreviation."""

    steps: tuple[int, ...]
    has_children: bool
    is_function: bool  # with code
    is_surrounding: bool


class _Plans(dict[int, _Plan]):
    """Plans by the codes of abbreviations, each made when it is first asked for."""

    def __init__(self, unit: CompileUnit) -> None:
        self._table: AbbrevTable = unit.get_abbrev_table()
        self._address: int = unit["address_size"]
        self._offset = unit.structs.dwarf_format // 8
        # Version 2 has addresses there (7.5.4 of DWARF 2).
        self._reference = self._address if unit["version"] == 2 else self._offset

    def __missing__(self, code: int) -> _Plan:
        declared = self._table.get_abbrev(code)
        steps, names = [0], set()
        for each in declared["attr_spec"]:
            names.add(each.name)
            reach = self._reach(each.form)
            if reach >= 0 and steps[-1] >= 0:
                steps[-1] += reach
            else:
                steps.append(reach)
        self[code] = plan = _Plan(
            tuple(step for step in steps if step),
            declared.has_children(),
            declared["tag"] == _FUNCTION and bool(names & _CODE),
            declared["tag"] in _SURROUNDINGS,
        )
        return plan

    def _reach(self, form: str) -> int:
        name = form.removeprefix("DW_FORM_")
        if name == "ref_addr":
            return self._reference
        reach = _REACH[name]
        return {_OFFSET: self._offset, _ADDRESS: self._address}.get(reach, reach)


def _scan(data: bytes, base: int, plans: _Plans) -> UnitEntries:
    functions: list[int] = []
    surroundings: list[Surrounding] = []
    open_entries: list[int] = []  # where those begin that have children, -1 for other ones
    position, end = 0, len(data)
    while position < end:
        begin = position
        code = data[position]
        position += 1
        if not code:
            if not open_entries:
                continue  # padding
            opened = open_entries.pop()
            if opened >= 0:
                surroundings.append(Surrounding(base + opened, base + position))
            continue
        if code >= 0x80:
            code, position = _uleb(data, begin)
        steps, has_children, is_function, is_surrounding = plans[code]
        for step in steps:
            if step > 0:
                position += step
            elif step == _ULEB:
                while data[position] >= 0x80:
                    position += 1
                position += 1
            elif step == _TEXT:
                position = data.index(0, position) + 1
            elif step == _BLOCK:
                size, position = _uleb(data, position)
                position += size
            else:
                after = position + _LENGTH_BYTES[step]
                position = after + int.from_bytes(data[position:after], "little")
        if is_function:
            functions.append(base + begin)
        if has_children:
            open_entries.append(begin if is_surrounding else -1)
    return UnitEntries(tuple(functions), tuple(sorted(surroundings)))


def _uleb(data: bytes, position: int) -> tuple[int, int]:
    """A number, and where it ends."""
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, position
