"""Messages to memory, in terms that do not depend on the port that they are encoded for.

The load/store cache (``load_store_message.py``) and the older data cache
(``data_cache_message.py``) encode the same few things in very different ways.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

from zedbg.xe.isa.messages import MESSAGE_LENGTH, AtomicOperation
from zedbg.xe.isa.names import SharedFunction
from zedbg.xe.isa.platform import Platform


class MessageError(Exception):
    """A message says its addresses in a way that is not read; the text says which."""


class Access(Enum):
    """What is done to memory; the values complete "page fault ..."."""

    READ = "reading"
    WRITE = "writing"
    ATOMIC = "atomic access to"


class AddressModel(Enum):
    """What the addresses of a message are relative to."""

    FLAT = auto()  # 64-bit global addresses
    STATELESS = auto()  # offsets from the general state base
    LOCAL = auto()  # offsets in the work-group's shared local memory
    HEAP_SURFACE = auto()  # a surface by its state's offset in the heap of bindless surfaces
    SCRATCH_SURFACE = auto()  # the same, in the heap of surfaces
    BINDING_TABLE = auto()  # a surface by its index in the binding table
    SCRATCH = auto()  # offsets in the thread's scratch space
    IMAGE = auto()  # coordinates: such a message has no addresses


class AddressOrder(Enum):
    """How the payload says addresses."""

    PER_LANE = auto()
    STRIDED = auto()  # one, and a pitch from lane to lane
    BLOCK = auto()  # one for the whole thread
    BLOCK_2D = auto()  # a rectangle of a matrix


@dataclass(frozen=True)
class SendWords:
    """A send with its descriptors, from the instruction or from a0. ``extended_offset``: bits that
    the instruction adds to an extended descriptor from a0."""

    platform: Platform
    function: SharedFunction
    descriptor: int
    extended: int
    extended_in_register: bool
    extended_bindless_offset: bool
    extended_offset: int

    @property
    def source0_length(self) -> int:
        """GRFs of the first source."""
        return MESSAGE_LENGTH.of(self.descriptor)


@dataclass(frozen=True)
class Elements:
    """How the data of a message lie in memory, and in registers.

    An element has ``memory_bytes`` there and ``register_bytes`` here, in the upper half of them if
    ``is_high_half``. ``components``: which of the elements at an address are meant, a mask; each
    takes a block of registers with room for ``slots`` lanes (0: as many as the instruction has, but
    no fewer than the arithmetic units have). The data of a block start ``register_start`` bytes
    into their first register. A rectangle may be ``transposed``, or ``transformed``: dwords of
    elements from rows that follow each other. ``returns_data``: of an atomic.
    """

    memory_bytes: int = 4
    register_bytes: int = 4
    is_high_half: bool = False
    components: int = 1
    slots: int = 0
    register_start: int = 0
    transposed: bool = False
    transformed: bool = False
    atomic: AtomicOperation | None = None
    returns_data: bool = True


@dataclass(frozen=True)
class DataMessage:
    """A message to memory.

    ``surface``: the offset of a state, or an index, as ``model`` says. Addresses have
    ``address_bytes``, begin ``address_start`` bytes into the payload, and count units of
    ``1 << address_shift`` bytes, to which ``offset`` (bytes) is added. ``extent``: bytes that are
    accessed at each address, of a rectangle those of an element. ``alignment``: bytes of which each
    address is to be a multiple (of a rectangle, 1: its addresses are not checked one by one).
    ``elements``: what is read or written there.
    """

    access: Access
    model: AddressModel
    order: AddressOrder = AddressOrder.PER_LANE
    surface: int = 0
    address_bytes: int = 0
    address_start: int = 0
    address_shift: int = 0
    offset: int = 0
    extent: int = 0
    alignment: int = 1
    block_x: int = 0  # of a rectangle, in elements
    block_y: int = 0
    elements: Elements = field(default=Elements(), compare=False)
