"""The kernels of the corpus with the launches that the conformance tests make of them."""

from __future__ import annotations

from pathlib import Path

from kernel_cases import CASES, Case, Local
from kernel_words import launch_words
from native_programs import native_program

KERNELS = Path(__file__).resolve().parents[1] / "kernels"
SOURCES = KERNELS / "src"

__all__ = ["CASES", "KERNELS", "SOURCES", "Case", "Local", "launch_words", "native_program"]
