"""The image of a module that Intel's driver gives to debuggers, made as that driver makes it.

Facts: the driver's published behaviour, down to what it leaves undone: a code address in a debug
section is relocated by the *name* of its symbol, so that it stays an offset where the compiler has
lost that name; imports count as 0; zeroed data have no address of their own.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from io import BytesIO
from typing import NamedTuple

from elftools.elf.elffile import ELFFile

_TEXT, _DEBUG = ".text.", ".debug_"
_DATA = (".data.const", ".data.global")
_STRINGS = ".data.const.string"
_ET_EXEC, _PT_LOAD, _PROGRAM_HEADER, _ALIGNMENT = 2, 1, 56, 8
# R_ZE_SYM_ADDR, R_ZE_SYM_ADDR_32, R_ZE_SYM_ADDR_32_HI: how each is written, and its right shift.
_WRITES = {1: ("<Q", 0), 2: ("<I", 0), 3: ("<I", 32)}


class Segment(NamedTuple):
    """Where a section lies on the device, and how many bytes are mapped there."""

    address: int
    size: int


def intel_debug_image(zebin: bytes, segments: Mapping[str, Segment]) -> bytes:
    """The image of ``zebin``; ``segments`` are its sections on the device, by name."""
    elf = ELFFile(BytesIO(zebin))
    sections = list(elf.iter_sections())
    image = bytearray(zebin)

    def segment_of(name: str) -> Segment | None:
        known = name.startswith(_TEXT) or name in (*_DATA, _STRINGS)
        return segments.get(name) if known else None

    values = _raised_symbols(elf, sections, segment_of)
    table = elf.get_section_by_name(".symtab")
    for index, value in enumerate(values):
        struct.pack_into("<Q", image, table["sh_offset"] + 24 * index + 8, value)
    for relocations in sections:
        if relocations["sh_type"] not in ("SHT_REL", "SHT_RELA"):
            continue
        target = sections[relocations["sh_info"]]
        for entry in relocations.iter_relocations():
            if entry["r_info_type"] in _WRITES:
                layout, shift = _WRITES[entry["r_info_type"]]
                addend = entry["r_addend"] if relocations.is_RELA() else 0
                value = (values[entry["r_info_sym"]] + addend) & 0xFFFFFFFFFFFFFFFF
                mask = (1 << 8 * struct.calcsize(layout)) - 1
                place = target["sh_offset"] + entry["r_offset"]
                struct.pack_into(layout, image, place, value >> shift & mask)

    loads = []
    for index, section in enumerate(sections):
        segment = segment_of(section.name)
        if segment is not None:
            header = elf["e_shoff"] + index * elf["e_shentsize"]
            struct.pack_into("<Q", image, header + 0x10, segment.address)
            if section.name != _STRINGS:
                loads.append((segment, section["sh_offset"], section["sh_size"]))
    headers = len(image)
    for segment, offset, size in sorted(loads):
        image += struct.pack(
            "<IIQQQQQQ", _PT_LOAD, 0, offset, segment.address, 0, size, segment.size, _ALIGNMENT
        )
    struct.pack_into("<H", image, 0x10, _ET_EXEC)
    struct.pack_into("<Q", image, 0x20, headers)
    struct.pack_into("<HH", image, 0x36, _PROGRAM_HEADER, len(loads))
    return bytes(image)


def _raised_symbols(elf, sections, segment_of) -> list[int]:
    values = []
    for symbol in elf.get_section_by_name(".symtab").iter_symbols():
        home = symbol["st_shndx"]
        home_name = sections[home].name if isinstance(home, int) else ""
        segment = segment_of(home_name)
        if home_name.startswith(_DEBUG) and symbol.name.startswith(_TEXT):
            segment = segment_of(symbol.name)
        values.append(symbol["st_value"] + (0 if segment is None else segment.address))
    return values
