"""Fields and messages of descriptors to the data cache, send.dc0 and send.dc1.

Fields as in the programmer's reference manuals of Gen9 to Gen12, volume "Memory Data Formats"; each
is first bit and width.
"""

from __future__ import annotations

from enum import Enum, auto

from zedbg.xe.data_message import Access

BINDING_TABLE_INDEX = (0, 8)
TYPE = (14, 5)
HEADER = (19, 1)
SCRATCH_BLOCK, SCRATCH_WRITE = (18, 1), (17, 1)
SCRATCH_COUNT, SCRATCH_OFFSET, SCRATCH_UNIT = (12, 2), (0, 12), 32
BLOCK_COUNT, HWORD_BLOCK, A64_BLOCK_KIND = (8, 3), (13, 1), (11, 2)
HWORDS, A64_BLOCK_ALIGNMENTS = 3, (4, 16, 1, 1)  # bytes, by kind
OWORDS = (1, 1, 2, 4, 8, 16)
ELEMENTS, A64_SCATTER_KIND = (10, 2), (8, 2)
DISABLED_COMPONENTS = (8, 4)
ATOMIC_64 = (12, 1)
FLOAT_OPERATION, FIRST_DOUBLE_OPERATION = (8, 3), 6

STATELESS = frozenset({0xFD, 0xFF})
LOCAL, BINDLESS = 0xFE, 0xFC
STATE_MASK_FINE = 0xFFFF_FFC0
STATE_UNIT_SHIFT, STATE_UNIT = 12, 64


class Layout(Enum):
    """How to read the rest of the descriptor."""

    OWORD_BLOCK = auto()
    ALIGNED_BLOCK = auto()
    DWORDS = auto()
    QWORDS = auto()
    BYTES = auto()
    COMPONENTS = auto()
    A64_COMPONENTS = auto()
    A64_SCATTER = auto()
    A64_BLOCK = auto()
    ATOMIC = auto()
    WORD_ATOMIC = auto()
    A64_ATOMIC = auto()
    A64_WORD_ATOMIC = auto()
    FLOAT_ATOMIC = auto()
    HALF_ATOMIC = auto()
    A64_FLOAT_ATOMIC = auto()
    A64_HALF_ATOMIC = auto()
    IMAGE = auto()


Entry = tuple[Access, Layout]
DC0_FENCE = 7
DC0: dict[int, Entry] = {
    0: (Access.READ, Layout.OWORD_BLOCK),
    1: (Access.READ, Layout.ALIGNED_BLOCK),
    3: (Access.READ, Layout.DWORDS),
    4: (Access.READ, Layout.BYTES),
    5: (Access.READ, Layout.QWORDS),
    8: (Access.WRITE, Layout.OWORD_BLOCK),
    11: (Access.WRITE, Layout.DWORDS),
    12: (Access.WRITE, Layout.BYTES),
    13: (Access.WRITE, Layout.QWORDS),
}
DC1: dict[int, Entry] = {
    1: (Access.READ, Layout.COMPONENTS),
    2: (Access.ATOMIC, Layout.ATOMIC),
    3: (Access.ATOMIC, Layout.WORD_ATOMIC),
    4: (Access.READ, Layout.IMAGE),
    5: (Access.READ, Layout.IMAGE),
    6: (Access.ATOMIC, Layout.IMAGE),
    9: (Access.WRITE, Layout.COMPONENTS),
    10: (Access.WRITE, Layout.IMAGE),
    13: (Access.WRITE, Layout.IMAGE),
    16: (Access.READ, Layout.A64_SCATTER),
    17: (Access.READ, Layout.A64_COMPONENTS),
    18: (Access.ATOMIC, Layout.A64_ATOMIC),
    19: (Access.ATOMIC, Layout.A64_WORD_ATOMIC),
    20: (Access.READ, Layout.A64_BLOCK),
    21: (Access.WRITE, Layout.A64_BLOCK),
    25: (Access.WRITE, Layout.A64_COMPONENTS),
    26: (Access.WRITE, Layout.A64_SCATTER),
    27: (Access.ATOMIC, Layout.FLOAT_ATOMIC),
    28: (Access.ATOMIC, Layout.HALF_ATOMIC),
    29: (Access.ATOMIC, Layout.A64_FLOAT_ATOMIC),
    30: (Access.ATOMIC, Layout.A64_HALF_ATOMIC),
}
