"""The committed kernels with the launches that the tests make of them."""

from __future__ import annotations

from pathlib import Path

from tests.support.kernels import corpus
from tests.support.kernels.compilers import source_options
from tests.support.kernels.kernel_cases import CASES, Case, Local
from tests.support.kernels.kernel_words import launch_words
from tests.support.native_programs import native_program
from tests.support.packed_modules import ZEBINS
from tests.support.places import KERNELS

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


def module_of(case: Case, configuration: str) -> Path | None:
    """What the compiler and device of ``configuration`` have of the case, or None when the device
    cannot run it."""
    if case.source in corpus.sources():
        return corpus.modules(configuration).get(case.source)
    module = ZEBINS / configuration / f"{case.source}.zebin"
    return module if module.exists() else None


def source_text(case: Case) -> str:
    """The OpenCL C of the case."""
    path = corpus.sources().get(case.source, KERNELS / "src" / f"{case.source}.cl")
    return path.read_text()
