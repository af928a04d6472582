"""zedbg: a debugger for Intel GPU programs over Level Zero.

From a script::

    import zedbg

    with zedbg.launch(["./program"], sim="dg2") as session:
        session.break_at("vadd.cl:3")
        stop = session.continue_()
        for group in stop.groups:
            print(group.location, group.workgroup, len(group.threads))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zedbg.api import attach, launch, open_session

__version__ = "0.1.0"
__all__ = ["attach", "launch", "open_session"]


def __getattr__(name: str) -> object:
    # On demand: most of zedbg (inspecting files, completing command lines) needs no loader.
    if name in __all__:
        from zedbg import api

        return getattr(api, name)
    raise AttributeError(f"module 'zedbg' has no attribute {name!r}")
