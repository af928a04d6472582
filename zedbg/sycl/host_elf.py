"""A host program's ELF file as it lies in memory after loading: addresses, pointers and strings.

Device images are registered through structures full of pointers. In a shared library these are
relative relocations, of which large libraries have hundreds of thousands; they are read in one
sweep. Pointers without an entry there (in programs at fixed addresses, or packed as RELR) lie in
place. Sources: the System V ABI and its x86-64 and AArch64 supplements.
"""

from __future__ import annotations

import struct
import sys
from array import array
from functools import cached_property
from itertools import compress

from zedbg.sycl.read_budget import ReadBudget
from zedbg.sycl.sycl_errors import SyclError
from zedbg.zebin.elf import ET_REL, PT_DYNAMIC, PT_LOAD, SHT_NOBITS, ElfFile, Section

_RELA = struct.Struct("<QQq")
_DYNAMIC = struct.Struct("<qQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_POINTER = struct.Struct("<Q")
_DT_SYMTAB, _DT_RELA, _DT_RELASZ = 6, 7, 8
# Relocation types by machine: base + addend, and symbol + addend.
_RELATIVE = {62: 8, 183: 1027}
_ABSOLUTE = {62: 1, 183: 257}
_MAXIMUM_STRING = 1 << 16  # bytes; mangled names reach a few hundred
_ADDRESS_MASK = (1 << 64) - 1


def words_of(data: memoryview) -> array[int]:
    """The little-endian 64-bit words of ``data``, whose size is a multiple of theirs."""
    words = array("Q", bytes(data))
    if sys.byteorder == "big":
        words.byteswap()
    return words


class HostElf:
    """A 64-bit little-endian ELF file of the host."""

    def __init__(self, data: bytes, source: str) -> None:
        """Reads the headers; raises SyclError when ``data`` is no such file."""
        self.data = data
        self.source = source
        self.budget = ReadBudget(source, len(data))
        self._shared_strings: dict[int, str] = {}
        self._elf = ElfFile(data, source, SyclError)
        if self._elf.address_bits != 64:
            raise SyclError(source, "an ELF file of 32 bit", 4, expected="one of 64 bit")
        self.segments = [each for each in self._elf.segments if each.type == PT_LOAD]

    @property
    def is_object_file(self) -> bool:
        """Whether it is not linked yet."""
        return self._elf.type == ET_REL

    def sections(self, prefix: str) -> list[Section]:
        """The sections with bytes whose names start with ``prefix``, in file order.

        Raises SyclError when the section headers are damaged.
        """
        return [
            section
            for section in self._elf.sections
            if section.type != SHT_NOBITS and section.name.startswith(prefix)
        ]

    def file_offset(self, address: int, size: int = 1) -> int | None:
        """Where the ``size`` bytes at ``address`` lie in the file; None when they do not."""
        for segment in self.segments:
            start = address - segment.address
            if start >= 0 and start + size <= segment.size:
                return segment.offset + start
        return None

    def bytes_at(self, address: int, size: int, what: str) -> memoryview:
        """The bytes at ``address``; raises SyclError, which calls them ``what``."""
        return memoryview(self.data)[self.require(address, size, what) :][:size]

    def require(self, address: int, size: int, what: str) -> int:
        """The file offset of ``size`` bytes at ``address``; raises SyclError if there are none."""
        offset = self.file_offset(address, size)
        if offset is None:
            raise SyclError(
                self.source,
                "there is no such address in the file",
                part=f"{what} at address {address:#x}",
                expected=f"{size} bytes in the file",
            )
        return offset

    def string_at(self, address: int, what: str) -> str:
        """The zero-terminated text at ``address``; empty for a null pointer.

        Raises SyclError, which calls it ``what``, when the file does not hold all of it.
        """
        if address == 0:
            return ""
        offset = self.require(address, 1, what)
        end = self.data.find(b"\0", offset, offset + _MAXIMUM_STRING)
        if end < 0:
            raise SyclError(
                self.source,
                f"{what}: it has no end",
                offset,
                expected=f"a string of at most {_MAXIMUM_STRING} bytes",
            )
        self.budget.spend(end - offset, offset)
        return self.data[offset:end].decode("utf-8", "replace")

    def shared_string_at(self, address: int, what: str) -> str:
        """As :meth:`string_at`, for a text that many structures point to: read once."""
        text = self._shared_strings.get(address)
        if text is None:
            text = self._shared_strings[address] = self.string_at(address, what)
        return text

    def pointers_in(self, address: int, count: int, what: str) -> list[int]:
        """The ``count`` pointers that lie one after the other from ``address``."""
        offset = self.require(address, count * _POINTER.size, what)
        places = range(address, address + count * _POINTER.size, _POINTER.size)
        stored = struct.unpack_from(f"<{count}Q", self.data, offset)
        return list(map(self.relocated_pointers.get, places, stored))

    def pointer_at(self, address: int) -> int:
        """The pointer stored at ``address``, as the loader would leave it (base address 0)."""
        relocated = self.relocated_pointers.get(address)
        if relocated is not None:
            return relocated
        offset = self.require(address, _POINTER.size, "pointer")
        value: int = _POINTER.unpack_from(self.data, offset)[0]
        return value

    @cached_property
    def relocated_pointers(self) -> dict[int, int]:
        """Pointers that relocation entries give a value, by the address at which they lie."""
        dynamic = self._dynamic_entries
        address, size = dynamic.get(_DT_RELA), dynamic.get(_DT_RELASZ)
        relative, absolute = _RELATIVE.get(self._elf.machine), _ABSOLUTE.get(self._elf.machine)
        if not address or not size or relative is None or absolute is None:
            return {}
        usable = size - size % _RELA.size
        table = self.bytes_at(address, usable, "relocation table")
        words = words_of(table)
        places, kinds, addends = words[0::3], words[1::3], words[2::3]
        # Linkers sort the relative ones to the front, which spares a look at each.
        first = kinds.count(relative)
        if kinds[:first].count(relative) == first:
            pointers = dict(zip(places[:first], addends[:first], strict=True))
        else:
            pairs = zip(places, addends, strict=True)
            pointers = dict(compress(pairs, map(relative.__eq__, kinds)))
        symbols = dynamic.get(_DT_SYMTAB, 0)
        others = compress(zip(places, kinds, addends, strict=True), map(relative.__ne__, kinds))
        for place, info, addend in others if symbols else ():
            if info & 0xFFFFFFFF == absolute:
                at = self.file_offset(symbols + (info >> 32) * _SYMBOL.size, _SYMBOL.size)
                if at is not None and (value := _SYMBOL.unpack_from(self.data, at)[4]):
                    pointers[place] = (value + addend) & _ADDRESS_MASK
        return pointers

    @property
    def _dynamic_entries(self) -> dict[int, int]:
        for segment in self._elf.segments:
            if segment.type == PT_DYNAMIC:
                usable = segment.size - segment.size % _DYNAMIC.size
                return dict(
                    _DYNAMIC.iter_unpack(self.data[segment.offset : segment.offset + usable])
                )
        return {}
