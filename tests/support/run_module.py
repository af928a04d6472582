"""``python tests/support/run_module.py MODULE ARGUMENT...``: like ``python -m`` from this tree.

Tests start their own programs so: the tree comes after everything that is installed in the search
for modules, so that such a program uses the installed zedbg, as its test does.
"""

from __future__ import annotations

import gc
import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    gc.set_threshold(50_000)  # as zedbg has it at its start
    sys.path[0:1] = []
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
