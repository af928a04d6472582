"""Compacted encoding of Xe-HPG (dg2): 8-byte words, and the tables that expand them.

The tables are what `iga64` makes of every value of every index, written as the bits of the native
fields that the index stands for.
"""

from zedbg.xe.isa.compaction import CompactForm, Copied, Looked
from zedbg.xe.isa.fields import Field, bit, bits, join
from zedbg.xe.isa.opcodes import Format

# Execution size and offset, flag, predicate, mask, atomic, AccWrEn, saturate, condition.
_CONTROL = join(bits(28, 16), bits(34, 31), bits(95, 92))
# Types, register files, immediates, stride of the destination.
_TYPES = join(bits(43, 36), bits(47, 46), bits(50, 48), bit(66), bits(91, 88), bit(98))
# Byte offsets of destination and source 0, and of source 1: an immediate lies where it does.
_SUBREGISTERS = join(bits(55, 51), bits(71, 67))
_SUBREGISTER1 = bits(103, 99)
# Modifiers and region.
_SOURCE0 = join(bits(45, 44), bits(65, 64), bits(87, 80))
_SOURCE1 = join(bits(97, 96), bits(121, 112))

# fmt: off
# Index: bits 28:24.
_CONTROL_VALUES = (
    0x000004, 0x000003, 0x002000, 0x002004, 0x002003, 0x080004,
    0x000024, 0x0A0004, 0x000000, 0x010004, 0x000013, 0x060004,
    0x020004, 0x022004, 0x040004, 0x000104, 0x0A0003, 0x000184,
    0x002001, 0x000144, 0x0001C4, 0x082004, 0x000023, 0x000033,
    0x0A2004, 0x080003, 0x022000, 0x010003, 0x0A0084, 0x020003,
    0x008003, 0x002024,
)

# Index: bits 34:30.
_TYPE_VALUES = (
    0x6B4AA, 0x034AA, 0x015AA, 0x2B6AA, 0x6A4AA, 0x694AA, 0x2A6AA, 0x00400,
    0x684AA, 0x17666, 0x5B466, 0x296AA, 0x4B422, 0x286AA, 0x1B666, 0x0B622,
    0x038AA, 0x16666, 0x00411, 0x01422, 0x13615, 0x07611, 0x4B822, 0x034A6,
    0x46466, 0x0342A, 0x17626, 0x01411, 0x0341A, 0x0340A, 0x0346A, 0x014AA,
)

# Index: bits 39:35. Destination and source 0 in the lower ten bits, source 1 above.
_SUBREGISTER_VALUES = (
    0x0000, 0x4000, 0x1000, 0x3000, 0x0080, 0x2000, 0x5000, 0x0008,
    0x0100, 0x6000, 0x7000, 0x0200, 0x0004, 0x0300, 0x0280, 0x0180,
    0x0380, 0x001C, 0x0010, 0x000C, 0x0018, 0x0014, 0x0002, 0x0140,
    0x0040, 0x0084, 0x005C, 0x0042, 0x018C, 0x0020, 0x0060, 0x6300,
)

# Index: bits 51:48.
_SOURCE0_VALUES = (
    0x100, 0x000, 0x102, 0x101, 0x002, 0x200, 0x240, 0x340,
    0x300, 0x103, 0x001, 0xF10, 0x460, 0x140, 0x448, 0x202,
)

# Index: bits 55:52.
_SOURCE1_VALUES = (
    0x040, 0x000, 0x840, 0x800, 0x440, 0x8D0, 0x080, 0x0D0,
    0x0C0, 0xC40, 0x400, 0xC00, 0x118, 0x880, 0x809, 0x844,
)
# fmt: on

# How an index of _TYPE_VALUES has source 1 (or 0, for index 2) take the twelve bits that source 1
# has otherwise: as an integer, sign- or zero-extended, or as the upper bits of a float.
_SIGNED_IMMEDIATES = frozenset({9, 14, 17, 26})
_UNSIGNED_IMMEDIATES = frozenset({15, 20, 21})
_FLOAT_IMMEDIATES = frozenset({2, 3, 6, 11, 13})
_IMMEDIATES = _SIGNED_IMMEDIATES | _UNSIGNED_IMMEDIATES | _FLOAT_IMMEDIATES

# As above, and the types of all operands.
_TERNARY_CONTROL = join(
    bits(28, 16), bits(34, 31), bits(42, 36), bits(50, 48), bits(82, 80), bits(90, 88), bits(95, 92)
)
# Modifiers, files and regions of the three sources.
_TERNARY_SOURCES = join(
    bit(35), bits(45, 43), bits(66, 64), bits(87, 83), bit(91), bits(98, 96), bits(114, 112)
)
# Byte offsets of the three sources; that of the destination is zero.
_TERNARY_SUBREGISTERS = join(bits(71, 67), bits(103, 99), bits(119, 115))

# fmt: off
# Index: bits 28:24.
_TERNARY_CONTROL_VALUES = (
    0x0094540004, 0x0094540003, 0x0090540003, 0x0094542003, 0x0090542003, 0x0090540013,
    0x0094540013, 0x0090542013, 0x0094542013, 0x0094542004, 0x0090540004, 0x0094550004,
    0x0094540024, 0x0090542004, 0x0094542000, 0x0094550003, 0x0090542023, 0x0090542033,
    0x0094542023, 0x0094542033, 0x0090540033, 0x0090540023, 0x0027CC0003, 0x0007CC4003,
    0x0127CC4003, 0x0107CC4003, 0x0127CC0003, 0x0007CC0003, 0x0027CC4003, 0x0107CC0003,
    0x016F544003, 0x016F540003,
)

