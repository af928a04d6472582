"""How zedbg ends when nobody reads its output any more."""

from __future__ import annotations

import os
import sys

#: The exit status of a program that Ctrl-C ended, as shells report it.
INTERRUPTED = 130


def discard_output() -> None:
    """The rest of standard output goes nowhere, without complaint."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
