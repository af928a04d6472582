"""How a core file is laid out: an ELF file of type CORE; docs/core-files.md describes it."""

from __future__ import annotations

import struct
from enum import IntEnum

ET_CORE = 4
EM_INTELGT = 205  # of the ELF specification's list of machines
PT_LOAD = 1
PT_NOTE = 4
PF_R = 4
OWNER = b"zedbg\0"
VERSION = 2  # of the layout

IDENTIFICATION = b"\x7fELF\x02\x01\x01" + bytes(9)  # 64 bit, little-endian
HEADER = struct.Struct("<HHIQQQIHHHHHH")  # after the identification
SEGMENT = struct.Struct("<IIQQQQQQ")  # type, flags, offset, address, physical, in file, size, align
NOTE = struct.Struct("<III")  # bytes of the name, bytes of the contents, type
MOST_SEGMENTS = 0xFFFE

# What a note of a thread begins with: the device, the thread's place, its flags, its GRFs, how many
# sets follow, bytes of the reason.
THREAD = struct.Struct("<I4IIIII")
REGISTER_SET = struct.Struct("<II")  # the driver's number of the set, bytes
# What a note of shared local memory begins with: the device, how many places of threads follow.
LOCAL_MEMORY = struct.Struct("<II")
PLACE = struct.Struct("<4I")


class NoteKind(IntEnum):
    """The types of notes of the owner ``zedbg``. GDB reads notes of any owner by their types: these
    are none of its own."""

    PROGRAM = 0x5A440001  # the program, its devices and modules, as JSON
    THREAD = 0x5A440002
    LOCAL_MEMORY = 0x5A440003


class ThreadFlag(IntEnum):
    """Bits of a thread's flags."""

    TOOK_EXCEPTION = 1


def padded(size: int) -> int:
    """``size`` with what fills it up to a multiple of four bytes."""
    return size + 3 & ~3
