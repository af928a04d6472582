"""The calls that a compiler inlined into the code of the host (DWARF 5, 3.3.8)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.dwarf.dwarfinfo import DWARFInfo

from zedbg.host.code_ranges import code_ranges
from zedbg.host.unit_entries import UnitEntries

_INLINED = "DW_TAG_inlined_subroutine"
_BLOCK = "DW_TAG_lexical_block"
_ORIGINS = ("DW_AT_abstract_origin", "DW_AT_specification")
_NAMES = ("DW_AT_linkage_name", "DW_AT_name")
_MOST_ORIGINS = 8


@dataclass(frozen=True)
class InlinedCall:
    """``function`` (the linker's name, where it has one) was inlined where ``line`` of file number
    ``file`` of the unit calls it."""

    function: str | None
    file: int
    line: int


class InlinedCalls:
    """Those of one file; each unit is read when an address in it is asked for.

    Methods raise what pyelftools does on damage.
    """

    def __init__(self, information: DWARFInfo) -> None:
        self._information = information
        self._units: dict[int, _Unit] = {}  # by their offsets

    def at(self, unit_offset: int, address: int) -> list[InlinedCall]:
        """The calls that the instruction at ``address`` of the file is inside of, innermost
        first."""
        unit = self._unit(unit_offset)
        holding = (each for ranges, each in unit.functions if _holds(ranges, address))
        entry, found = next(holding, None), []
        while entry is not None:
            if entry.tag == _INLINED:
                found.append(self._call(entry))
            blocks = (
                each
                for each in unit.unit.iter_DIE_children(entry)
                if each.tag in (_INLINED, _BLOCK)
            )
            inside = (
                each
                for each in blocks
                if _holds(code_ranges(self._information, unit.unit, each), address)
            )
            entry = next(inside, None)
        return found[::-1]

    def _unit(self, offset: int) -> _Unit:
        unit = self._units.get(offset)
        if unit is None:
            unit = _Unit(self._information, self._information.get_CU_at(offset))
            self._units[offset] = unit
        return unit

    def _call(self, entry: DIE) -> InlinedCall:
        attributes = entry.attributes
        file, line = attributes.get("DW_AT_call_file"), attributes.get("DW_AT_call_line")
        return InlinedCall(
            self._name(entry),
            0 if file is None else file.value,
            0 if line is None else line.value,
        )

    def _name(self, entry: DIE) -> str | None:
        """The name of the function that ``entry`` is of, by what it refers to."""
        for _ in range(_MOST_ORIGINS):
            linked, plain = (entry.attributes.get(each) for each in _NAMES)
            if linked is not None:
                return _text(linked.value)
            if plain is not None:
                around = self._unit(entry.cu.cu_offset).names_around(entry.offset)
                return "::".join([*around, _text(plain.value)])
            origin = next((each for each in _ORIGINS if each in entry.attributes), None)
            if origin is None:
                return None
            entry = entry.get_DIE_from_attribute(origin)
        return None


class _Unit:
    """What is read of one unit."""

    def __init__(self, information: DWARFInfo, unit: CompileUnit) -> None:
        self.unit = unit
        self._information = information

    @cached_property
    def _entries(self) -> UnitEntries:
        return UnitEntries.of(self.unit)

    @cached_property
    def functions(self) -> list[tuple[tuple[tuple[int, int], ...], DIE]]:
        """Those that have code, each with the addresses of that."""
        entries = map(self.unit.get_DIE_from_refaddr, self._entries.functions)
        return [(code_ranges(self._information, self.unit, each), each) for each in entries]

    def names_around(self, offset: int) -> list[str]:
        """The names of what the entry at ``offset`` is declared in, the outermost first."""
        around = map(self.unit.get_DIE_from_refaddr, self._entries.around(offset))
        names = [each.attributes.get("DW_AT_name") for each in around]
        return ["(anonymous namespace)" if name is None else _text(name.value) for name in names]


def _holds(ranges: tuple[tuple[int, int], ...], address: int) -> bool:
    return any(begin <= address < end for begin, end in ranges)


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
