"""Writes what the newest iga64 says of Xe2 instructions, for tests that run without it.

    make_xe2_expectation.py [--root DIRECTORY]

Needs an iga64 that knows Xe2 (`iga64 -p=2`): Debian sid has it in libigc2-tools.
`--root` is the directory of such a Debian, made by debootstrap, for use from an older one; iga64 is
run there by chroot. Run it again when kernels of tests/kernels/zebin/*-bmg-* change.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tests.support.xe.intel_disassembler import iga64, sections
from tests.support.xe.newest_disassembly import write_kernels, write_words
from tests.support.xe.random_words import MakeWord, batches, compacted_word, native_word
from zedbg.xe.isa.platform import Platform

CONFIGURATIONS = ("igc2-bmg-O0", "igc2-bmg-O2")
WORDS = 6000
NOP = b"\x60" + bytes(15)


def kernels(configuration: str, root: Path | None) -> Iterator[tuple[str, int, str]]:
    """Section, offset and text of every instruction of a folder of zebins."""
    for name, code in sections(configuration):
        for offset, text in iga64(code, Platform.XE2, root=root).items():
            yield name, offset, text


def words(make: MakeWord, root: Path | None) -> Iterator[tuple[bytes, str]]:
    """Random words and their texts."""
    for batch in batches(make, Platform.XE2, WORDS):
        texts = iga64(b"".join(batch), Platform.XE2, relative_targets=True, root=root)
        for position, word in enumerate(batch):
            text = texts.get(position * len(word))
            if text is not None:  # iga64 had not given up before
                yield word, text


def main() -> None:
    """Writes all files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--root", type=Path, help="directory of a Debian that has the newest iga64")
    root = parser.parse_args().root
    if iga64(NOP, Platform.XE2, root=root) != {0: "nop"}:
        parser.error("iga64 is missing or does not know Xe2")
    for configuration in CONFIGURATIONS:
        write_kernels(configuration, kernels(configuration, root))
    write_words("xe2-random-native", words(native_word, root))
    write_words("xe2-random-compacted", words(compacted_word, root))


if __name__ == "__main__":
    main()
