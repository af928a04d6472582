"""Compacted encoding of Xe-HPC (pvc): 8-byte words, and the tables that expand them.

Xe2 has the same layout with tables of its own. The tables are what `iga64` makes of every value of
every index, written as the bits of the native fields that the index stands for.
"""

from dataclasses import dataclass

from zedbg.xe.isa.compaction import CompactForm, Copied, Looked
from zedbg.xe.isa.fields import bit, bits, join
from zedbg.xe.isa.names import DataType
from zedbg.xe.isa.opcodes import Format
from zedbg.xe.isa.xe_hpg import IMMEDIATE_TYPES

# Execution size and offset, flag, predicate, mask, atomic, saturate, condition.
_CONTROL = join(bits(28, 18), bits(32, 31), bit(34), bits(95, 92))
_SOURCE0_TYPE = bits(43, 40)
_SOURCE0_IS_IMMEDIATE, _SOURCE1_IS_IMMEDIATE = bit(46), bit(47)
_SOURCE1_TYPE = bits(91, 88)
# Types, register files, immediates, stride of the destination.
_TYPES = join(
    *(bits(39, 36), _SOURCE0_TYPE, _SOURCE0_IS_IMMEDIATE, _SOURCE1_IS_IMMEDIATE),
    *(bits(50, 48), bit(66), _SOURCE1_TYPE, bit(98)),
)
# Byte offsets of destination and source 0, the odd byte first.
_SUBREGISTERS = join(bit(33), bits(55, 51), bit(87), bits(71, 67))
# Modifiers and region.
_SOURCE0 = join(bits(45, 44), bits(65, 64), bits(86, 80))
# Modifiers, region and byte offset.
_SOURCE1 = join(bits(97, 96), bits(103, 99), bits(121, 112))

# As above, and the types of all operands.
_TERNARY_CONTROL = join(
    *(bits(28, 18), bits(32, 31), bit(34), bits(42, 36), bits(50, 48), bits(82, 80)),
    *(bits(90, 88), bits(95, 92)),
)
# Modifiers, files and regions of the three sources.
_TERNARY_SOURCES = join(
    bit(35), bits(45, 43), bits(66, 64), bits(87, 83), bit(91), bits(98, 96), bits(114, 112)
)
# Byte offsets of all operands.
_TERNARY_SUBREGISTERS = join(bits(55, 51), bits(71, 67), bits(103, 99), bits(119, 115))


@dataclass(frozen=True)
class CompactTables:
    """The values of one platform's indices."""

    control: tuple[int, ...]
    types: tuple[int, ...]
    subregisters: tuple[int, ...]
    source0: tuple[int, ...]
    source1: tuple[int, ...]
    ternary_control: tuple[int, ...]
    ternary_sources: tuple[int, ...]
    ternary_subregisters: tuple[int, ...]
    systolic_control: tuple[int, ...]
    systolic_sources: tuple[int, ...]


# fmt: off
# Index: bits 22:18.
_CONTROL_VALUES = (
    0x00004, 0x00800, 0x00084, 0x00000, 0x00802, 0x00005, 0x00803, 0x00804,
    0x14802, 0x10802, 0x00801, 0x10800, 0x14800, 0x14803, 0x14004, 0x10803,
    0x10004, 0x08000, 0x14005, 0x0C000, 0x10005, 0x0C800, 0x04800, 0x00884,
    0x38800, 0x00003, 0x04004, 0x00104, 0x00125, 0x00002, 0x14025, 0x14015,
)

# Index: bits 31:30 and 28:26.
_TYPES_VALUES = (
    0x5F477, 0x00400, 0x03422, 0x6B4AA, 0x17677, 0x034AA, 0x03433, 0x015AA,
    0x1B667, 0x5B466, 0x6F4BB, 0x03822, 0x17666, 0x03466, 0x01522, 0x01556,
    0x16666, 0x1B677, 0x03477, 0x00520, 0x6A4AA, 0x04622, 0x4B477, 0x02422,
    0x46466, 0x03C22, 0x034AD, 0x17627, 0x1B666, 0x07622, 0x17667, 0x0B622,
)

# Index: bits 51:48.
_SUBREGISTERS_VALUES = (
    0x000, 0x800, 0x100, 0x400, 0x200, 0x004, 0x008, 0x020,
    0x300, 0x010, 0xC00, 0x208, 0xA00, 0x600, 0x00C, 0x410,
)

# Index: bits 25:23.
_SOURCE0_VALUES = (
    0x100, 0x000, 0x200, 0x300, 0x710, 0x102, 0x002, 0x110,
)

# Index: bits 55:52.
_SOURCE1_VALUES = (
    0x00000, 0x00800, 0x00010, 0x00050, 0x01000, 0x10800, 0x00040, 0x00020,
    0x00018, 0x00008, 0x00030, 0x00060, 0x00070, 0x00840, 0x00820, 0x01808,
)

# Index: bits 21:18.
_TERNARY_CONTROL_VALUES = (
    0x1B8EC004, 0x1B8EC084, 0x1B0EC004, 0x128A8005, 0x120A8005, 0x1B0EC084,
    0x128A8004, 0x36998005, 0x2A8A8004, 0x1B8EC800, 0x1B0EC003, 0x120A8004,
    0x2A0A8004, 0x36998004, 0x2A8B4004, 0x36998800,
)

# Index: bits 25:22.
_TERNARY_SOURCES_VALUES = (
    0x582C1, 0x580C1, 0x48081, 0x58281, 0x58081, 0x5B852, 0x53052, 0x48881,
    0x48040, 0x480C1, 0x58001, 0x58041, 0x5B052, 0x480C0, 0x488C1, 0x500C0,
)

