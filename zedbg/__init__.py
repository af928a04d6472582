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

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zedbg.commands.framework.command_errors import CommandError
    from zedbg.commands.framework.plugin import (
        COMMAND_BREAKPOINTS,
        COMMAND_DATA,
        COMMAND_FILES,
        COMMAND_NONE,
        COMMAND_RUNNING,
        COMMAND_STACK,
        COMMAND_STATUS,
        COMMAND_SUPPORT,
        COMMAND_USER,
        Command,
    )
    from zedbg.engine.sessions.opening import attach, launch, open_session
    from zedbg.user_error import UserError
    from zedbg.zebin import Module

__version__ = "0.1.0"
__all__ = [
    "COMMAND_BREAKPOINTS",
    "COMMAND_DATA",
    "COMMAND_FILES",
    "COMMAND_NONE",
    "COMMAND_RUNNING",
    "COMMAND_STACK",
    "COMMAND_STATUS",
    "COMMAND_SUPPORT",
    "COMMAND_USER",
    "Command",
    "CommandError",
    "Module",
    "UserError",
    "attach",
    "launch",
    "open_session",
]
_OPENING = "zedbg.engine.sessions.opening"
_HOMES = {
    "CommandError": "zedbg.commands.framework.command_errors",
    "Module": "zedbg.zebin",
    "UserError": "zedbg.user_error",
}


def __getattr__(name: str) -> object:
    # On demand: most of zedbg (inspecting files, completing command lines) needs no loader.
    if name not in __all__:
        raise AttributeError(f"module 'zedbg' has no attribute {name!r}")
    plugin = name == "Command" or name.startswith("COMMAND_")
    home = (
        "zedbg.commands.framework.plugin"
        if plugin
        else _HOMES.get(name, "zedbg.engine.sessions.opening")
    )
    return getattr(import_module(home), name)
