"""Giving the debug sections of a module file their addresses.

Intel's compiler relocates debug sections through local symbols that lie *in the section being
relocated* and whose name is the real target: ``.text.vadd`` stands for the code of vadd, any other
name for offset 0 of another debug section. Some compiler versions lose names at random; what went
through such a symbol can only be found from the DWARF around it
(:mod:`zedbg.dwarf.reading.lost_bases`).
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from functools import cached_property
from io import BytesIO

from zedbg.zebin.elf import ElfFile, ElfSymbol, Relocation, Section

_TEXT_PREFIX = ".text"


class RelocationType(IntEnum):
    """The relocations of the zebin specification, R_ZE_SYM_ADDR and its kin."""

    NONE = 0
    ADDR64 = 1
    ADDR32 = 2  # or the lower half of a 64-bit address
    ADDR32_HIGH = 3
    PAYLOAD_OFFSET32 = 4  # of per-thread data; deprecated
    GLOBAL_IMMEDIATE32 = 5
    SEND = 6  # a send instruction's function
    ADDR16 = 7

    @property
    def specified_name(self) -> str:
        """The name in the specification: ``R_ZE_SYM_ADDR_32``."""
        return _SPECIFIED_NAMES[self]


_SPECIFIED_NAMES = {
    RelocationType.NONE: "R_ZE_NONE",
    RelocationType.ADDR64: "R_ZE_SYM_ADDR",
    RelocationType.ADDR32: "R_ZE_SYM_ADDR_32",
    RelocationType.ADDR32_HIGH: "R_ZE_SYM_ADDR_32_HI",
    RelocationType.PAYLOAD_OFFSET32: "R_PER_THREAD_PAYLOAD_OFFSET_32",
    RelocationType.GLOBAL_IMMEDIATE32: "R_GLOBAL_IMM_32",
    RelocationType.SEND: "R_SEND",
    RelocationType.ADDR16: "R_ZE_SYM_ADDR_16",
}


def relocation_name(number: int) -> str:
    """The specification's name of a relocation type; the number when it has none."""
    try:
        return RelocationType(number).specified_name
    except ValueError:
        return f"type {number}"


# How each type that debug sections use is written: format, right shift and mask of the value.
_WRITES: dict[int, tuple[struct.Struct, int, int]] = {
    RelocationType.ADDR64: (struct.Struct("<Q"), 0, 0xFFFFFFFFFFFFFFFF),
    RelocationType.ADDR32: (struct.Struct("<I"), 0, 0xFFFFFFFF),
    RelocationType.ADDR32_HIGH: (struct.Struct("<I"), 32, 0xFFFFFFFF),
    RelocationType.ADDR16: (struct.Struct("<H"), 0, 0xFFFF),
}


