"""Benchmarks: what debugging through zedbg costs, and how fast the simulated GPU is.

``python -m tests.bench`` or ``./run bench`` measures and prints; nothing here asserts a time.
"""

from __future__ import annotations

import sys
from pathlib import Path

# The conformance tests import each other by plain names; so must whoever shares their cases.
_TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(_TESTS / "conformance"), str(_TESTS / "kernels")]
