"""Rows about the program on the processor as text."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.commands.rows import host_rows
from zedbg.frontends.text.appearance import Style, styled
from zedbg.frontends.text.rendering import address_text, renders, source_place, table
from zedbg.frontends.text.text_modules import size_text


@renders(host_rows.HostFrameRow)
def _frames(rows: list[host_rows.HostFrameRow]) -> Iterator[str]:
    is_around = False
    for row in rows:
        where = source_place(row.file, row.line)
        place = f" at {where}" if where else f" from {row.library}" if row.library else ""
        # As GDB has it: what a function was inlined into has no address besides that of the call.
        address = "" if is_around else f"{address_text(row.pc)} in "
        yield f"#{row.level:<2} {address}{_function(row.function)}{place}"
        is_around = row.inlined


@renders(host_rows.PythonFrameRow)
def _python(rows: list[host_rows.PythonFrameRow]) -> Iterator[str]:
    for row in rows:
        where = source_place(row.file, row.line)
        yield f"#{row.level:<2} {styled(Style.FUNCTION, row.function)} () at {where}"


@renders(host_rows.HostThreadRow)
def _threads(rows: list[host_rows.HostThreadRow]) -> Iterator[str]:
    yield from table(
        ("Id", "Name", "State", "Launches"),
        (
            (
                str(row.thread),
                row.name,
                row.state,
                "not known" if row.launches is None else str(row.launches or ""),
            )
            for row in rows
        ),
    )


def _place(function: str | None, file: str | None, line: int | None, library: str | None) -> str:
    where = source_place(file, line) or (library or "").rpartition("/")[2]
    return f"{_function(function)} at {where}" if where else ""


def _function(name: str | None) -> str:
    """Names of C++ functions have their parameters, those of C functions get the parentheses."""
    shown = styled(Style.FUNCTION, name or "??")
    return shown if name is not None and name.endswith(")") else f"{shown} ()"


@renders(host_rows.UsmAllocationRow)
def _allocations(rows: list[host_rows.UsmAllocationRow]) -> Iterator[str]:
    yield from table(
        ("Num", "USM", "Address", "Size", "Host Thread", "From"),
        (
            (
                str(row.number),
                row.usm + (" (freed)" if row.freed else ""),
                address_text(row.address),
                size_text(row.size),
                str(row.thread),
                _place(row.function, row.file, row.line, row.library),
            )
            for row in rows
        ),
    )


@renders(host_rows.LaunchRow)
def _launches(rows: list[host_rows.LaunchRow]) -> Iterator[str]:
    yield from table(
        ("  Num", "Kernel", "Work-groups", "Arguments", "Host Thread", "From"),
        (
            (
                f"{'*' if row.current else ' '} {row.number}",
                row.kernel,
                "" if row.groups is None else "x".join(map(str, row.groups)),
                ", ".join(row.arguments),
                str(row.thread),
                _place(row.function, row.file, row.line, row.library),
            )
            for row in rows
        ),
    )


@renders(host_rows.SharedLibraryRow)
def _libraries(rows: list[host_rows.SharedLibraryRow]) -> Iterator[str]:
    yield from table(
        ("From", "To", "Syms Read", "Shared Object Library"),
        (
            (
                address_text(row.start),
                address_text(row.end),
                "Yes" if row.debug_info else "Yes (*)",
                row.path,
            )
            for row in rows
        ),
    )
    if not all(row.debug_info for row in rows):
        yield "(*): Shared library is missing debugging information."


@renders(host_rows.ProcessRow, one_by_one=True)
def _process(rows: list[host_rows.ProcessRow]) -> Iterator[str]:
    for row in rows:
        yield f"process {row.pid}"
        yield f"cmdline = '{row.command}'"
        yield f"cwd = '{row.folder}'"
        yield f"exe = '{row.program}'"
        yield f"parent = {row.parent}"
        yield f"threads = {row.threads} (info host-threads)"
        yield f"state = {row.state}"
        yield f"memory = {size_text(row.memory)}"
        yield f"devices = {', '.join(map(str, row.devices)) or 'none'} (info devices)"
