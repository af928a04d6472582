"""Encodings of messages to the load/store cache: send.ugm, send.ugml, send.slm and send.tgm.

Fields as in the "LSC" messages of Intel's programmer's reference manuals; names are those that
Intel's disassembler prints. The build of the simulated GPU makes `eu/messages/lsc_encoding.hpp` of
this.
"""

from dataclasses import dataclass
from enum import Enum, auto

from zedbg.xe.isa.messages import (
    AtomicOperation,
    DataOperation,
    DescriptorField,
    PayloadField,
)

OPERATION = DescriptorField(0, 6)
ADDRESS_SIZE = DescriptorField(7, 2)
DATA_SIZE = DescriptorField(9, 3)
VECTOR_SIZE = DescriptorField(12, 3)
COMPONENT_MASK = DescriptorField(12, 4)  # of load_quad and store_quad, instead of a vector's size
TRANSPOSED = DescriptorField(15, 1)
CACHE_CONTROL = DescriptorField(17, 3)
ADDRESS_TYPE = DescriptorField(29, 2)
FENCE_SCOPE = DescriptorField(9, 3)
FENCE_FLUSH = DescriptorField(12, 3)
# Of load_block2d and store_block2d, which have one address size and no vector.
TRANSFORMED = DescriptorField(7, 1)

# In the extended descriptor.
BINDING_TABLE_INDEX = DescriptorField(24, 8)
STATELESS_INDEX = 0xFF  # no surface: offsets from the general state base
SURFACE_OFFSET_MASK = 0xFFFF_F800  # [31:11]
SURFACE_OFFSET_MASK_EX_BSO = 0xFFFF_FFC0  # [31:6], ExBSO; all of Xe2
# Signed offsets in bytes of Xe2's addresses.
FLAT_OFFSET = DescriptorField(12, 20)
BINDING_TABLE_OFFSET = DescriptorField(12, 12)
SURFACE_HIGH_OFFSET = DescriptorField(19, 13)  # bits 16:4
SURFACE_LOW_OFFSET = DescriptorField(12, 4)  # bits 3:0
# Of rectangles on Xe2: signed, in elements.
BLOCK_X = DescriptorField(12, 10)
BLOCK_Y = DescriptorField(22, 10)

# The payload of load_block2d and store_block2d: a matrix, and a rectangle of it. Sizes are stored
# less one. vISA documents, untyped 2D block messages.
MATRIX_DWORDS = 8
MATRIX_BASE_LOW = PayloadField(0, DescriptorField(0, 32))
MATRIX_BASE_HIGH = PayloadField(1, DescriptorField(0, 32))
MATRIX_WIDTH = PayloadField(2, DescriptorField(0, 24))  # bytes
MATRIX_HEIGHT = PayloadField(3, DescriptorField(0, 24))  # rows
MATRIX_PITCH = PayloadField(4, DescriptorField(0, 24))  # bytes
MATRIX_X = PayloadField(5, DescriptorField(0, 32))  # signed, in elements
MATRIX_Y = PayloadField(6, DescriptorField(0, 32))
MATRIX_COLUMNS = PayloadField(7, DescriptorField(0, 8))  # of the rectangle, in elements
MATRIX_ROWS = PayloadField(7, DescriptorField(8, 8))
MATRIX_BLOCKS = PayloadField(7, DescriptorField(16, 4))  # rectangles beside each other


class Shape(Enum):
    """How the payload says addresses, and the descriptor data."""

    VECTOR = auto()
    COMPONENTS = auto()
    STRIDED = auto()
    BLOCK2D = auto()
    FENCE = auto()
    UNSUPPORTED = auto()


@dataclass(frozen=True)
class Operation:
    """One operation; ``atomic`` where it is an atomic one."""

    name: str | None
    operation: DataOperation
    shape: Shape
    atomic: AtomicOperation | None = None


