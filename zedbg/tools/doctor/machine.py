"""The machine as the doctor sees it; another root and another user stand in for it in tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from zedbg.engine.process.process import HOLD_LIBRARY_NAME, HOLD_LIBRARY_OVERRIDE
from zedbg.levelzero.probe import DriverReport
from zedbg.levelzero.selection import (
    DRIVER_OVERRIDE,
    SIM_DRIVER_NAME,
    native_file,
    probe_drivers,
)

Probe = Callable[[Mapping[str, str]], DriverReport]
"""Takes a whole environment; gives what the Level Zero loader finds in a process that has it."""

_CAP_SYS_PTRACE = 19  # linux/capability.h


@dataclass(frozen=True)
class Machine:
    """``root`` is put before every absolute path; the user is ``user_id`` with ``group_ids``."""

    root: Path = Path("/")
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    user_id: int = field(default_factory=os.geteuid)
    group_ids: frozenset[int] = field(
        default_factory=lambda: frozenset({*os.getgroups(), os.getegid()})
    )
    probe: Probe = probe_drivers
    simulated_driver: Path | None = field(
        default_factory=lambda: native_file(SIM_DRIVER_NAME, DRIVER_OVERRIDE)
    )
    hold_library: Path | None = field(
        default_factory=lambda: native_file(HOLD_LIBRARY_NAME, HOLD_LIBRARY_OVERRIDE)
    )

    def path(self, absolute: str) -> Path:
        """Where ``absolute`` is under the root."""
        return self.root / absolute.lstrip("/")

    def glob(self, pattern: str) -> list[Path]:
        """The paths that fit, sorted; none where a folder is missing."""
        return sorted(self.root.glob(pattern.lstrip("/")))

    def text(self, path: Path) -> str | None:
        """What is in a small file, without blanks around it; None when it cannot be read."""
        try:
            return path.read_text(errors="replace").strip()
        except OSError:
            return None

    def shown(self, path: Path) -> str:
        """``path`` as people know it."""
        return "/" + str(path.relative_to(self.root))

    def may_use(self, path: Path) -> bool:
        """Whether the user may read and write ``path``, by its mode; False when it is not there."""
        try:
            status = path.stat()
        except OSError:
            return False
        if self.user_id == 0:
            return True
        shift = 0
        if status.st_uid == self.user_id:
            shift = 6
        elif status.st_gid in self.group_ids:
            shift = 3
        return status.st_mode >> shift & 0o6 == 0o6

    @property
    def may_trace_everything(self) -> bool:
        """Whether this process has CAP_SYS_PTRACE."""
        for line in (self.text(self.path("/proc/self/status")) or "").splitlines():
            if line.startswith("CapEff:"):
                return bool(int(line.split()[1], 16) >> _CAP_SYS_PTRACE & 1)
        return self.user_id == 0
