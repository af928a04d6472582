"""The commands that ship with zedbg.

A command is declared beside its function, in a module of ``zedbg/commands``. The index names the
module of each command, so that a session loads only what it uses.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from zedbg import commands
from zedbg.commands.catalogue import index
from zedbg.commands.framework.declaration import Registry, builtin

_GROUP_ALIASES = {"i": "info", "inf": "info"}


def catalogue() -> Registry:
    """A registry of its own with all built-in commands: plugins may add to it."""
    modules = {name: f"{commands.__name__}.{module}" for name, module in index.MODULES.items()}
    return Registry(modules=modules, aliases=index.ALIASES | _GROUP_ALIASES)


def declared() -> Registry:
    """The built-in commands as their modules declare them, without the index: loads all modules."""
    for module in iter_modules(commands.__path__, commands.__name__ + "."):
        if not module.ispkg:
            import_module(module.name)
    return Registry(dict(builtin.declarations), builtin.aliases | _GROUP_ALIASES)


def index_source() -> str:
    """The text of ``index.py``, from the declarations."""
    modules = {each.name: each.handler.__module__.rpartition(".")[2] for each in declared()}
    lines = [
        '"""Which module of ``zedbg/commands`` declares each command, and the short names.',
        "",
        "Generated from the declarations; do not edit:",
        "``python -m zedbg.commands.catalogue.reference`` writes it.",
        '"""',
        "",
        "MODULES = {",
        *(f'    "{name}": "{module}",' for name, module in sorted(modules.items())),
        "}",
        "ALIASES = {",
        *(f'    "{alias}": "{name}",' for alias, name in sorted(builtin.aliases.items())),
        "}",
    ]
    return "\n".join(lines) + "\n"
