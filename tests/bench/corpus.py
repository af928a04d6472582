"""The committed kernels with the launches that the conformance tests make of them."""

from __future__ import annotations

from pathlib import Path

import corpus
from build_corpus import source_options
from kernel_cases import CASES, Case, Local
from kernel_words import launch_words
from native_programs import native_program

KERNELS = Path(__file__).resolve().parents[1] / "kernels"
# Those of tests/kernels, which are CASES, come first; the corpus follows.
ALL_CASES = [*CASES, *corpus.CASES]

__all__ = [
    "ALL_CASES",
    "CASES",
    "KERNELS",
    "Case",
    "Local",
    "launch_words",
    "module_of",
    "native_program",
    "source_options",
    "source_text",
]


def module_of(case: Case, configuration: str, directory: Path) -> Path | None:
    """What the compiler and device of ``configuration`` have of the case; archives are unpacked
    into ``directory``. None when the device cannot run it."""
    if case.source in corpus.sources():
        return corpus.modules(configuration, directory).get(case.source)
    module = KERNELS / "zebin" / configuration / f"{case.source}.zebin"
    return module if module.exists() else None


def source_text(case: Case) -> str:
    """The OpenCL C of the case."""
    path = corpus.sources().get(case.source, KERNELS / "src" / f"{case.source}.cl")
    return path.read_text()
