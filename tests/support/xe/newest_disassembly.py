"""What the newest iga64 says of Xe2 instructions, which Debian 12's does not know.

The files in `disassembly/` are made by make_xe2_expectation.py. Each line of a kernel file is
`section offset text`, with hexadecimal offsets; each line of a file of random words is `word text`.
Texts are normalised (intel_disassembler.normalised).
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable
from pathlib import Path

_FILES = Path(__file__).parent / "disassembly"


def write_kernels(configuration: str, lines: Iterable[tuple[str, int, str]]) -> None:
    """Writes section, offset and text of every instruction of a folder of zebins."""
    _write(configuration, (f"{section} {offset:x} {text}" for section, offset, text in lines))


def read_kernels(configuration: str) -> dict[str, dict[int, str]]:
    """Section → offset → text."""
    sections: dict[str, dict[int, str]] = {}
    for line in _read(configuration):
        section, offset, text = line.split(" ", 2)
        sections.setdefault(section, {})[int(offset, 16)] = text
    return sections


def write_words(name: str, lines: Iterable[tuple[bytes, str]]) -> None:
    """Writes instruction words and their texts."""
    _write(name, (f"{word.hex()} {text}" for word, text in lines))


def read_words(name: str) -> list[tuple[bytes, str]]:
    """Instruction words and their texts."""
    pairs = (line.split(" ", 1) for line in _read(name))
    return [(bytes.fromhex(word), text) for word, text in pairs]


def _write(name: str, lines: Iterable[str]) -> None:
    _FILES.mkdir(exist_ok=True)
    content = "".join(f"{line}\n" for line in lines).encode()
    (_FILES / f"{name}.txt.xz").write_bytes(lzma.compress(content, preset=9))


def _read(name: str) -> list[str]:
    content = lzma.decompress((_FILES / f"{name}.txt.xz").read_bytes())
    return content.decode().splitlines()
