"""The command line of ``zedbg gdb-plugin``."""

from __future__ import annotations

import argparse
from pathlib import Path

_DESCRIPTION = """\
Prints where the plugin for GDB is: GDB, with the host program, then also debugs what that runs on a
device. docs/gdb-plugin.md says how to use it.
"""
_EPILOG = """\
examples:
  gdb -x "$(zedbg gdb-plugin)" --args ./program arguments
  echo "source $(zedbg gdb-plugin)" >> ~/.gdbinit
"""
_PACKAGE = Path(__file__).resolve().parents[2]


def plugin_file() -> Path:
    """The file to source in GDB: in an installed package, or in the source tree beside it."""
    name = Path("plugins") / "gdb" / "zedbg_gdb.py"
    installed = _PACKAGE / name
    return installed if installed.exists() else _PACKAGE.parent / name


def main(arguments: list[str]) -> int:
    """Runs ``zedbg gdb-plugin``."""
    parser = argparse.ArgumentParser(
        prog="zedbg gdb-plugin",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.parse_args(arguments)
    print(plugin_file())
    return 0
