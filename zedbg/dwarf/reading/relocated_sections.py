"""The debug sections of a module as bytes whose addresses are written part by part.

pyelftools can neither relocate these files nor read their ``.debug_frame``; the sections are
therefore relocated here and handed over one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.dwarfinfo import DebugSectionDescriptor, DwarfConfig, DWARFInfo

from zedbg.dwarf.reading.debug_info_error import DebugInfoError, reading
from zedbg.zebin import Module
from zedbg.zebin.relocation import DebugSection

INFO, LINE, FRAME, ADDRESSES = ".debug_info", ".debug_line", ".debug_frame", ".debug_addr"
_PARSED = (
    INFO,
    ".debug_abbrev",
    LINE,
    ".debug_loc",
    ".debug_ranges",
    ".debug_str",
    ".debug_line_str",
    ADDRESSES,
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
PROGRAM = "DW_AT_stmt_list"  # a unit's line program
_LONG_LENGTH = 0xFFFFFFFF  # the length stands in the next eight bytes


class RelocatedSections:
    """The debug sections of one module: what reads them, finds units in them and finds the bases of
    addresses that have lost theirs works on this."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._sections: dict[str, DebugSection | None] = {}
        self._nameless: dict[int, tuple[int, ...]] = {}  # places, by the unit that they lie in

    def close(self) -> None:
        """Lets go of everything that was read."""
        view = vars(self).get("view")
        if view is not None:
            forget(view)
        vars(self).clear()

    def section(self, name: str) -> DebugSection | None:
        """The section ``name``, read when it is first asked for; None when there is none."""
        if name not in self._sections:
            self._sections[name] = self.module.debug_section(name)
        return self._sections[name]

    def required(self, name: str) -> DebugSection:
        """The section ``name``; raises DebugInfoError when there is none."""
        section = self.section(name)
        if section is None:
            raise DebugInfoError(self.module.name, f"no {name}, expected beside what needs it")
        return section

    @cached_property
    def nameless_addresses(self) -> tuple[int, ...]:
        """Offsets in ``.debug_addr`` of addresses that have lost what they count from."""
        section = self.section(ADDRESSES)
        return () if section is None else section.relocate(0, section.size)

    @cached_property
    def view(self) -> DWARFInfo:
        """pyelftools' view of the sections; raises DebugInfoError when there is nothing to view.

        Units and line programs have no addresses in it until these are written.
        """
        if self.section(INFO) is None or self.section(".debug_abbrev") is None:
            raise DebugInfoError(self.module.name, "no .debug_info and .debug_abbrev")
        sections = {}
        for name in _PARSED:
            section = self.section(name)
            descriptor = None
            if section is not None and section.size:
                if name == ADDRESSES:
                    _ = self.nameless_addresses
                elif name not in (INFO, LINE):
                    section.relocate(0, section.size)
                descriptor = DebugSectionDescriptor(section.stream, name, 0, section.size, 0)
            sections[_parameter(name)] = descriptor
        absent = {_parameter(name): None for name in _ABSENT}
        return DWARFInfo(config=DwarfConfig(True, "x64", 8), **sections, **absent)

    @cached_property
    def unit_starts(self) -> list[int]:
        """Offsets of the units in ``.debug_info``, ascending; raises DebugInfoError for damage."""
        return [] if self.section(INFO) is None else self._starts(INFO)

    @cached_property
    def program_starts(self) -> list[int]:
        """Offsets of the line programs in ``.debug_line``, ascending; raises DebugInfoError for
        damage."""
        return self._starts(LINE)

    def _starts(self, name: str) -> list[int]:
        starts: list[int] = []
        position = 0
        section = self.required(name)
        with section.stream.getbuffer() as data:
            while position < section.size:
                starts.append(position)
                position += length_at(data, position, self.module.name, name)
        return starts

    def relocate_unit(self, start: int) -> None:
        """Writes the addresses of the unit at ``start``, but for those that have lost the name of
        what they count from."""
        section = self.required(INFO)
        with section.stream.getbuffer() as data:
            end = start + length_at(data, start, self.module.name, INFO)
        nameless = section.relocate(start, end)
        if nameless:
            self._nameless[start] = nameless

    def take_nameless(self, start: int) -> tuple[int, ...]:
        """Offsets of the addresses that :meth:`relocate_unit` could not write; reported once."""
        return self._nameless.pop(start, ())

    def unit_bytes(self, start: int) -> bytes:
        """The bytes of the unit at ``start`` as they are written so far; raises DebugInfoError."""
        section = self.required(INFO)
        with section.stream.getbuffer() as data:
            return bytes(data[start : start + length_at(data, start, self.module.name, INFO)])

    @contextmanager
    def passing_unit(self, start: int) -> Iterator[CompileUnit]:
        """The unit at ``start``, whose addresses may not be final yet: nothing of it is kept."""
        self.relocate_unit(start)
        unit = corrected(self.view._parse_CU_at_offset(start))
        try:
            yield unit
        finally:
            forget(unit)

    def reading_unit(self, start: int, what: str) -> AbstractContextManager[None]:
        """Says of damage in ``what``, of the unit at offset ``start``, where that is."""
        return reading(self.module.name, f"{what} of the unit at {start:#x} of {INFO}")

    def places_of_text(self, text: bytes, name: str = INFO) -> list[int]:
        """Offsets in the section ``name`` at which ``text`` stands."""
        found = self.section(name)
        data = b"" if found is None else found.stream.getvalue()
        places = []
        place = data.find(text)
        while place >= 0:
            places.append(place)
            place = data.find(text, place + len(text))
        return places


def length_at(data: memoryview, position: int, module: str, section: str) -> int:
    """Bytes of the unit or program at ``position``, with its length field (DWARF 4, 7.4).

    Raises DebugInfoError.
    """
    length = int.from_bytes(data[position : position + 4], "little")
    size = length + 4
    if is_long(data, position):
        size = int.from_bytes(data[position + 4 : position + 12], "little") + 12
    if position + 4 > len(data) or position + size > len(data):
        raise DebugInfoError(
            module,
            f"what starts at offset {position:#x} of {section} should have {size} bytes, "
            f"the section ends at {len(data):#x}",
        )
    return size


def is_long(data: memoryview, position: int) -> bool:
    """Whether the unit or program at ``position`` is in the 64-bit format."""
    return int.from_bytes(data[position : position + 4], "little") == _LONG_LENGTH


def corrected(unit: CompileUnit) -> CompileUnit:
    """``unit``, whose reader takes a string's index of four bytes for one of eight."""
    forms = unit.structs.Dwarf_dw_form
    forms["DW_FORM_strx4"] = forms["DW_FORM_addrx4"]
    return unit


def forget(part: DWARFInfo | CompileUnit) -> None:
    """Lets go of what pyelftools has read of ``part``.

    Its units and entries refer to each other, and would stay until all of the process's objects are
    gone through.
    """
    for entry in vars(part).get("_dielist", ()):
        vars(entry).clear()
    vars(part).clear()


def _parameter(section: str) -> str:
    return section.removeprefix(".") + "_sec"
