"""What a user chooses for a session."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.engine.ground.scheduler_locking import SchedulerLocking


@dataclass
class Settings:
    """``watchdog_seconds``: of silence, before a wait says which breakpoints are pending; 0: never.
    ``range_stepping``: steps by lines let a thread run where it needs no look."""

    scheduler_locking: SchedulerLocking = SchedulerLocking.STEP
    range_stepping: bool = True
    steps_into_code_without_lines: bool = False
    watchdog_seconds: float = 5.0
