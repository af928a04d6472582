"""The shape of scoreboard annotations (SWSB): what an instruction waits for before it begins.

An annotation is a distance (`F@2`: the second last instruction of the floating-point pipe is
done), a token (`$3.dst`: the instruction that set token 3 has written its destination), or both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from zedbg.xe.isa.opcodes import Format, Opcode

DISTANCE_BITS = 3


class Combination(Enum):
    """How an instruction reads an annotation that holds a distance and a token."""

    IN_ORDER = auto()
    MATH = auto()
    SYSTOLIC = auto()
    SEND = auto()


_COMBINATIONS = {
    Format.MATH: Combination.MATH,
    Format.DPAS: Combination.SYSTOLIC,
    Format.SEND: Combination.SEND,
}


def combination_of(opcode: Opcode) -> Combination:
    """The reading that `opcode` uses."""
    return _COMBINATIONS.get(opcode.format, Combination.IN_ORDER)


@dataclass(frozen=True)
class ScoreboardValues:
    """One platform's annotations.

    The lowest `token_bits` of a value are the token where there is one. A distance has the next
    three bits in a combined value, and the lowest three in one without a token.
    """

    token_bits: int
    distances: Mapping[int, str]  # value >> 3 → pipe
    tokens: Mapping[int, str]  # value >> token_bits → what is waited for
    # value >> (3 + token_bits) → pipe and what is waited for
    combined: Mapping[Combination, Mapping[int, tuple[str, str]]]
    options: Mapping[int, str]  # whole values that are neither
