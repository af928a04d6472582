"""Encodings of messages to the data cache, send.dc0 and send.dc1.

It is the data port that compilers up to about 2023 use on Xe-HPG, and that thread prologues use to
read their payload. Fields as in the programmer's reference manuals of Gen9 to Gen12, volume "Memory
Data Formats"; names are those that Intel's disassembler prints. The simulated GPU's build makes
`eu/messages/hdc_encoding.hpp` of this.
"""

from dataclasses import dataclass
from enum import Enum, auto

from zedbg.xe.isa.messages import AtomicOperation, DataOperation, DescriptorField

BINDING_TABLE_INDEX = DescriptorField(0, 8)
TYPE = DescriptorField(14, 5)
HEADER_PRESENT = DescriptorField(19, 1)
SCRATCH_BLOCK = DescriptorField(18, 1)  # dc0: type 16 and above
SCRATCH_WRITE = DescriptorField(17, 1)
SCRATCH_BLOCK_COUNT = DescriptorField(12, 2)  # log2 of the number of units
SCRATCH_OFFSET = DescriptorField(0, 12)  # units
SCRATCH_UNIT = 32  # bytes
OWORD_BYTES = 16
HWORD_BYTES = 32
BLOCK_COUNT = DescriptorField(8, 3)  # see OWORD_BLOCKS; log2 for hwords
HWORD_BLOCK = DescriptorField(13, 1)  # dc0 aligned block read
A64_BLOCK_KIND = DescriptorField(11, 2)
ELEMENT_COUNT = DescriptorField(10, 2)  # log2
A64_SCATTER_KIND = DescriptorField(8, 2)
SIMD16_SCATTER = DescriptorField(8, 1)  # dc0 scatter and gather
SIMD16_A64_SCATTER = DescriptorField(12, 1)
DISABLED_COMPONENTS = DescriptorField(8, 4)  # untyped surface messages
SIMD_MODE_UNTYPED = DescriptorField(12, 2)  # 1 SIMD16, 2 SIMD8
SIMD8_ATOMIC = DescriptorField(12, 1)
ATOMIC64 = DescriptorField(12, 1)  # a64 integer atomics, always SIMD8
ATOMIC_OPERATION = DescriptorField(8, 4)
FLOAT_ATOMIC_OPERATION = DescriptorField(8, 3)
RETURNS_DATA = DescriptorField(13, 1)

# In the extended descriptor of a bindless message.
BINDLESS_MASK_EX_BSO = 0xFFFF_FFC0  # byte offset in [31:6]
BINDLESS_UNIT = DescriptorField(12, 20)  # without ExBSO
BINDLESS_UNIT_BYTES = 64

# Binding table indices with a meaning of their own.
STATELESS_NON_COHERENT = 0xFD
STATELESS_COHERENT = 0xFF
SHARED_LOCAL_MEMORY = 0xFE
BINDLESS = 0xFC


class A64BlockKind(Enum):
    """Units and alignments of block messages with 64-bit addresses, by the field's value. iga64
    names the first two the other way round: compilers load what lies at dwords by the second
    (IGC's visa, "SVM_BLOCK_LD": bit 3)."""

    OWORD = 0
    OWORD_UNALIGNED = 1
    OWORD_DUAL = 2
    HWORD = 3


class A64ScatterKind(Enum):
    """Elements of messages with 64-bit addresses for each lane, by the field's value."""

    BYTE = 0
    DWORD = 1
    QWORD = 2
    BYTE_WITH_STATUS = 3


class Layout(Enum):
    """How to read the rest of the descriptor."""

    OWORD_BLOCK = auto()  # header; offset in 16-byte units
    ALIGNED_BLOCK = auto()  # header; offset in bytes
    DWORD_SCATTER = auto()  # offsets in 4-byte units
    QWORD_SCATTER = auto()  # offsets in 8-byte units
    BYTE_SCATTER = auto()
    FENCE = auto()
    UNTYPED_SURFACE = auto()
    A64_UNTYPED_SURFACE = auto()
    A64_SCATTER = auto()
    A64_BLOCK = auto()
    INTEGER_ATOMIC = auto()
    WORD_ATOMIC = auto()  # 16 bits in the low half of a dword
    A64_INTEGER_ATOMIC = auto()
    A64_WORD_ATOMIC = auto()
    FLOAT_ATOMIC = auto()
    HALF_ATOMIC = auto()
    A64_FLOAT_ATOMIC = auto()
    A64_HALF_ATOMIC = auto()
    TYPED_SURFACE = auto()  # images, as the next two
    TYPED_ATOMIC = auto()
    MEDIA_BLOCK = auto()
    UNSUPPORTED = auto()


@dataclass(frozen=True)
class Message:
    """One type of messages."""

    name: str
    operation: DataOperation
    layout: Layout


