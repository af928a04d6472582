"""The content of one section of a module, in the form that says most about it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import fields
from fnmatch import fnmatchcase

from zedbg.commands.rows.row import Row
from zedbg.tools.inspect.gtpin import gtpin_lines
from zedbg.tools.inspect.rows import LineRow, RelocationRow, SectionRow, SymbolRow
from zedbg.zebin import Module, Section
from zedbg.zebin.elf import SHF_EXECINSTR, SHT_NOBITS, SHT_NOTE, SHT_REL, SHT_RELA, SHT_SYMTAB
from zedbg.zebin.file_errors import NotInFileError
from zedbg.zebin.gtpin_info import read_gtpin_info
from zedbg.zebin.module import ModuleRelocation, Symbol
from zedbg.zebin.products import instruction_set_of
from zedbg.zebin.relocation import relocation_name
from zedbg.zebin.spirv import read_spirv

# ELF's own types, and those of the zebin specification.
_TYPES = {
    0: "null",
    1: "bits",
    SHT_SYMTAB: "symbols",
    3: "strings",
    SHT_RELA: "relocations",
    SHT_NOTE: "notes",
    SHT_NOBITS: "zeros",
    SHT_REL: "relocations",
    0xFF000009: "SPIR-V",
    0xFF000011: "zeinfo",
    0xFF000012: "GTPin info",
    0xFF000013: "vISA assembly",
    0xFF000014: "text",
    0xFF000015: "pISA",
}
_TEXTS = frozenset({0xFF000011, 0xFF000013, 0xFF000014, 0xFF000015})
_SPIRV = 0xFF000009
_GTPIN = 0xFF000012
_NOTES = ".note.intelgt.compat"
_METRICS = ".note.intelgt.metrics"  # typed as notes, but holds none
_BYTES_A_LINE = 16


def section_row(section: Section) -> SectionRow:
    """The section in a list."""
    loaded = section.flags & SHF_EXECINSTR or section.is_data
    return SectionRow(
        section.index,
        section.name,
        _TYPES.get(section.type, f"{section.type:#x}"),
        section.size,
        section.offset,
        section.address if loaded else None,
    )


def symbol_row(symbol: Symbol) -> SymbolRow:
    """A symbol in a list."""
    kind = "function" if symbol.is_function else "object"
    return SymbolRow(symbol.name, symbol.address, symbol.size, symbol.section.name, kind)


def relocation_row(entry: ModuleRelocation) -> RelocationRow:
    """A relocation in a list."""
    if entry.home is None:
        target = "the driver"
    elif entry.home.name.startswith(".debug"):
        # Debug relocations name their target section by the symbol, which lies elsewhere.
        target = entry.symbol or "unknown"
    else:
        target = entry.home.name
    return RelocationRow(
        entry.section.name,
        entry.offset,
        relocation_name(entry.type),
        entry.symbol,
        target,
        entry.addend,
    )


def section_rows(module: Module, pattern: str) -> Iterator[Row]:
    """The sections whose name is ``pattern`` or matches it, with their content.

    Raises NotInFileError, with the names that there are, when none does.
    """
    chosen = [
        section
        for section in module.sections[1:]
        if section.name == pattern or fnmatchcase(section.name, pattern)
    ]
    if not chosen:
        names = ", ".join(dict.fromkeys(section.name for section in module.sections[1:]))
        raise NotInFileError(module.name, f"no section {pattern}: there are {names}")
    for section in chosen:
        yield section_row(section)
        yield from _content(module, section)


def _content(module: Module, section: Section) -> Iterator[Row]:
    data = module.section_bytes(section)
    if section.type == SHT_SYMTAB:
        yield from (symbol_row(symbol) for symbol in module.symbols)
    elif section.type in (SHT_REL, SHT_RELA):
        yield from map(relocation_row, module.relocations_in(section))
    elif section.name == _NOTES:
        yield from (LineRow(line) for line in _note_lines(module))
    elif section.type == _SPIRV:
        spirv = read_spirv(data, f"{module.name}: {section.name}")
        yield LineRow(
            f"SPIR-V {spirv.version} by {spirv.generator}, {spirv.instructions} instructions, "
            f"{spirv.address_bits or 'unknown'}-bit addresses; kernels {', '.join(spirv.kernels)}"
        )
    elif section.type == _GTPIN:
        source = f"{module.name}: {section.name}"
        yield from map(LineRow, gtpin_lines(read_gtpin_info(data, source)))
    elif section.type in _TEXTS:
        for line in io.BytesIO(data.rstrip(b"\0")):
            yield LineRow(line.rstrip(b"\r\n").decode("utf-8", "replace"))
    elif section.flags & SHF_EXECINSTR:
        yield from map(LineRow, _code_lines(module, section, data))
    elif section.name.endswith(".string"):
        yield from (LineRow(line) for line in _string_lines(section, data))
    else:
        if section.name == _METRICS and not any(data):
            yield LineRow("no metrics were recorded: all bytes are zero")
        yield from (LineRow(line) for line in hex_lines(data, section.address))


def _code_lines(module: Module, section: Section, data: bytes) -> Iterator[str]:
    from zedbg.xe.disassembly import instructions

    platform = instruction_set_of(module.notes)
    if platform is None:
        yield from hex_lines(data, section.address)
        return
    for instruction in instructions(data, section.address, platform):
        yield f"{instruction.address:#x}:  {instruction.text}"


def _note_lines(module: Module) -> Iterator[str]:
    notes = module.notes
    for field in fields(notes):
        value = getattr(notes, field.name)
        if value is not None and field.name != "unknown":
            shown = hex(value) if isinstance(value, int) else str(value)
            yield f"{field.name.replace('_', ' ')}: {shown}"
    for number, value in notes.unknown.items():
        yield f"note {number}: {value.hex()}"


def _string_lines(section: Section, data: bytes) -> Iterator[str]:
    """The strings of printf formats and the like, each at its address."""
    start = 0
    while start < len(data):
        end = data.find(b"\0", start)
        end = len(data) if end < 0 else end
        if end > start:
            text = data[start:end].decode("utf-8", "replace")
            yield f'{section.address + start:#x}:  "{text}"'
        start = end + 1


def hex_lines(data: bytes, address: int) -> Iterator[str]:
    """``data`` as addresses, hexadecimal bytes and characters; equal lines are shown once."""
    previous: bytes | None = None
    skipping = False
    for start in range(0, len(data), _BYTES_A_LINE):
        line = data[start : start + _BYTES_A_LINE]
        if line == previous and start + _BYTES_A_LINE < len(data):
            if not skipping:
                yield "*"
            skipping = True
            continue
        previous, skipping = line, False
        characters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in line)
        yield f"{address + start:#x}:  {line.hex(' '):<47}  {characters}"
