"""From an address, a name or a source line of a module to all of the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from zedbg.commands.rows.module_rows import KindRow
from zedbg.commands.rows.row import Row
from zedbg.dwarf import CodePlaces, DebugInfo
from zedbg.frontends.text.rendering import renders, source_place
from zedbg.zebin import Module
from zedbg.zebin.file_errors import NotInFileError

_LINE = re.compile(r"(?:(.+):)?(\d+)")
_ADDRESS = re.compile(r"\*?(0x[0-9a-fA-F]{1,16})")


@dataclass(frozen=True)
class PlaceRow(KindRow):
    """A place in a module: its address, whose it is, and its line of source. Bytes."""

    kind = "place"

    address: int
    section: str
    kernel: str | None
    symbol: str | None
    offset: int  # from the symbol, or the section where there is none
    file: str | None
    line: int | None


@renders(PlaceRow)
def _places(rows: list[PlaceRow]) -> Iterator[str]:
    for row in rows:
        inside = f"<{row.symbol or row.section}+{row.offset}>"
        kernel = f" of kernel {row.kernel}" if row.kernel and row.kernel != row.symbol else ""
        place = source_place(row.file, row.line)
        yield f"{row.address:#x} {inside}{kernel} in {row.section}" + (
            f" at {place}" if place else ""
        )


def place_rows(module: Module, text: str) -> list[Row]:
    """Where ``text`` is: an address (0x40), a kernel or symbol, or a line (FILE:LINE).

    Raises NotInFileError when the module has no such place, DebugInfoError for damaged debug data.
    """
    debug_info = DebugInfo.of(module)
    try:
        addresses = list(dict.fromkeys(_addresses(module, debug_info, text)))
        rows = [row for address in addresses if (row := _place(module, debug_info, address))]
    finally:
        if debug_info is not None:
            debug_info.close()
    if not rows:
        raise NotInFileError(module.name, f"nothing at {text}: give 0xADDRESS, a name or FILE:LINE")
    return list(rows)


def _addresses(module: Module, debug_info: DebugInfo | None, text: str) -> Iterator[int]:
    address = _ADDRESS.fullmatch(text)
    if address:
        yield int(address[1], 16)
        return
    named = [symbol.address for symbol in module.symbols_named(text)]
    if named:
        yield from named
        return
    line = _LINE.fullmatch(text)
    if line is None or debug_info is None:
        return
    files = [source.path for source in debug_info.lines.files] if line[1] is None else [line[1]]
    for file in files:
        for place in CodePlaces(debug_info).of_line(file, int(line[2])):
            yield place.address


def _place(module: Module, debug_info: DebugInfo | None, address: int) -> PlaceRow | None:
    owner = module.owner_at(address)
    if owner is None:
        return None
    row = None if debug_info is None or owner.kernel is None else debug_info.lines.row_at(address)
    return PlaceRow(
        address=address,
        section=owner.section.name,
        kernel=owner.kernel,
        symbol=None if owner.symbol is None else owner.symbol.name,
        offset=owner.offset,
        file=None if row is None else row.file.path,
        line=None if row is None else row.line,
    )
