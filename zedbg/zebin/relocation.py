"""Giving the debug sections of a module file their addresses.

Intel's compiler relocates debug sections through local symbols that lie *in the section being
relocated* and whose name is the real target: ``.text.vadd`` stands for the code of vadd, any other
name for offset 0 of another debug section. Some compiler versions lose names at random; what went
through such a symbol can only be found from the DWARF around it (:func:`nameless_targets`).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from zedbg.zebin.elf import ElfContainer, ElfSymbol, Relocation, Section

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
_WRITES = {
    RelocationType.ADDR64: (struct.Struct("<Q"), 0, 0xFFFFFFFFFFFFFFFF),
    RelocationType.ADDR32: (struct.Struct("<I"), 0, 0xFFFFFFFF),
    RelocationType.ADDR32_HIGH: (struct.Struct("<I"), 32, 0xFFFFFFFF),
    RelocationType.ADDR16: (struct.Struct("<H"), 0, 0xFFFF),
}

# Address to add for one relocation of a nameless symbol: from the offset of the place.
NamelessResolver = Callable[[int], int]


@dataclass(frozen=True)
class RelocatedSection:
    """A debug section with its relocations applied, and the places that could not be resolved."""

    data: bytes
    nameless: tuple[int, ...] = ()  # offsets of 64-bit addresses that went through lost names


def relocate_debug_section(
    elf: ElfContainer, section: Section, placement: Mapping[int, int]
) -> RelocatedSection:
    """The bytes of ``section`` with its relocations applied.

    ``placement`` gives the address of each section by index. A 64-bit address that goes through a
    symbol without a name is written as if its target lay at 0, and reported.
    """
    data = bytearray(elf.section_bytes(section))
    by_name = {other.name: placement.get(other.index, other.address) for other in elf.sections}
    nameless: list[int] = []
    for entry in elf.relocations(section):
        write = _WRITES.get(entry.type)  # type: ignore[call-overload]
        if write is None or entry.offset + write[0].size > len(data):
            continue
        symbol = elf.symbols[entry.symbol_index] if entry.symbol_index < len(elf.symbols) else None
        if symbol is None:
            continue
        base = _symbol_address(symbol, elf, by_name, placement)
        if not symbol.name and entry.type == RelocationType.ADDR64:
            nameless.append(entry.offset)
        _apply(data, entry, write, base)
    return RelocatedSection(bytes(data), tuple(nameless))


def _symbol_address(
    symbol: ElfSymbol,
    elf: ElfContainer,
    by_name: Mapping[str, int],
    placement: Mapping[int, int],
) -> int:
    home = elf.sections[symbol.section_index] if symbol.section_index < len(elf.sections) else None
    if home is not None and home.name.startswith(".debug"):
        return by_name.get(symbol.name, 0) if symbol.name.startswith(_TEXT_PREFIX) else 0
    base = 0 if home is None else placement.get(home.index, home.address)
    return base + symbol.value


def _apply(
    data: bytearray, entry: Relocation, write: tuple[struct.Struct, int, int], base: int
) -> None:
    layout, shift, mask = write
    addend = entry.addend
    if addend is None:
        addend = layout.unpack_from(data, entry.offset)[0]
    layout.pack_into(data, entry.offset, (base + addend) >> shift & mask)


def add_to_addresses(data: bytes, offsets: Mapping[int, int]) -> bytes:
    """``data`` with each 64-bit address at the given offsets raised by the given amount."""
    changed = bytearray(data)
    layout = _WRITES[RelocationType.ADDR64][0]
    for offset, amount in offsets.items():
        value = layout.unpack_from(changed, offset)[0]
        layout.pack_into(changed, offset, (value + amount) & 0xFFFFFFFFFFFFFFFF)
    return bytes(changed)
