"""What the options that a module was built with say."""

from __future__ import annotations

_DEBUG = "-g"


def debug_info_advice(options: str | None) -> str:
    """What to do to have debug information in a module without it, built with ``options`` (None:
    that is not known)."""
    if _DEBUG not in (options or "").split():
        return f"compile with {_DEBUG}"
    return (
        f"compiled with {_DEBUG}, but the compiler left it out, as older ones do with several "
        "kernels: compile each kernel alone"
    )
