"""The newest Level Zero loader, from Debian unstable, beside the system's own, and unchanged.

Programs run with it when the dynamic linker of the C library that it was built for starts them: see
`command_prefix`. (`zedbg fetch` changes it so that programs of this system open it.)
"""

from __future__ import annotations

from pathlib import Path

from zedbg.levelzero.newest import SYSTEM_LIBRARIES
from zedbg.tools.fetch.packages import unpack_newest


def make(directory: Path) -> Path:
    """Makes `directory` hold the newest loader, or finds that it does; returns it.

    Raises FetchError.
    """
    return unpack_newest(("libze1",), directory, f"{SYSTEM_LIBRARIES}/libze_loader.so.1")


def command_prefix(directory: Path) -> list[str]:
    """What to put before a program, so that it runs with the libraries under `directory`."""
    libraries = directory / SYSTEM_LIBRARIES
    return [str(libraries / "ld-linux-x86-64.so.2"), "--library-path", str(libraries)]