# By number.
OPERATIONS = (
    Operation("load", DataOperation.LOAD, Shape.VECTOR),
    Operation("load_strided", DataOperation.LOAD, Shape.STRIDED),
    Operation("load_quad", DataOperation.LOAD, Shape.COMPONENTS),
    Operation("load_block2d", DataOperation.LOAD, Shape.BLOCK2D),
    Operation("store", DataOperation.STORE, Shape.VECTOR),
    Operation("store_strided", DataOperation.STORE, Shape.STRIDED),
    Operation("store_quad", DataOperation.STORE, Shape.COMPONENTS),
    Operation("store_block2d", DataOperation.STORE, Shape.BLOCK2D),
    Operation("atomic_iinc", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.INCREMENT),
    Operation("atomic_idec", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.DECREMENT),
    Operation("atomic_load", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.LOAD),
    Operation("atomic_store", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.STORE),
    Operation("atomic_iadd", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.ADD),
    Operation("atomic_isub", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.SUBTRACT),
    Operation("atomic_smin", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.SIGNED_MIN),
    Operation("atomic_smax", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.SIGNED_MAX),
    Operation("atomic_umin", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.UNSIGNED_MIN),
    Operation("atomic_umax", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.UNSIGNED_MAX),
    Operation("atomic_icas", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.COMPARE_EXCHANGE),
    Operation("atomic_fadd", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.FLOAT_ADD),
    Operation("atomic_fsub", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.FLOAT_SUBTRACT),
    Operation("atomic_fmin", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.FLOAT_MIN),
    Operation("atomic_fmax", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.FLOAT_MAX),
    Operation(
        "atomic_fcas", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.FLOAT_COMPARE_EXCHANGE
    ),
    Operation("atomic_and", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.AND),
    Operation("atomic_or", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.OR),
    Operation("atomic_xor", DataOperation.ATOMIC, Shape.VECTOR, AtomicOperation.XOR),
    Operation("load_status", DataOperation.LOAD, Shape.UNSUPPORTED),
    Operation("store_uncompressed", DataOperation.STORE, Shape.VECTOR),
    Operation("ccs", DataOperation.STORE, Shape.UNSUPPORTED),
    Operation("read_state", DataOperation.LOAD, Shape.UNSUPPORTED),
    Operation("fence", DataOperation.FENCE, Shape.FENCE),
    Operation("store_uncompressed_quad", DataOperation.STORE, Shape.UNSUPPORTED),
)


@dataclass(frozen=True)
class DataSize:
    """The size of an element in memory and in a lane's register; its upper half, if that."""

    name: str
    memory_bytes: int
    register_bytes: int
    high_half: bool = False


DATA_SIZES = (
    DataSize("d8", 1, 1),
    DataSize("d16", 2, 2),
    DataSize("d32", 4, 4),
    DataSize("d64", 8, 8),
    DataSize("d8u32", 1, 4),
    DataSize("d16u32", 2, 4),
    DataSize("d16u32h", 2, 4, True),
    None,
)

VECTOR_SIZES = (1, 2, 3, 4, 8, 16, 32, 64)


@dataclass(frozen=True)
class AddressSize:
    """The size of an address."""

    name: str
    bytes: int


ADDRESS_SIZES = (None, AddressSize("a16", 2), AddressSize("a32", 4), AddressSize("a64", 8))


class AddressType(Enum):
    """What addresses are relative to, by the field's value."""

    FLAT = 0
    BSS = 1
    SS = 2
    BTI = 3


ADDRESS_TYPES = ("", ".bss", ".ss", ".bti")


@dataclass(frozen=True)
class CacheControl:
    """Hints, which change nothing in a coherent memory; atomics have those of stores."""

    load: str
    store: str


CACHE_CONTROLS = (
    CacheControl("", ""),
    CacheControl(".uc.uc", ".uc.uc"),
    CacheControl(".uc.ca", ".uc.wb"),
    CacheControl(".ca.uc", ".wt.uc"),
    CacheControl(".ca.ca", ".wt.wb"),
    CacheControl(".st.uc", ".st.uc"),
    CacheControl(".st.ca", ".st.wb"),
    CacheControl(".ri.ca", ".wb.wb"),
)

FENCE_FLUSHES = (
    *(".none", ".evict", ".invalidate", ".discard", ".clean", ".flushl3", ".type6", ".type7"),
)
FENCE_SCOPES = (*(".group", ".local", ".tile", ".gpu", ".gpus", ".sysrel", ".sysacq", ".scope7"),)
