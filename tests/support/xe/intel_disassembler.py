"""Intel's disassembler, iga64 of Debian's libigc-tools, as the oracle for instruction text."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from tests.support.packed_modules import ZEBINS
from zedbg.xe.isa.platform import Platform

# An iga64 that knows Xe2, which Debian 12's does not; None: there are only files of what one said.
NEWEST_IGA64 = os.environ.get("ZEDBG_NEWEST_IGA64")

needs_iga64 = pytest.mark.skipif(
    shutil.which("iga64") is None, reason="iga64 is not installed (Debian: libigc-tools)"
)

_LINE = re.compile(r"/\* \[([0-9A-F]+)\] +\*/(.*)")
_BOOLEAN_FUNCTION = re.compile(r"bfn\.\(([~s012&|^()zeron]*)\) \(")
_MACRO_REGION = re.compile(r"(\.(?:nomme|mme\d))<[^<>]*[;,][^<>]*>")
# What iga64 prints for a field that has no meaning, without calling the word illegal.
_NONSENSE = ("INVALID", "?", ":nf")


def sections(configuration: str) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of every text section of a folder of tests/kernels/zebin."""
    return sections_of(sorted((ZEBINS / configuration).glob("*.zebin")))


def sections_of(modules: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of every text section of modules."""
    for path in modules:
        with path.open("rb") as file:
            for section in ELFFile(file).iter_sections():
                if section.name.startswith(".text."):
                    yield f"{path.stem}{section.name}", section.data()


def iga64(
    code: bytes,
    platform: Platform = Platform.XE_HPG,
    *,
    relative_targets: bool = False,
    program: str = "iga64",
    root: Path | None = None,
) -> dict[int, str]:
    """Offset → text of every instruction of `code`, normalised.

    Branch targets are labels `L<offset>`, or with `relative_targets` distances in bytes. `root` is
    the directory of another Debian, whose `program` is run by chroot.
    """
    directory = None if root is None else root / "tmp"
    with tempfile.NamedTemporaryFile(suffix=".krn", dir=directory) as file:
        file.write(code)
        file.flush()
        command = [] if root is None else ["chroot", str(root)]
        command += [program, "-d", f"-p={platform.value}", "-Xprint-pc", "--output-on-fail"]
        command += ["-n"] if relative_targets else []
        command += [file.name if root is None else f"/tmp/{Path(file.name).name}"]
        run = subprocess.run(command, capture_output=True, check=False)
    lines = map(_LINE.match, run.stdout.decode(errors="replace").splitlines())
    return {int(line[1], 16): normalised(line[2]) for line in lines if line}


def normalised(text: str) -> str:
    """`text` with single spaces, without comments, and with the truth table of bfn as a number.

    The regions of math macro operands are left out: only newer versions write them.
    """
    instruction = _MACRO_REGION.sub(r"\1", text.split("//")[0])
    instruction = _BOOLEAN_FUNCTION.sub(
        lambda match: f"bfn.0x{_truth_table(match[1]):02X} (", instruction
    )
    return " ".join(instruction.split())


def is_valid(text: str) -> bool:
    """Whether a normalised line of iga64 is an instruction in which every field has a meaning."""
    return not text.startswith("illegal") and not any(word in text for word in _NONSENSE)


def _truth_table(expression: str) -> int:
    """The 8-bit table of an expression over s0, s1 and s2; `zeros` and `ones` are constants."""
    constants = {"zeros": 0x00, "ones": 0xFF}
    if expression in constants:
        return constants[expression]
    sources = {"s0": 0xAA, "s1": 0xCC, "s2": 0xF0}
    return int(eval(expression, {"__builtins__": {}}, sources)) & 0xFF
