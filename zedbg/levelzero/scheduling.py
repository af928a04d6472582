"""The order in which the simulated GPU runs its threads."""

from __future__ import annotations

import os

SIM_SCHEDULER = "XESIM_SCHEDULER"
SIM_SEED = "XESIM_SEED"
#: Orders in which the simulated GPU can run its threads; the first is the default.
SCHEDULERS = ("round-robin", "random", "adversarial")
LARGEST_SEED = 2**64 - 1


def choose_scheduling(scheduler: str | None, seed: int | None) -> None:
    """Sets the order of threads for simulated GPUs of this process and of programs it starts.

    ``scheduler`` is one of :data:`SCHEDULERS`; None leaves what the environment says. Has no
    effect on a driver that is initialised already.
    """
    if scheduler is not None:
        os.environ[SIM_SCHEDULER] = scheduler
    if seed is not None:
        os.environ[SIM_SEED] = str(seed)
