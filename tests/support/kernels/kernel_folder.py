"""Sizes and arguments of kernels: the lines ``NAME: OPTIONS`` of launches.txt in their folder.

The options are those of ``zedbg kernel``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.support.places import KERNELS

EVERYDAY = KERNELS / "everyday"


def launch_of(name: str, folder: Path = EVERYDAY) -> list[str]:
    """The options of ``zedbg kernel`` for a kernel."""
    return _launches(folder)[name]


def kernel_names(folder: Path) -> list[str]:
    """All kernels of a folder that have a line."""
    return list(_launches(folder))


@cache
def _launches(folder: Path) -> dict[str, list[str]]:
    lines = (folder / "launches.txt").read_text().splitlines()
    named = (line.partition(":") for line in lines if line)
    return {name.strip(): options.split() for name, _, options in named}