# Index: bits 34:30.
_TERNARY_SOURCE_VALUES = (
    0x480C0, 0x48081, 0x580C1, 0x480C1, 0x58041, 0x580C9, 0x500C1, 0x580C0,
    0x400C0, 0x582C1, 0x588C1, 0x58040, 0x400C1, 0x488C0, 0x488C1, 0x480C9,
    0x48041, 0x480C8, 0x48040, 0x588C0, 0x482C0, 0x500C0, 0x482C1, 0x582C9,
    0x48840, 0x48240, 0x48A40, 0x48440, 0x48640, 0x48140, 0x48540, 0x48940,
)

# Index: bits 39:35.
_TERNARY_SUBREGISTER_VALUES = (
    0x0000, 0x1000, 0x000C, 0x5000, 0x401C, 0x3000, 0x2000, 0x0100,
    0x0080, 0x6000, 0x4000, 0x7000, 0x0300, 0x0004, 0x0200, 0x0180,
    0x0280, 0x0380, 0x0008, 0x0010, 0x0018, 0x0014, 0x001C, 0x601C,
    0x1008, 0x100C, 0x200C, 0x4018, 0x4014, 0x3004, 0x501C, 0x2004,
)
# fmt: on

_SCOREBOARD = Copied(bits(15, 8), bits(15, 8))
_DESTINATION = Copied(bits(23, 16), bits(63, 56))
_REGISTER0 = Copied(bits(47, 40), bits(79, 72))
_REGISTER1 = Copied(bits(63, 56), bits(111, 104))
_REGISTER2 = Copied(bits(55, 48), bits(127, 120))

_TWELVE_BITS = join(bits(55, 52), bits(63, 56))
_IMMEDIATE32 = bits(127, 96)
_IMMEDIATE_UPPER = bits(127, 116)

_BASIC_FORMATS = (Format.SYNC, Format.UNARY, Format.BINARY)


def _basic_form(
    types: frozenset[int], copied: tuple[Copied, ...], looked: tuple[Looked, ...]
) -> CompactForm:
    """The form of the words whose type index is one of `types`; `looked` is added for source 1."""
    return CompactForm(
        formats=_BASIC_FORMATS,
        copied=(_SCOREBOARD, _DESTINATION, _REGISTER0, *copied),
        looked=(
            Looked(bits(28, 24), _CONTROL, _CONTROL_VALUES),
            Looked(bits(34, 30), _TYPES, _only(types)),
            Looked(bits(39, 35), _SUBREGISTERS, _lower(_SUBREGISTER_VALUES)),
            Looked(bits(51, 48), _SOURCE0, _SOURCE0_VALUES),
            *looked,
        ),
    )


def _only(indices: frozenset[int]) -> tuple[int | None, ...]:
    """_TYPE_VALUES with the other indices reserved."""
    return tuple(value if index in indices else None for index, value in enumerate(_TYPE_VALUES))


def _lower(values: tuple[int, ...]) -> tuple[int, ...]:
    """The part of _SUBREGISTER_VALUES for the destination and source 0."""
    return tuple(value & ((1 << _SUBREGISTERS.width) - 1) for value in values)


def _upper(values: tuple[int, ...]) -> tuple[int, ...]:
    """The part of _SUBREGISTER_VALUES for source 1."""
    return tuple(value >> _SUBREGISTERS.width for value in values)


def _immediate(native: Field, *, signed: bool = False) -> tuple[Copied, ...]:
    return (Copied(_TWELVE_BITS, native, signed=signed),)


COMPACT_FORMS = (
    _basic_form(
        frozenset(range(len(_TYPE_VALUES))) - _IMMEDIATES,
        (_REGISTER1,),
        (
            Looked(bits(39, 35), _SUBREGISTER1, _upper(_SUBREGISTER_VALUES)),
            Looked(bits(55, 52), _SOURCE1, _SOURCE1_VALUES),
        ),
    ),
    _basic_form(_SIGNED_IMMEDIATES, _immediate(_IMMEDIATE32, signed=True), ()),
    _basic_form(_UNSIGNED_IMMEDIATES, _immediate(_IMMEDIATE32), ()),
    _basic_form(_FLOAT_IMMEDIATES, _immediate(_IMMEDIATE_UPPER), ()),
    CompactForm(
        formats=(Format.TERNARY, Format.BFN, Format.DPAS),
        copied=(_SCOREBOARD, _DESTINATION, _REGISTER0, _REGISTER1, _REGISTER2),
        looked=(
            Looked(bits(28, 24), _TERNARY_CONTROL, _TERNARY_CONTROL_VALUES),
            Looked(bits(34, 30), _TERNARY_SOURCES, _TERNARY_SOURCE_VALUES),
            Looked(bits(39, 35), _TERNARY_SUBREGISTERS, _TERNARY_SUBREGISTER_VALUES),
        ),
    ),
)
