"""Lines of source of a file of the host, from its DWARF line programs (DWARF 5, 6.2)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.dwarf.lineprogram import LineProgram

from zedbg.dwarf.lines.line_program import LineMachine
from zedbg.dwarf.lines.line_table import SourceFile
from zedbg.host.code_ranges import code_ranges


class _Row(NamedTuple):  # of which there are very many: a dataclass takes longer to make
    address: int
    file: str | None  # None where a sequence ends
    line: int


class LineNumbers:
    """The lines of one file; each unit is read when an address in it is asked for.

    Methods raise what pyelftools does on damage.
    """

    def __init__(self, information: DWARFInfo) -> None:
        self._information = information
        self._rows: dict[int, list[_Row]] = {}  # by the unit's offset
        self._files: dict[int, list[str | None]] = {}  # the same, by their numbers
        self._ranges: list[tuple[int, int, int]] | None = None  # begin, end, the unit's offset

    def at(self, address: int) -> tuple[str, int] | None:
        """File and line of the instruction at ``address`` of the file."""
        return next((place for _, place in self._places(address)), None)

    def unit_at(self, address: int) -> int | None:
        """The offset of the unit that has the instruction at ``address``."""
        return next((offset for offset, _ in self._places(address)), None)

    def file(self, unit_offset: int, number: int) -> str | None:
        """File ``number`` of a unit; None when it has none."""
        files = self._files.get(unit_offset)
        if files is None:
            unit = self._information.get_CU_at(unit_offset)
            program = self._information.line_program_for_CU(unit)
            files = self._files[unit_offset] = [] if program is None else _files(program)
        return files[number] if 0 <= number < len(files) else None

    def _places(self, address: int) -> Iterator[tuple[int, tuple[str, int]]]:
        if self._ranges is None:
            self._ranges = list(self._unit_ranges())
        for begin, end, offset in self._ranges:
            if begin <= address < end:
                found = _row_at(self._unit_rows(offset), address)
                if found is not None:
                    yield offset, found

    def _unit_ranges(self) -> list[tuple[int, int, int]]:
        aranges = self._information.get_aranges()
        entries = [] if aranges is None else aranges.entries
        found = [
            (each.begin_addr, each.begin_addr + each.length, each.info_offset)
            for each in entries
            if each.length
        ]
        known = {offset for _, _, offset in found}
        for unit in self._information.iter_CUs():
            if unit.cu_offset not in known:
                # Not every compiler writes the table of ranges: the unit has them too.
                ranges = code_ranges(self._information, unit, unit.get_top_DIE())
                found += ((begin, end, unit.cu_offset) for begin, end in ranges)
        return found

    def _unit_rows(self, offset: int) -> list[_Row]:
        rows = self._rows.get(offset)
        if rows is None:
            unit = self._information.get_CU_at(offset)
            rows = self._rows[offset] = _rows(self._information.line_program_for_CU(unit))
        return rows


def _rows(program: LineProgram | None) -> list[_Row]:
    if program is None:
        return []
    files = [SourceFile(name or "") for name in _files(program)]
    none = SourceFile("")

    def file_of(number: int) -> SourceFile:
        return files[number] if 0 <= number < len(files) else none

    rows = [
        _Row(row.address, None if row.end else row.file.name, row.line)
        for row in LineMachine(program, file_of).rows()
        if row.end or row.file.name
    ]
    # Of rows at one address the last one counts, but a sequence may begin where another ends.
    return sorted(rows, key=lambda row: (row.address, row.file is not None))


def _files(program: LineProgram) -> list[str | None]:
    """The names of a unit's files, by their numbers: before version 5 none has the number 0."""
    header = program.header
    names: list[str | None] = [_name(each.name) for each in header["file_entry"]]
    return names if header["version"] >= 5 else [None, *names]


def _name(name: str | bytes) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)


def _row_at(rows: list[_Row], address: int) -> tuple[str, int] | None:
    index = bisect_right(rows, address, key=lambda row: row.address) - 1
    if index < 0:
        return None
    row = rows[index]
    return None if row.file is None else (row.file, row.line)
