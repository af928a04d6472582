"""The committed modules that have debug information: a sample of them, or all in the full run."""

from __future__ import annotations

import os
import random
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zedbg.zebin import Module

_KERNELS = Path(__file__).resolve().parents[1] / "kernels"
_FILES, _SAMPLE = 90, 6  # files, and modules of each archive, in a default run
_SEED = 6
_EVERYTHING = os.environ.get("ZEDBG_FULL_CORPUS") == "1"


def zebin_files() -> list[Path]:
    """Module files of each compiler, device and level."""
    files = sorted(
        path
        for path in (_KERNELS / "zebin").glob("*/*.zebin")
        if b".debug_info" in path.read_bytes()
    )
    return files if _EVERYTHING else sorted(random.Random(_SEED).sample(files, _FILES))


@dataclass(frozen=True)
class CorpusArchive:
    """An archive of modules of one compiler, for one device, at one level of optimisation."""

    path: Path

    def __str__(self) -> str:
        return self.path.name.removesuffix(".tar.xz")

    def modules(self) -> Iterator[Module]:
        """Those modules in it that are to be compared."""
        with tarfile.open(self.path) as archive:
            members = sorted((m for m in archive if m.isfile()), key=lambda member: member.name)
            if not _EVERYTHING:
                members = random.Random(_SEED).sample(members, _SAMPLE)
            for member in members:
                file = archive.extractfile(member)
                assert file is not None
                module = Module.from_bytes(file.read(), f"{self}/{member.name}")
                if module.has_debug_info:
                    yield module


def corpus_modules() -> list[CorpusArchive]:
    """Every archive."""
    return [CorpusArchive(path) for path in sorted((_KERNELS / "corpus").glob("*.tar.xz"))]
