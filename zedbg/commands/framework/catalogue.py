"""Every command that ships with zedbg, in one registry."""

from __future__ import annotations

from zedbg.commands import (  # noqa: F401 - importing declares the commands
    advancing,
    breakpoint_states,
    breakpoints,
    catching,
    code,
    data,
    display,
    examining,
    focus,
    frame_variables,
    interrupting,
    listing,
    registers,
    running,
    skipping,
    source_paths,
    stack,
    status,
    support,
    symbols,
    watchpoints,
    zeinfo,
)
from zedbg.commands.framework.declaration import Registry, builtin

_GROUP_ALIASES = {"i": "info", "inf": "info"}


def catalogue() -> Registry:
    """A registry of its own with all built-in commands: plugins may add to it."""
    return Registry(dict(builtin.declarations), {**builtin.aliases, **_GROUP_ALIASES})
