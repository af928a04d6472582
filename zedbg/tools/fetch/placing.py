"""How the newest loader and compiler get into the user's cache."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from zedbg.levelzero.newest import LOADER, SYSTEM_LIBRARIES, Newest
from zedbg.levelzero.selection import native_file
from zedbg.tools.fetch.older_system import adapt
from zedbg.tools.fetch.packages import FetchError, unpack_newest

SUPPORT_LIBRARY_NAME = "libzedbg_loader_support.so"
SUPPORT_LIBRARY_OVERRIDE = "ZEDBG_LOADER_SUPPORT"
SUPPORTED = frozenset(
    {
        "__isoc23_strtol",
        "__isoc23_strtoul",
        "__cxa_call_terminate",
        "_ZSt21ios_base_library_initv",
    }
)
_LOADER_LIBRARIES = (LOADER, "libze_validation_layer.so.1", "libze_tracing_layer.so.1")
_PACKAGES = ("libze1", "intel-ocloc", "libigc2", "libigdfcl2")
_LINKER = "ld-linux-x86-64.so.2"
# A program of another C library than this system's: its own dynamic linker starts it.
_COMPILER = """\
#!/bin/sh
# Intel's offline compiler with the libraries that it was built for; made by zedbg fetch.
libraries={libraries}
exec "$libraries/{linker}" --library-path "$libraries" "{program}" "$@"
"""


def fetch(made: Newest) -> None:
    """Downloads what is not there yet; raises FetchError."""
    if made.has_loader and made.has_compiler:
        return
    evidence = str(made.front_end.relative_to(made.system))
    root = unpack_newest(_PACKAGES, made.system, evidence)
    shutil.rmtree(made.system / "apt", ignore_errors=True)
    try:
        _place_loader(root / SYSTEM_LIBRARIES, made.loader_directory)
        _place_compiler(root, made.compiler)
    except OSError as error:
        raise FetchError(f"{made.directory}: {error.strerror}") from error


def _place_loader(libraries: Path, directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    support = native_file(SUPPORT_LIBRARY_NAME, SUPPORT_LIBRARY_OVERRIDE)
    for name in reversed(_LOADER_LIBRARIES):  # the loader last: by it the others are known
        data, needed = adapt((libraries / name).read_bytes(), SUPPORTED)
        if needed:
            if support is None or not support.exists():
                raise FetchError(f"{SUPPORT_LIBRARY_NAME} is missing: reinstall zedbg")
            _write(directory / needed, support.read_bytes())
        _write(directory / name, data)


def _place_compiler(root: Path, compiler: Path) -> None:
    programs = sorted((root / "usr/bin").glob("ocloc-*"))
    if not programs:
        raise FetchError("the package intel-ocloc has no ocloc")
    text = _COMPILER.format(libraries=root / SYSTEM_LIBRARIES, linker=_LINKER, program=programs[-1])
    _write(compiler, text.encode(), executable=True)


def _write(path: Path, data: bytes, executable: bool = False) -> None:
    """All of it or nothing, whenever the process ends."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.write_bytes(data)
    unfinished.chmod(0o755 if executable else 0o644)
    unfinished.replace(path)
