"""Keeps the garbage collector away from what stays until the end."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
