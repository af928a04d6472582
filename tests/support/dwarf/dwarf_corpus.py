"""The committed modules that have debug information: a sample of them, or all in the full run."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.packed_modules import MODULES, ZEBINS
from zedbg.zebin import Module

_FILES, _SAMPLE = 90, 6  # files, and modules of each set, in a default run
_SEED = 6
_EVERYTHING = os.environ.get("ZEDBG_FULL_CORPUS") == "1"


def zebin_files() -> list[Path]:
    """Module files of each compiler, device and level."""
    files = sorted(path for path in ZEBINS.glob("*/*.zebin") if b".debug_info" in path.read_bytes())
    return files if _EVERYTHING else sorted(random.Random(_SEED).sample(files, _FILES))


@dataclass(frozen=True)
class CorpusSet:
    """The modules of one compiler, for one device, at one level of optimisation."""

    folder: Path

    def __str__(self) -> str:
        return self.folder.name

    def modules(self) -> Iterator[Module]:
        """Those modules in it that are to be compared."""
        paths = sorted(self.folder.iterdir())
        if not _EVERYTHING:
            paths = random.Random(_SEED).sample(paths, _SAMPLE)
        for path in paths:
            module = Module.from_bytes(path.read_bytes(), f"{self}/{path.name}")
            if module.has_debug_info:
                yield module


def corpus_modules() -> list[CorpusSet]:
    """Every set."""
    return [CorpusSet(path) for path in sorted((MODULES / "corpus").iterdir())]
