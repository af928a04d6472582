"""The command line of ``zedbg fetch``."""

from __future__ import annotations

import argparse
import sys

from zedbg.levelzero.newest import newest
from zedbg.tools.fetch.placing import fetch
from zedbg.user_error import UserError

_DESCRIPTION = """\
Downloads the newest Level Zero loader and the newest offline compiler of Intel from Debian into the
user's cache, on Debian systems. Nothing is installed. Programs that zedbg starts on
the simulated GPU use them, those of zedbg env and zedbg run too.

SYCL programs need both: the loader of Debian 12 lacks functions that they call, and its compiler
cannot read their SPIR-V.
"""


def main(arguments: list[str]) -> int:
    """Runs ``zedbg fetch``."""
    parser = argparse.ArgumentParser(
        prog="zedbg fetch",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.parse_args(arguments)
    made = newest()
    try:
        fetch(made)
    except UserError as error:
        print(f"zedbg fetch: {error.line}", file=sys.stderr)
        return 1
    print(f"loader    {made.loader_directory}")
    print(f"compiler  {made.compiler}")
    return 0
