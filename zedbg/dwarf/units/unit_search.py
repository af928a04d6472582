"""Which units of a module are worth reading for a kernel, a name or a source file.

They are found from relocations, from text and from headers, without reading the units.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from itertools import pairwise

from elftools.dwarf.compileunit import CompileUnit

from zedbg.dwarf.lines import line_names
from zedbg.dwarf.reading.bytestream import EndOfBytesError
from zedbg.dwarf.reading.relocated_sections import INFO, LINE, PROGRAM, RelocatedSections, is_long
from zedbg.zebin.elf import Section

_NAMES_INSIDE = 4  # the last version of line programs that hold the names of their files


class UnitSearch:
    """Finds units of one module by what they may describe."""

    def __init__(self, sections: RelocatedSections, unit_at: Callable[[int], CompileUnit]) -> None:
        """``unit_at`` reads the unit at an offset in ``.debug_info``."""
        self._sections = sections
        self._unit_at = unit_at

    def about(self, section: Section) -> list[int]:
        """Offsets of the units that may describe the code in ``section``, likely ones only.

        Those that have its address, as their relocations say; where the names of these are lost, or
        they are not there, the units in which the kernel's name stands.
        """
        info = self._sections.section(INFO)
        if info is None:
            return []
        places = info.places_of(section.name)
        if not places and section.code_name:
            places = self._sections.places_of_text(section.code_name.encode() + b"\0")
        starts = self._sections.unit_starts
        return [starts[index] for index in _numbers(starts, places)]

    def naming(self, name: str) -> list[int]:
        """Offsets of the units that may name something ``name``, or a template so: all of them
        where names stand in a section of their own."""
        if self._sections.section(".debug_str") is not None:
            return self._sections.unit_starts
        places = self._sections.places_of_text(name.encode())
        starts = self._sections.unit_starts
        return [starts[index] for index in _numbers(starts, places)]

    def of_file(self, file: str) -> list[int]:
        """Offsets of the units whose line programs may name a source file ``file`` (no folder).

        All units, where line programs are not one after the other in the order of their units.
        """
        section = self._sections.section(LINE)
        if section is None:
            return []
        if len(self._sections.program_starts) != len(self._sections.unit_starts):
            return self._sections.unit_starts
        name = file.encode("utf-8", "surrogateescape")
        # Names inside of the programs are found as text.
        places = self._sections.places_of_text(name + b"\0", LINE)
        indices = set(_numbers(self._sections.program_starts, places))
        for index, names in self._names_elsewhere.items():
            if names is None or any(each.endswith(name) for each in names):
                indices.add(index)
        found = []
        for index in sorted(indices):
            top = self._unit_at(self._sections.unit_starts[index]).get_top_DIE()
            program = top.attributes.get(PROGRAM)
            if program is None or program.value != self._sections.program_starts[index]:
                return self._sections.unit_starts
            found.append(self._sections.unit_starts[index])
        return found

    @cached_property
    def _names_elsewhere(self) -> dict[int, list[bytes] | None]:
        """The names of files of each line program that has them in other sections (from DWARF 5
        on), by the program's number; None where its header is damaged."""
        section = self._sections.required(LINE)
        strings = {}
        for name in line_names.STRINGS.values():
            strings_section = self._sections.section(name)
            strings[name] = b"" if strings_section is None else strings_section.data
        found: dict[int, list[bytes] | None] = {}
        starts = self._sections.program_starts
        for index, (position, end) in enumerate(pairwise([*starts, section.size])):
            with section.stream.getbuffer() as data:
                version = position + (12 if is_long(data, position) else 4)
                if int.from_bytes(data[version : version + 2], "little") <= _NAMES_INSIDE:
                    continue
                program = bytes(data[position:end])
            found[index] = None
            with suppress(EndOfBytesError):
                header = line_names.header_end(program)
                section.relocate(position, position + header)
                with section.stream.getbuffer() as data:
                    program = bytes(data[position : position + header])
                found[index] = line_names.file_names(program, strings)
        return found


def _numbers(starts: list[int], places: Iterable[int]) -> list[int]:
    """The numbers of the parts of a section, which begin at ``starts``, that hold ``places``.

    A place before the first part is in none: a damaged section can have text and no part.
    """
    numbers = {bisect_right(starts, place) - 1 for place in places}
    return sorted(number for number in numbers if number >= 0)
