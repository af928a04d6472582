"""The source files and the line rows of one unit, out of its line program."""

from __future__ import annotations

from collections.abc import Mapping

from elftools.dwarf.lineprogram import LineProgram

from zedbg.dwarf.lines.line_program import LineMachine
from zedbg.dwarf.lines.line_table import LineRow, LineSequence, SourceFile


def source_files(program: LineProgram, home: str) -> dict[int, SourceFile]:
    """The files of ``program`` by the number that rows and DIEs use; ``home`` is the folder that
    its unit was compiled in."""
    directories = [path.decode("utf-8", "replace") for path in program["include_directory"]]
    # DWARF 5 counts files from 0, and the first directory is the compilation's.
    is_newer = program["version"] >= 5
    if not is_newer:
        directories = [home, *directories]
    found = {}
    for number, entry in enumerate(program["file_entry"], 0 if is_newer else 1):
        directory = directories[entry.dir_index] if entry.dir_index < len(directories) else ""
        if directory not in ("", home) and not directory.startswith("/") and home:
            directory = f"{home}/{directory}"
        found[number] = SourceFile(entry.name.decode("utf-8", "replace"), directory)
    return found


def read_sequences(program: LineProgram, files: Mapping[int, SourceFile]) -> list[LineSequence]:
    """The rows of ``program``, whose files are ``files``. Raises ValueError for damage."""
    unknown = SourceFile("<unknown>")
    sequences: list[LineSequence] = []
    rows: list[LineRow] = []
    for row in LineMachine(program, lambda number: files.get(number, unknown)).rows():
        rows.append(row)
        if row.end:
            if rows[0].address < rows[-1].address:
                rows.sort(key=lambda row: row.address)
                sequences.append(LineSequence(rows))
            rows = []
    return sequences
