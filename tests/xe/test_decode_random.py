"""Random words: what iga64 calls an instruction, we call the same instruction, or reserved.

`ZEDBG_RANDOM_WORDS` sets how many words of each kind are tried; `ZEDBG_NEWEST_IGA64` names an iga64
that knows Xe2, and has as many tried of these as well, in place of those that are committed.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from tests.support.xe.decoded_text import native_lines, python_lines
from tests.support.xe.intel_disassembler import (
    NEWEST_IGA64,
    iga64,
    is_valid,
    needs_iga64,
    normalised,
)
from tests.support.xe.newest_disassembly import read_words
from tests.support.xe.random_words import MakeWord, batches, compacted_word, native_word
from zedbg.xe.disassembly import disassemble_one
from zedbg.xe.isa.platform import Platform

WORDS = int(os.environ.get("ZEDBG_RANDOM_WORDS", "3000"))

# Values that Intel's manuals reserve and iga64 shows anyway, in some form. The execution unit
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
    "reserved precision of a source of dpas",
    "an immediate as the operand of a math macro",
}


def check_words(platform: Platform, words: Iterable[tuple[bytes, str]]) -> Counter[str]:
    """How often our verdict on a word was which, after each was compared with iga64's text."""
    verdicts: Counter[str] = Counter()
    for word, theirs in words:
        ours = disassemble_one(word, platform=platform, label=str)
        if not is_valid(theirs):
            assert ours.is_illegal, (word.hex(), theirs, ours.text)
            verdicts["invalid"] += 1
        elif ours.is_illegal:
            assert ours.decoded.invalid_reason in RESERVED, (word.hex(), theirs, ours.text)
            verdicts["reserved"] += 1
        else:
            assert normalised(ours.text) == theirs, word.hex()
            verdicts["same"] += 1
    return verdicts


def measured(
    platform: Platform, make: MakeWord, program: str = "iga64"
) -> Iterator[tuple[bytes, str]]:
    """Random words and what iga64 says of them, but for those after the point where it gave up."""
    for words in batches(make, platform, WORDS):
        texts = iga64(b"".join(words), platform, relative_targets=True, program=program)
        for position, word in enumerate(words):
            text = texts.get(position * len(word))
            if text is not None:
                yield word, text


@needs_iga64
@pytest.mark.parametrize("make", [native_word, compacted_word])
@pytest.mark.parametrize("platform", [Platform.XE_HPG, Platform.XE_HPC])
def test_random_words_mean_what_iga64_says(platform: Platform, make: MakeWord) -> None:
    verdicts = check_words(platform, measured(platform, make))
    assert verdicts["same"] > WORDS // 4, verdicts
    assert verdicts.total() > WORDS * 0.95, verdicts


@pytest.mark.parametrize(("kind", "make"), [("native", native_word), ("compacted", compacted_word)])
def test_random_words_mean_what_the_newest_iga64_says(kind: str, make: MakeWord) -> None:
    if NEWEST_IGA64:
        words = list(measured(Platform.XE2, make, NEWEST_IGA64))
    else:
        words = read_words(f"xe2-random-{kind}")
    verdicts = check_words(Platform.XE2, words)
    assert len(words) > 5_000
    assert verdicts["same"] > len(words) // 4, verdicts


@pytest.mark.parametrize("make", [native_word, compacted_word])
@pytest.mark.parametrize("platform", Platform)
def test_decoders_agree_on_random_words(platform: Platform, make: MakeWord) -> None:
    code = b"".join(word for words in batches(make, platform, WORDS) for word in words)
    assert native_lines(code, platform) == python_lines(code, platform)


@pytest.mark.parametrize("platform", Platform)
def test_random_bytes_never_fail(platform: Platform) -> None:
    source = random.Random(21)
    for _ in range(WORDS):
        code = source.randbytes(source.randrange(17))
        assert disassemble_one(code, platform=platform).text