# dc0 by type; types of 16 and above are scratch block messages.
DC0_MESSAGES = (
    Message("oword block read", DataOperation.LOAD, Layout.OWORD_BLOCK),
    Message("aligned block read", DataOperation.LOAD, Layout.ALIGNED_BLOCK),
    Message("oword dual block read", DataOperation.LOAD, Layout.UNSUPPORTED),
    Message("dword gathering read", DataOperation.LOAD, Layout.DWORD_SCATTER),
    Message("byte gathering read", DataOperation.LOAD, Layout.BYTE_SCATTER),
    Message("qword gathering read", DataOperation.LOAD, Layout.QWORD_SCATTER),
    None,
    Message("fence", DataOperation.FENCE, Layout.FENCE),
    Message("oword block write", DataOperation.STORE, Layout.OWORD_BLOCK),
    Message("hword aligned block write", DataOperation.STORE, Layout.UNSUPPORTED),
    Message("oword dual block write", DataOperation.STORE, Layout.UNSUPPORTED),
    Message("dword scattering write", DataOperation.STORE, Layout.DWORD_SCATTER),
    Message("byte scattering write", DataOperation.STORE, Layout.BYTE_SCATTER),
    Message("qword scattering write", DataOperation.STORE, Layout.QWORD_SCATTER),
    None,
    None,
)
DC1_MESSAGES = (
    None,
    Message("untyped surface read", DataOperation.LOAD, Layout.UNTYPED_SURFACE),
    Message("untyped atomic int32", DataOperation.ATOMIC, Layout.INTEGER_ATOMIC),
    Message("untyped atomic int16", DataOperation.ATOMIC, Layout.WORD_ATOMIC),
    Message("media block read", DataOperation.LOAD, Layout.MEDIA_BLOCK),
    Message("typed surface read", DataOperation.LOAD, Layout.TYPED_SURFACE),
    Message("typed atomic 32-bit integer", DataOperation.ATOMIC, Layout.TYPED_ATOMIC),
    Message("typed atomic 16-bit integer", DataOperation.ATOMIC, Layout.UNSUPPORTED),
    None,
    Message("untyped surface write", DataOperation.STORE, Layout.UNTYPED_SURFACE),
    Message("media block write", DataOperation.STORE, Layout.MEDIA_BLOCK),
    Message("typed atomic 32-bit counter", DataOperation.ATOMIC, Layout.UNSUPPORTED),
    Message("typed atomic 16-bit counter", DataOperation.ATOMIC, Layout.UNSUPPORTED),
    Message("typed surface write", DataOperation.STORE, Layout.TYPED_SURFACE),
    None,
    None,
    Message("a64 gathering read", DataOperation.LOAD, Layout.A64_SCATTER),
    Message("a64 untyped surface read", DataOperation.LOAD, Layout.A64_UNTYPED_SURFACE),
    Message("untyped a64 atomic int", DataOperation.ATOMIC, Layout.A64_INTEGER_ATOMIC),
    Message("untyped a64 atomic int16", DataOperation.ATOMIC, Layout.A64_WORD_ATOMIC),
    Message("a64 block read", DataOperation.LOAD, Layout.A64_BLOCK),
    Message("a64 block write", DataOperation.STORE, Layout.A64_BLOCK),
    None,
    None,
    None,
    Message("a64 untyped surface write", DataOperation.STORE, Layout.A64_UNTYPED_SURFACE),
    Message("a64 scattering write", DataOperation.STORE, Layout.A64_SCATTER),
    Message("float atomic", DataOperation.ATOMIC, Layout.FLOAT_ATOMIC),
    Message("untyped half-float atomic", DataOperation.ATOMIC, Layout.HALF_ATOMIC),
    Message("a64 float atomic", DataOperation.ATOMIC, Layout.A64_FLOAT_ATOMIC),
    Message("a64 untyped half-float atomic", DataOperation.ATOMIC, Layout.A64_HALF_ATOMIC),
    None,
)


@dataclass(frozen=True)
class OwordBlock:
    """Owords of a block; where in its register it starts, since "1H" uses the upper half."""

    suffix: str
    owords: int
    register_start: int = 0  # bytes


OWORD_BLOCKS = (
    OwordBlock("x1", 1),
    OwordBlock("x1H", 1, 16),
    OwordBlock("x2", 2),
    OwordBlock("x4", 4),
    OwordBlock("x8", 8),
    OwordBlock("x16", 16),
    None,
    None,
)


@dataclass(frozen=True)
class Atomic:
    """One atomic operation."""

    name: str
    operation: AtomicOperation


# By code; 0 is a 64-bit compare and swap in a 32-bit message, which nothing emits.
INTEGER_ATOMICS = (
    None,
    Atomic("logical AND", AtomicOperation.AND),
    Atomic("logical OR", AtomicOperation.OR),
    Atomic("logical XOR", AtomicOperation.XOR),
    Atomic("store", AtomicOperation.STORE),
    Atomic("integer increment", AtomicOperation.INCREMENT),
    Atomic("integer decrement", AtomicOperation.DECREMENT),
    Atomic("integer add", AtomicOperation.ADD),
    Atomic("integer subtract", AtomicOperation.SUBTRACT),
    Atomic("commuted integer subtract", AtomicOperation.REVERSE_SUBTRACT),
    Atomic("signed-integer max", AtomicOperation.SIGNED_MAX),
    Atomic("signed-integer min", AtomicOperation.SIGNED_MIN),
    Atomic("unsigned-integer max", AtomicOperation.UNSIGNED_MAX),
    Atomic("unsigned-integer min", AtomicOperation.UNSIGNED_MIN),
    Atomic("integer compare and swap", AtomicOperation.COMPARE_EXCHANGE),
    Atomic("integer pre-decrement (returns pre-decrement value)", AtomicOperation.PRE_DECREMENT),
)
FLOAT_ATOMICS = (
    None,
    Atomic("max", AtomicOperation.FLOAT_MAX),
    Atomic("min", AtomicOperation.FLOAT_MIN),
    Atomic("fp-compare and swap ", AtomicOperation.FLOAT_COMPARE_EXCHANGE),
    Atomic("add", AtomicOperation.FLOAT_ADD),
    Atomic("subtract", AtomicOperation.FLOAT_SUBTRACT),
    Atomic("64b add", AtomicOperation.FLOAT_ADD),
    Atomic("64b subtract", AtomicOperation.FLOAT_SUBTRACT),
)
FIRST_DOUBLE_ATOMIC = 6  # from here the number has 64 bits
