"""Rows that only ``zedbg inspect`` makes: sections, symbols, members, findings, bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from dataclasses import dataclass

from zedbg.commands.rows.module_rows import KindRow
from zedbg.frontends.text.rendering import renders, table


@dataclass(frozen=True)
class FileRow(KindRow):
    """A file that is no native module, and what to do with it. ``size`` is bytes."""

    kind = "file"

    file: str
    format: str
    size: int
    advice: str
    details: tuple[str, ...]


@dataclass(frozen=True)
class MemberRow(KindRow):
    """One member of a container. Bytes; ``kernels`` are those that it names.

    ``family``: of its devices, as ocloc calls it; None when the member does not say.
    """

    kind = "member"

    name: str
    target: str
    format: str
    offset: int
    size: int
    kernels: tuple[str, ...]
    family: str | None


@dataclass(frozen=True)
class SectionRow(KindRow):
    """A section of a module. Bytes; ``address`` is None for what is not loaded."""

    kind = "section"

    index: int
    name: str
    type: str
    size: int
    offset: int
    address: int | None


@dataclass(frozen=True)
class SymbolRow(KindRow):
    """A symbol of code or data. Bytes."""

    kind = "symbol"

    name: str
    address: int
    size: int
    section: str
    type: str


@dataclass(frozen=True)
class RelocationRow(KindRow):
    """A relocation: at ``offset`` bytes of ``section`` the address of ``symbol`` is written."""

    kind = "relocation"

    section: str
    offset: int
    type: str
    symbol: str | None
    target: str
    addend: int | None


@dataclass(frozen=True)
class LineRow(KindRow):
    """A line of a section's content: of its text, its instructions, or its bytes."""

    kind = "line"

    text: str


@dataclass(frozen=True)
class FindingRow(KindRow):
    """Something in ``.ze_info`` that is not as the specification says."""

    kind = "finding"

    severity: str
    path: str
    line: int
    problem: str


@renders(FileRow, one_by_one=True)
def _files(rows: list[FileRow]) -> Iterator[str]:
    for row in rows:
        yield f"{row.file}: {row.format}, {row.size} bytes"
        for detail in row.details:
            yield f"  {detail}"
        if row.advice:
            yield f"  This is {row.advice}."


@renders(MemberRow)
def _members(rows: list[MemberRow]) -> Iterator[str]:
    yield ""
    yield from table(
        ("Member", "Target", "Device", "Format", "Size", "Kernels"),
        (
            (
                row.name,
                row.target,
                row.family or "-",
                row.format,
                str(row.size),
                " ".join(row.kernels),
            )
            for row in rows
        ),
    )


@renders(SectionRow)
def _sections(rows: list[SectionRow]) -> Iterator[str]:
    yield ""
    yield from table(
        ("Section", "Type", "Size", "Offset", "Address"),
        (
            (
                row.name or "-",
                row.type,
                str(row.size),
                f"{row.offset:#x}",
                "" if row.address is None else f"{row.address:#x}",
            )
            for row in rows
        ),
    )


@renders(SymbolRow)
def _symbols(rows: list[SymbolRow]) -> Iterator[str]:
    yield ""
    yield from table(
        ("Symbol", "Address", "Size", "Section", "Type"),
        ((row.name, f"{row.address:#x}", str(row.size), row.section, row.type) for row in rows),
    )


@renders(RelocationRow)
def _relocations(rows: list[RelocationRow]) -> Iterator[str]:
    yield ""
    yield from table(
        ("Relocation in", "Offset", "Type", "Symbol", "Target", "Addend"),
        (
            (
                row.section,
                f"{row.offset:#x}",
                row.type,
                "<name lost>" if not row.symbol else row.symbol,
                row.target,
                "" if row.addend is None else f"{row.addend:#x}",
            )
            for row in rows
        ),
    )


@renders(LineRow, one_by_one=True)
def _lines(rows: list[LineRow]) -> Iterator[str]:
    for row in rows:
        yield row.text


@renders(FindingRow)
def _findings(rows: list[FindingRow]) -> Iterator[str]:
    yield ""
    yield "zeinfo against its specification:"
    for row in rows:
        yield f"  {row.severity}: line {row.line}: {row.path or '.ze_info'}: {row.problem}"


def count(things: Sized, word: str) -> str:
    """How many ``things`` there are, of which one is called ``word``."""
    return f"{len(things)} {word}" + ("" if len(things) == 1 else "s")
