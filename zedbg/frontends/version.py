"""``zedbg --version``: the version, and what zedbg found here. Loads nothing for it."""

from __future__ import annotations

import os
import platform

import zedbg

_LOADER = "libze_loader.so.1"
_LIBRARY_FOLDERS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/local/lib", "/usr/lib", "/lib")
_DRIVER = "libze_sim_gpu.so.1"
_CARDS = "/sys/class/drm"
_INTEL = "0x8086"


def version_lines() -> list[str]:
    """The version in the first line, then what there is of what zedbg needs, a line each."""
    return [
        f"zedbg {zedbg.__version__}",
        f"  Python {platform.python_version()}",
        f"  Level Zero loader: {_loader() or 'not found (zedbg doctor says what to do)'}",
        f"  simulated GPU: {_simulated() or 'not in this installation'}",
        f"  Intel GPUs: {', '.join(_cards()) or 'none'}",
    ]


def _loader() -> str | None:
    folders = [each for each in os.environ.get("LD_LIBRARY_PATH", "").split(":") if each]
    for folder in (*folders, *_LIBRARY_FOLDERS):
        path = f"{folder}/{_LOADER}"
        if os.path.exists(path):  # noqa: PTH110 - pathlib takes as long to load as all of this
            return os.path.realpath(path)
    return None


def _simulated() -> str | None:
    chosen = os.environ.get("ZEDBG_SIM_DRIVER")
    places = [chosen] if chosen else [f"{folder}/native/{_DRIVER}" for folder in zedbg.__path__]
    return next((path for path in places if os.path.exists(path)), None)  # noqa: PTH110


def _cards() -> list[str]:
    """Intel's GPUs: ``card0 (xe)``."""
    found = []
    try:
        names = sorted(os.listdir(_CARDS))  # noqa: PTH208
    except OSError:
        return []
    for name in names:
        device = f"{_CARDS}/{name}/device"
        if name.removeprefix("card").isdecimal() and _text(f"{device}/vendor") == _INTEL:
            driver = os.path.basename(os.path.realpath(f"{device}/driver"))  # noqa: PTH119
            found.append(f"{name} ({driver})")
    return found


def _text(path: str) -> str:
    try:
        with open(path) as file:  # noqa: PTH123
            return file.read().strip()
    except OSError:
        return ""
