"""A file of the program in memory: its symbols, lines of source, and how its frames are unwound.

The file is an ELF file for x86-64 (System V ABI, AMD64 supplement). It may be damaged: what cannot
be read is not known.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

from elftools.common.exceptions import DWARFError, ELFError
from elftools.construct import ConstructError
from elftools.dwarf.callframe import FDE, CallFrameInfo
from elftools.dwarf.structs import DWARFStructs
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section

from zedbg.host.inlined_calls import InlinedCalls
from zedbg.host.line_numbers import LineNumbers
from zedbg.host.mappings import Mapping
from zedbg.sycl.kernel_names import demangled

# What pyelftools raises when the bytes are not what they should be.
DAMAGE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ConstructError,
    DWARFError,
    ELFError,
    LookupError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
)
_DEBUG_FILES = Path("/usr/lib/debug/.build-id")  # as Debian and others have them
_MACHINE = "EM_X86_64"
_SYMBOL = struct.Struct("<IBBHQQ")  # name, info, other, section, value, size
_FUNCTION_TYPES = (2, 10)  # STT_FUNC, STT_GNU_IFUNC
_HEADER = struct.Struct("<4B")  # of .eh_frame_hdr: version, encodings of pointer, count, table
_TABLE = (0x03, 0x3B)  # DW_EH_PE_udata4; DW_EH_PE_datarel | DW_EH_PE_sdata4: what linkers write
_HEADER_BYTES = 12
_ROW = struct.Struct("<2i")  # a function's start and its FDE, from the header's address on
_WORD = struct.Struct("<I")
_LARGEST_ENTRY = 1 << 16
_PAGE = 4096
_SIGNAL = b"S"  # in the augmentation of frames of signal handlers


@dataclass(frozen=True)
class Symbol:
    """A function, at an address of the file."""

    address: int
    size: int
    name: str


@dataclass(frozen=True)
class HostCallSite:
    """A call that was inlined: of ``function``, in ``line`` of ``file``."""

    function: str | None
    file: str | None
    line: int | None


@dataclass(frozen=True)
class FrameRules:
    """How the caller's registers are found at one address (DWARF 5, 6.4): what pyelftools read.

    ``rules`` are by DWARF numbers of registers; ``return_register`` has the caller's address.
    """

    cfa: Any
    rules: dict[int, Any]
    return_register: int
    is_signal: bool


class HostImage:
    """The file at ``path``; ``load`` is what its addresses are moved by in memory."""

    def __init__(self, path: Path, name: str, load: int) -> None:
        self.path = path
        self.name = name
        self.load = load

    @classmethod
    def mapped(cls, path: Path, name: str, mapping: Mapping) -> HostImage:
        """The file at ``path``, of which ``mapping`` is the lowest part in memory."""
        image = cls(path, name, 0)
        try:
            segments = () if image._elf is None else image._elf.iter_segments("PT_LOAD")
            starts = (
                each["p_vaddr"] - each["p_offset"] + mapping.offset
                for each in segments
                if each["p_offset"] // _PAGE == mapping.offset // _PAGE
            )
            image.load = mapping.begin - next(starts, 0) // _PAGE * _PAGE
        except DAMAGE:
            image.load = mapping.begin
        return image

    @cached_property
    def _elf(self) -> ELFFile | None:
        """None where the file is none that can be read."""
        try:
            with ExitStack() as stack:
                elf = ELFFile(stack.enter_context(self.path.open("rb")))
                stack.pop_all()
        except DAMAGE:
            return None
        return elf if elf.elfclass == 64 and elf["e_machine"] == _MACHINE else None

    @cached_property
    def text(self) -> tuple[int, int] | None:
        """The addresses in memory of the section ``.text``."""
        section = self._section(".text")
        if section is None:
            return None
        start = self.load + section["sh_addr"]
        return start, start + section["sh_size"]

    @cached_property
    def has_debug_info(self) -> bool:
        """Whether lines of source are known."""
        return self._debug is not None

    def symbol_at(self, address: int) -> Symbol | None:
        """The function that the ``address`` in memory lies in, at an address in memory."""
        found = bisect_right(self._symbols, address - self.load, key=lambda each: each.address)
        if not found:
            return None
        symbol = self._symbols[found - 1]
        if address - self.load >= symbol.address + symbol.size:
            return None
        return Symbol(symbol.address + self.load, symbol.size, demangled(symbol.name))

    def line_at(self, address: int) -> tuple[str, int] | None:
        """The file and line of the instruction at ``address`` in memory."""
        try:
            return None if self._debug is None else self._debug[0].at(address - self.load)
        except DAMAGE:
            return None

    def calls_at(self, address: int) -> tuple[HostCallSite, ...]:
        """The inlined calls that the instruction at ``address`` in memory is inside of, innermost
        first."""
        try:
            if self._debug is None:
                return ()
            lines, calls = self._debug
            unit = lines.unit_at(address - self.load)
            if unit is None:
                return ()
            return tuple(
                HostCallSite(
                    None if each.function is None else demangled(each.function),
                    lines.file(unit, each.file),
                    each.line or None,
                )
                for each in calls.at(unit, address - self.load)
            )
        except DAMAGE:
            return ()

    def frame_rules(self, address: int) -> FrameRules | None:
        """The rules at ``address`` in memory; None where the file has none."""
        try:
            return self._rules(address - self.load)
        except DAMAGE:
            return None

    # --- sections ------------------------------------------------------------------------------

    def _section(self, name: str) -> Section | None:
        try:
            return None if self._elf is None else self._elf.get_section_by_name(name)
        except DAMAGE:
            return None

    def _data(self, name: str) -> tuple[bytes, int]:
        """The bytes of a section and its address; none where there is no such section."""
        section = self._section(name)
        try:
            return (b"", 0) if section is None else (section.data(), section["sh_addr"])
        except DAMAGE:
            return b"", 0

    @cached_property
    def _separate(self) -> ELFFile | None:
        """The file that has what was stripped off, found by the build id."""
        note, _ = self._data(".note.gnu.build-id")
        build = note[16:].hex()
        path = _DEBUG_FILES / build[:2] / f"{build[2:]}.debug"
        try:
            return ELFFile(path.open("rb")) if len(build) > 2 and path.exists() else None
        except DAMAGE:
            return None

    @cached_property
    def _debug(self) -> tuple[LineNumbers, InlinedCalls] | None:
        for elf in (self._elf, self._separate):
            try:
                if elf is not None and elf.get_section_by_name(".debug_line") is not None:
                    information = elf.get_dwarf_info(follow_links=False)
                    return LineNumbers(information), InlinedCalls(information)
            except DAMAGE:
                continue
        return None

    @cached_property
    def _symbols(self) -> list[Symbol]:
        """The functions, by address, one at each."""
        found: list[tuple[int, Symbol]] = []
        for elf in (self._separate, self._elf):
            for table, strings in ((".symtab", ".strtab"), (".dynsym", ".dynstr")):
                try:
                    found += () if elf is None else _functions(elf, table, strings)
                except DAMAGE:
                    continue
        # Of names for one address that which most files see; a name may be in both tables.
        found.sort(key=lambda pair: (pair[1].address, -pair[0], pair[1].name.startswith("__")))
        best: dict[int, Symbol] = {}
        for _, symbol in found:
            best.setdefault(symbol.address, symbol)
        return list(best.values())

    # --- call frame information ----------------------------------------------------------------

    @cached_property
    def _frame_table(self) -> list[tuple[int, int]]:
        """The start of each function and where its FDE is, of ``.eh_frame_hdr`` (Linux Standard
        Base 5.0, 10.6.2)."""
        header, address = self._data(".eh_frame_hdr")
        if len(header) < _HEADER_BYTES:
            return []
        _, _, count_encoding, table_encoding = _HEADER.unpack_from(header)
        if (count_encoding, table_encoding) != _TABLE:
            return []
        (count,) = _WORD.unpack_from(header, _HEADER_BYTES - _WORD.size)
        rows = header[_HEADER_BYTES : _HEADER_BYTES + count * _ROW.size]
        whole = rows[: len(rows) // _ROW.size * _ROW.size]
        return sorted((address + start, address + fde) for start, fde in _ROW.iter_unpack(whole))

    @cached_property
    def _frames(self) -> tuple[bytes, int]:
        return self._data(".eh_frame")

    def _rules(self, address: int) -> FrameRules | None:
        index = bisect_right(self._frame_table, (address, 1 << 64)) - 1
        if index < 0:
            return None
        start, entry = self._frame_table[index]
        fde = self._frame_entry(entry)
        if (
            fde is None
            or fde.cie is None
            or not start <= address < start + fde.header["address_range"]
        ):
            return None
        table = fde.get_decoded().table
        # Rows count from where pyelftools takes the function to begin.
        own_start = fde.header["initial_location"]
        fitting = [row for row in table if row["pc"] - own_start <= address - start]
        if not fitting:
            return None
        row = fitting[-1]
        return FrameRules(
            row["cfa"],
            {key: rule for key, rule in row.items() if isinstance(key, int)},
            fde.cie.header["return_address_register"],
            _SIGNAL in fde.cie.header["augmentation"],
        )

    def _frame_entry(self, address: int) -> FDE | None:
        """The FDE at ``address`` of the file, read alone with its CIE: large files have 100,000."""
        data, start = self._frames
        at = address - start
        (size,) = _WORD.unpack_from(data, at)
        (back,) = _WORD.unpack_from(data, at + _WORD.size)
        common_at = at + _WORD.size - back
        (common_size,) = _WORD.unpack_from(data, common_at)
        if not 0 <= common_at < at or not 0 < max(size, common_size) <= _LARGEST_ENTRY:
            return None
        common = data[common_at : common_at + common_size + _WORD.size]
        own = bytearray(data[at : at + size + _WORD.size])
        _WORD.pack_into(own, _WORD.size, len(common) + _WORD.size)
        alone = BytesIO(common + own)
        structs = DWARFStructs(little_endian=True, dwarf_format=32, address_size=8)
        information = CallFrameInfo(alone, len(common) + len(own), 0, structs, for_eh_frame=True)
        entry = information.get_entries()[-1]
        return entry if isinstance(entry, FDE) else None


def _functions(elf: ELFFile, table: str, strings: str) -> Iterator[tuple[int, Symbol]]:
    """Each function of a table, with 1 for a symbol that other files see."""
    section, names = elf.get_section_by_name(table), elf.get_section_by_name(strings)
    if section is None or names is None or section["sh_type"] == "SHT_NOBITS":
        return
    data, text = section.data(), names.data()
    whole = data[: len(data) // _SYMBOL.size * _SYMBOL.size]
    for name, info, _, index, value, size in _SYMBOL.iter_unpack(whole):
        if info & 15 in _FUNCTION_TYPES and index and name < len(text):
            end = text.find(b"\0", name)
            # Tables of symbols have the version after the name.
            known = text[name:end].decode("utf-8", "replace").partition("@")[0]
            if not size and index < elf.num_sections():  # of assembly: up to the section's end
                home = elf.get_section(index)
                size = max(home["sh_addr"] + home["sh_size"] - value, 0)
            yield int(info >> 4 != 0), Symbol(value, size, known)
