"""The kernels of the corpus with the launches that the conformance tests make of them."""

from __future__ import annotations

import sys
from pathlib import Path

_TESTS = Path(__file__).resolve().parents[1]
KERNELS = _TESTS / "kernels"
SOURCES = KERNELS / "src"

# The conformance tests import each other by plain names; so must whoever shares their cases.
sys.path.append(str(_TESTS / "conformance"))

from kernel_cases import CASES, Case, Local  # noqa: E402
from kernel_words import launch_words  # noqa: E402
from native_programs import native_program  # noqa: E402

__all__ = ["CASES", "KERNELS", "SOURCES", "Case", "Local", "launch_words", "native_program"]
