"""The newest loader and compiler, where ``zedbg fetch`` put them into the user's cache."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LOADER = "libze_loader.so.1"
COMPILER = "XESIM_OCLOC"
SYSTEM_LIBRARIES = "usr/lib/x86_64-linux-gnu"  # of Debian
_LIBRARIES = "LD_LIBRARY_PATH"
_FRONT_END = "libigdfcl.so.2"


@dataclass(frozen=True)
class Newest:
    """What ``zedbg fetch`` made, or will make, in ``directory``."""

    directory: Path

    @property
    def loader_directory(self) -> Path:
        """The folder with the loader and its layers, for LD_LIBRARY_PATH."""
        return self.directory / "loader"

    @property
    def system(self) -> Path:
        """The folder with the packages that both come from, as a root directory."""
        return self.directory / "system"

    @property
    def front_end(self) -> Path:
        """The library by which the compiler reads OpenCL C."""
        return self.system / SYSTEM_LIBRARIES / _FRONT_END

    @property
    def compiler(self) -> Path:
        """Intel's offline compiler, as a command."""
        return self.directory / "ocloc"

    @property
    def has_loader(self) -> bool:
        """Whether the loader is there."""
        return (self.loader_directory / LOADER).exists()

    @property
    def has_compiler(self) -> bool:
        """Whether the compiler is there, and reads OpenCL C as well as SPIR-V: the one of a search
        path, which it goes before, does."""
        return self.compiler.exists() and self.front_end.exists()

    def added_to(self, environment: Mapping[str, str]) -> dict[str, str]:
        """The variables by which a program with ``environment`` uses what is there: it goes before
        the system's loader and compiler, a compiler that the user chose stays."""
        added = {}
        if self.has_loader:
            before = environment.get(_LIBRARIES, "").split(os.pathsep)
            own = str(self.loader_directory)
            others = [each for each in before if each not in ("", own)]
            added[_LIBRARIES] = os.pathsep.join([own, *others])
        if self.has_compiler and not environment.get(COMPILER):
            added[COMPILER] = str(self.compiler)
        return added


def newest() -> Newest:
    """Of this user."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Newest(Path(cache) / "zedbg" / "newest")
