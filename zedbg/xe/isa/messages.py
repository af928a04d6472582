"""What messages are made of, whichever shared function they are encoded for.

The build of the simulated GPU makes `eu/isa/messages.hpp` of this.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class DescriptorField:
    """A bit field of a descriptor."""

    low: int  # lowest bit
    width: int  # bits

    def of(self, word: int) -> int:
        """Its value in ``word``."""
        return word >> self.low & ((1 << self.width) - 1)

    def signed_of(self, word: int) -> int:
        """Likewise, as two's complement."""
        value = self.of(word)
        return value - (1 << self.width) if value >> (self.width - 1) else value


@dataclass(frozen=True)
class PayloadField:
    """A bit field of one of a payload's dwords."""

    dword: int
    bits: DescriptorField

    def of(self, payload: Sequence[int]) -> int:
        """Its value in the dwords ``payload``."""
        return self.bits.of(payload[self.dword])

    def signed_of(self, payload: Sequence[int]) -> int:
        """Likewise, as two's complement."""
        return self.bits.signed_of(payload[self.dword])


# Of every descriptor, in GRFs.
RESPONSE_LENGTH = DescriptorField(20, 5)
MESSAGE_LENGTH = DescriptorField(25, 4)  # of the first source


class DataOperation(Enum):
    """What a message does."""

    LOAD = 0
    STORE = 1
    ATOMIC = 2
    FENCE = 3


class AtomicOperation(Enum):
    """What an atomic message computes."""

    INCREMENT = 0
    DECREMENT = 1
    PRE_DECREMENT = 2
    LOAD = 3
    STORE = 4
    ADD = 5
    SUBTRACT = 6
    REVERSE_SUBTRACT = 7
    SIGNED_MIN = 8
    SIGNED_MAX = 9
    UNSIGNED_MIN = 10
    UNSIGNED_MAX = 11
    COMPARE_EXCHANGE = 12
    FLOAT_ADD = 13
    FLOAT_SUBTRACT = 14
    FLOAT_MIN = 15
    FLOAT_MAX = 16
    FLOAT_COMPARE_EXCHANGE = 17
    AND = 18
    OR = 19
    XOR = 20
