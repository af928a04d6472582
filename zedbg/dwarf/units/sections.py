"""The units and line programs of a module with final addresses, as pyelftools reads them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import cached_property

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.dwarf.lineprogram import LineProgram
from elftools.dwarf.structs import DWARFStructs

from zedbg.dwarf.reading.lost_bases import LostBases
from zedbg.dwarf.reading.relocated_sections import (
    FRAME,
    INFO,
    LINE,
    PROGRAM,
    RelocatedSections,
    corrected,
    forget,
    is_long,
    length_at,
)
from zedbg.dwarf.reading.unit_head import UnitHead, read_unit_head
from zedbg.dwarf.units.unit_search import UnitSearch
from zedbg.zebin import Module


class DebugSections:
    """The debug sections of one module, relocated as far as units of them are read.

    pyelftools keeps what it has read: so take units from here only.
    """

    def __init__(self, module: Module) -> None:
        self._module = module
        self._sections = RelocatedSections(module)
        self._bases = LostBases(self._sections)
        self.search = UnitSearch(self._sections, self.unit)
        self._kept: dict[int, CompileUnit] = {}  # units that were read, by their offset

    def close(self) -> None:
        """Lets go of everything that was read."""
        for unit in self._kept.values():
            forget(unit)
        self._sections.close()
        vars(self).clear()

    def data(self, name: str) -> bytes:
        """The bytes of section ``name`` with final addresses; empty when the module has none."""
        if name in (INFO, LINE):
            for unit in self.units():
                if name == LINE:
                    self.line_program(unit)
        elif name == FRAME:
            self._bases.recover_frames()
        section = self._sections.section(name)
        return b"" if section is None else section.data

    @cached_property
    def _dwarf(self) -> DWARFInfo:
        """pyelftools' view of the sections, with the tables of addresses complete."""
        self._bases.recover_address_tables()
        return self._sections.view

    @property
    def unit_starts(self) -> list[int]:
        """Offsets of the units in ``.debug_info``, ascending; raises DebugInfoError for damage."""
        return self._sections.unit_starts

    def units(self) -> Iterator[CompileUnit]:
        """All units, with final addresses."""
        return map(self.unit, self.unit_starts)

    def unit(self, start: int) -> CompileUnit:
        """The unit at offset ``start``, with final addresses."""
        self._write_addresses(start)
        with self.reading_unit(start, "the head"):
            unit = corrected(self._dwarf.get_CU_at(start))
            self._kept[start] = unit
            unit.get_top_DIE()
        return unit

    def _write_addresses(self, start: int) -> None:
        """Makes the addresses of the unit at offset ``start`` final."""
        self._sections.relocate_unit(start)
        nameless = self._sections.take_nameless(start)
        if nameless:
            self._sections.required(INFO).raise_addresses(nameless, self._bases.base(start))

    def reading_unit(self, start: int, what: str) -> AbstractContextManager[None]:
        """Says of damage in ``what``, of the unit at offset ``start``, where that is."""
        return self._sections.reading_unit(start, what)

    def die_at(self, offset: int) -> DIE:
        """The DIE at ``offset`` of ``.debug_info``, of any unit."""
        index = bisect_right(self.unit_starts, offset) - 1
        return self.unit(self.unit_starts[max(index, 0)]).get_DIE_from_refaddr(offset)

    def address_at(self, unit: CompileUnit, index: int) -> int:
        """The address with ``index`` in the unit's part of ``.debug_addr`` (DWARF 5, 7.27)."""
        with self.reading_unit(unit.cu_offset, f"the address with index {index}"):
            return self._dwarf.get_addr(unit, index)

    def unit_head(self, start: int, address: int) -> UnitHead | None:
        """The head of the unit at offset ``start`` and of its function at ``address``; None where
        only the whole unit says it."""
        self._write_addresses(start)
        unit = self._sections.unit_bytes(start)
        return read_unit_head(unit, self.data(".debug_abbrev"), address)

    def line_program(self, unit: CompileUnit) -> LineProgram | None:
        """The line program of ``unit``, with final addresses; None when it has none."""
        program = unit.get_top_DIE().attributes.get(PROGRAM)
        if program is None:
            return None
        return self.line_program_at(
            program.value, unit.cu_offset, unit["version"], unit["address_size"]
        )

    def line_program_at(
        self, offset: int, unit: int, version: int, address_size: int
    ) -> LineProgram | None:
        """The line program at ``offset`` of ``.debug_line``, with final addresses, of the unit at
        offset ``unit``, its DWARF ``version`` and ``address_size`` (bytes); None when the module
        has none."""
        section = self._sections.section(LINE)
        if section is None:
            return None
        with section.stream.getbuffer() as data:
            length = length_at(data, offset, self._module.name, LINE)
            format_bits = 64 if is_long(data, offset) else 32
        nameless = section.relocate(offset, offset + length)
        if nameless:
            section.raise_addresses(nameless, self._bases.base(unit))
        # An assembler may write it in another format than the compiler wrote the unit.
        structs = DWARFStructs(
            little_endian=True,
            dwarf_format=format_bits,
            address_size=address_size,
            dwarf_version=version,
        )
        try:
            return self._dwarf._parse_line_program_at_offset(offset, structs)
        finally:
            self._dwarf._linetable_cache.pop(offset, None)  # a unit keeps its own
