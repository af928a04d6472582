"""The ELF container of a native module: sections, symbols and relocation entries, 32 and 64 bit.

Everything is checked against the file's size here, so that the rest of the package can slice
freely. Headers, symbols and relocations are unpacked in bulk: a module of a thousand kernels has
thousands of sections and tens of thousands of relocations, and a debugger waits for them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from zedbg.zebin.file_errors import OtherFormatError, ZebinError
from zedbg.zebin.formats import not_zebin_reason

SHT_SYMTAB = 2
SHT_RELA = 4
SHT_NOTE = 7
SHT_NOBITS = 8
SHT_REL = 9
SHF_ALLOC = 2
SHF_EXECINSTR = 4
STT_OBJECT = 1
STT_FUNC = 2
ET_REL = 1
ET_EXEC = 2
# Intel's own numbers for the same kinds of file.
_RELOCATABLE_TYPES = frozenset({ET_REL, 0xFF11})
_DATA_PREFIX, _ZEROED_PREFIX = ".data.", ".bss."
_TEXT_PREFIX = ".text."
# Not a kernel's: functions that are reached through pointers, or from other modules.
_FUNCTIONS_NAME = "Intel_Symbol_Table_Void_Program"


@dataclass(frozen=True)
class _Layout:
    """The structures of one ELF class (System V ABI, chapter 4) and how their fields are told."""

    section_table: struct.Struct  # e_shoff at ``section_table_at``
    section_table_at: int
    counts_at: int  # e_shentsize, e_shnum, e_shstrndx
    section: struct.Struct  # name, type, flags, address, offset, size, link, info, align, entry
    symbol: struct.Struct
    relocation: struct.Struct
    relocation_with_addend: struct.Struct
    symbol_shift: int  # r_info: the symbol's index lies above this bit, the type below
    value_first: bool  # whether st_value and st_size come before st_info


_ELF64 = _Layout(
    struct.Struct("<Q"),
    0x28,
    0x3A,
    struct.Struct("<IIQQQQIIQQ"),
    struct.Struct("<IBBHQQ"),
    struct.Struct("<QQ"),
    struct.Struct("<QQq"),
    32,
    False,
)
_ELF32 = _Layout(
    struct.Struct("<I"),
    0x20,
    0x2E,
    struct.Struct("<IIIIIIIIII"),
    struct.Struct("<IIIBBH"),
    struct.Struct("<II"),
    struct.Struct("<IIi"),
    8,
    True,
)
_COUNTS = struct.Struct("<HHH")


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
        """The kernel whose code this section holds, None when it holds none, or functions that any
        kernel may call."""
        return None if self.code_name == _FUNCTIONS_NAME else self.code_name

    @property
    def code_name(self) -> str | None:
        """What the compiler calls the code of this section, None when it holds none."""
        if self.name.startswith(_TEXT_PREFIX) and self.flags & SHF_EXECINSTR:
            return self.name.removeprefix(_TEXT_PREFIX)
        return None

    @property
    def is_data(self) -> bool:
        """Whether it holds constants, global variables or strings."""
        return self.name.startswith((_DATA_PREFIX, _ZEROED_PREFIX))

    @property
    def zeroed_name(self) -> str | None:
        """Of data with values, the section of the same kind whose data start as zero, if a module
        has such. Code reaches both through one address."""
        if not self.name.startswith(_DATA_PREFIX):
            return None
        return _ZEROED_PREFIX + self.name.removeprefix(_DATA_PREFIX)

    def contains(self, address: int) -> bool:
        """Whether ``address`` is one of its bytes on the device."""
        return self.address <= address < self.address + self.size


class ElfSymbol(NamedTuple):
    """One symbol as the file holds it; ``value`` is not yet relocated."""

    name: str
    value: int
    size: int  # bytes
    type: int
    section_index: int


class Relocation(NamedTuple):
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
            raise OtherFormatError(name, reason)
        self._layout = _ELF64 if data[4] == 2 else _ELF32
        self.sections = self._read_sections()

    @property
    def address_bits(self) -> int:
        """Bits of the device's addresses: 32 or 64."""
        return 64 if self._layout is _ELF64 else 32

    @cached_property
    def type(self) -> int:
        """The ELF file type, e_type."""
        return int.from_bytes(self.data[16:18], "little")

    @property
    def is_relocatable(self) -> bool:
        """Whether addresses are still to be given (a file), or are final (a debuggee's image)."""
        return self.type in _RELOCATABLE_TYPES

    def _read_sections(self) -> list[Section]:
        headers = self._section_headers()
        _size, _count, names_index = _COUNTS.unpack_from(self.data, self._layout.counts_at)
        if names_index >= len(headers):
            raise ZebinError(
                self.name,
                f"section names are in section {names_index}",
                self._layout.counts_at + 4,
                expected=f"one of the {len(headers)} that are there",
            )
        _name, kind, _flags, _address, start, size, *_rest = headers[names_index]
        end = start + size if kind != SHT_NOBITS else start
        names = _StringTable(self.data[start:end], len(self.data))
        sections = []
        for index, header in enumerate(headers):
            name_at, kind, flags, address, offset, size, link, info, _align, _entry = header
            name = names.text_at(name_at)
            if name is None:
                raise ZebinError(
                    self.name,
                    f"the name of section {index} lies outside the section names",
                    self._header_at(index),
                    expected=f"less than {end - start:#x}",
                )
            if kind != SHT_NOBITS and offset + size > len(self.data):
                raise ZebinError(
                    self.name,
                    f"truncated: section {name} ends at byte {offset + size:#x}, says its header",
                    self._header_at(index),
                    expected=f"an end within the file's {len(self.data):#x} bytes",
                )
            sections.append(Section(index, name, kind, flags, address, offset, size, link, info))
        claimed = sum(section.size for section in sections if section.type != SHT_NOBITS)
        if claimed > len(self.data):
            # Each could be read as often as there are sections, which takes any time and memory.
            raise ZebinError(
                self.name,
                f"sections overlap each other: {claimed} bytes of sections, say the headers",
                self._header_at(0),
                expected=f"at most the file's {len(self.data)}",
            )
        return sections

    def _header_at(self, index: int) -> int:
        """The byte of the file at which the header of section ``index`` starts."""
        (table,) = self._layout.section_table.unpack_from(self.data, self._layout.section_table_at)
        return int(table) + index * self._layout.section.size

    def _section_headers(self) -> list[tuple[int, ...]]:
        layout = self._layout
        (table,) = layout.section_table.unpack_from(self.data, layout.section_table_at)
        size, count, _names = _COUNTS.unpack_from(self.data, layout.counts_at)
        if count == 0 and 0 < table <= len(self.data) - layout.section.size:
            # More sections than e_shnum can say: the first header's size says how many.
            count = layout.section.unpack_from(self.data, table)[5]
        if count == 0:
            raise ZebinError(self.name, "no sections", table, expected="a table of section headers")
        if size != layout.section.size:
            raise ZebinError(
                self.name,
                f"section headers of {size} bytes",
                layout.counts_at,
                expected=str(layout.section.size),
            )
        end = table + count * size
        if end > len(self.data):
            raise ZebinError(
                self.name,
                f"truncated: {count} section headers reach past the end of file",
                table,
                expected=f"an end within its {len(self.data):#x} bytes",
            )
        return list(layout.section.iter_unpack(self.data[table:end]))

    def section_bytes(self, section: Section) -> bytes:
        """The bytes of ``section`` as the file holds them: none for a zero-initialised one."""
        if section.type == SHT_NOBITS:
            return b""
        return self.data[section.offset : section.offset + section.size]

    @cached_property
    def symbols(self) -> list[ElfSymbol]:
        """The symbols of the module, in file order."""
        for section in self.sections:
            if section.type == SHT_SYMTAB:
                return list(self._read_symbols(section))
        return []

    def _read_symbols(self, table: Section) -> Iterator[ElfSymbol]:
        if not 0 < table.link < len(self.sections):
            raise ZebinError(
                self.name,
                f"{table.name} names string table {table.link}",
                self._header_at(table.index),
                expected=f"one of the sections 1 to {len(self.sections) - 1}",
            )
        strings = _StringTable(self.section_bytes(self.sections[table.link]), len(self.data))
        for index, entry in enumerate(self._entries(table, self._layout.symbol)):
            if self._layout.value_first:
                name_at, value, size, info, _other, section_index = entry
            else:
                name_at, info, _other, section_index, value, size = entry
            name = strings.text_at(name_at)
            if name is None:
                raise ZebinError(
                    self.name,
                    f"the name of symbol {index} lies outside its string table",
                    table.offset + index * self._layout.symbol.size,
                    expected="the start of a string in it, and names no longer than the file",
                )
            yield ElfSymbol(name, value, size, info & 0xF, section_index)

    def _entries(self, table: Section, entry: struct.Struct) -> Iterator[tuple[int, ...]]:
        """The whole entries of a table; what is left over at its end is none."""
        if table.type == SHT_NOBITS:
            return iter(())
        usable = table.size - table.size % entry.size
        return entry.iter_unpack(self.data[table.offset : table.offset + usable])

    @cached_property
    def _relocation_sections(self) -> dict[int, list[Section]]:
        found: dict[int, list[Section]] = {}
        for section in self.sections:
            if section.type in (SHT_REL, SHT_RELA):
                found.setdefault(section.info, []).append(section)
        return found

    def relocations(self, target: Section) -> list[Relocation]:
        """The relocations to apply to ``target``, in file order."""
        tables = self._relocation_sections.get(target.index, ())
        return [entry for table in tables for entry in self.entries_of(table)]

    def entries_of(self, table: Section) -> Iterator[Relocation]:
        """The relocations that the section ``table`` holds, in file order."""
        shift = self._layout.symbol_shift
        mask = (1 << shift) - 1
        if table.type == SHT_RELA:
            for offset, info, addend in self._entries(table, self._layout.relocation_with_addend):
                yield Relocation(offset, info & mask, info >> shift, addend)
        else:
            for offset, info in self._entries(table, self._layout.relocation):
                yield Relocation(offset, info & mask, info >> shift, None)


class _StringTable:
    """An ELF string table, of which no more is decoded than a sane file has use for."""

    def __init__(self, data: bytes, file_size: int) -> None:
        self._data = data
        self._known: dict[int, str] = {}
        # Strings may share their ends, so that a small table can spell more than a file's size.
        self._left = 4 * file_size  # bytes

    def text_at(self, offset: int) -> str | None:
        """The string that starts at ``offset``, None when the table does not hold all of it."""
        known = self._known.get(offset)
        if known is not None:
            return known
        end = self._data.find(b"\0", offset)
        self._left -= max(end - offset, 0)
        if end < 0 or self._left < 0:
            return None
        text = self._known[offset] = self._data[offset:end].decode("utf-8", "replace")
        return text
