"""Which threads run when the focused one is resumed."""

from __future__ import annotations

from enum import Enum


class SchedulerLocking(Enum):
    """The values are GDB's words. Steps are all commands that end by themselves: step, next,
    finish, until, advance."""

    OFF = "off"  # everything runs, also during a step
    STEP = "step"  # a step moves the focused thread only; continue lets everything run
    ON = "on"  # only the focused thread ever runs

    @property
    def steps_alone(self) -> bool:
        """Whether a step keeps all other threads stopped."""
        return self is not SchedulerLocking.OFF
