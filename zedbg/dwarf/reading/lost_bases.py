"""What addresses count from that have lost the name of it.

Some compiler versions lose the names of symbols that debug sections are relocated through
(:mod:`zedbg.zebin.relocation`): which code an address lies in then follows from the unit that it
stands in, or belongs to, and from the kernel that this unit describes.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE

from zedbg.dwarf.reading.relocated_sections import ADDRESSES, FRAME, RelocatedSections
from zedbg.dwarf.reading.unit_head import linked_names
from zedbg.zebin.elf import Section


class LostBases:
    """The addresses of code that the units of one module lie in.

    Units are read for it before their addresses are final: nothing of them is kept.
    """

    def __init__(self, sections: RelocatedSections) -> None:
        self._sections = sections
        self._bases: dict[int, int] = {}

    def base(self, start: int) -> int:
        """What addresses of the unit at ``start`` count from that have lost the name of it."""
        if start not in self._bases:
            section = self._code_of(start)
            if section is None and start in self._units_left:
                section = self._units_left[start]
            self._bases[start] = 0 if section is None else section.address
        return self._bases[start]

    def _code_of(self, start: int) -> Section | None:
        """The code that the unit at ``start`` describes: a unit has one kernel, which gives its
        name to a subprogram. None where no subprogram is named as a section is."""
        for name in self._linked_names(start):
            section = self._sections.module.section(f".text.{name}")
            if section is not None:
                return section
        return None

    def _linked_names(self, start: int) -> Iterator[str]:
        """The names of the subprograms of the unit at ``start``; raises DebugInfoError."""
        self._sections.relocate_unit(start)
        abbreviations = self._sections.section(".debug_abbrev")
        if abbreviations is not None:
            names = linked_names(self._sections.unit_bytes(start), abbreviations.data)
            if names is not None:
                yield from names
                return
        reading = self._sections.reading_unit(start, "the kernel's name")
        with reading, self._sections.passing_unit(start) as unit:
            for child in _children(unit):
                if child.tag == "DW_TAG_subprogram":
                    yield _linked_name(child)

    @cached_property
    def _units_left(self) -> dict[int, Section]:
        """The unit of the functions that are no kernels, whose section has a name of its own: where
        one unit and one section of code are left over, they belong together."""
        sections = {start: self._code_of(start) for start in self._sections.unit_starts}
        claimed = {section.name for section in sections.values() if section is not None}
        units = [start for start, section in sections.items() if section is None]
        code = [s for s in self._sections.module.sections if s.name.startswith(".text.")]
        free = [section for section in code if section.name not in claimed]
        return {units[0]: free[0]} if len(units) == len(free) == 1 else {}

    def recover_address_tables(self) -> None:
        """Adds lost bases to the tables of addresses, each of which belongs to a unit (DWARF 5,
        7.27)."""
        nameless = self._sections.nameless_addresses
        if not nameless:
            return
        owners = {}
        for start in self._sections.unit_starts:
            reading = self._sections.reading_unit(start, "the head")
            with reading, self._sections.passing_unit(start) as unit:
                base = unit.get_top_DIE().attributes.get("DW_AT_addr_base")
            if base is not None:
                owners[base.value] = start
        places = sorted(owners)
        amounts = []
        for place in nameless:
            index = bisect_right(places, place) - 1
            amounts.append(self.base(owners[places[index]]) if index >= 0 else 0)
        section = self._sections.required(ADDRESSES)
        for place, amount in zip(nameless, amounts, strict=True):
            section.raise_addresses((place,), amount)

    def recover_frames(self) -> None:
        """Adds lost bases to the frame section.

        The compiler writes the entries of one unit together, in the units' order, each unit's
        starting with its own CIEs; so the number of CIE groups seen gives the unit.
        """
        section = self._sections.section(FRAME)
        nameless = set() if section is None else set(section.relocate(0, section.size))
        if section is None or not nameless:
            return
        starts = self._sections.unit_starts
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
                if place in nameless and 0 <= unit < len(starts):
                    amounts[place] = self.base(starts[unit])
            position += 12 + length
        for place, amount in amounts.items():
            section.raise_addresses((place,), amount)


def _children(unit: CompileUnit) -> Iterator[DIE]:
    """The children of the first entry of ``unit``, read one by one: the unit keeps none of them."""
    top = unit.get_top_DIE()
    offset, end = top.offset + top.size, unit.cu_offset + unit.size
    depth = 1 if top.has_children else 0
    while depth and offset < end:
        child = DIE(unit, top.stream, offset)
        offset += child.size
        if child.is_null():
            depth -= 1
            continue
        if depth == 1:
            yield child
        if child.has_children:
            sibling = child.attributes.get("DW_AT_sibling")
            after = 0
            if sibling is not None and sibling.form != "DW_FORM_ref_addr":
                after = unit.cu_offset + sibling.value
            if after >= offset:
                offset = after
            else:
                depth += 1


def _linked_name(subprogram: DIE) -> str:
    """The name that the linker knows ``subprogram`` by: a function that a kernel's body was moved
    to has another than the kernel's, though they share one in the source."""
    for attribute in ("DW_AT_linkage_name", "DW_AT_MIPS_linkage_name", "DW_AT_name"):
        if attribute in subprogram.attributes:
            name: bytes = subprogram.attributes[attribute].value
            return name.decode("utf-8", "replace")
    return ""
