"""Keeps the garbage collector from looking at what is no garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS_BETWEEN_COLLECTIONS = 50_000  # Python's own number is 700


def collect_less_often() -> None:
    """Lets many more objects be made between two rounds for garbage.

    For programs that are zedbg's own: values computed for lanes are tens of thousands of objects
    that stay while their thread is stopped, and looking through them again and again takes a third
    of the time of a stop.
    """
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


@contextmanager
def permanent() -> Iterator[None]:
    """What is loaded meanwhile, and all that was there before, is never looked at for garbage.

    For imports: they make tens of thousands of objects and no garbage, and a round over all of
    them takes longer than most commands, at the start, in a session and at the end.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
