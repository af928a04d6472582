"""Source this file in GDB: gdb -x "$(zedbg gdb-plugin)" --args ./program

docs/gdb-plugin.md says what GDB then has.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import zedbg_in_gdb.beginning  # noqa: F401 - once, however often this is sourced
