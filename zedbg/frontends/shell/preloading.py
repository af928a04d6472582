"""Loads what commands will need while the user reads and types.

Start-up is lazy: the first prompt is there before most of zedbg is loaded. What is left would make
the first ``attach``, ``run`` and stop slow.
"""

from __future__ import annotations

import asyncio
from importlib import import_module

from zedbg import commands
from zedbg.commands.catalogue import index
from zedbg.commands.framework.permanence import permanent
from zedbg.frontends.shell.large_pages import place_in_large_pages

# By when they are needed: an attach or run with its first stop, then the commands of the day.
_FIRST = (
    "zedbg.commands.running",
    "zedbg.commands.framework.setting_functions",
    "zedbg.commands.describe.event_rows",
    "zedbg.frontends.text.text_events",
    "zedbg.frontends.text.row_text",
    "zedbg.levelzero.selection",
    "zedbg.engine.modules.device_images",
    "zedbg.dwarf.trust",
    "zedbg.dwarf.scopes.statements",
    "zedbg.commands.breakpoints",
    "zedbg.commands.data",
    "zedbg.frontends.text.text_values",
)


def modules_to_load() -> list[str]:
    """The modules of the engine's first stop, then those of every command; each once."""
    of_commands = (f"{commands.__name__}.{name}" for name in index.MODULES.values())
    return list(dict.fromkeys((*_FIRST, *of_commands)))


async def preload() -> None:
    """Imports them one by one on the editor's event loop: between two of them keys are read, and no
    second thread competes for the interpreter with what the user types."""
    for name in modules_to_load():
        await asyncio.sleep(0)
        with permanent():
            import_module(name)
    for _ in place_in_large_pages():
        await asyncio.sleep(0)
