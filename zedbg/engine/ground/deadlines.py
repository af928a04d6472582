"""Times to wait, where there may be no limit."""

from __future__ import annotations

import time


def seconds_until(deadline: float | None) -> float | None:
    """What is left until ``deadline`` of time.monotonic; None is for ever."""
    return None if deadline is None else max(deadline - time.monotonic(), 0.0)


def shorter(one: float | None, other: float | None) -> float | None:
    """The shorter of two times to wait, in seconds; None is for ever."""
    if one is None or other is None:
        return other if one is None else one
    return max(min(one, other), 0.0)
