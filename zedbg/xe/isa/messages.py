"""What messages to memory are made of, whichever port they are encoded for."""

from dataclasses import dataclass
from enum import Enum, auto


@dataclass(frozen=True)
class DescriptorField:
    """A bit field of a descriptor, or of a dword of a payload."""

    low: int  # lowest bit
    width: int  # bits

    def of(self, word: int) -> int:
        """Its value in ``word``."""
        return word >> self.low & ((1 << self.width) - 1)

    def signed_of(self, word: int) -> int:
        """Likewise, as two's complement."""
        value = self.of(word)
        return value - (1 << self.width) if value >> (self.width - 1) else value


class DataOperation(Enum):
    """What a message does."""

    LOAD = auto()
    STORE = auto()
    ATOMIC = auto()
    FENCE = auto()


class AtomicOperation(Enum):
    """What an atomic message computes, and how many operands each lane sends.

    The compare value, if any, comes first.
    """

    operands: int

    def __new__(cls, number: int, operands: int) -> "AtomicOperation":
        """One row of the table below."""
        row = object.__new__(cls)
        row._value_ = number
        row.operands = operands
        return row

    INCREMENT = 0, 0
    DECREMENT = 1, 0
    PRE_DECREMENT = 2, 0
    LOAD = 3, 0
    STORE = 4, 1
    ADD = 5, 1
    SUBTRACT = 6, 1
    REVERSE_SUBTRACT = 7, 1
    SIGNED_MIN = 8, 1
    SIGNED_MAX = 9, 1
    UNSIGNED_MIN = 10, 1
    UNSIGNED_MAX = 11, 1
    COMPARE_EXCHANGE = 12, 2
    FLOAT_ADD = 13, 1
    FLOAT_SUBTRACT = 14, 1
    FLOAT_MIN = 15, 1
    FLOAT_MAX = 16, 1
    FLOAT_COMPARE_EXCHANGE = 17, 2
    AND = 18, 1
    OR = 19, 1
    XOR = 20, 1