# Index: bits 31:30 and 28:26.
_TERNARY_SUBREGISTERS_VALUES = (
    0x00000, 0x80000, 0x04000, 0xE0000, 0x40000, 0xA0000, 0x20000, 0x60000,
    0xC0000, 0x02101, 0x02102, 0x0A103, 0x20806, 0x004E8, 0x20C27, 0x3A101,
    0x22105, 0x29880, 0x00804, 0x00300, 0x01000, 0x00280, 0x02000, 0x10000,
    0x00800, 0xB0000, 0x90000, 0x30000, 0x50000, 0xD0000, 0x70000, 0xF0000,
)

# Index: bits 21:18.
_SYSTOLIC_CONTROL_VALUES = (
    0x00F99004, 0x04F99004, 0x20F99004, 0x24F99004, 0x00F98004, 0x24F98004,
    0x2DEA9004, 0x2DF69004, 0x2DEB5004, 0x2DF75004, 0x2DEA8004, 0x09EA9004,
    0x09E69004, 0x09EA5004, 0x09E65004, 0x09EA8004,
)

# Index: bits 25:22.
_SYSTOLIC_SOURCE_VALUES = (
    0x48040, 0x48140, 0x48240, 0x48440, 0x48540, 0x48640, 0x48840, 0x48940,
    0x48A40, 0x48042, 0x48142, 0x48442, 0x48542, 0x48A42, 0x4804E, 0x4854E,
)
# fmt: on

TABLES = CompactTables(
    control=_CONTROL_VALUES,
    types=_TYPES_VALUES,
    subregisters=_SUBREGISTERS_VALUES,
    source0=_SOURCE0_VALUES,
    source1=_SOURCE1_VALUES,
    ternary_control=_TERNARY_CONTROL_VALUES,
    ternary_sources=_TERNARY_SOURCES_VALUES,
    ternary_subregisters=_TERNARY_SUBREGISTERS_VALUES,
    systolic_control=_SYSTOLIC_CONTROL_VALUES,
    systolic_sources=_SYSTOLIC_SOURCE_VALUES,
)

_SCOREBOARD = Copied(bits(17, 8), bits(17, 8))
_DESTINATION = Copied(bits(39, 32), bits(63, 56))
_REGISTER0 = Copied(bits(47, 40), bits(79, 72))
_REGISTER1 = Copied(bits(63, 56), bits(111, 104))
_REGISTER2 = Copied(bits(55, 48), bits(127, 120))
_WIDE_INDEX = join(bits(28, 26), bits(31, 30))

_TWELVE_BITS = join(bits(55, 52), bits(63, 56))
# How an immediate takes the twelve bits: integers extended, words twice, a float at its top.
_DWORD = bits(127, 96)
_WORDS = (bits(111, 96), bits(127, 112))
_IMMEDIATES = {
    DataType.D: (Copied(_TWELVE_BITS, _DWORD, signed=True),),
    DataType.UD: (Copied(_TWELVE_BITS, _DWORD),),
    DataType.W: tuple(Copied(_TWELVE_BITS, word, signed=True) for word in _WORDS),
    DataType.UW: tuple(Copied(_TWELVE_BITS, word) for word in _WORDS),
    DataType.F: (Copied(_TWELVE_BITS, bits(127, 116)),),
}


def _immediate_type(types: int) -> DataType | None:
    """The type of the immediate of a value of `_TYPES`; None without an immediate."""
    native = _TYPES.insert(types)
    if _SOURCE0_IS_IMMEDIATE.extract(native):
        return IMMEDIATE_TYPES[_SOURCE0_TYPE.extract(native)]
    if _SOURCE1_IS_IMMEDIATE.extract(native):
        return IMMEDIATE_TYPES[_SOURCE1_TYPE.extract(native)]
    return None


def compact_forms(tables: CompactTables) -> tuple[CompactForm, ...]:
    """The compact layouts with one platform's tables."""

    def basic(
        immediate: DataType | None, copied: tuple[Copied, ...], looked: tuple[Looked, ...] = ()
    ) -> CompactForm:
        """The form of the words that have an immediate of this type."""
        types = tuple(
            value if _immediate_type(value) is immediate else None for value in tables.types
        )
        return CompactForm(
            formats=(Format.SYNC, Format.UNARY, Format.BINARY),
            copied=(_SCOREBOARD, _DESTINATION, _REGISTER0, *copied),
            looked=(
                Looked(bits(22, 18), _CONTROL, tables.control),
                Looked(_WIDE_INDEX, _TYPES, types),
                Looked(bits(51, 48), _SUBREGISTERS, tables.subregisters),
                Looked(bits(25, 23), _SOURCE0, tables.source0),
                *looked,
            ),
        )

    def ternary(
        formats: tuple[Format, ...], control: tuple[int, ...], sources: tuple[int, ...]
    ) -> CompactForm:
        return CompactForm(
            formats=formats,
            copied=(_SCOREBOARD, _DESTINATION, _REGISTER0, _REGISTER1, _REGISTER2),
            looked=(
                Looked(bits(21, 18), _TERNARY_CONTROL, control),
                Looked(bits(25, 22), _TERNARY_SOURCES, sources),
                Looked(_WIDE_INDEX, _TERNARY_SUBREGISTERS, tables.ternary_subregisters),
            ),
        )

    return (
        basic(None, (_REGISTER1,), (Looked(bits(55, 52), _SOURCE1, tables.source1),)),
        *(basic(kind, copied) for kind, copied in _IMMEDIATES.items()),
        ternary(
            (Format.TERNARY, Format.BFN, Format.MADM),
            tables.ternary_control,
            tables.ternary_sources,
        ),
        ternary((Format.DPAS,), tables.systolic_control, tables.systolic_sources),
    )


COMPACT_FORMS = compact_forms(TABLES)
