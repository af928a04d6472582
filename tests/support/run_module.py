"""``python tests/support/run_module.py MODULE ARGUMENT...``: like ``python -m`` from this tree.

Tests start their own programs so: the tree comes after everything that is installed in the search
for modules, so that such a program uses the installed zedbg, as its test does.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0:1] = []
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    from zedbg.commands.framework.permanence import collect_less_often

    collect_less_often()  # as zedbg does at its start
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
