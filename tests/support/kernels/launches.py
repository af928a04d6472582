"""Every launch of the committed kernels, for tests that hold something of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.kernels import corpus
from tests.support.kernels.committed_kernels import module_of
from tests.support.kernels.kernel_case import Case
from tests.support.kernels.kernel_cases import CASES

# Launches that end with an exception, for the compiler made them so: see DISAGREEMENTS in
# test_corpus_against_pocl.py. Kernel and configuration.
LOST = {("bytecode", "igc1-dg2-O2"), ("bytecode", "igc1-pvc-O2")}


@dataclass(frozen=True)
class Launchable:
    """A launch, and the module of it that a compiler made for a device."""

    case: Case
    module: Path
    of_corpus: bool  # of tests/kernels/corpus; else of tests/kernels


def launches(configuration: str, directory: Path) -> Iterator[Launchable]:
    """The launches of tests/kernels and of its corpus that a compiler, device and level have.

    Without those that are lost. Modules of the corpus are unpacked into ``directory``.
    """
    modules = corpus.modules(configuration)
    small = ((case, module_of(case, configuration), False) for case in CASES)
    large = ((case, modules.get(case.source), True) for case in corpus.CASES)
    for case, module, of_corpus in (*small, *large):
        # dg2 has no 64-bit floating point
        runs = (case.kernel, configuration) not in LOST and not (
            case.doubles and "-dg2-" in configuration
        )
        if runs and module and module.exists():
            yield Launchable(case, module, of_corpus)
