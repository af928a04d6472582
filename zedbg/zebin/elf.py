"""The ELF container of a native module: sections, symbols and relocation entries.

Everything is checked against the file's size here, so that the rest of the package can slice
freely. pyelftools reads the headers; symbols and relocations are unpacked in bulk, because a module
of a thousand kernels holds tens of thousands of them.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from elftools.common.exceptions import ELFError
from elftools.construct import ConstructError
from elftools.elf.elffile import ELFFile

from zedbg.zebin.errors import ZebinError
from zedbg.zebin.formats import not_zebin_reason

_SYMBOL = struct.Struct("<IBBHQQ")
_REL = struct.Struct("<QQ")
_RELA = struct.Struct("<QQq")
_SHT_NOBITS = 8
_NOBITS_LIMIT = 1 << 30  # bytes; no module has a zero-initialised section this large
_SHT_SYMTAB = 2
_SHT_RELA = 4
_SHT_REL = 9
SHF_ALLOC = 2
SHF_EXECINSTR = 4
STT_FUNC = 2
ET_REL = 1
ET_EXEC = 2
# Intel's own numbers for the same kinds of file.
_RELOCATABLE_TYPES = frozenset({ET_REL, 0xFF11})
_TEXT_PREFIX = ".text."


@dataclass(frozen=True)
class Section:
    """One ELF section; ``address`` is where it lies on the device (or was placed)."""

    index: int
    name: str
    type: int
    flags: int
    address: int
    offset: int  # in the file, bytes
    size: int  # bytes
    link: int
    info: int

    @property
    def kernel_name(self) -> str | None:
        """The kernel whose code this section holds, None when it holds none."""
        if self.name.startswith(_TEXT_PREFIX) and self.flags & SHF_EXECINSTR:
            return self.name.removeprefix(_TEXT_PREFIX)
        return None


@dataclass(frozen=True)
class ElfSymbol:
    """One symbol as the file holds it; ``value`` is not yet relocated."""

    index: int
    name: str
    value: int
    size: int  # bytes
    type: int
    section_index: int


@dataclass(frozen=True)
class Relocation:
    """One relocation entry: write something at ``offset`` of the section it belongs to."""

    offset: int
    type: int
    symbol_index: int
    addend: int | None  # None for REL, whose addend lies in the section


class ElfContainer:
    """A native module's ELF file, in memory."""

    def __init__(self, data: bytes, name: str) -> None:
        """Reads the headers; raises :class:`ZebinError` when ``data`` is no native module."""
        self.data = data
        self.name = name
        reason = not_zebin_reason(data)
        if reason is not None:
            raise ZebinError(name, reason)
        try:
            self.sections = self._read_sections(ELFFile(io.BytesIO(data)))
        except ZebinError:
            raise
        except (ELFError, ConstructError, ValueError, KeyError, AttributeError, TypeError) as error:
            raise ZebinError(name, f"damaged ELF headers ({error})") from error
        except (IndexError, OverflowError, UnicodeDecodeError, MemoryError) as error:
            raise ZebinError(name, f"damaged ELF headers ({error})") from error

    @cached_property
    def type(self) -> int:
        """The ELF file type, e_type."""
        return int.from_bytes(self.data[16:18], "little")

    @property
    def is_relocatable(self) -> bool:
        """Whether addresses are still to be given (a file), or are final (a debuggee's image)."""
        return self.type in _RELOCATABLE_TYPES

    def _read_sections(self, elf: ELFFile) -> list[Section]:
        count = elf.num_sections()
        table = elf["e_shoff"]
        if count == 0:
            raise ZebinError(self.name, "no sections", table)
        if table + count * elf["e_shentsize"] > len(self.data):
            raise ZebinError(
                self.name, f"truncated: {count} section headers reach past the end of file", table
            )
        sections = []
        for index in range(count):
            raw = elf.get_section(index)
            header = raw.header
            section = Section(
                index,
                raw.name,
                _section_type(header["sh_type"]),
                header["sh_flags"],
                header["sh_addr"],
                header["sh_offset"],
                header["sh_size"],
                header["sh_link"],
                header["sh_info"],
            )
            if section.type != _SHT_NOBITS and section.offset + section.size > len(self.data):
                raise ZebinError(
                    self.name,
                    f"truncated: section {section.name} ends at byte "
                    f"{section.offset + section.size:#x}, the file at {len(self.data):#x}",
                )
            sections.append(section)
        return sections

    def section_bytes(self, section: Section) -> bytes:
        """The bytes of ``section`` as the file holds them; zeros for one without bytes."""
        if section.type == _SHT_NOBITS:
            if section.size > _NOBITS_LIMIT:
                raise ZebinError(self.name, f"section {section.name} is {section.size} bytes long")
            return bytes(section.size)
        return self.data[section.offset : section.offset + section.size]

    @cached_property
    def symbols(self) -> list[ElfSymbol]:
        """The symbols of the module, in file order."""
        for section in self.sections:
            if section.type == _SHT_SYMTAB:
                return list(self._read_symbols(section))
        return []

    def _read_symbols(self, table: Section) -> Iterator[ElfSymbol]:
        if not 0 < table.link < len(self.sections):
            raise ZebinError(self.name, f"{table.name} names string table {table.link}, not there")
        strings = self.section_bytes(self.sections[table.link])
        data = self.section_bytes(table)
        usable = len(data) - len(data) % _SYMBOL.size
        for index, entry in enumerate(_SYMBOL.iter_unpack(data[:usable])):
            name_offset, info, _other, section_index, value, size = entry
            end = strings.find(b"\0", name_offset)
            if name_offset > len(strings) or end < 0:
                raise ZebinError(
                    self.name,
                    f"the name of symbol {index} lies outside its string table",
                    table.offset + index * _SYMBOL.size,
                )
            name = strings[name_offset:end].decode("utf-8", "replace")
            yield ElfSymbol(index, name, value, size, info & 0xF, section_index)

    def relocations(self, target: Section) -> list[Relocation]:
        """The relocations to apply to ``target``, in file order."""
        found: list[Relocation] = []
        for section in self.sections:
            if section.info != target.index:
                continue
            data = self.section_bytes(section)
            if section.type == _SHT_RELA:
                usable = len(data) - len(data) % _RELA.size
                found += [
                    Relocation(offset, info & 0xFFFFFFFF, info >> 32, addend)
                    for offset, info, addend in _RELA.iter_unpack(data[:usable])
                ]
            elif section.type == _SHT_REL:
                usable = len(data) - len(data) % _REL.size
                found += [
                    Relocation(offset, info & 0xFFFFFFFF, info >> 32, None)
                    for offset, info in _REL.iter_unpack(data[:usable])
                ]
        return found


_STANDARD_TYPES = {
    "SHT_NULL": 0,
    "SHT_PROGBITS": 1,
    "SHT_SYMTAB": _SHT_SYMTAB,
    "SHT_STRTAB": 3,
    "SHT_RELA": _SHT_RELA,
    "SHT_HASH": 5,
    "SHT_DYNAMIC": 6,
    "SHT_NOTE": 7,
    "SHT_NOBITS": _SHT_NOBITS,
    "SHT_REL": _SHT_REL,
    "SHT_DYNSYM": 11,
}


def _section_type(value: int | str) -> int:
    """The number of a section type; pyelftools gives names for the types that it knows."""
    if isinstance(value, int):
        return value
    return _STANDARD_TYPES.get(value, -1)
