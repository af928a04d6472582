"""ELF files, of the device and of the host: segments, sections, symbols and relocation entries.

Little-endian files of 32 and 64 bit (System V ABI, chapters 4 and 5). Each table is read when it is
first asked for, and checked against the file's size, so that others can slice freely. Headers,
symbols and relocations are unpacked in bulk: a module of a thousand kernels has thousands of
sections and tens of thousands of relocations, and a debugger waits for them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from zedbg.zebin.file_errors import FileError, OtherFormatError, ZebinError
from zedbg.zebin.formats import ELF_MAGIC, not_zebin_reason

SHT_SYMTAB = 2
SHT_RELA = 4
SHT_NOTE = 7
SHT_NOBITS = 8
SHT_REL = 9
SHF_ALLOC = 2
SHF_EXECINSTR = 4
STT_OBJECT = 1
STT_FUNC = 2
PT_LOAD = 1
PT_DYNAMIC = 2
PF_W = 2
ET_REL = 1
ET_EXEC = 2
# Intel's own numbers for the same kinds of file.
_RELOCATABLE_TYPES = frozenset({ET_REL, 0xFF11})
_DATA_PREFIX, _ZEROED_PREFIX = ".data.", ".bss."
_TEXT_PREFIX = ".text."
# Not a kernel's: functions that are reached through pointers, or from other modules. Compilers also
# add it, without any, to a module that has data of its own.
FUNCTIONS_NAME = "Intel_Symbol_Table_Void_Program"


@dataclass(frozen=True)
class _Layout:
    """The structures of one ELF class, and how they differ."""

    header: struct.Struct  # from e_type on, which is at byte 16
    segment: struct.Struct  # its flags come second, or last but one where ``value_first``
    section: struct.Struct  # name, type, flags, address, offset, size, link, info, align, entry
    symbol: struct.Struct
    relocation: struct.Struct
    relocation_with_addend: struct.Struct
    symbol_shift: int  # r_info: the symbol's index lies above this bit, the type below
    value_first: bool  # whether st_value and st_size come before st_info


_ELF64 = _Layout(
    header=struct.Struct("<HHIQQQIHHHHHH"),
    segment=struct.Struct("<IIQQQQQQ"),
    section=struct.Struct("<IIQQQQIIQQ"),
    symbol=struct.Struct("<IBBHQQ"),
    relocation=struct.Struct("<QQ"),
    relocation_with_addend=struct.Struct("<QQq"),
    symbol_shift=32,
    value_first=False,
)
_ELF32 = _Layout(
    header=struct.Struct("<HHIIIIIHHHHHH"),
    segment=struct.Struct("<IIIIIIII"),
    section=struct.Struct("<IIIIIIIIII"),
    symbol=struct.Struct("<IIIBBH"),
    relocation=struct.Struct("<II"),
    relocation_with_addend=struct.Struct("<IIi"),
    symbol_shift=8,
    value_first=True,
)
_HEADER_AT = 16  # after e_ident
_LAYOUTS = {b"\x01\x01": _ELF32, b"\x02\x01": _ELF64}  # by class and byte order


class _Header(NamedTuple):
    """The fields of an ELF header (System V ABI, figure 4-3)."""

    type: int
    machine: int
    version: int
    entry: int
    segment_table: int
    section_table: int
    flags: int
    size: int
    segment_size: int
    segment_count: int
    section_size: int
    section_count: int
    names_index: int


@dataclass(frozen=True)
class Segment:
    """A part of the file that is loaded to ``address``, or says how that is to be done."""

    type: int
    flags: int
    offset: int
    address: int
    size: int  # bytes in the file

    @property
    def is_writable(self) -> bool:
        """Whether a program may write to it."""
        return bool(self.flags & PF_W)


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
        return None if self.code_name == FUNCTIONS_NAME else self.code_name

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

    def at(self, address: int) -> Section:
        """The same section at another address."""
        return Section(
            index=self.index,
            name=self.name,
            type=self.type,
            flags=self.flags,
            address=address,
            offset=self.offset,
            size=self.size,
            link=self.link,
            info=self.info,
        )

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


class ElfFile:
    """An ELF file in memory. Every question may raise the error that :meth:`__init__` is given."""

    def __init__(self, data: bytes, name: str, error: type[FileError]) -> None:
        """Reads the header; raises ``error``, which calls the file ``name``, when there is none of
        a little-endian file."""
        self.data = data
        self.name = name
        self._error = error
        if not data.startswith(ELF_MAGIC):
            raise error(name, "not an ELF file", 0, expected="the ELF magic")
        layout = _LAYOUTS.get(data[4:6])
        if layout is None:
            raise error(
                name,
                "an ELF file of another kind",
                4,
                expected="a little-endian one of 32 or 64 bit",
            )
        size = _HEADER_AT + layout.header.size
        if len(data) < size:
            problem = f"truncated: {len(data)} bytes do not hold an ELF header"
            raise error(name, problem, 0, expected=f"{size}")
        self._layout = layout
        self._header = _Header(*layout.header.unpack_from(data, _HEADER_AT))

    @property
    def address_bits(self) -> int:
        """Bits of addresses: 32 or 64."""
        return 64 if self._layout is _ELF64 else 32

    @property
    def type(self) -> int:
        """The ELF file type, e_type."""
        return self._header.type

    @property
    def machine(self) -> int:
        """For which machine it is, e_machine."""
        return self._header.machine

    @property
    def is_relocatable(self) -> bool:
        """Whether addresses are still to be given (a file), or are final (a debuggee's image)."""
        return self.type in _RELOCATABLE_TYPES

    @cached_property
    def segments(self) -> list[Segment]:
        """What its program headers describe, in file order; raises the file's error for damage."""
        table = self._header.segment_table
        segments = []
        for header in self._table(
            table, self._header.segment_count, self._layout.segment, "program headers"
        ):
            kind, flags, offset, address, _physical, size = header[:6]
            if self._layout.value_first:
                kind, offset, address, _physical, size, _memory, flags = header[:7]
            if kind in (PT_LOAD, PT_DYNAMIC) and offset + size > len(self.data):
                raise self._error(
                    self.name,
                    f"truncated: a segment ends at byte {offset + size:#x}, starting",
                    offset,
                    expected=f"an end within the {len(self.data):#x} bytes of the file",
                )
            segments.append(Segment(kind, flags, offset, address, size))
        return segments

    def _table(
        self, offset: int, count: int, entry: struct.Struct, what: str
    ) -> Iterator[tuple[int, ...]]:
        end = offset + count * entry.size
        if end > len(self.data):
            raise self._error(
                self.name,
                f"truncated: {count} {what} do not fit",
                offset,
                expected=f"a file of at least {end:#x} bytes, not {len(self.data):#x}",
            )
        return entry.iter_unpack(memoryview(self.data)[offset:end])

    @cached_property
    def sections(self) -> list[Section]:
        """Its sections, in file order; none where it has no table of them.

        Raises the file's error for damage, and for sections that overlap each other.
        """
        headers = list(self._section_headers())
        if not headers:
            return []
        names_index = self._header.names_index
        if names_index >= len(headers):
            raise self._error(
                self.name,
                f"section names are in section {names_index}",
                _HEADER_AT + self._layout.header.size - 2,
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
                raise self._error(
                    self.name,
                    f"the name of section {index} lies outside the section names",
                    self._header_at(index),
                    expected=f"less than {end - start:#x}",
                )
            if kind != SHT_NOBITS and offset + size > len(self.data):
                raise self._error(
                    self.name,
                    f"truncated: section {name} ends at byte {offset + size:#x}, says its header",
                    self._header_at(index),
                    expected=f"an end within the file's {len(self.data):#x} bytes",
                )
            sections.append(
                Section(
                    index=index,
                    name=name,
                    type=kind,
                    flags=flags,
                    address=address,
                    offset=offset,
                    size=size,
                    link=link,
                    info=info,
                )
            )
        claimed = sum(section.size for section in sections if section.type != SHT_NOBITS)
        if claimed > len(self.data):
            # Each could be read as often as there are sections, which takes any time and memory.
            raise self._error(
                self.name,
                f"sections overlap each other: {claimed} bytes of sections, say the headers",
                self._header_at(0),
                expected=f"at most the file's {len(self.data)}",
            )
        return sections

    def _header_at(self, index: int) -> int:
        """The byte of the file at which the header of section ``index`` starts."""
        return self._header.section_table + index * self._layout.section.size

    def _section_headers(self) -> Iterator[tuple[int, ...]]:
        entry, table = self._layout.section, self._header.section_table
        count = self._header.section_count
        if count == 0 and 0 < table <= len(self.data) - entry.size:
            # More sections than e_shnum can say: the first header's size says how many.
            count = entry.unpack_from(self.data, table)[5]
        if count and self._header.section_size != entry.size:
            raise self._error(
                self.name,
                f"section headers of {self._header.section_size} bytes",
                _HEADER_AT + self._layout.header.size - 6,
                expected=str(entry.size),
            )
        return self._table(table, count, entry, "section headers")

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
            raise self._error(
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
                raise self._error(
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


def native_module(data: bytes, name: str) -> ElfFile:
    """The ELF file of the native module ``data``; raises ZebinError, which calls it ``name``, when
    it is none. Raises OtherFormatError."""
    reason = not_zebin_reason(data)
    if reason is not None:
        raise OtherFormatError(name, reason)
    elf = ElfFile(data, name, ZebinError)
    if not elf.sections:
        raise ZebinError(name, "no sections", 0, expected="a table of section headers")
    return elf


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
