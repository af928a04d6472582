"""A module's file with its debug sections relocated by zedbg, for tools that cannot relocate it."""

from __future__ import annotations

import struct

from zedbg.dwarf.reading.bytestream import ByteStream
from zedbg.dwarf.units.sections import DebugSections

_SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")

_ATOMIC_TYPE = 0x47


def with_tags(abbreviations: bytes) -> bytes:
    """``.debug_abbrev`` with a tag where an older compiler leaves it out: at atomic types. Tools
    stop reading there."""
    mended = bytearray(abbreviations)
    stream = ByteStream(abbreviations)
    while not stream.at_end:
        if not stream.uleb():
            continue
        place = stream.position
        if not stream.uleb():
            mended[place] = _ATOMIC_TYPE
        stream.block(1)
        while any([stream.uleb(), stream.uleb()]):
            pass
    return bytes(mended)


def relocated_elf(module) -> bytes:
    """The file of ``module`` with relocated debug sections, and without their relocations."""
    data = bytearray(module.data)
    sections = DebugSections(module)
    table, entry_size = struct.unpack_from("<Q", data, 0x28)[0], 64
    for section in module.sections:
        if section.name.startswith(".debug"):
            debug = sections.data(section.name)
            if debug:
                assert len(debug) == section.size
                if section.name == ".debug_abbrev":
                    debug = with_tags(debug)
                data[section.offset : section.offset + section.size] = debug
        elif section.name.startswith(".rela.debug"):
            at = table + section.index * entry_size
            fields = list(_SECTION_HEADER.unpack_from(data, at))
            fields[1], fields[5] = 0, 0  # no type, no size: nothing left to apply
            _SECTION_HEADER.pack_into(data, at, *fields)
    return bytes(data)
