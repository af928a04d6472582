"""The debug sections of a module with final addresses, ready for pyelftools.

pyelftools can neither relocate these files nor read their ``.debug_frame``; the sections are
therefore relocated here and handed over one by one.
"""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass
from functools import cached_property

from elftools.dwarf.dwarfinfo import DebugSectionDescriptor, DwarfConfig, DWARFInfo

from zedbg.dwarf.errors import DebugInfoError, reading
from zedbg.zebin import Module
from zedbg.zebin.relocation import RelocatedSection, add_to_addresses

_INFO, _LINE, _FRAME = ".debug_info", ".debug_line", ".debug_frame"
_PARSED = (
    _INFO,
    ".debug_abbrev",
    _LINE,
    ".debug_loc",
    ".debug_ranges",
    ".debug_str",
    ".debug_line_str",
    ".debug_addr",
    ".debug_str_offsets",
    ".debug_loclists",
    ".debug_rnglists",
)
# Sections that pyelftools asks for and these modules never have, or that are read elsewhere.
_ABSENT = (
    ".debug_aranges",
    ".debug_frame",
    ".eh_frame",
    ".debug_pubtypes",
    ".debug_pubnames",
    ".debug_sup",
    ".gnu_debugaltlink",
    ".debug_types",
)


@dataclass(frozen=True)
class _UnitPlace:
    """Where a compile unit and its line program lie, and the code section that it describes."""

    start: int
    end: int
    line_program: int | None
    base: int


class DebugSections:
    """The relocated debug sections of one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._raw: dict[str, RelocatedSection] = {}
        for name in (*_PARSED, _FRAME):
            section = module.debug_section(name)
            if section is not None:
                self._raw[name] = section
        self._recovered: dict[str, bytes] = {}
        if any(section.nameless for section in self._raw.values()):
            with reading(module.name, "what lost symbol names stand for"):
                self._recover()

    def data(self, name: str) -> bytes:
        """The bytes of section ``name``, empty when the module has none."""
        if name in self._recovered:
            return self._recovered[name]
        return self._raw[name].data if name in self._raw else b""

    @cached_property
    def dwarf(self) -> DWARFInfo:
        """pyelftools' view of the sections."""
        if _INFO not in self._raw or ".debug_abbrev" not in self._raw:
            raise DebugInfoError(self._module.name, "no .debug_info and .debug_abbrev")
        return self._parse()

    def _parse(self) -> DWARFInfo:
        sections = {}
        for name in _PARSED:
            data = self.data(name)
            descriptor = None
            if data:
                descriptor = DebugSectionDescriptor(io.BytesIO(data), name, 0, len(data), 0)
            sections[_parameter(name)] = descriptor
        absent = {_parameter(name): None for name in _ABSENT}
        return DWARFInfo(config=DwarfConfig(True, "x64", 8), **sections, **absent)

    def _recover(self) -> None:
        """Adds the code addresses that went through symbols whose name the compiler lost.

        What they pointed into follows from the unit around them: it describes one kernel, whose
        name its subprogram carries.
        """
        units = self._unit_places()
        by_line_program = {unit.line_program: unit for unit in units}
        for name, section in self._raw.items():
            amounts = {}
            for offset in section.nameless:
                if name == _INFO:
                    owner = next((u for u in units if u.start <= offset < u.end), None)
                elif name == _LINE:
                    starts = [s for s in by_line_program if s is not None and s <= offset]
                    owner = by_line_program[max(starts)] if starts else None
                else:
                    continue
                if owner is not None:
                    amounts[offset] = owner.base
            self._recovered[name] = add_to_addresses(section.data, amounts)
        if _FRAME in self._raw and self._raw[_FRAME].nameless:
            self._recovered[_FRAME] = self._recover_frames(self._raw[_FRAME], units)

    def _unit_places(self) -> list[_UnitPlace]:
        places = []
        for unit in self._parse().iter_CUs():
            top = unit.get_top_DIE()
            base = None
            for child in top.iter_children():
                if child.tag != "DW_TAG_subprogram" or "DW_AT_name" not in child.attributes:
                    continue
                name = child.attributes["DW_AT_name"].value.decode("utf-8", "replace")
                section = self._module.section(f".text.{name}")
                if section is not None:
                    base = section.address
                    break
            program = top.attributes.get("DW_AT_stmt_list")
            end = unit.cu_offset + unit.size
            places.append(
                _UnitPlace(unit.cu_offset, end, program.value if program else None, base or 0)
            )
        return places

    def _recover_frames(self, section: RelocatedSection, units: list[_UnitPlace]) -> bytes:
        """The frame section with lost bases added.

        The compiler writes the entries of one unit together, in the units' order, each unit's
        starting with its own CIEs; so the number of CIE groups seen tells the unit.
        """
        amounts: dict[int, int] = {}
        data = section.data
        position = 0
        unit = -1
        after_entry = True  # whether a CIE would start the next unit's group
        while position + 20 <= len(data):
            length, identifier = struct.unpack_from("<QQ", data, position + 4)
            if identifier == 0xFFFFFFFFFFFFFFFF:
                unit += after_entry
                after_entry = False
            else:
                after_entry = True
                place = position + 20
                if place in section.nameless and 0 <= unit < len(units):
                    amounts[place] = units[unit].base
            position += 12 + length
        return add_to_addresses(data, amounts)


def _parameter(section: str) -> str:
    return section.removeprefix(".") + "_sec"
