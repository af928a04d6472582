"""Work that makes very many objects."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def keeping_all() -> Iterator[None]:
    """While objects are made that are all kept for now: Python would look through all of them again
    and again for circles to let go of. It makes up for it afterwards."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