class DebugSection:
    """A debug section of a module. Its addresses are written part by part, as parts are asked for:
    a module of a thousand kernels has tens of thousands of them, and one kernel few.
    """

    def __init__(
        self,
        data: bytes,
        entries: Sequence[Relocation],
        symbols: Sequence[ElfSymbol],
        base_of: Callable[[ElfSymbol], int] | None,
    ) -> None:
        """``entries`` are to be applied to ``data``, and go through ``symbols``.

        ``base_of`` gives the address that a symbol stands for. None says that ``data`` have their
        addresses already, but for those whose symbol has lost its name.
        """
        self.stream = BytesIO(data)  # shows what has been written so far
        self._original = data
        self._entries = sorted(entries, key=_offset)
        self._symbols = symbols
        self._base_of = base_of
        self._done: set[tuple[int, int]] = set()

    @property
    def size(self) -> int:
        """Bytes of the section."""
        return len(self._original)

    @property
    def data(self) -> bytes:
        """The whole section; addresses through lost names are written as if from 0, or raised."""
        self.relocate(0, self.size)
        return self.stream.getvalue()

    def relocate(self, start: int, end: int) -> tuple[int, ...]:
        """Writes the addresses from ``start`` up to ``end`` (offsets in the section, bytes).

        A 64-bit address that goes through a symbol without a name is written as if its target lay
        at 0; the offsets of these are returned, once. See :meth:`raise_addresses`.
        """
        nameless = []
        for entry in self._between(start, end):
            if (entry.offset, entry.type) in self._done:
                continue
            self._done.add((entry.offset, entry.type))
            write = _WRITES.get(entry.type)
            if write is None or entry.offset + write[0].size > self.size:
                continue
            if entry.symbol_index >= len(self._symbols):
                continue
            if self._is_nameless(entry):
                nameless.append(entry.offset)
            if self._base_of is not None:
                self._write(entry, write, self._base_of(self._symbols[entry.symbol_index]))
        return tuple(nameless)

    def raise_addresses(self, offsets: Iterable[int], amount: int) -> None:
        """Adds ``amount`` to the 64-bit addresses at ``offsets``."""
        layout = _WRITES[RelocationType.ADDR64][0]
        with self.stream.getbuffer() as view:
            for offset in offsets:
                value = layout.unpack_from(view, offset)[0]
                layout.pack_into(view, offset, (value + amount) & 0xFFFFFFFFFFFFFFFF)

    def places_of(self, symbol_name: str) -> list[int]:
        """Offsets of the addresses that go through a symbol called ``symbol_name``."""
        return list(self._places_by_symbol.get(symbol_name, ()))

    @cached_property
    def _places_by_symbol(self) -> dict[str, list[int]]:
        by_index: dict[int, list[int]] = {}
        for entry in self._entries:
            by_index.setdefault(entry.symbol_index, []).append(entry.offset)
        by_name: dict[str, list[int]] = {}
        for index, places in by_index.items():
            if index < len(self._symbols):
                by_name.setdefault(self._symbols[index].name, []).extend(places)
        return by_name

    def _between(self, start: int, end: int) -> Sequence[Relocation]:
        low = bisect_left(self._entries, start, key=_offset)
        return self._entries[low : bisect_left(self._entries, end, lo=low, key=_offset)]

    def _is_nameless(self, entry: Relocation) -> bool:
        if entry.type != RelocationType.ADDR64 or entry.symbol_index >= len(self._symbols):
            return False
        if self._symbols[entry.symbol_index].name:
            return False
        # Where addresses are written already, what its producer left alone still is the addend.
        if self._base_of is not None:
            return True
        at = entry.offset
        return int.from_bytes(self._original[at : at + 8], "little") == entry.addend

    def _write(self, entry: Relocation, how: tuple[struct.Struct, int, int], base: int) -> None:
        layout, shift, mask = how
        with self.stream.getbuffer() as view:
            addend = entry.addend
            if addend is None:
                addend = layout.unpack_from(view, entry.offset)[0]
            layout.pack_into(view, entry.offset, (base + addend) >> shift & mask)


def debug_section(elf: ElfFile, section: Section, addresses: Sequence[int]) -> DebugSection:
    """The debug section ``section``; ``addresses`` are those of the module's sections, by index."""
    bases: dict[ElfSymbol, int] = {}
    by_name = {other.name: addresses[other.index] for other in reversed(elf.sections)}

    def base_of(symbol: ElfSymbol) -> int:
        if symbol not in bases:
            bases[symbol] = _symbol_address(symbol, elf, by_name, addresses)
        return bases[symbol]

    return DebugSection(
        elf.section_bytes(section),
        elf.relocations(section),
        elf.symbols,
        base_of if elf.is_relocatable else None,
    )


def _symbol_address(
    symbol: ElfSymbol,
    elf: ElfFile,
    by_name: Mapping[str, int],
    addresses: Sequence[int],
) -> int:
    home = elf.sections[symbol.section_index] if symbol.section_index < len(elf.sections) else None
    if home is not None and home.name.startswith(".debug"):
        return by_name.get(symbol.name, 0) if symbol.name.startswith(_TEXT_PREFIX) else 0
    return symbol.value + (0 if home is None else addresses[home.index])


def _offset(entry: Relocation) -> int:
    return entry.offset
