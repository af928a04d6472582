"""Random words: what iga64 calls an instruction, we call the same instruction, or reserved.

`ZEDBG_RANDOM_WORDS` sets how many words of each kind are tried.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from decoded_text import native_lines, python_lines
from intel_disassembler import iga64, is_valid, needs_iga64, normalised

from zedbg.xe.disassembly import disassemble_one
from zedbg.xe.isa import ENCODINGS, Platform

WORDS = int(os.environ.get("ZEDBG_RANDOM_WORDS", "3000"))
BATCH = 60  # iga64 gives up after some tens of errors

OPCODES = sorted(ENCODINGS[Platform.XE_HPG].opcodes)
COMPACTED = 1 << 29

# Values that Intel's manuals reserve and iga64 shows all the same, in some form. The execution unit
# could only guess what they mean, so they are illegal here.
RESERVED = {
    "a region whose strides imply no width",
    "reserved vertical stride",
    "reserved region width",
    "a register where a jump needs an immediate",
    "a 16-bit immediate of a type that has none",
    "reserved condition modifier",
    "reserved predicate control",
    "reserved execution size",
}


def native_word(source: random.Random) -> bytes:
    """A 16-byte word with an opcode that exists; sparse words reach deeper into the formats."""
    word = source.getrandbits(128)
    for probability in (0.7, 0.5):
        if source.random() < probability:
            word &= source.getrandbits(128)
    word = (word & ~0x7F & ~COMPACTED) | source.choice(OPCODES)
    return word.to_bytes(16, "little")


def compacted_word(source: random.Random) -> bytes:
    word = (source.getrandbits(64) & ~0x7F) | COMPACTED | source.choice(OPCODES)
    return word.to_bytes(8, "little")


def batches(make: Callable[[random.Random], bytes]) -> Iterator[list[bytes]]:
    source = random.Random(20)
    for _ in range(0, WORDS, BATCH):
        yield [make(source) for _ in range(BATCH)]


@needs_iga64
@pytest.mark.parametrize("make", [native_word, compacted_word])
def test_random_words_mean_what_iga64_says(make: Callable[[random.Random], bytes]) -> None:
    verdicts: Counter[str] = Counter()
    for words in batches(make):
        expected = iga64(b"".join(words), relative_targets=True)
        for position, word in enumerate(words):
            theirs = expected.get(position * len(word))
            if theirs is None:  # beyond the point where iga64 gave up
                verdicts["not measured"] += 1
                continue
            ours = disassemble_one(word, label=str)
            if not is_valid(theirs):
                assert ours.is_illegal, (word.hex(), theirs, ours.text)
                verdicts["invalid"] += 1
            elif ours.is_illegal:
                assert ours.decoded.invalid_reason in RESERVED, (word.hex(), theirs, ours.text)
                verdicts["reserved"] += 1
            else:
                assert normalised(ours.text) == theirs, word.hex()
                verdicts["same"] += 1
    assert verdicts["same"] > WORDS // 4, verdicts
    assert verdicts["not measured"] < WORDS // 20, verdicts


@pytest.mark.parametrize("make", [native_word, compacted_word])
def test_decoders_agree_on_random_words(make: Callable[[random.Random], bytes]) -> None:
    code = b"".join(word for words in batches(make) for word in words)
    assert native_lines(code) == python_lines(code)


def test_random_bytes_never_fail() -> None:
    source = random.Random(21)
    for _ in range(WORDS):
        code = source.randbytes(source.randrange(17))
        assert disassemble_one(code).text
