"""Random instruction words that reach every opcode of a platform."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from zedbg.xe.isa.encoding import ENCODINGS
from zedbg.xe.isa.platform import Platform

BATCH = 60  # iga64 gives up after some tens of errors
_OPCODE_BITS = 7
_COMPACTED = 1 << 29

MakeWord = Callable[[random.Random, Platform], bytes]


def native_word(source: random.Random, platform: Platform) -> bytes:
    """A 16-byte word with an opcode that exists; sparse words reach deeper into the formats."""
    word = source.getrandbits(128)
    for probability in (0.7, 0.5):
        if source.random() < probability:
            word &= source.getrandbits(128)
    return _with_opcode(source, platform, word & ~_COMPACTED).to_bytes(16, "little")


def compacted_word(source: random.Random, platform: Platform) -> bytes:
    """An 8-byte word with an opcode that exists."""
    word = source.getrandbits(64) | _COMPACTED
    return _with_opcode(source, platform, word).to_bytes(8, "little")


def batches(make: MakeWord, platform: Platform, count: int) -> Iterator[list[bytes]]:
    """About `count` words, always the same, as many at a time as iga64 takes."""
    source = random.Random(20)
    for _ in range(0, count, BATCH):
        yield [make(source, platform) for _ in range(BATCH)]


def _with_opcode(source: random.Random, platform: Platform, word: int) -> int:
    opcodes = sorted(ENCODINGS[platform].opcodes)
    return word >> _OPCODE_BITS << _OPCODE_BITS | source.choice(opcodes)
