"""Where the source of a function is, from its unit's head and line program alone."""

from __future__ import annotations

from typing import NoReturn

from zedbg.dwarf.lines.line_table import SourceFile
from zedbg.dwarf.lines.unit_lines import read_sequences, source_files
from zedbg.dwarf.reading.debug_info_error import DebugInfoError
from zedbg.dwarf.reading.unit_head import ADDRESS_BYTES, FunctionHead, UnitHead
from zedbg.dwarf.scopes.prologue import FunctionStart, body_start
from zedbg.dwarf.scopes.routines import are_misplaced
from zedbg.dwarf.units.address_lists import ListReader
from zedbg.dwarf.units.sections import DebugSections
from zedbg.zebin.elf import Section


def source_place(
    sections: DebugSections, section: Section, address: int
) -> tuple[SourceFile | None, int] | None:
    """File and line of the body of the function at ``address``, which lies in the code ``section``.

    None where only whole units say it. Raises DebugInfoError for damage.
    """
    for start in sections.search.about(section):
        unit = sections.unit_head(start, address)
        if unit is None:
            return None
        if unit.low <= address < unit.high:
            if unit.function is None or unit.line_program is None:
                return None
            if are_misplaced(sorted(unit.extents)):
                return None
            with sections.reading_unit(start, "a function"):
                return _body(sections, start, unit, unit.line_program, unit.function)
    return None


def _body(
    sections: DebugSections, start: int, unit: UnitHead, offset: int, function: FunctionHead
) -> tuple[SourceFile | None, int] | None:
    program = sections.line_program_at(offset, start, unit.version, ADDRESS_BYTES)
    if program is None:
        return None
    files = source_files(program, unit.directory.decode("utf-8", "replace"))
    low, high = function.low, function.high
    sequences = read_sequences(program, files)
    sequence = next((each for each in sequences if each.start <= low < each.end), None)
    lists = ListReader(
        "unit", unit.version, ADDRESS_BYTES, unit.low, sections.data, _refuse_address
    )
    places = tuple(lists.locations(offset) for offset in function.parameter_lists)
    head = FunctionStart(low, high, function.line, places)
    row = None if sequence is None else body_start(head, sequence.rows_between(low, high))
    if row is not None:
        return row.file, row.line
    return (None if function.file is None else files.get(function.file)), function.line


def _refuse_address(index: int) -> NoReturn:
    raise DebugInfoError("unit", f"address {index} by its index, which DWARF 4 does not have")
