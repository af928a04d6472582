"""Where instructions take values from, and put them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from zedbg.xe.isa.names import DataType
from zedbg.xe.registers import Register, RegisterKind


@dataclass(frozen=True)
class RegisterPlace:
    """``bits`` bits of the register set ``kind``, counted from the first bit of its register 0.

    Flags are single bits, one for each lane; all else is whole bytes.
    """

    kind: RegisterKind
    first_bit: int
    bits: int

    @classmethod
    def of_bytes(cls, kind: RegisterKind, first: int, size: int) -> RegisterPlace:
        """``size`` bytes from byte ``first`` on."""
        return cls(kind, 8 * first, 8 * size)

    @property
    def first(self) -> int:
        """The first byte."""
        return self.first_bit // 8

    @property
    def size(self) -> int:
        """Bytes that it has a bit in."""
        return (self.first_bit + self.bits + 7) // 8 - self.first

    def meets(self, other: Place) -> bool:
        """Whether they have a bit in common."""
        return (
            isinstance(other, RegisterPlace)
            and self.kind is other.kind
            and self.first_bit < other.first_bit + other.bits
            and other.first_bit < self.first_bit + self.bits
        )

    def value(self, data: bytes) -> int:
        """Its bits in ``data``, the bytes of the whole set, as a number."""
        whole = int.from_bytes(data[self.first : self.first + self.size], "little")
        return whole >> self.first_bit % 8 & ((1 << self.bits) - 1)

    def text(self, register_bytes: int) -> str:
        """For people: ``r12.8:4``, bytes 8 to 11 of r12, or ``f0.3``, a bit. ``register_bytes``: of
        a register of the set."""
        number, inside = divmod(self.first_bit, 8 * register_bytes)
        name = Register(self.kind, number).name
        if self.bits % 8 or inside % 8:
            return f"{name}.{inside}"
        return f"{name}.{inside // 8}:{self.bits // 8}"


class Space(Enum):
    """Kinds of memory."""

    GLOBAL = auto()  # addresses that are the same for all threads
    LOCAL = auto()  # offsets in the work-group's shared local memory


@dataclass(frozen=True)
class MemoryPlace:
    """``size`` bytes of memory from ``address`` on."""

    space: Space
    address: int
    size: int

    def meets(self, other: Place) -> bool:
        """Whether they have a byte in common."""
        return (
            isinstance(other, MemoryPlace)
            and self.space is other.space
            and self.address < other.address + other.size
            and other.address < self.address + self.size
        )


@dataclass(frozen=True)
class ConstantPlace:
    """An immediate: ``value`` has the raw bits of one element of ``type``."""

    type: DataType
    value: int


@dataclass(frozen=True)
class OtherPlace:
    """What is neither memory nor a register that can be read; ``name`` says what."""

    name: str


Place = RegisterPlace | MemoryPlace | ConstantPlace | OtherPlace


class Role(Enum):
    """What a source has to do with the result."""

    VALUE = "value"  # it is computed from it
    ADDRESS = "address"  # it says where
    SURFACE = "surface"  # it says what addresses count from, or what the message is
    CONDITION = "condition"  # it says whether, or which


@dataclass(frozen=True)
class Source:
    """A place that was read, and for what. ``type``: of the element, where an operand has one."""

    place: Place
    role: Role = Role.VALUE
    type: DataType | None = None


@dataclass(frozen=True)
class Assignment:
    """``target`` gets a value made from ``sources``.

    ``lane``: whose it is; None of the whole thread's. ``is_copy``: each byte is the byte of the
    first source at the same offset, as it is.
    """

    lane: int | None
    target: RegisterPlace | MemoryPlace | OtherPlace
    sources: tuple[Source, ...]
    is_copy: bool = False
    type: DataType | None = None  # of the element, of an instruction's destination

    def values(self) -> Iterator[Source]:
        """The sources that the value is computed from."""
        return (source for source in self.sources if source.role is Role.VALUE)
