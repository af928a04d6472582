"""What a user chooses for a session."""

from __future__ import annotations

from dataclasses import dataclass

from zedbg.engine.ground.scheduler_locking import SchedulerLocking


@dataclass
class Settings:
    """``watchdog_seconds``: of silence, before a wait says which breakpoints are pending; 0: never.
    ``range_stepping``: steps by lines let a thread run where it needs no look. ``records``: devices
    that can record launches do, in ``record_budget`` bytes; None: as many as the driver likes."""

    scheduler_locking: SchedulerLocking = SchedulerLocking.STEP
    range_stepping: bool = True
    steps_into_code_without_lines: bool = False
    watchdog_seconds: float = 5.0
    records: bool = True
    record_budget: int | None = None
