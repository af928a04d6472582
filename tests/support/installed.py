"""The native libraries of the installed zedbg."""

from __future__ import annotations

import importlib.metadata
import os
from pathlib import Path

_LIBRARIES = {
    "ZEDBG_SIM_DRIVER": "libze_sim_gpu.so.1",
    "ZEDBG_HOLD_LIBRARY": "libzedbg_hold.so",
}


def _installed_library(name: str) -> Path | None:
    """The library `name` of the installed distribution, even when the source tree is imported."""
    try:
        distribution = importlib.metadata.distribution("zedbg")
    except importlib.metadata.PackageNotFoundError:
        return None
    path = Path(str(distribution.locate_file(f"zedbg/native/{name}")))
    return path if path.exists() else None


def use_installed_libraries() -> None:
    """Names the installed libraries in the environment, unless it names others."""
    for variable, name in _LIBRARIES.items():
        library = _installed_library(name)
        if library is not None and not os.environ.get(variable):
            os.environ[variable] = str(library)
