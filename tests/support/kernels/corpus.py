"""The corpus of tests/kernels/corpus: all launches, and the compiled modules."""

from __future__ import annotations

import functools
from pathlib import Path

from tests.support.kernels import (
    corpus_algorithms,
    corpus_atomics,
    corpus_control,
    corpus_groups,
    corpus_maths,
    corpus_memory,
    corpus_numbers,
    corpus_vectors,
)
from tests.support.kernels.kernel_case import Case
from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS

CORPUS = KERNELS / "corpus"

CASES: list[Case] = [
    *corpus_numbers.CASES,
    *corpus_maths.CASES,
    *corpus_vectors.CASES,
    *corpus_memory.CASES,
    *corpus_control.CASES,
    *corpus_groups.CASES,
    *corpus_atomics.CASES,
    *corpus_algorithms.CASES,
]


@functools.cache
def sources() -> dict[str, Path]:
    """The OpenCL C files of the corpus by name."""
    return {path.stem: path for path in CORPUS.rglob("*.cl")}


@functools.cache
def modules(configuration: str) -> dict[str, Path]:
    """The compiled modules of a set such as ``igc2-dg2-O0``, by name."""
    return {path.name: path for path in sorted((MODULES / "corpus" / configuration).iterdir())}
