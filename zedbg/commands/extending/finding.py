"""Where plugins are found: shipped, in the user's folder, in installed packages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: The group of entry points in which packages offer plugins.
ENTRY_POINTS = "zedbg.plugins"

_PACKAGE = Path(__file__).resolve().parents[2]
# Installed, they are in the package; in the source tree, beside it.
_FOLDERS = (_PACKAGE / "plugins", _PACKAGE.parent / "plugins")


@dataclass(frozen=True)
class Shipped:
    """A plugin that ships with zedbg. It is loaded when one of its ``commands`` is used, or a value
    of a type is shown whose name begins with one of ``types``."""

    name: str
    commands: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    @property
    def file(self) -> Path:
        """The file, which is there in every installation."""
        files = [folder / f"{self.name}.py" for folder in _FOLDERS]
        return next((each for each in files if each.is_file()), files[0])


#: The plugins that ship with zedbg.
SHIPPED = (
    Shipped("compare", commands=("compare",)),
    Shipped("divergence", commands=("divergence",)),
    Shipped("hang_report", commands=("hang-report",)),
    Shipped("heatmap", commands=("heatmap",)),
    Shipped("kernel_report", commands=("kernel-report",)),
    Shipped("occupancy", commands=("occupancy",)),
    Shipped("sycl_printers", types=("sycl::", "cl::sycl::")),
    Shipped("usm", commands=("usm",)),
)


def plugin_files() -> list[Path]:
    """The user's plugins, in the order in which they are loaded: those in the folder ``plugins`` of
    zedbg's configuration, then ``$ZEDBG_PLUGINS``, files or folders separated as in ``PATH``."""
    configuration = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    places = [configuration / "zedbg" / "plugins"]
    places += [Path(each) for each in os.environ.get("ZEDBG_PLUGINS", "").split(os.pathsep) if each]
    files: list[Path] = []
    for place in places:
        found = sorted(place.glob("*.py")) if place.is_dir() else [place]
        files += [each for each in found if each.is_file() and each.name[0] not in "._"]
    return list(dict.fromkeys(files))


@dataclass(frozen=True)
class EntryPoint:
    """A plugin of an installed package: ``name = module`` or ``name = module:function``."""

    name: str
    value: str


def find_entry_points() -> list[EntryPoint]:
    """Those of all installed packages, without loading any. Looking for them takes a look at one
    file of each package, and the module that reads such files only if there are any."""
    found = [text for text in _declarations() if f"[{ENTRY_POINTS}]" in text]
    if not found:
        return []
    import configparser

    entries: list[EntryPoint] = []
    for text in found:
        parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
        parser.optionxform = str  # type: ignore[assignment]
        try:
            parser.read_string(text)
            entries += [EntryPoint(*each) for each in parser.items(ENTRY_POINTS)]
        except configparser.Error:
            continue
    return sorted(set(entries), key=lambda each: each.name)


def _declarations() -> Iterator[str]:
    """The text of each ``entry_points.txt`` on the path (packaging.python.org, "Entry points
    specification")."""
    for place in dict.fromkeys(sys.path):
        try:
            names = os.listdir(place or ".")  # noqa: PTH208 - at the start of every session
        except OSError:
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                file = os.path.join(place or ".", name, "entry_points.txt")  # noqa: PTH118
                try:
                    with open(file, encoding="utf-8") as opened:  # noqa: PTH123
                        yield opened.read()
                except (OSError, UnicodeDecodeError):
                    continue
