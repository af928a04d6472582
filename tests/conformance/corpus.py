"""The corpus of tests/kernels/corpus: all launches, and the compiled modules in their archives."""

from __future__ import annotations

import fcntl
import functools
import tarfile
from pathlib import Path

import corpus_algorithms
import corpus_atomics
import corpus_control
import corpus_groups
import corpus_maths
import corpus_memory
import corpus_numbers
import corpus_vectors
from kernel_case import Case
from native_programs import REPOSITORY

CORPUS = REPOSITORY / "tests" / "kernels" / "corpus"

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
def modules(configuration: str, directory: Path) -> dict[str, Path]:
    """The compiled modules of a set such as ``igc2-dg2-O0``, unpacked into ``directory``."""
    target = directory / configuration
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / ".lock").open("w") as lock:  # test processes run side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            with tarfile.open(CORPUS / f"{configuration}.tar.xz") as archive:
                for member in archive.getmembers():
                    assert member.isfile() and "/" not in member.name
                archive.extractall(target)
    return {path.name: path for path in target.iterdir()}
