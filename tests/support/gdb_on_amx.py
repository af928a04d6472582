"""A GDB that calls functions of a program, and goes back in it, on processors with AMX as well.

Debian 12's GDB 13 can do neither there; GDB 14 can.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

_SOURCE = Path(__file__).with_name("extended_state.c")


def gdb_variables(folder: Path) -> dict[str, str]:
    """Environment variables for such a GDB; a library is compiled into ``folder``."""
    library = folder / "libextended_state.so"
    options = ["-std=gnu11", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *options, str(_SOURCE), "-o", str(library), "-ldl"], check=True)
    return {"LD_PRELOAD": str(library)}
